import type { BuySignal } from "./buy-signal.ts";
import { CALCULATION_VERSION, type CalculatedCell, hkMarkupOf } from "./cells/cell.ts";
import type { NewsRow, RefreshedConfiguration, Snapshot } from "./cells/refresh-store.ts";
import { meetsThreshold, toComparableAsk } from "./thresholds.ts";

/** The asks among the news that are buys by the cells just calculated. */
export function toBuySignals(batch: {
  readonly configurations: readonly RefreshedConfiguration[];
  readonly snapshots: readonly Snapshot[];
  readonly news: readonly NewsRow[];
  readonly nowMs: number;
}): readonly BuySignal[] {
  const configurations = new Map(batch.configurations.map((row) => [row.id, row]));
  const snapshots = new Map(batch.snapshots.map((row) => [row.configuration_id, row]));
  return batch.news.flatMap((news) => {
    const configuration = configurations.get(news.configuration_id);
    const snapshot = snapshots.get(news.configuration_id);
    if (configuration === undefined || snapshot === undefined) return [];
    const cell = snapshot.cells.find(
      ({ year, condition_bucket }) =>
        year === news.year && condition_bucket === news.condition_bucket,
    );
    if (cell === undefined) return [];
    return toBuySignal({ configuration, snapshot, cell, news, nowMs: batch.nowMs });
  });
}

function toBuySignal(ask: {
  readonly configuration: RefreshedConfiguration;
  readonly snapshot: Snapshot;
  readonly cell: CalculatedCell;
  readonly news: NewsRow;
  readonly nowMs: number;
}): readonly BuySignal[] {
  const { configuration, snapshot, cell, news } = ask;
  const { market_average_eur_minor: average, market_median_eur_minor: median } = cell;
  const maximum = cell.maximum_buy_eur_minor;
  if (average === null || median === null || maximum === null) return [];
  const comparable = toComparableAsk(
    news.price_eur_minor,
    news.source_market,
    hkMarkupOf(configuration),
  );
  if (!meetsThreshold(comparable.comparableAskEurMinor, maximum)) return [];
  return [
    {
      listing_id: news.listing_id,
      canonical_message_id: news.canonical_message_id,
      configuration_id: configuration.id,
      configuration_key: configuration.configuration_key,
      calculator_mapping_id: configuration.calculator_mapping_id,
      brand: configuration.brand_lower,
      reference: configuration.reference,
      year: cell.year,
      condition_bucket: cell.condition_bucket,
      source_market: news.source_market,
      baseline_average_eur_minor: average,
      baseline_median_eur_minor: median,
      original_ask_eur_minor: comparable.originalAskEurMinor,
      hk_markup_eur_minor: comparable.hkMarkupEurMinor,
      comparable_ask_eur_minor: comparable.comparableAskEurMinor,
      profit_opportunity_eur_minor: average - comparable.comparableAskEurMinor,
      minimum_profit_eur_minor: cell.minimum_profit_eur_minor,
      snapshot_at_ms: ask.nowMs,
      source_sequence: snapshot.source_sequence,
      calculation_version: CALCULATION_VERSION,
    },
  ];
}
