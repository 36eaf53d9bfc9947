import { countMatchesOf } from "../alerts/erase-matches.ts";
import type { Database } from "../db/database.ts";
import { countFiltersNaming } from "../filters/saved-filter-store.ts";
import { findLastRawEvent } from "../intake/raw-event-store.ts";
import { countCorrectionsOf } from "../listings/corrections/correction-write-store.ts";
import { countListingsOfMessages } from "../listings/figures/count-store.ts";
import { phoneOf } from "../messages/contacts/contact.ts";
import { listMessagesOf } from "../messages/message-store.ts";
import {
  listReportedIds,
  lockReportedMessages,
} from "../messages/occurrences/reported-message-store.ts";
import { findErased, findErasureKey } from "../messages/privacy/erased-store.ts";
import {
  countOccurrencesOf,
  findAdminSubjects,
  findOwnNames,
  findPerson,
  listNames,
  type Person,
} from "../messages/privacy/person-store.ts";
import { siftReports } from "./erase-reports.ts";
import { siftPage } from "./scan-bodies.ts";

/** What is stored about a person, outside of raw events. */
interface ErasureCounts {
  readonly contacts: number;
  readonly identifiers: number;
  readonly messages: number;
  readonly occurrences: number;
  readonly listings: number;
  readonly matches: number;
  readonly deliveries: number;
  readonly corrections: number;
}

export interface PlannedErasure {
  readonly person: Person;
  readonly counts: ErasureCounts;
  /** Alerts, views and configurations whose filter names the person. They are not changed. */
  readonly filterCount: number;
  /** The person was erased before. */
  readonly isErased: boolean;
}

/** Says what an erasure would delete, and changes nothing. */
export async function planErasure(db: Database, identifier: string): Promise<PlannedErasure> {
  const person = await findWithNames(db, identifier);
  const { contactIds, identifiers } = person;
  const messageIds = await listMessagesOf(db, contactIds);
  const { matchCount, deliveryCount } = await countMatchesOf(db, messageIds);
  const key = await findErasureKey(db);
  const erased = key === undefined ? new Set() : await findErased(db, key, [identifier]);
  return {
    person,
    counts: {
      contacts: contactIds.length,
      identifiers: contactIds.length === 0 ? 0 : identifiers.length,
      messages: messageIds.length,
      occurrences: await countOccurrencesOf(db, contactIds),
      listings: await countListingsOfMessages(db, messageIds),
      matches: matchCount,
      deliveries: deliveryCount,
      corrections: await countCorrectionsOf(db, messageIds),
    },
    filterCount: await countFiltersNaming(db, [
      ...identifiers.flatMap((item) => phoneOf(item) ?? []),
      ...contactIds,
    ]),
    isErased: erased.size > 0,
  };
}

/** With the contacts of exported chats that have the person's name in one of his groups. */
async function findWithNames(db: Database, identifier: string): Promise<Person> {
  const person = await findPerson(db, identifier);
  const names = await listNames(db, person.contactIds);
  const ownNames = await findOwnNames(db, names, person.contactIds);
  const others: Person[] = [];
  for (const name of ownNames) {
    const other = await findPerson(db, name);
    if (other.contactIds.length > 0) others.push(other);
  }
  const all = [person, ...others];
  return {
    identifiers: [...new Set(all.flatMap((one) => one.identifiers))],
    contactIds: [...new Set(all.flatMap((one) => one.contactIds))],
    isOwn: all.some((one) => one.isOwn),
  };
}

/** How many raw events an erasure of the person would rewrite. Reads all of them. */
export async function countBodiesOf(
  db: Database,
  person: Person,
  onEvents: (count: number) => void,
): Promise<number> {
  const known = { key: await findErasureKey(db), planned: await listPlanned(db, person) };
  const lastId = await findLastRawEvent(db);
  let count = 0;
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const page = await siftPage(db, { afterId, lastId }, known);
    count += page.sifted.length;
    onEvents(page.count);
    afterId = page.lastId;
  }
  return count;
}

const PAGE_MAX = 500;

/** Returns the subjects that the erasure would remember. */
async function listPlanned(db: Database, person: Person): Promise<ReadonlySet<string>> {
  const { identifiers, contactIds } = person;
  const planned = new Set([...identifiers, ...(await findAdminSubjects(db, identifiers))]);
  const names = await listNames(db, contactIds);
  for (const name of await findOwnNames(db, names, contactIds)) planned.add(name);
  const ids = await listReportedIds(db, { contactIds, authorIds: identifiers });
  for (let at = 0; at < ids.length; at += PAGE_MAX) {
    for (const message of await lockReportedMessages(db, ids.slice(at, at + PAGE_MAX))) {
      const sifted = siftReports(message, (subject) => planned.has(subject));
      for (const subject of sifted?.remembered ?? []) planned.add(subject);
    }
  }
  return planned;
}
