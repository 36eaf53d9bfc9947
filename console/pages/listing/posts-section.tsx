import type { OccurrenceSummary } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Section, WideArea } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { formatUtcDay } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";

interface PostGroup {
  readonly id: string;
  readonly name: string | undefined;
  /** By the start of the UTC day, of all days. */
  readonly counts: ReadonlyMap<number, number>;
  readonly total: number;
}

/** Groups x days, the days from left to right. What has no room is counted. */
interface PostGrid {
  readonly days: readonly number[];
  readonly groups: readonly PostGroup[];
  readonly moreGroupCount: number;
  readonly moreDayCount: number;
}

const DAYS_MAX = 10;
const GROUPS_MAX = 15;

/** In which groups the message was posted, on which days. */
export function PostsSection({ messageId }: { readonly messageId: string }) {
  const load = useLoad([messageId], (signal) =>
    api.getOccurrenceSummary({ canonical_message_id: messageId }, { signal }),
  );
  return (
    <Section title={listingWords.posted}>
      <WhenLoaded load={load} rows={2}>
        {(summary) => <Posts summary={summary} />}
      </WhenLoaded>
    </Section>
  );
}

function Posts({ summary }: { readonly summary: OccurrenceSummary }) {
  const grid = toPostGrid(summary);
  if (grid.groups.length === 0) return <p class="soft">{listingWords.noPosts}</p>;
  const rest = [
    grid.moreGroupCount > 0 && listingWords.moreGroups(grid.moreGroupCount),
    grid.moreDayCount > 0 && listingWords.moreDays(grid.moreDayCount),
  ].filter((note) => note !== false);
  return (
    <>
      <WideArea label={listingWords.postedCaption}>
        <Grid grid={grid} />
      </WideArea>
      {rest.length === 0 ? null : <p class="sub">{rest.join(", ")}</p>}
    </>
  );
}

function toPostGrid({ days }: Pick<OccurrenceSummary, "days">): PostGrid {
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

function Grid({ grid: { days, groups } }: { readonly grid: PostGrid }) {
  return (
    <table class="post-grid">
      <caption class="sr">{listingWords.postedCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{listingWords.group}</th>
          {days.map((day) => (
            <th key={day} scope="col" class="num">
              {formatUtcDay(day)}
            </th>
          ))}
          <th scope="col" class="num">
            {listingWords.total}
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ id, name, counts, total }) => (
          <tr key={id}>
            <th scope="row" title={name}>
              <bdi>{name ?? listingWords.unnamed}</bdi>
            </th>
            {days.map((day) => (
              <td key={day} class={counts.has(day) ? "num has-posts" : "num"}>
                {counts.get(day) ?? ""}
              </td>
            ))}
            <td class="num">{total}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
