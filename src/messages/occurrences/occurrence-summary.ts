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
