import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useAfterMatches } from "../../live/changes.ts";
import { Chip } from "../../parts/choice.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import {
  ASK_COLUMN,
  BELOW_COLUMN,
  isOnOffer,
  type ListedWatch,
  OFFER_COLUMN,
  readWatches,
  SEEN_COLUMN,
  WATCH_COLUMN,
  WatchTable,
} from "../../parts/watch/watch-table.tsx";
import { useLoad } from "../../state/load.ts";
import { trail } from "../../state/trail.ts";
import { dealersWords } from "../../words/dealers.ts";
import { DAY_MS, formatCount } from "../../words/formats.ts";

/** As many as the service returns at once. */
const ROWS_MAX = 100;
/** What was not seen for longer is not on offer, as in prices. */
const SEEN_DAYS = 30;
const COLUMNS = [WATCH_COLUMN, ASK_COLUMN, BELOW_COLUMN, OFFER_COLUMN, SEEN_COLUMN];

/** What the dealer has on offer, the best buy first; what has no price follows, the latest first. */
export function DealerAsks({ contactId }: { readonly contactId: string }) {
  const load = useLoad([contactId], (signal) => readAsks(contactId, signal));
  useAfterMatches(load.reload);
  const isBelowOnly = useSignal(false);
  const rows = load.state.value.value ?? [];
  const cheap = rows.filter(isBelow);
  const shown = isBelowOnly.value ? cheap : rows;
  useEffect(() => {
    trail.value = {
      href: `/dealers/${contactId}`,
      listingIds: shown.map(({ listing }) => listing.id),
    };
  }, [shown.length, load.state.value.value]);
  return (
    <Section
      title={dealersWords.asks}
      note={
        <a href={`/market?${new URLSearchParams({ contact: contactId })}`}>
          {dealersWords.inMarket}
        </a>
      }
    >
      <WhenLoaded load={load} rows={6}>
        {() =>
          rows.length === 0 ? (
            <p class="soft">{dealersWords.noAsks}</p>
          ) : (
            <>
              <div class="row">
                <Chip
                  isOn={isBelowOnly.value}
                  onToggle={() => {
                    isBelowOnly.value = !isBelowOnly.value;
                  }}
                >
                  {dealersWords.onlyBelow}
                </Chip>
                <span class="sub">
                  {dealersWords.asksCount(formatCount(rows.length))},{" "}
                  {dealersWords.belowMarket(cheap.length)}
                </span>
              </div>
              {shown.length === 0 ? (
                <p class="soft">{dealersWords.noneBelow}</p>
              ) : (
                <WatchTable caption={dealersWords.asksCaption} columns={COLUMNS} rows={shown} />
              )}
              {rows.length < ROWS_MAX ? null : (
                <p class="sub">{dealersWords.cut(formatCount(rows.length))}</p>
              )}
            </>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

async function readAsks(contactId: string, signal: AbortSignal): Promise<readonly ListedWatch[]> {
  const filters = {
    contact_ids: [contactId],
    side: ["for_sale" as const],
    last_seen_at_ms: { gte: Date.now() - SEEN_DAYS * DAY_MS },
  };
  const read = (sort: "profit" | "newest") =>
    readWatches({ filters, sort, limit: ROWS_MAX }, signal);
  const [best, latest] = await Promise.all([read("profit"), read("newest")]);
  const bestIds = new Set(best.map(({ listing }) => listing.id));
  const others = latest.filter((row) => !bestIds.has(row.listing.id) && isOnOffer(row));
  return [...best, ...others];
}

function isBelow({ headline }: ListedWatch): boolean {
  return (headline?.profit_opportunity_eur_minor ?? 0) > 0;
}
