import type { OccurrenceSummary } from "../../../client/assay-client.ts";

interface PostGroup {
  readonly id: string;
  readonly name: string | undefined;
  /** By the start of the UTC day, of all days. */
  readonly counts: ReadonlyMap<number, number>;
  readonly total: number;
}

/** Groups x days, the days from left to right. What has no room is counted. */
export interface PostGrid {
  readonly days: readonly number[];
  readonly groups: readonly PostGroup[];
  readonly moreGroupCount: number;
  readonly moreDayCount: number;
}

const DAYS_MAX = 10;
const GROUPS_MAX = 15;

export function toPostGrid({ days }: Pick<OccurrenceSummary, "days">): PostGrid {
  const groups = new Map<string, { name: string | undefined; counts: Map<number, number> }>();
  for (const { day_start_ms, groups: posted } of days) {
    for (const { group_id, group_name, occurrence_count } of posted) {
      const group = groups.get(group_id) ?? { name: group_name, counts: new Map() };
      group.counts.set(day_start_ms, occurrence_count);
      groups.set(group_id, group);
    }
  }
  const all = [...groups]
    .map(([id, { name, counts }]) => ({ id, name, counts, total: sum(counts.values()) }))
    .toSorted((left, right) => right.total - left.total || (left.id < right.id ? -1 : 1));
  const starts = days
    .map(({ day_start_ms }) => day_start_ms)
    .toSorted((left, right) => left - right);
  return {
    days: starts.slice(-DAYS_MAX),
    groups: all.slice(0, GROUPS_MAX),
    moreGroupCount: Math.max(0, all.length - GROUPS_MAX),
    moreDayCount: Math.max(0, starts.length - DAYS_MAX),
  };
}

function sum(counts: Iterable<number>): number {
  let total = 0;
  for (const count of counts) total += count;
  return total;
}
