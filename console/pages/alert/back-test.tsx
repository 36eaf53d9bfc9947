import { useEffect, useMemo } from "preact/hooks";
import type { AlertOverlap, AlertPreview, Listing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import type { Filter } from "../../filters/filter.ts";
import { Amount } from "../../parts/figures.tsx";
import { ScrollArea, Section } from "../../parts/layout.tsx";
import { Broken, Loading } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { nowMs } from "../../state/clock.ts";
import { type Load, useLoad, useSettled } from "../../state/load.ts";
import { type Prices, readPrices } from "../../state/prices.ts";
import { trail } from "../../state/trail.ts";
import { alertsWords } from "../../words/alerts.ts";
import { formatCount, numbers, toWhole } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import { MARKET_COLUMNS } from "../market/market-columns.tsx";
import { type AlertDraft, toFilters } from "./alert-draft.ts";
import { DayChart } from "./day-chart.tsx";

interface Preview extends Load<AlertPreview | undefined> {
  /** False while what is shown belongs to an earlier draft. */
  readonly isSettled: boolean;
}

interface PreviewBody {
  readonly strategy: AlertDraft["strategy"];
  readonly filters: Filter;
  readonly view_id?: string;
}

/** A back-test is a costly question, so the reader may pause a little longer than in a search. */
const PAUSE_MS = 300;
const OVERLAPS_SHOWN = 6;
const EXAMPLE_COLUMNS = ["watch", "ask", "below", "dealer", "seen"] as const;
const formatMean = numbers({ maximumFractionDigits: 1 });

/** What the alert would have matched in the last 30 days, by the service's own count. */
export function BackTest(props: {
  readonly draft: AlertDraft;
  readonly preview: Preview;
  readonly alertId: string | undefined;
}) {
  const { preview, draft } = props;
  const { value, failure, isLoading } = preview.state.value;
  const isStale = isLoading || !preview.isSettled;
  return (
    <ScrollArea name="alert-test" label={alertsWords.backTest} class="alert-test">
      <div class={isStale ? "back-test is-stale" : "back-test"} aria-busy={isStale}>
        <div class="block-head">
          <h2>{alertsWords.backTest}</h2>
          <p class="sub" role="status">
            {isStale ? alertsWords.counting : alertsWords.backTestHint}
          </p>
        </div>
        {isOnMessages(draft.filter) ? (
          <p class="soft">{alertsWords.messagesHint}</p>
        ) : failure !== undefined ? (
          <Broken failure={failure} onRetry={preview.reload} />
        ) : value === undefined ? (
          <Loading rows={6} />
        ) : (
          <Figures preview={value} alertId={props.alertId} />
        )}
      </div>
    </ScrollArea>
  );
}

/** What the draft would have matched. Asked for once the reader pauses; a question that is not yet answered is dropped. */
export function usePreview(draft: AlertDraft): Preview {
  const text = JSON.stringify({
    strategy: draft.strategy,
    filters: toFilters(draft),
    ...(draft.viewId === undefined ? {} : { view_id: draft.viewId }),
  });
  const asked = useSettled(text, PAUSE_MS);
  const body = useMemo(() => JSON.parse(asked) as PreviewBody, [asked]);
  const load = useLoad([body], async (signal) =>
    isOnMessages(body.filters) ? undefined : await api.previewAlert(body, { signal }),
  );
  return { ...load, isSettled: text === asked };
}

/** Messages have no back-test. */
function isOnMessages(filter: Filter): boolean {
  return filter["resource"] === "messages";
}

function Figures(props: { readonly preview: AlertPreview; readonly alertId: string | undefined }) {
  const { preview, alertId } = props;
  const { total, is_exact, days, overlaps, items } = preview;
  const others = overlaps.filter(({ alert_id }) => alert_id !== alertId);
  const own = overlaps.find(({ alert_id }) => alert_id === alertId);
  const [first] = others;
  return (
    <>
      <p class="headline">
        <b>{alertsWords.inDays(total, is_exact)}</b>
        {first === undefined ? null : (
          <>
            , {alertsWords.alsoIn(first.shared_count, is_exact)}{" "}
            <a href={`/alerts/${first.alert_id}`}>
              <bdi>{first.name}</bdi>
            </a>
          </>
        )}
      </p>
      <Money preview={preview} />
      <p class="sub facts">
        {total === 0 ? null : <span>{describePace(total / days.length)}</span>}
        {own === undefined ? null : (
          <span>{alertsWords.itselfFound(own.shared_count, is_exact)}</span>
        )}
        {is_exact ? null : <span>{alertsWords.sampled}</span>}
      </p>
      {total === 0 ? null : <DayChart days={days} />}
      {others.length === 0 ? null : <Overlaps overlaps={others} total={total} />}
      {items.length === 0 ? (
        <p class="soft">{alertsWords.examplesNone}</p>
      ) : (
        <Section title={alertsWords.examples}>
          <Examples listings={items} />
        </Section>
      )}
    </>
  );
}

/** What it would have been worth. Only alerts on buys have it. */
function Money({ preview }: { readonly preview: AlertPreview }) {
  const { profit_sum_eur_minor: sum, profit_median_eur_minor: median } = preview;
  if (sum === undefined || median === undefined) return null;
  return (
    <p>
      <Amount minor={toWhole(sum)} currency="EUR" kind="profit" isBuy />
      {alertsWords.money}
      <Amount minor={toWhole(median)} currency="EUR" kind="profit" />
      {alertsWords.moneyMore}
      {preview.still_on_offer_count === undefined
        ? null
        : `; ${alertsWords.stillOnOffer(preview.still_on_offer_count)}`}
    </p>
  );
}

function describePace(perDay: number): string {
  return perDay < 1
    ? alertsWords.rareDay
    : alertsWords.perDay(perDay < 10 ? formatMean(perDay) : formatCount(Math.round(perDay)));
}

/** The other alerts that found some of the same, those with the most first. */
function Overlaps(props: { readonly overlaps: readonly AlertOverlap[]; readonly total: number }) {
  const { overlaps, total } = props;
  const rest = overlaps.slice(OVERLAPS_SHOWN);
  return (
    <Section title={alertsWords.overlaps} note={alertsWords.overlapsHint}>
      <OverlapList overlaps={overlaps.slice(0, OVERLAPS_SHOWN)} total={total} />
      {rest.length === 0 ? null : (
        <details class="rest">
          <summary>{alertsWords.overlapsMore(rest.length)}</summary>
          <OverlapList overlaps={rest} total={total} />
        </details>
      )}
    </Section>
  );
}

function OverlapList({ overlaps, total }: Parameters<typeof Overlaps>[0]) {
  return (
    <ul class="overlaps">
      {overlaps.map(({ alert_id, name, shared_count }) => (
        <li key={alert_id}>
          <a href={`/alerts/${alert_id}`}>
            <bdi>{name}</bdi>
          </a>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect class="day-ground" width="100" height="4" />
            <rect width={Math.min(100, (shared_count / Math.max(1, total)) * 100)} height="4" />
          </svg>
          <span class="num">{formatCount(shared_count)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The latest listings that would have matched, as the market shows them. */
function Examples({ listings }: { readonly listings: readonly Listing[] }) {
  const load = useLoad([listings], () => readPrices(listings));
  // The page of a listing leads through them.
  useEffect(() => {
    const href = `${location.pathname}${location.search}`;
    trail.value = { href, listingIds: listings.map(({ id }) => id) };
  }, [listings]);
  return (
    <div class="examples">
      <Table
        caption={alertsWords.examples}
        columns={exampleColumns(load.state.value.value)}
        rows={listings}
        keyOf={({ id }) => id}
      />
    </div>
  );
}

function exampleColumns(prices: Prices | undefined): readonly Column<Listing>[] {
  return EXAMPLE_COLUMNS.map((id) => {
    const { cell, isNumber = false } = MARKET_COLUMNS[id];
    return {
      id,
      title: marketWords.columns[id],
      isNumber,
      isWide: id === "watch",
      isOptional: id === "dealer",
      cell: (listing: Listing) =>
        cell(
          { ...prices?.get(listing.id), listing },
          { columns: EXAMPLE_COLUMNS, nowMs: nowMs.value },
        ),
    };
  });
}
