import type { Database } from "../db/database.ts";
import { dropNulls } from "../db/row.ts";
import { type Sql, sql } from "../db/sql.ts";
import type { OfferState } from "../listings/offers.ts";
import { groupNamesOf } from "../messages/group-store.ts";
import { findListingPrices, type ListingPrice } from "./listing-prices.ts";
import type { Match } from "./match.ts";
import type { NamedMatch } from "./match-store.ts";

/** The body of a webhook and of an event of the stream. */
export interface MatchEvent {
  readonly type: "alert.match";
  /** When it matched, ISO 8601. */
  readonly timestamp: string;
  readonly data: {
    readonly alert: { readonly id: string; readonly name: string };
    readonly match: Match;
    /** The price of the watch at the time of the match, by its headline. Only for price_engine alerts. */
    readonly headline?: Match["match_context"];
    /** What the headline means now: whether it is a buy, and up to which amount it would be one. */
    readonly price?: ListingPrice;
    readonly offer_state?: OfferState;
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

export interface EventOptions {
  readonly describeListings: DescribeListings;
  readonly nowMs: number;
}

/**
 * In the order of the matches. After contacts merged, a match keeps its old id until the matching step moves it; its listing or
 * message is then found by that id.
 */
export async function toMatchEvents(
  db: Database,
  matches: readonly NamedMatch[],
  { describeListings, nowMs }: EventOptions,
): Promise<readonly MatchEvent[]> {
  const listingIds = [...new Set(matches.flatMap(({ listing_id }) => listing_id ?? []))];
  const prices = await findListingPrices(db, listingIds, { nowMs });
  const listings = await describeMoved(listingIds, {
    describe: (ids) => describeListings(db, ids),
    findMoves: (ids) => findNewIds(db, LISTING_ALIASES, ids),
  });
  const messages = await describeMoved(
    matches.flatMap(({ resource, resource_id }) => (resource === "message" ? [resource_id] : [])),
    {
      describe: (ids) => describeMessages(db, ids),
      findMoves: (ids) => findNewIds(db, MESSAGE_ALIASES, ids),
    },
  );
  return matches.map(({ alert_name, headline, sequence: _, ...match }) => {
    const listing = match.listing_id === null ? undefined : listings.get(match.listing_id);
    const message = messages.get(match.resource_id);
    const { price, offer_state } = prices.get(match.listing_id ?? "") ?? {};
    return {
      type: "alert.match" as const,
      timestamp: new Date(match.matched_at_ms).toISOString(),
      data: {
        alert: { id: match.alert_id, name: alert_name },
        match: dropNulls(match),
        ...(headline === null ? {} : { headline }),
        ...(price === undefined ? {} : { price }),
        ...(offer_state === undefined ? {} : { offer_state }),
        ...(listing === undefined ? {} : { listing }),
        ...(message === undefined ? {} : { message }),
      },
    };
  });
}

/** Returns true if the event has what the match is about. */
export function isComplete({ data }: MatchEvent): boolean {
  return data.listing !== undefined || data.message !== undefined;
}

type Described = ReadonlyMap<string, object>;

async function describeMoved(
  ids: readonly string[],
  of: {
    readonly describe: (ids: readonly string[]) => Promise<Described>;
    readonly findMoves: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  },
): Promise<Described> {
  const found = await of.describe(ids);
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return found;
  const moves = await of.findMoves(missing);
  const moved = moves.size === 0 ? new Map() : await of.describe([...new Set(moves.values())]);
  const byOldId = [...moves].flatMap(([from, to]) => {
    const body = moved.get(to);
    return body === undefined ? [] : [[from, body] as const];
  });
  return new Map([...found, ...byOldId]);
}

const LISTING_ALIASES = sql`select old_id, listing_id as new_id from listing_alias`;
const MESSAGE_ALIASES = sql`select old_id, canonical_message_id as new_id from message_alias`;

async function findNewIds(
  db: Database,
  aliases: Sql,
  oldIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ from: string; to: string }>(sql`
    select old_id as "from", new_id as "to"
      from (${aliases}) as alias
     where old_id = any(${[...oldIds]}::uuid[])
     order by old_id
     limit ${oldIds.length}`);
  return new Map(rows.map(({ from, to }) => [from, to]));
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
