import type { Database } from "../db/database.ts";
import { rowset, sql } from "../db/sql.ts";
import { isSameAsk, REPEAT_MS } from "../listings/listing-write-store.ts";
import type { MatchKey, NewMatch } from "./match.ts";

/**
 * Of new matches of listings, those that repeat an ask for which their alert has a match: a dealer who posts a watch again in
 * other words makes another listing, and hears of it once. It does not matter which of the two came first. If the alert missed
 * the first post, because the price was no buy then, the repeat is no repeat for it. Call it with the lock of matches.
 *
 * Example: an ask of 9,500 is posted on Monday, when at most 9,300 was a buy, and again in other words on Friday, when 9,800
 * is. The alert on buys fires on Friday. It does not fire again for a third post on Saturday.
 */
export async function findRepeats(
  tx: Database,
  matches: readonly NewMatch[],
): Promise<readonly MatchKey[]> {
  if (matches.length === 0) return [];
  return tx.query<MatchKey>(sql`
    with ask as materialized (
      select wanted.alert_id, wanted.is_outward, listing.id, listing.canonical_message_id, listing.ask_key, listing.side,
             listing.variant_folded, listing.price_amount_minor, listing.price_currency,
             listing.message_timestamp_ms,
             first_value(listing.canonical_message_id) over same_ask as first_message_id,
             first_value(listing.message_timestamp_ms) over same_ask as first_at_ms
        from ${rowset("wanted", matches, { alert_id: "uuid", resource_id: "uuid", is_outward: "boolean" })}
        join listing on listing.id = wanted.resource_id
       where listing.ask_key is not null
      window same_ask as (
               partition by wanted.alert_id, wanted.is_outward, listing.ask_key, listing.side,
                            listing.variant_folded, listing.price_amount_minor, listing.price_currency
               order by listing.is_duplicate, listing.message_timestamp_ms, listing.id)
    )
    select alert_id, 'watch_listing' as resource, id as resource_id
      from ask
     where (canonical_message_id <> first_message_id
            and abs(message_timestamp_ms - first_at_ms) <= ${REPEAT_MS}::bigint)
        or exists (select
                     from listing as other
                     join alert_match as match
                       on match.alert_id = ask.alert_id and match.resource = 'watch_listing'
                      and match.resource_id = other.id
                      -- A match in shadow was told to no one.
                      and (match.is_outward or not ask.is_outward)
                    where ${isSameAsk("ask", "other")}
                      and other.message_timestamp_ms between ask.message_timestamp_ms - ${REPEAT_MS}::bigint
                                                         and ask.message_timestamp_ms + ${REPEAT_MS}::bigint)
     order by alert_id, id`);
}
