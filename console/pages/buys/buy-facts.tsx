import { useMemo } from "preact/hooks";
import type { ListingReading, WatchMatch } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { Loading } from "../../parts/loading.tsx";
import { MessageText } from "../../parts/message-text.tsx";
import { markHue, markName, toMarks } from "../../parts/read-marks.ts";
import { Section } from "../../parts/section.tsx";
import { WhenLoaded } from "../../parts/when-loaded.tsx";
import { type Load, useLoad } from "../../state/load.ts";
import { buysWords } from "../../words/buys.ts";
import { bestMatch } from "./best-match.ts";
import { BuyPosts } from "./buy-posts.tsx";
import { Ledger } from "./ledger.tsx";
import { chooseNow } from "./to-ledger.ts";

interface Facts {
  readonly row: WatchMatch;
}

/** What the row itself knows is shown at once; the rest is read when the reader stays. */
export function BuyFacts({ row, isSettled }: Facts & { readonly isSettled: boolean }) {
  return (
    <>
      {row.listing === undefined ? null : isSettled ? (
        <Calculation row={row} />
      ) : (
        <Why row={row} load={undefined} />
      )}
      {isSettled ? <Written row={row} /> : <Loading rows={3} />}
      {isSettled ? <BuyPosts row={row} /> : null}
    </>
  );
}

type Prices = Awaited<ReturnType<typeof api.listListingPriceEngineMatches>>;

function Calculation({ row }: Facts) {
  const id = row.resource_id;
  const load = useLoad([id], (signal) =>
    api.listListingPriceEngineMatches({ listing_id: id }, { signal }),
  );
  return <Why row={row} load={load} />;
}

function Why({ row, load }: Facts & { readonly load: Load<Prices> | undefined }) {
  const best = bestMatch(row);
  const then = best?.match.match_context ?? {};
  const { value, failure } = load?.state.value ?? {};
  const now = chooseNow(value?.items ?? [], then.configuration_id);
  const isBuy = then.profit_opportunity_eur_minor !== undefined;
  return (
    <Section title={isBuy ? buysWords.why : buysWords.worth}>
      <Ledger
        then={then}
        thenMs={best?.match.matched_at_ms ?? row.matched_at_ms}
        now={now}
        isLoaded={value !== undefined}
      />
      {failure === undefined ? null : <p class="sub">{buysWords.nowUnknown}</p>}
    </Section>
  );
}

/** A message without a watch has no reading, only its text. */
function Written({ row }: Facts) {
  const { resource_id, listing, matches } = row;
  const messageId = matches[0]?.match.canonical_message_id ?? resource_id;
  const load = useLoad([resource_id], async (signal): Promise<Read> => {
    if (listing !== undefined) {
      return api.getListingReading({ listing_id: listing.id }, { signal });
    }
    const { text = "" } = await api.getMessage({ canonical_message_id: messageId }, { signal });
    return { text, fields: [], left_out: [] };
  });
  return (
    <Section
      title={buysWords.written}
      note={listing === undefined ? undefined : buysWords.certainty(listing.extraction.confidence)}
    >
      <WhenLoaded load={load} rows={2}>
        {(read) => <Words read={read} />}
      </WhenLoaded>
    </Section>
  );
}

type Read = Pick<ListingReading, "text" | "fields" | "left_out">;

function Words({ read }: { readonly read: Read }) {
  const marks = useMemo(() => toMarks(read), [read]);
  const fields = [...new Set(marks.map(({ field }) => field))];
  const hues = [...new Set(fields.map((field) => markHue([field])))];
  return (
    <>
      <MessageText text={read.text} marks={marks} />
      <ul class="legend">
        {hues.map((hue) => {
          const named = fields.filter((field) => markHue([field]) === hue).map(markName);
          return (
            <li key={hue} class={`hue-${hue}`}>
              {named.join(", ").toLowerCase()}
            </li>
          );
        })}
      </ul>
    </>
  );
}
