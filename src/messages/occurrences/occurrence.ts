import { dayStartOf } from "../../base/clock.ts";

/** One message in one group by one sender, whichever sessions received it. See `derive-occurrences.ts`. */
export interface Occurrence extends OccurrencePlace {
  /** The second in which it was sent, as the gateway says. A part of its key. */
  readonly second: number;
  readonly sender_ids: readonly string[];
  /** Null if no session named the sender. */
  readonly contact_id: string | null;
  readonly is_own: boolean;
  readonly has_media: boolean;
  readonly is_revoked: boolean;
  /** The current version is an edit. */
  readonly is_edited: boolean;
  readonly session_ids: readonly string[];
}

/** Where an occurrence is counted: its message, and the day and group of the roll-up. */
export interface OccurrencePlace {
  readonly id: string;
  readonly group_id: string;
  readonly raw_id: string;
  /** The raw id of the message in the group that it replies to. */
  readonly reply_to_raw_id: string | null;
  readonly sent_at_ms: number;
  /** The message of its current version. */
  readonly canonical_message_id: string;
}

/** An occurrence as its reports describe it. */
export interface DerivedOccurrence extends Occurrence {
  /** The text of the current version. */
  readonly text: string;
  /** At least one. */
  readonly versions: readonly Version[];
}

/** One text of an occurrence. */
export interface Version {
  readonly occurrence_id: string;
  /** The time of the edit; 0 for the text that was sent. */
  readonly version_at_ms: number;
  readonly text_sha256: string;
  readonly text: string;
  /** Hash of the characters that identify the text; null if there are none. */
  readonly identity_sha256: string | null;
  readonly canonical_message_id: string;
}

/** A version without its text. */
export type StoredVersion = Omit<Version, "text">;

/** What a batch or a merge did to occurrences; messages are derived from it. */
export interface OccurrenceChanges {
  /** New occurrences of raw ids that were not stored, with one version and not revoked: the usual case. */
  readonly plain: readonly DerivedOccurrence[];
  /** All other occurrences that were added or changed, as they are now. */
  readonly changed: readonly OccurrencePlace[];
  /** Those that were changed or removed, as they were. */
  readonly before: readonly OccurrencePlace[];
  /** Contacts by message, for every message of a changed version. The message may not be stored yet. */
  readonly contactIds: ReadonlyMap<string, string | null>;
  /** Messages that lost a version. */
  readonly formerIds: readonly string[];
  /** Texts that belong to another message now, because their sender became known or contacts changed. */
  readonly moves: readonly MessageMove[];
}

export interface MessageMove {
  readonly from: string;
  readonly to: string;
}

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

/** How often a message occurred on one day in one group. */
export interface OccurrenceRollup {
  readonly day_start_ms: number;
  readonly group_id: string;
  readonly group_name: string | null;
  readonly occurrence_count: number;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly session_ids: readonly string[];
  readonly edited_count: number;
  readonly revoked_count: number;
  readonly media_count: number;
}

/** Labels by session id. See `listSessionLabels`. */
export type SessionLabels = ReadonlyMap<string, string>;

/** The response of the occurrence summary. `rollups` must be in its order: newest day first. */
export function summarizeOccurrences(rollups: readonly OccurrenceRollup[], labels: SessionLabels) {
  const days = groupByDay(rollups).map((groups) => ({
    day_start_ms: groups[0].day_start_ms,
    occurrence_count: sum(groups.map((group) => group.occurrence_count)),
    group_count: groups.length,
    latest_at_ms: Math.max(...groups.map((group) => group.last_seen_at_ms)),
    groups: groups.map((group) => toGroup(group, labels)),
  }));
  return {
    total_count: sum(days.map((day) => day.occurrence_count)),
    group_count: new Set(rollups.map((rollup) => rollup.group_id)).size,
    session_count: new Set(rollups.flatMap((rollup) => rollup.session_ids)).size,
    ...spanOf(rollups),
    days,
  };
}

type Groups = [OccurrenceRollup, ...OccurrenceRollup[]];

function groupByDay(rollups: readonly OccurrenceRollup[]): readonly Groups[] {
  const days: Groups[] = [];
  for (const rollup of rollups) {
    const last = days.at(-1);
    if (last?.[0].day_start_ms === rollup.day_start_ms) last.push(rollup);
    else days.push([rollup]);
  }
  return days;
}

function toGroup(rollup: OccurrenceRollup, labels: SessionLabels) {
  const { group_id, group_name, session_ids, ...counts } = rollup;
  const found = session_ids.map((id) => labels.get(id)).filter((label) => label !== undefined);
  return {
    group_id,
    ...(group_name === null ? {} : { group_name }),
    occurrence_count: counts.occurrence_count,
    first_seen_at_ms: counts.first_seen_at_ms,
    last_seen_at_ms: counts.last_seen_at_ms,
    session_labels: [...new Set(found)].sort((left, right) =>
      Buffer.compare(Buffer.from(left), Buffer.from(right)),
    ),
    edited_count: counts.edited_count,
    revoked_count: counts.revoked_count,
    media_count: counts.media_count,
  };
}

function spanOf(rollups: readonly OccurrenceRollup[]) {
  if (rollups.length === 0) return {};
  return {
    first_seen_at_ms: Math.min(...rollups.map((rollup) => rollup.first_seen_at_ms)),
    last_seen_at_ms: Math.max(...rollups.map((rollup) => rollup.last_seen_at_ms)),
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
