import type { Activity } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Age } from "../../parts/figures.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { formatAmount } from "../../words/formats.ts";
import { listingWords } from "../../words/listing.ts";
import { readingWords } from "../../words/reading.ts";
import { watchWords } from "../../words/watch.ts";

type Change = Activity["changes"][number];

const ROWS_MAX = 20;

/** Who decided or corrected what, the latest first. A deal on an earlier post of the watch is part of it. */
export function ActivitySection(props: {
  readonly listingIds: readonly string[];
  /** Changes with every decision and correction. */
  readonly version: string;
}) {
  const { listingIds, version } = props;
  const load = useLoad([listingIds.join(), version], async (signal) => {
    const pages = await Promise.all(
      listingIds.map((object_id) => api.listActivity({ object_id, limit: ROWS_MAX }, { signal })),
    );
    return pages
      .flatMap(({ items }) => items)
      .toSorted((left, right) => right.at_ms - left.at_ms)
      .slice(0, ROWS_MAX);
  });
  return (
    <Section title={listingWords.activity} class="later">
      <WhenLoaded load={load} rows={1}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="soft">{listingWords.noActivity}</p>
          ) : (
            <ol class="activity">
              {rows.map((row) => (
                <li key={row.id}>
                  <span>
                    <b>
                      <bdi>{row.actor.name}</bdi>
                    </b>{" "}
                    {describe(row)}
                  </span>
                  <span class="sub">
                    <Age atMs={row.at_ms} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function describe({ object, action, changes }: Activity): string {
  const said = changes.flatMap(describeChange);
  if (object.kind === "deal" && action === "deleted") return listingWords.tookBack;
  if (object.kind === "deal") return said.join(", ");
  const verb = action === "undone" ? listingWords.undid : listingWords.didCorrect;
  return [verb, said.join(", ")].filter((part) => part !== "").join(" ");
}

/** What a dealer would say; times and ids are left out. */
function describeChange({ member, after }: Change): readonly string[] {
  if (member === "state" && typeof after === "string") return [watchWords.state(after)];
  if (member === "reason" && typeof after === "string") return [watchWords.reason(after)];
  if (member === "note") return [listingWords.noteChanged];
  if (isMoney(after)) {
    const amount = formatAmount({ minor: after.amount_minor, currency: after.currency });
    return [`${listingWords.member(member)} ${isPresenting.value ? "•••" : amount}`];
  }
  if (typeof after !== "string" && typeof after !== "number") return [];
  if (member === "assignee") return [];
  if (member.endsWith("_minor")) return [listingWords.member(member)];
  if (member === "assignee_name") return [`${listingWords.member(member)} ${after}`];
  return [`${readingWords.field(member)} ${readingWords.value(String(after))}`];
}

function isMoney(
  value: unknown,
): value is { readonly amount_minor: number; readonly currency: string } {
  return typeof value === "object" && value !== null && "amount_minor" in value;
}
