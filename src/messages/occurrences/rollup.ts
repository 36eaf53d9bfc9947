import { dayStartOf } from "../../base/time.ts";
import type { Occurrence } from "./occurrence.ts";

/** A message, a UTC day and a group. */
export interface RollupKey {
  readonly canonical_message_id: string;
  readonly day_start_ms: number;
  readonly group_id: string;
}

/** A roll-up that counts only the new occurrences of a batch. None of them is edited or revoked. */
export interface NewRollup extends RollupKey {
  readonly occurrence_count: number;
  readonly media_count: number;
  readonly own_count: number;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly session_ids: readonly string[];
}

export function rollupKeyOf(place: {
  readonly canonical_message_id: string;
  readonly group_id: string;
  readonly sent_at_ms: number;
}): RollupKey {
  return {
    canonical_message_id: place.canonical_message_id,
    day_start_ms: dayStartOf(place.sent_at_ms),
    group_id: place.group_id,
  };
}

/** Returns the key as a text, to be used in maps. */
export function rollupName(key: RollupKey): string {
  return `${key.canonical_message_id} ${key.day_start_ms} ${key.group_id}`;
}

/** Counts new occurrences into roll-ups. */
export function countOccurrences(occurrences: readonly Occurrence[]): readonly NewRollup[] {
  const rollups = new Map<string, NewRollup>();
  for (const occurrence of occurrences) {
    const rollup = toRollup(occurrence);
    const name = rollupName(rollup);
    const last = rollups.get(name);
    rollups.set(name, last === undefined ? rollup : joinRollups(last, rollup));
  }
  return [...rollups.values()];
}

function toRollup(occurrence: Occurrence): NewRollup {
  const { canonical_message_id, day_start_ms, group_id } = rollupKeyOf(occurrence);
  return {
    canonical_message_id,
    day_start_ms,
    group_id,
    occurrence_count: 1,
    media_count: occurrence.has_media ? 1 : 0,
    own_count: occurrence.is_own ? 1 : 0,
    first_seen_at_ms: occurrence.sent_at_ms,
    last_seen_at_ms: occurrence.sent_at_ms,
    session_ids: occurrence.session_ids,
  };
}

function joinRollups(left: NewRollup, right: NewRollup): NewRollup {
  return {
    ...left,
    occurrence_count: left.occurrence_count + right.occurrence_count,
    media_count: left.media_count + right.media_count,
    own_count: left.own_count + right.own_count,
    first_seen_at_ms: Math.min(left.first_seen_at_ms, right.first_seen_at_ms),
    last_seen_at_ms: Math.max(left.last_seen_at_ms, right.last_seen_at_ms),
    session_ids: [...new Set([...left.session_ids, ...right.session_ids])].sort(),
  };
}
