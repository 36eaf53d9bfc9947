import type { Database } from "../../db/database.ts";
import { lockIdentifiers } from "../contacts/contact-store.ts";
import { findErased, queueErasures, rememberErased } from "./erased-store.ts";
import { findOwnNames } from "./person-store.ts";
import type { SiftedFacts } from "./sift-facts.ts";
import { parseNameSubject } from "./subject.ts";

/**
 * Remembers what leads to the erased persons of these events, and queues what may be stored of them under another identifier. What
 * another worker stores at this moment is found too: the queue is worked through when no event is being read.
 */
export async function noteDropped(
  tx: Database,
  key: Buffer,
  sifted: readonly SiftedFacts[],
): Promise<void> {
  const linked = [...new Set(sifted.flatMap((event) => event.linked))];
  const known = await findErased(tx, key, linked);
  const added = linked.filter((subject) => !known.has(subject));
  const names = added.flatMap((subject) => parseNameSubject(subject) ?? []);
  const contacts = names.length === 0 ? [] : await lockIdentifiers(tx, linked);
  const ownNames = await findOwnNames(
    tx,
    names,
    contacts.map(({ contact_id }) => contact_id),
  );
  await rememberErased(
    tx,
    key,
    sifted.flatMap((event) => event.remembered),
  );
  const others = added.filter((subject) => parseNameSubject(subject) === undefined);
  await queueErasures(tx, [...others, ...ownNames]);
}
