/**
 * How steps write matches: new ones are saved or left out as repeats, those in shadow are released, those of a passed watch
 * whose ask fell return, and all follow their listings and messages when these get other ids, after contacts merged or in a replay.
 */
import type { Database } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { recordset, rowset, type Sql, sql } from "../db/sql.ts";
import { backSinceMs, isBackSinceMatch } from "../deals/deal-store.ts";
import { REPEAT_MS } from "../listings/listing-write-store.ts";
import { isSameAsk } from "../listings/offers.ts";
import type { Move } from "../matching/resource-store.ts";
import { type MatchKey, type MovingMatch, matchKeyOf, type NewMatch, planMoves } from "./match.ts";

/** The rows of one statement. A listing can match very many alerts. */
const ROWS_MAX = 5_000;
const KEY_TYPES = { alert_id: "uuid", resource: "text", resource_id: "uuid" };

/** A stored match, by its key. */
interface SavedMatch extends MatchKey {
  readonly is_outward: boolean;
}

interface KnownMatch extends SavedMatch {
  /** Its watch was passed since, and is back. */
  readonly is_returning: boolean;
}

/**
 * Takes the lock of matches, which only one transaction has at a time. So the matches that it reads cannot change before its
 * commit. A step takes this lock last, because a transaction that holds it must not wait for another. Unlike other steps,
 * the commit waits for the disk: a match that was sent, and its number, must survive a crash.
 */
export async function beginMatches(tx: Database): Promise<void> {
  await tx.execute(sql`set local synchronous_commit to default`);
  await takeLock(tx, "matches");
}

/** Of the matches, those that are stored already. */
export async function findKnownMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<readonly KnownMatch[]> {
  return inBatches(matches, (rows) =>
    tx.query<KnownMatch>(sql`
      select match.alert_id, match.resource, match.resource_id, match.is_outward,
             ${isBackSinceMatch("match", nowMs)} as is_returning
        from ${rowset("wanted", rows, KEY_TYPES)}
        join alert_match as match using (alert_id, resource, resource_id)`),
  );
}

/**
 * Saves the matches of enabled alerts that are not stored yet, and returns them. Quiet ones, and those of muted alerts, are
 * returned as not outward.
 */
export async function saveMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<readonly SavedMatch[]> {
  return inBatches(matches, (rows) =>
    tx.query<SavedMatch>(sql`
      insert into alert_match
             (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context,
              headline, is_outward, is_muted, seen_at_ms)
      select wanted.alert_id, wanted.resource, wanted.resource_id,
             case when wanted.resource = 'watch_listing' then wanted.resource_id end, wanted.canonical_message_id,
             ${nowMs}::bigint, wanted.match_context, wanted.headline, wanted.is_outward,
             -- Of one in shadow it is judged when it is released.
             (wanted.is_quiet is true and wanted.is_outward) or ${isMutedAt(nowMs)}, wanted.seen_at_ms
        from ${rowset("wanted", rows, {
          ...KEY_TYPES,
          canonical_message_id: "uuid",
          match_context: "jsonb",
          headline: "jsonb",
          is_outward: "boolean",
          is_quiet: "boolean",
          seen_at_ms: "bigint",
        })}
        join alert on alert.id = wanted.alert_id and alert.is_enabled
       order by wanted.alert_id, wanted.resource, wanted.resource_id
      on conflict do nothing
      returning alert_id, resource, resource_id, is_outward and not is_muted as is_outward`),
  );
}

/**
 * Marks shadow matches as outward, with new sequence numbers, and returns those that changed. A match that was made while
 * its alert was muted stays muted, and so does one that is released now while the alert is muted.
 */
