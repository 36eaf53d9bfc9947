import type { Database } from "../db/database.ts";
import { dropNulls } from "../db/row.ts";
import { recordset, sql } from "../db/sql.ts";
import { groupNamesOf } from "../messages/groups/group-name.ts";
import type { Match, MatchKey, MatchRow } from "./match.ts";
import { matchColumns } from "./match-store.ts";

/** The body of a webhook and of an event of the stream. */
export interface MatchEvent {
  readonly type: "alert.match";
  /** When it matched, ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly alert: { readonly id: string; readonly name: string };
    readonly match: Match;
    readonly listing?: object;
    readonly message?: object;
    /** Only on a stream that asks for matches in shadow. */
    readonly is_shadow?: boolean;
  };
}

/** Returns the bodies of listings as the API shows them, by id. A parameter, because `api/` is below this folder. */
export type DescribeListings = (
  db: Database,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, object>>;

export type NamedMatch = MatchRow & { readonly alert_name: string; readonly sequence: number };

/** The matches with these keys. Deleted ones are left out. */
export async function findMatches(
  db: Database,
  keys: readonly MatchKey[],
): Promise<readonly NamedMatch[]> {
  return db.query<NamedMatch>(sql`
    select ${matchColumns()}, match.sequence, alert.name as alert_name
      from ${recordset(keys)} as wanted (alert_id uuid, resource text, resource_id uuid)
      join alert_match as match using (alert_id, resource, resource_id)
      join alert on alert.id = match.alert_id`);
}

export interface StreamedMatch {
  readonly match: NamedMatch;
  /** It follows from a profile in shadow. */
  readonly isShadow: boolean;
}

/** The matches after a sequence number, in the order of their commits, without those that were made while muted. */
export async function listMatchesAfter(
  db: Database,
  page: { readonly afterSequence: number; readonly limit: number },
): Promise<readonly StreamedMatch[]> {
  const rows = await db.query<NamedMatch & { readonly is_outward: boolean }>(sql`
    select ${matchColumns()}, match.sequence, match.is_outward, alert.name as alert_name
      from alert_match as match
      join alert on alert.id = match.alert_id
     where match.sequence > ${page.afterSequence} and not match.is_muted
     order by match.sequence
     limit ${page.limit}`);
  return rows.map(({ is_outward, ...match }) => ({ match, isShadow: !is_outward }));
}

/** The sequence number of the latest committed match; 0 if there is none. */
export async function findLatestSequence(db: Database): Promise<number> {
  const [row] = await db.query<{ sequence: number }>(sql`
    select sequence from alert_match order by sequence desc limit 1`);
  return row?.sequence ?? 0;
}

/** In the order of the matches. */
export async function toMatchEvents(
  db: Database,
  matches: readonly NamedMatch[],
  describeListings: DescribeListings,
): Promise<readonly MatchEvent[]> {
  const listings = await describeListings(
    db,
    matches.flatMap(({ listing_id }) => listing_id ?? []),
  );
  const messages = await describeMessages(
    db,
    matches.flatMap(({ resource, resource_id }) => (resource === "message" ? [resource_id] : [])),
  );
  return matches.map(({ alert_name, sequence: _, ...match }) => {
    const listing = match.listing_id === null ? undefined : listings.get(match.listing_id);
    const message = messages.get(match.resource_id);
    return {
      type: "alert.match" as const,
      timestamp: new Date(match.matched_at_ms).toISOString(),
      data: {
        alert: { id: match.alert_id, name: alert_name },
        match: dropNulls(match),
        ...(listing === undefined ? {} : { listing }),
        ...(message === undefined ? {} : { message }),
      },
    };
  });
}

interface MessageRow {
  readonly canonical_message_id: string;
  readonly message_text: string | null;
  readonly contact_id: string | null;
  readonly phone_number: string | null;
  readonly display_name: string | null;
  readonly group_ids: readonly string[];
  readonly group_names: readonly string[];
  readonly message_timestamp_ms: number | null;
  readonly last_seen_at_ms: number | null;
  readonly occurrence_count: number;
  readonly has_media: boolean;
  readonly is_revoked: boolean;
}

async function describeMessages(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, object>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<MessageRow>(sql`
    select message.id as canonical_message_id, message.text as message_text, message.contact_id,
           contact.phone_number, contact.display_name, message.group_ids,
           ${groupNamesOf(sql`message.group_ids`)} as group_names,
           message.first_seen_at_ms as message_timestamp_ms, message.last_seen_at_ms, message.occurrence_count,
           message.has_media, message.is_revoked
      from canonical_message as message
      left join contact on contact.id = message.contact_id
     where message.id = any(${[...ids]}::uuid[])
     order by message.id
     limit ${ids.length}`);
  return new Map(
    rows.map(({ contact_id, phone_number, display_name, ...message }) => [
      message.canonical_message_id,
      dropNulls({ ...message, sender: dropNulls({ contact_id, phone_number, display_name }) }),
    ]),
  );
}
