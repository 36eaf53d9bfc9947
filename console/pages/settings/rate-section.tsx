import type { FxRate, OperationsReport } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { ForEngineers } from "../../parts/copy.tsx";
import { Section } from "../../parts/layout.tsx";
import { WhenLoaded } from "../../parts/states.tsx";
import { type Column, Table, Tag } from "../../parts/table.tsx";
import { useLoad } from "../../state/load.ts";
import { readRates } from "../../state/prices.ts";
import { formatTime, numbers } from "../../words/formats.ts";
import { settingsWords } from "../../words/settings.ts";

/** The rates by which asks are compared, and how old they are. */
export function RateSection() {
  const load = useLoad([], async (signal) => {
    const [rates, { rates: fetched }] = await Promise.all([
      readRates(signal),
      api.getOperations({}, { signal }),
    ]);
    return { rates, fetched };
  });
  return (
    <Section title={settingsWords.rates}>
      <p class="soft">{settingsWords.ratesHint}</p>
      <WhenLoaded load={load} rows={4}>
        {({ rates, fetched }) => (
          <>
            <Fetched fetched={fetched} />
            {rates.length === 0 ? (
              <p class="soft">{settingsWords.noRates}</p>
            ) : (
              <Rates rates={rates} />
            )}
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

/** Built-in rates are rarely needed, and there are many of them. */
function Rates({ rates }: { readonly rates: readonly FxRate[] }) {
  const builtIn = rates.filter(({ kind }) => kind === "built_in");
  const others = rates.filter(({ kind }) => kind !== "built_in");
  const toTable = (rows: readonly FxRate[]) => (
    <Table
      caption={settingsWords.ratesCaption}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ currency }) => currency}
    />
  );
  return (
    <>
      {others.length === 0 ? null : toTable(others)}
      {builtIn.length === 0 ? null : (
        <details class="fold">
          <summary>{settingsWords.builtIn(builtIn.length)}</summary>
          {toTable(builtIn)}
        </details>
      )}
    </>
  );
}

function Fetched({ fetched }: { readonly fetched: OperationsReport["rates"] }) {
  const { source, last_error, failing_since_ms } = fetched;
  if (failing_since_ms !== undefined) {
    return <p class="notice">{settingsWords.ratesFailing(last_error ?? "–")}</p>;
  }
  if (source === "ecb") return <p class="soft">{settingsWords.ratesEcb}</p>;
  return (
    <>
      <p class="soft">{settingsWords.ratesNone}</p>
      <ForEngineers>
        <p class="soft">{settingsWords.ratesSetting}</p>
      </ForEngineers>
    </>
  );
}

const COLUMNS: readonly Column<FxRate>[] = [
  { id: "currency", title: settingsWords.currency, cell: ({ currency }) => <b>{currency}</b> },
  {
    id: "rate",
    title: settingsWords.perEuro,
    isNumber: true,
    cell: ({ per_eur }) => shorten(per_eur),
  },
  {
    id: "kind",
    title: settingsWords.rateKind,
    isWide: true,
    cell: ({ kind, is_approximate }) => (
      <>
        {settingsWords.rateKindOf(kind)}{" "}
        {is_approximate ? <Tag tone="warn">{settingsWords.approximate}</Tag> : null}
      </>
    ),
  },
  {
    id: "age",
    title: settingsWords.age,
    isNumber: true,
    cell: ({ age_days, day_start_ms }) => (
      <time dateTime={new Date(day_start_ms).toISOString()} title={formatTime(day_start_ms)}>
        {age_days <= 0 ? settingsWords.today : settingsWords.days(age_days)}
      </time>
    ),
  },
];

const formatRate = numbers({ minimumFractionDigits: 4, maximumFractionDigits: 4 });

/** Four digits are as many as a dealer compares; the column is then aligned. */
function shorten(perEuro: string): string {
  return formatRate(Number(perEuro));
}