export async function releaseMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<readonly SavedMatch[]> {
  return inBatches(matches, (rows) =>
    tx.query<SavedMatch>(sql`
      update alert_match as match
         set is_outward = true, is_muted = match.is_muted or wanted.is_quiet is true or ${isMutedAt(nowMs)},
             sequence = nextval('alert_match_sequence')
        from ${rowset("wanted", rows, { ...KEY_TYPES, is_quiet: "boolean" })}
        join alert on alert.id = wanted.alert_id and alert.is_enabled
       where match.alert_id = wanted.alert_id and match.resource = wanted.resource
         and match.resource_id = wanted.resource_id and not match.is_outward
      returning match.alert_id, match.resource, match.resource_id, not match.is_muted as is_outward`),
  );
}

/**
 * Makes matches of passed watches that are back as if they were new: not seen, matched now, with new sequence numbers. Returns
 * those that changed. From then on they are later than the decision, so this happens once for each decision.
 */
export async function returnMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<readonly (SavedMatch & { readonly returned_at_ms: number })[]> {
  return inBatches(matches, (rows) =>
    tx.query<SavedMatch & { readonly returned_at_ms: number }>(sql`
      update alert_match as match
         set matched_at_ms = ${nowMs}, returned_at_ms = ${nowMs}, seen_at_ms = null, match_context = wanted.match_context,
             headline = wanted.headline, is_outward = match.is_outward or wanted.is_outward, is_muted = ${isMutedAt(nowMs)},
             sequence = nextval('alert_match_sequence')
        from ${rowset("wanted", rows, {
          ...KEY_TYPES,
          match_context: "jsonb",
          headline: "jsonb",
          is_outward: "boolean",
        })}
        join alert on alert.id = wanted.alert_id and alert.is_enabled
       where match.alert_id = wanted.alert_id and match.resource = wanted.resource
         and match.resource_id = wanted.resource_id and ${isBackSinceMatch("match", nowMs)}
      returning match.alert_id, match.resource, match.resource_id, match.is_outward and not match.is_muted as is_outward,
                match.returned_at_ms`),
  );
}

function isMutedAt(nowMs: number): Sql {
  return sql`coalesce(alert.muted_until_ms > ${nowMs}::bigint, false)`;
}

