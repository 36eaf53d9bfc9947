import type { Database } from "../db/database.ts";
import { saveDeliveries } from "./deliveries/delivery-store.ts";
import type { MatchKey, NewMatch } from "./match.ts";
import { beginMatches, findKnownMatches, releaseMatches, saveMatches } from "./match-store.ts";
import { findRepeats } from "./repeat-store.ts";

/**
 * Saves the matches that are new, and their deliveries. Most matches of a changed listing are stored already, so this is
 * checked first: without a new match it does not take the lock of matches.
 */
export async function recordMatches(
  tx: Database,
  matches: readonly NewMatch[],
  nowMs: number,
): Promise<void> {
  if (matches.length === 0) return;
  const known = new Map(
    (await findKnownMatches(tx, matches)).map((match) => [keyOf(match), match.is_outward]),
  );
  const added = matches.filter((match) => !known.has(keyOf(match)));
  const released = matches.filter((match) => match.is_outward && known.get(keyOf(match)) === false);
  if (added.length + released.length === 0) return;
  await beginMatches(tx);
  const repeats = await findRepeats(
    tx,
    added.filter((match) => match.is_told_once),
  );
  const isRepeat = new Set(repeats.map(keyOf));
  const told = added.filter((match) => !isRepeat.has(keyOf(match)));
  const saved = await saveMatches(tx, told, nowMs);
  const sent = await releaseMatches(tx, released, nowMs);
  await saveDeliveries(tx, [...saved, ...sent], nowMs);
}

function keyOf({ alert_id, resource, resource_id }: MatchKey): string {
  return `${alert_id} ${resource} ${resource_id}`;
}
