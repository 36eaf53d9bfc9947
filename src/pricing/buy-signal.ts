import type { SourceMarket } from "../matching/membership.ts";
import type { ConditionBucket } from "./configurations/configuration.ts";

/** A listing that is a buy in one configuration, with its calculation. A match stores a copy of this. */
export interface BuySignal {
  readonly listing_id: string;
  readonly canonical_message_id: string;
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
