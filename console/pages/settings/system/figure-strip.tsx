import type { ComponentChildren } from "preact";
import type { FxRate, OperationsReport } from "../../../../client/assay-client.ts";
import { findOldestRate } from "../../../state/prices.ts";
import { formatAge } from "../../../words/formats.ts";
import { operationsWords } from "../../../words/operations.ts";

/** The figures that a dealer looks at first. */
export function FigureStrip(props: {
  readonly report: OperationsReport;
  readonly rates: readonly FxRate[];
}) {
  const { lag, queues, quarantine, suspect_asks } = props.report;
  const depth = queues.reduce((sum, queue) => sum + queue.depth, 0);
  const oldestMs = Math.max(0, ...queues.map(({ oldest_age_ms = 0 }) => oldest_age_ms));
  return (
    <dl class="figures" aria-label={operationsWords.figures}>
      <Figure
        name={operationsWords.lag}
        hint={
          lag.p99_ms === undefined
            ? operationsWords.noLag
            : operationsWords.lagHint(formatLag(lag.p99_ms))
        }
      >
        {lag.p50_ms === undefined ? "–" : formatLag(lag.p50_ms)}
      </Figure>
      <Figure
        name={operationsWords.waiting}
        hint={
          depth === 0
            ? operationsWords.nothingWaits
            : operationsWords.waitingHint(formatAge(oldestMs))
        }
      >
        {operationsWords.count(depth)}
      </Figure>
      <Figure
        name={operationsWords.quarantine}
        hint={operationsWords.quarantineHint(quarantine.event_count, quarantine.item_count)}
        isWarning={quarantine.event_count + quarantine.item_count > 0}
      >
        {operationsWords.count(quarantine.event_count + quarantine.item_count)}
      </Figure>
      <Figure
        name={operationsWords.suspects}
        hint={operationsWords.suspectsHint(suspect_asks.cell_count)}
      >
        {operationsWords.count(suspect_asks.suspect_count)}
      </Figure>
      <Rates {...props} />
    </dl>
  );
}

/** Most matches take less than a second. */
function formatLag(ms: number): string {
  return ms < 1_000 ? operationsWords.lessThanSecond : formatAge(ms);
}

function Rates({
  report: { rates: fetched },
  rates,
}: {
  readonly report: OperationsReport;
  readonly rates: readonly FxRate[];
}) {
  const oldest = findOldestRate(rates);
  const isFailing = fetched.failing_since_ms !== undefined;
  const source = fetched.source === "ecb" ? "ecb" : "none";
  if (oldest === undefined && rates.length > 0 && !isFailing) {
    return (
      <Figure name={operationsWords.rates} hint={operationsWords.builtInHint}>
        {operationsWords.builtIn}
      </Figure>
    );
  }
  const hints = [
    isFailing ? operationsWords.ratesFailing : operationsWords.ratesSource[source],
    ...(oldest === undefined || oldest.age_days === 0
      ? []
      : [operationsWords.ratesOld(oldest.currency)]),
  ];
  return (
    <Figure name={operationsWords.rates} hint={hints.join("; ")} isWarning={isFailing}>
      {oldest === undefined ? operationsWords.noRates : operationsWords.ratesAge(oldest.age_days)}
    </Figure>
  );
}

function Figure(props: {
  readonly name: string;
  readonly hint: string;
  readonly isWarning?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd class={props.isWarning === true ? "warn-words" : ""}>
        <b>{props.children}</b>
        <span class="sub">{props.hint}</span>
      </dd>
    </div>
  );
}
