/** The market in which a listing's watch is. */
export type SourceMarket = "EU" | "HK";

/** That a listing is a member of a configuration. */
export interface Membership {
  readonly listing_id: string;
  readonly configuration_id: string;
  readonly source_market: SourceMarket;
}
