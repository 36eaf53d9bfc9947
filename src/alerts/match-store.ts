import type { Database } from "../db/database.ts";
import { dropNulls, type Present } from "../db/row.ts";

interface MatchRow {
  readonly alert_id: string;
  readonly resource: string;
  readonly resource_id: string;
  readonly listing_id: string | null;
  readonly canonical_message_id: string;
  readonly matched_at_ms: number;
  readonly seen_at_ms: number | null;
  readonly match_context: Readonly<Record<string, unknown>>;
}

/** Seed 2.2. */
type Match = Present<MatchRow>;

export interface MatchPage {
  readonly items: readonly Match[];
  readonly total: number;
}

export interface MatchQuery {
  readonly alertId: string;
  readonly offset: number;
  readonly limit: number;
  readonly isUnseenOnly: boolean;
}

/** One page of an alert's matches, newest first, ties by resource id. Undefined: there is no such alert. */
export async function listMatches(db: Database, query: MatchQuery): Promise<MatchPage | undefined> {
  const selection = query.isUnseenOnly
    ? db`alert_id = ${query.alertId} and seen_at_ms is null`
    : db`alert_id = ${query.alertId}`;
  const rows = await db<({ total: number } & MatchRow)[]>`
    with page as (
      select alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, seen_at_ms,
             match_context
        from alert_match
       where ${selection}
       order by matched_at_ms desc, resource_id
      offset ${query.offset} limit ${query.limit}
    )
    select (select count(*) from alert_match where ${selection}) as total, page.*
      from alert
      left join page on page.alert_id = alert.id
     where alert.id = ${query.alertId}
     order by page.matched_at_ms desc, page.resource_id`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const items = rows
    .filter(({ resource_id }) => resource_id !== null)
    .map(({ total: _, ...match }) => dropNulls(match));
  return { items, total: first.total };
}
