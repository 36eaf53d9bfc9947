import { foldWord } from "../base/text.ts";
import type { Database } from "../db/database.ts";
import type { Directory } from "./attributes.ts";
import type { Filter } from "./filter.ts";

const GROUPS_MAX = 100_000;

/** What SQL needs to look up for this filter. Names are folded here, because SQL cannot fold them as we do. */
export async function loadDirectory(db: Database, filter: Filter): Promise<Directory> {
  const asksForNames = filter.clauses.some(
    (clause) => "attribute" in clause && clause.attribute === "group_name",
  );
  const groups = asksForNames ? await listGroupNames(db) : [];
  return {
    groupIdsNamed: (names) =>
      groups.filter(({ name }) => names.includes(foldWord(name))).map(({ id }) => id),
    // Contacts and messages are not merged yet: every id is its own.
    currentContactIds: (ids) => ids,
    currentMessageIds: (ids) => ids,
  };
}

async function listGroupNames(
  db: Database,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return db<{ id: string; name: string }[]>`
    select id, name from market_group where name is not null order by id limit ${GROUPS_MAX}`;
}
