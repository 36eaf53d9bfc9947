import type { OccurrenceSummary } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Section } from "../../parts/section.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { WideArea } from "../../parts/wide-area.tsx";
import { useLoad } from "../../state/load.ts";
import { formatUtcDay } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { type PostGrid, toPostGrid } from "./post-grid.ts";

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
