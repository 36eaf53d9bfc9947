import { foldWord } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import type { Directory } from "../language/attributes.ts";
import type { AttributeName } from "../language/clause.ts";
import type { Filter } from "../language/filter.ts";

const GROUPS_MAX = 100_000;

/** The ids that SQL needs for this filter. Group names are folded here, because SQL cannot fold them the same way. */
export async function loadDirectory(db: Database, filter: Filter): Promise<Directory> {
  const groups = valuesOf(filter, "group_name").length > 0 ? await listGroupNames(db) : [];
  const contacts = await findContactAliases(db, valuesOf(filter, "contact_id"));
  const messages = await findMessageAliases(db, valuesOf(filter, "canonical_message_id"));
  return {
    groupIdsNamed: (names) =>
      groups.filter(({ name }) => names.includes(foldWord(name))).map(({ id }) => id),
    // Both ids, because an alias can be in use again during a replay.
    currentContactIds: (ids) => [...ids, ...ids.flatMap((id) => contacts.get(id) ?? [])],
    currentMessageIds: (ids) => [...ids, ...ids.flatMap((id) => messages.get(id) ?? [])],
  };
}

function valuesOf(filter: Filter, attribute: AttributeName): readonly string[] {
  return filter.clauses.flatMap((clause) =>
    "values" in clause && clause.attribute === attribute ? clause.values : [],
  );
}

type Aliases = ReadonlyMap<string, string>;

async function findContactAliases(db: Database, ids: readonly string[]): Promise<Aliases> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ old_id: string; id: string }>(sql`
    select old_id, contact_id as id from contact_alias where old_id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.old_id, row.id]));
}

async function findMessageAliases(db: Database, ids: readonly string[]): Promise<Aliases> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ old_id: string; id: string }>(sql`
    select old_id, canonical_message_id as id from message_alias where old_id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.old_id, row.id]));
}

async function listGroupNames(
  db: Database,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return db.query<{ id: string; name: string }>(sql`
    select id, name from market_group where name is not null order by id limit ${GROUPS_MAX}`);
}
