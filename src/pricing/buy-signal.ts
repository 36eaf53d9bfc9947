import type { SourceMarket } from "../matching/membership-store.ts";
import {
  CALCULATION_VERSION,
  type CalculatedCell,
  type ConditionBucket,
  hkMarkupOf,
} from "./cells/cell.ts";
import type { FreshAsk, RefreshedConfiguration, Snapshot } from "./cells/refresh-store.ts";
import { type ComparableAsk, judgeBuy, toComparableAsk } from "./thresholds.ts";

/** A listing that is a buy in one configuration, with its calculation, of which a match stores a copy. */
export interface BuySignal {
  readonly listing_id: string;
  readonly canonical_message_id: string;
  /** When the listing arrived, in the numbers of `alert.since_sequence`. */
  readonly came_sequence: number;
  readonly configuration_id: string;
  readonly configuration_key: string;
  readonly calculator_mapping_id: string | null;
  /** Lower case. */
  readonly brand: string;
  readonly reference: string;
  readonly year: number;
  readonly condition_bucket: ConditionBucket;
  readonly source_market: SourceMarket;
  readonly baseline_average_eur_minor: number;
  readonly baseline_median_eur_minor: number;
  readonly original_ask_eur_minor: number;
  readonly hk_markup_eur_minor: number;
  readonly comparable_ask_eur_minor: number;
  readonly profit_opportunity_eur_minor: number;
  readonly minimum_profit_eur_minor: number;
  readonly snapshot_at_ms: number;
  readonly source_sequence: number;
  readonly calculation_version: string;
}

/** The fresh asks that are buys by the cells just calculated. A suspect ask is none, whether it counts or not. */
export function toBuySignals(batch: {
  readonly configurations: readonly RefreshedConfiguration[];
  readonly snapshots: readonly Snapshot[];
  readonly asks: readonly FreshAsk[];
  readonly nowMs: number;
}): readonly BuySignal[] {
  const configurations = new Map(batch.configurations.map((row) => [row.id, row]));
  const snapshots = new Map(batch.snapshots.map((row) => [row.configuration_id, row]));
  return batch.asks.flatMap((ask) => {
    const configuration = configurations.get(ask.configuration_id);
    const snapshot = snapshots.get(ask.configuration_id);
    if (configuration === undefined || snapshot === undefined) return [];
    const cell = snapshot.cells.find(
      ({ year, condition_bucket }) =>
        year === ask.year && condition_bucket === ask.condition_bucket,
    );
    if (cell === undefined) return [];
    return toBuySignal({ configuration, snapshot, cell, ask, nowMs: batch.nowMs });
  });
}

function toBuySignal(buy: {
  readonly configuration: RefreshedConfiguration;
  readonly snapshot: Snapshot;
  readonly cell: CalculatedCell;
  readonly ask: FreshAsk;
  readonly nowMs: number;
}): readonly BuySignal[] {
  const { configuration, snapshot, cell, ask } = buy;
  const { market_average_eur_minor: average, market_median_eur_minor: median } = cell;
  if (average === null || median === null) return [];
  const comparable = toComparableAsk(
    ask.price_eur_minor,
    ask.source_market,
    hkMarkupOf(configuration),
  );
  if (judgeBuy(comparable.comparableAskEurMinor, cell) !== "buy") return [];
  return [
    {
      listing_id: ask.listing_id,
      canonical_message_id: ask.canonical_message_id,
      came_sequence: ask.came_sequence,
      configuration_id: configuration.id,
      configuration_key: configuration.configuration_key,
      calculator_mapping_id: configuration.calculator_mapping_id,
      brand: configuration.brand_lower,
      reference: configuration.reference,
      year: cell.year,
      condition_bucket: cell.condition_bucket,
      source_market: ask.source_market,
      baseline_average_eur_minor: average,
      baseline_median_eur_minor: median,
      ...toCalculation(comparable, average),
      minimum_profit_eur_minor: cell.minimum_profit_eur_minor,
      snapshot_at_ms: buy.nowMs,
      source_sequence: snapshot.source_sequence,
      calculation_version: CALCULATION_VERSION,
    },
  ];
}

/** The members of a calculation that follow from the ask and the average. */
export function toCalculation(ask: ComparableAsk, averageEurMinor: number) {
  return {
    original_ask_eur_minor: ask.originalAskEurMinor,
    hk_markup_eur_minor: ask.hkMarkupEurMinor,
    comparable_ask_eur_minor: ask.comparableAskEurMinor,
    profit_opportunity_eur_minor: averageEurMinor - ask.comparableAskEurMinor,
  };
}