async function inBatches<Row>(
  matches: readonly NewMatch[],
  run: (rows: readonly NewMatch[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const results: Row[] = [];
  for (let at = 0; at < matches.length; at += ROWS_MAX) {
    for (const row of await run(matches.slice(at, at + ROWS_MAX))) results.push(row);
  }
  return results;
}

interface Repeat extends MatchKey {
  /** The ask that it repeats is visible, or is among the new matches. */
  readonly is_shown: boolean;
  readonly seen_at_ms: number | null;
}

/**
 * The matches as they are to be saved, so that each alert tells once of an ask. A dealer who posts a watch again in other words
 * makes another listing. A match of that repeat is left out while the first post is visible. If that was edited or deleted, the
 * repeat takes its place, and no one is told; if it was sold, on hold or corrected away before, the repeat is a new offer. Call it
 * with the lock of matches.
 */
export async function quietRepeats(
  tx: Database,
  matches: readonly NewMatch[],
): Promise<readonly NewMatch[]> {
  const once = matches.filter(({ is_told_once }) => is_told_once);
  const repeats = await findRepeats(tx, once);
  const repeatOf = new Map(repeats.map((repeat) => [matchKeyOf(repeat), repeat]));
  return matches.flatMap((match) => {
    const repeat = repeatOf.get(matchKeyOf(match));
    if (repeat === undefined) return [match];
    return repeat.is_shown ? [] : [{ ...match, is_quiet: true, seen_at_ms: repeat.seen_at_ms }];
  });
}

/**
 * Of matches of listings, those that repeat an ask for which their alert has a match. It does not matter which of the two came
 * first. If the alert missed the first post, because the price was no buy then, the repeat is no repeat for it.
 *
 * Example: an ask of 9,500 is posted on Monday, when at most 9,300 was a buy, and again in other words on Friday, when 9,800
 * is. The alert on buys fires on Friday. It does not fire again for a third post on Saturday.
 */
export async function findRepeats(
  tx: Database,
  matches: readonly NewMatch[],
): Promise<readonly Repeat[]> {
  if (matches.length === 0) return [];
  return tx.query<Repeat>(sql`
    with ask as materialized (
      select wanted.alert_id, wanted.is_outward, listing.id, listing.canonical_message_id, listing.ask_key, listing.side,
             listing.variant_folded, listing.price_amount_minor, listing.price_currency,
             listing.message_timestamp_ms, listing.created_at_ms, ${backSinceMs("listing")} as back_since_ms,
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
    select ask.alert_id, 'watch_listing' as resource, ask.id as resource_id,
           repeats.new_one or coalesce(told.is_shown, false) as is_shown, told.seen_at_ms
      from ask
     cross join lateral (
           select ask.canonical_message_id <> ask.first_message_id
                  and abs(ask.message_timestamp_ms - ask.first_at_ms) <= ${REPEAT_MS}::bigint as new_one) as repeats
     cross join lateral (
           select bool_or(not other.is_hidden and not other.is_revoked) as is_shown, min(match.seen_at_ms) as seen_at_ms
             from listing as other
             join alert_match as match
               on match.alert_id = ask.alert_id and match.resource = 'watch_listing'
              and match.resource_id = other.id
              -- A match in shadow was told to no one.
              and (match.is_outward or not ask.is_outward)
              -- A passed watch that is back is told again.
              and match.matched_at_ms > coalesce(ask.back_since_ms, -1)
            where ${isSameAsk("ask", "other")}
              -- One that was sold before the other came is another watch.
              and (not other.is_hidden or other.status is null and other.left_out_reason is null
                   or other.updated_at_ms > ask.created_at_ms)
              and other.message_timestamp_ms between ask.message_timestamp_ms - ${REPEAT_MS}::bigint
                                                 and ask.message_timestamp_ms + ${REPEAT_MS}::bigint) as told
     where repeats.new_one or told.is_shown is not null
     order by ask.alert_id, ask.id`);
}

/** Of the listings or messages, those with a match. */
export async function findMatchedIds(
  tx: Database,
  resourceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (resourceIds.length === 0) return new Set();
  const rows = await tx.query<{ resource_id: string }>(sql`
    select distinct resource_id
      from alert_match
     where resource_id = any(${resourceIds}::uuid[])
     order by resource_id
     limit ${resourceIds.length}`);
  return new Set(rows.map(({ resource_id }) => resource_id));
}

/** Moves the matches of resources whose ids changed. */
export async function moveMatches(tx: Database, moves: readonly Move[]): Promise<void> {
  const ids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const found = await tx.query<MovingMatch>(sql`
    select alert_id, resource, resource_id, seen_at_ms, matched_at_ms, sequence, returned_at_ms
      from alert_match
     where resource_id = any(${ids}::uuid[])
     order by alert_id, resource, resource_id`);
  const { kept, dropped } = planMoves(found, moves);
  if (dropped.length > 0) {
    await tx.execute(sql`
      delete from alert_match as match
       using ${recordset(dropped)} as dropped (alert_id uuid, resource text, resource_id uuid)
       where match.alert_id = dropped.alert_id and match.resource = dropped.resource
         and match.resource_id = dropped.resource_id`);
  }
  const rows = kept.map(({ move, ...match }) => ({
    ...match,
    new_id: move.to,
    canonical_message_id: move.canonical_message_id,
  }));
  if (rows.length === 0) return;
  await tx.execute(sql`
    update alert_match as match
       set resource_id = kept.new_id, canonical_message_id = kept.canonical_message_id,
           listing_id = case when match.resource = 'watch_listing' then kept.new_id end,
           seen_at_ms = kept.seen_at_ms
      from ${recordset(rows)}
           as kept (alert_id uuid, resource text, resource_id uuid, new_id uuid, canonical_message_id uuid,
                    seen_at_ms bigint)
     where match.alert_id = kept.alert_id and match.resource = kept.resource
       and match.resource_id = kept.resource_id`);
}

/** The listings and messages with a match, as `saveAnchors` takes them. */
export function matchedResources(): Sql {
  return sql`select resource, resource_id, canonical_message_id from alert_match`;
}
