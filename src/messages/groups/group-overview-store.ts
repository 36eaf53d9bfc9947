import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

export interface GroupOverview {
  readonly id: string;
  readonly gateway_group_id: string;
  readonly name: string | null;
  readonly default_currency: string | null;
  readonly is_ignored: boolean;
  readonly managed_by: string | null;
}

/**
 * One page of the groups by name, ties by id, after the group with the id `after`; groups without a name come last. Their
 * number is that of the operator's groups, so no index is needed.
 */
export async function listGroups(
  db: Database,
  page: {
    readonly after?: string;
    readonly limit: number;
    /** A part of the name, in any case. */
    readonly q?: string;
    readonly isIgnored?: boolean;
  },
): Promise<readonly GroupOverview[]> {
  const { after, q, isIgnored } = page;
  return db.query<GroupOverview>(sql`
    select id, gateway_group_id, name, default_currency, is_ignored, managed_by
      from market_group
     where ${
       after === undefined
         ? sql`true`
         : sql`(name is null, coalesce(name, ''), id)
               > (select name is null, coalesce(name, ''), id from market_group where id = ${after})`
     }
       and ${q === undefined ? sql`true` : sql`strpos(lower(name), lower(${q})) > 0`}
       and ${isIgnored === undefined ? sql`true` : sql`is_ignored = ${isIgnored}`}
     order by name is null, coalesce(name, ''), id
     limit ${page.limit}`);
}

/** When the latest message but `rowsMax` was last seen; undefined if there are not so many. */
export async function findMessageHorizon(
  db: Database,
  { rowsMax }: { readonly rowsMax: number },
): Promise<number | undefined> {
  const [row] = await db.query<{ last_seen_at_ms: number }>(sql`
    select last_seen_at_ms
      from canonical_message
     where occurrence_count > 0
     order by last_seen_at_ms desc, id
    offset ${rowsMax}
     limit 1`);
  return row?.last_seen_at_ms;
}

/** How many messages that were last seen after `afterMs` each group has. */
export async function countMessagesByGroup(
  db: Database,
  { afterMs, groupsMax }: { readonly afterMs: number; readonly groupsMax: number },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ group_id: string; count: number }>(sql`
    select group_id, count(*) as count
      from canonical_message
     cross join unnest(group_ids) as posted (group_id)
     where occurrence_count > 0 and last_seen_at_ms > ${afterMs}
     group by group_id
     order by group_id
     limit ${groupsMax}`);
  return new Map(rows.map(({ group_id, count }) => [group_id, count]));
}
