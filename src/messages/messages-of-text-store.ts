import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { canonicalMessageIdOf } from "./message.ts";

/** Contacts are read in pages of this size. A page takes about 20 ms. */
const PAGE_MAX = 5_000;

/**
 * The ids of all messages with this text, by any contact. A message's id follows from its contact and its text, so this
 * asks for the id that the text has with each contact. An index on texts would cost more: every message would pay for it,
 * and only corrections ask.
 */
export async function findMessagesOfText(
  db: Database,
  identitySha256: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const kind of ["contact", "market_group"] as const) {
    let afterId: string | undefined;
    do {
      const owners = await listOwners(db, kind, afterId);
      const ids = owners.map((id) =>
        canonicalMessageIdOf({
          contactId: kind === "contact" ? id : null,
          groupId: id,
          occurrenceId: id,
          identitySha256,
        }),
      );
      const rows = await db.query<{ id: string }>(sql`
        select id from canonical_message where id = any(${ids}::uuid[]) order by id limit ${PAGE_MAX}`);
      found.push(...rows.map(({ id }) => id));
      afterId = owners.length < PAGE_MAX ? undefined : owners.at(-1);
    } while (afterId !== undefined);
  }
  return found;
}

/** If the sender of a message is unknown, its id follows from its group instead. */
async function listOwners(
  db: Database,
  kind: "contact" | "market_group",
  afterId: string | undefined,
): Promise<readonly string[]> {
  const start = afterId === undefined ? sql`true` : sql`id > ${afterId}`;
  const rows = await db.query<{ id: string }>(
    kind === "contact"
      ? sql`select id from contact where ${start} order by id limit ${PAGE_MAX}`
      : sql`select id from market_group where ${start} order by id limit ${PAGE_MAX}`,
  );
  return rows.map(({ id }) => id);
}
