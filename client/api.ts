// Generated from openapi-v2.json by `npm run generate`; do not edit.

/** Every error has this body. */
export interface ErrorBody {
  readonly error: {
    /** Machine-readable; a closed list, see docs/api.md. */
    readonly code: string;
    /** Human-readable. */
    readonly message: string;
    /** Equals the X-Request-Id response header. */
    readonly request_id: string;
  };
}

/** One watch in one canonical message. */
export interface Listing {
  readonly id: string;
  /** `for_sale` or `want_to_buy`. */
  readonly side: string;
  /** `selling`, `buying`, `personal` or `unknown`. */
  readonly message_type: string;
  readonly brand?: string;
  readonly model?: string;
  /** As the dealer wrote it. */
  readonly reference?: string;
  readonly reference_normalized?: string;
  readonly year?: number;
  readonly card_month?: number;
  /** `NEW`, `LIKE_NEW` or `USED`. */
  readonly condition?: string;
  readonly full_set_status: readonly string[];
  readonly dial_type?: string;
  readonly variant?: string;
  readonly price?: {
    /** Hundredths of the currency. */
    readonly amount_minor: number;
    readonly currency: string;
  };
  readonly alternative_price?: {
    /** Hundredths of the currency. */
    readonly amount_minor: number;
    readonly currency: string;
  };
  /** Minor units of EUR. */
  readonly price_eur_minor?: number;
  readonly sender: {
    readonly contact_id?: string;
    /** Digits without `+`. */
    readonly phone_number?: string;
    readonly country_prefix?: string;
    readonly display_name?: string;
  };
  readonly source: {
    readonly canonical_message_id: string;
    readonly group_ids: readonly string[];
    readonly group_names: readonly string[];
    /** Milliseconds since 1970, UTC. */
    readonly message_timestamp_ms: number;
    /** Milliseconds since 1970, UTC. */
    readonly first_seen_at_ms: number;
    /** Milliseconds since 1970, UTC. */
    readonly last_seen_at_ms: number;
    readonly occurrence_count: number;
    readonly has_media: boolean;
    readonly is_duplicate: boolean;
    readonly is_hidden: boolean;
    readonly is_revoked: boolean;
    /** Only in the response for a single listing and in events, not in lists. */
    readonly message_text?: string;
  };
  readonly extraction: {
    readonly version: number;
    readonly confidence: number;
    /** Where each value came from: `explicit` (the watch's own text), `section` (text for several watches), `default` (a setting) or `corrected` (a person). `is_listing` is there if a person said that this is no listing. */
    readonly sources: {
      readonly [member: string]: unknown;
    };
  };
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly updated_at_ms: number;
}

export interface ListingPage {
  readonly items: readonly Listing[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
  readonly total?: number;
  /** Members of `filters` that were ignored because no filter knows them. */
  readonly warnings?: readonly string[];
}

/** A listing filter object: every member that is present must hold. See docs/filters.md. */
export interface Filters {
  readonly q?: unknown;
  readonly text_search?: unknown;
  readonly side?: unknown;
  readonly message_type?: unknown;
  readonly brand?: unknown;
  readonly model?: unknown;
  readonly reference?: unknown;
  readonly year?: unknown;
  readonly years?: unknown;
  readonly price?: unknown;
  readonly condition?: unknown;
  readonly conditions?: unknown;
  readonly full_set_status?: unknown;
  readonly full_set_options?: unknown;
  readonly dial_type?: unknown;
  readonly dial_types?: unknown;
  readonly variant?: unknown;
  readonly variants?: unknown;
  readonly country_codes?: unknown;
  readonly phone_numbers?: unknown;
  readonly phone_numbers_include?: unknown;
  readonly phone_numbers_exclude?: unknown;
  readonly phone_number?: unknown;
  readonly group_ids?: unknown;
  readonly group_names?: unknown;
  readonly contact_ids?: unknown;
  readonly contact_id?: unknown;
  readonly canonical_message_ids?: unknown;
  readonly canonical_message_id?: unknown;
  readonly has_media?: unknown;
  readonly message_timestamp_ms?: unknown;
  readonly last_seen_at_ms?: unknown;
  readonly from_ms?: unknown;
  readonly to_ms?: unknown;
  readonly include_duplicates?: unknown;
  readonly include_hidden?: unknown;
  readonly include_revoked?: unknown;
  readonly exclude_outliers?: unknown;
  readonly [member: string]: unknown;
}

/** One value and how many listings have it. A group has an `id`. */
export interface FacetValue {
  /** As the filter takes it; of a group, its name. */
  readonly value: string;
  readonly count: number;
  readonly id?: string;
}

export interface MarketFacets {
  readonly facets: {
    readonly brand?: readonly FacetValue[];
    readonly model?: readonly FacetValue[];
    readonly reference?: readonly FacetValue[];
    readonly year?: readonly FacetValue[];
    readonly condition?: readonly FacetValue[];
    readonly full_set_status?: readonly FacetValue[];
    readonly dial_type?: readonly FacetValue[];
    readonly variant?: readonly FacetValue[];
    readonly country_code?: readonly FacetValue[];
    readonly group?: readonly FacetValue[];
  };
  /** Of the listings at any price; absent if none has a price. */
  readonly price_range?: {
    readonly currency: "EUR";
    /** Minor units of EUR. */
    readonly min_minor: number;
    /** Minor units of EUR. */
    readonly max_minor: number;
  };
  /** Listings that the filter selects. */
  readonly total: number;
  /** False if the figures come from a sample; counts are then scaled to all listings. */
  readonly is_exact: boolean;
  /** Members of `filters` that were ignored because no filter knows them. */
  readonly warnings?: readonly string[];
}

/** One reference of one brand, with figures of its listings. Prices are those of asks. */
export interface MarketReference {
  /** As it is mostly written. */
  readonly brand: string;
  /** As it is mostly written. */
  readonly reference: string;
  readonly reference_normalized: string;
  readonly model?: string;
  readonly listing_count: number;
  readonly for_sale_count: number;
  readonly want_to_buy_count: number;
  /** Contacts with such a listing; of a sample, only those in the sample. */
  readonly contact_count: number;
  /** Minor units of EUR. */
  readonly min_price_eur_minor?: number;
  /** Minor units of EUR. */
  readonly median_price_eur_minor?: number;
  /** Minor units of EUR. */
  readonly max_price_eur_minor?: number;
  /** Milliseconds since 1970, UTC. */
  readonly first_seen_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_seen_at_ms: number;
  /** Price-engine configurations of this reference. */
  readonly configuration_ids: readonly string[];
}

export interface MarketReferencePage {
  readonly items: readonly MarketReference[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
  /** False if the figures come from a sample; counts are then scaled to all listings. */
  readonly is_exact: boolean;
  /** Members of `filters` that were ignored because no filter knows them. */
  readonly warnings?: readonly string[];
}

/** How many listings a filter selects, and of how many. */
export interface MarketSummary {
  readonly listing_count: number;
  readonly for_sale_count: number;
  readonly want_to_buy_count: number;
  readonly contact_count: number;
  readonly group_count: number;
  readonly message_count: number;
  /** By the UTC day on which the listings were last seen, oldest first, at most the latest 400; days without a listing are left out. */
  readonly days: readonly {
    /** Milliseconds since 1970, UTC. */
    readonly day_start_ms: number;
    readonly listing_count: number;
  }[];
  /** False if the figures come from a sample; counts are then scaled to all listings. */
  readonly is_exact: boolean;
  /** Members of `filters` that were ignored because no filter knows them. */
  readonly warnings?: readonly string[];
}

/** The price that was asked from this message on. */
export interface PriceHistoryLine {
  readonly listing_id: string;
  readonly price: {
    /** Hundredths of the currency. */
    readonly amount_minor: number;
    readonly currency: string;
  };
  /** Minor units of EUR. */
  readonly price_eur_minor?: number;
  /** Milliseconds since 1970, UTC. */
  readonly message_timestamp_ms: number;
}

/** UTF-16 units `start` up to but not including `end` of the text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A value that was read. Without `value`, a person said that the listing has no such value. */
export interface ReadField {
  /** The listing's member, such as `year`. */
  readonly field: string;
  readonly value?: string | number | false | readonly string[] | {
    /** Hundredths of the currency. */
    readonly amount_minor: number;
    readonly currency: string;
  };
  /** `explicit` (the watch's own text), `section` (text for several watches), `default` (a setting) or `corrected` (a person). */
  readonly source: "explicit" | "section" | "default" | "corrected";
  /** The words that the value came from. Empty for a default and a correction. */
  readonly spans: readonly TextSpan[];
}

/** A value that was found but not used. */
export interface LeftOutField {
  readonly field: string;
  /** Why it was not used, such as `several_prices` or `currency_unknown`; `corrected` if a person corrected it. */
  readonly reason: string;
  readonly spans: readonly TextSpan[];
}

/** What a person corrected, as far as it holds. */
export interface HeldCorrection {
  /** The corrected values, by member. */
  readonly values: {
    readonly [member: string]: unknown;
  };
  /** The members of which a person said that the listing has none. */
  readonly cleared: readonly string[];
}

/** How a listing was read in the text of its message. */
export interface ListingReading {
  /** The whole text of the message. */
  readonly text: string;
  /** The version of the reader that read it just now. */
  readonly version: number;
  readonly fields: readonly ReadField[];
  readonly left_out: readonly LeftOutField[];
  readonly correction?: HeldCorrection;
}

/** A condition that does not hold for the listing. */
export interface FailedClause {
  /** The member of the filter, such as `year`. */
  readonly member: string;
  /** In words, such as `at least 2024`. */
  readonly expected: string;
  /** What the listing has instead. Absent if it has none. */
  readonly actual?: string;
}

/** Whether the listing belongs to this view or configuration, and why not. */
export interface ExplainedItem {
  readonly id: string;
  readonly name: string;
  readonly is_match: boolean;
  readonly failures: readonly FailedClause[];
}

/** Whether all conditions of the alert hold for the listing now. `matched_at_ms` is there if the alert matched it. */
export interface ExplainedAlert {
  readonly id: string;
  readonly name: string;
  readonly is_match: boolean;
  readonly failures: readonly FailedClause[];
  /** Milliseconds since 1970, UTC. */
  readonly matched_at_ms?: number;
}

/** What a listing belongs to, and what it just misses. */
export interface ListingExplanation {
  readonly views: readonly ExplainedItem[];
  readonly configurations: readonly ExplainedItem[];
  readonly alerts: readonly ExplainedAlert[];
  /** False if not all alerts were looked at; ask again for more. */
  readonly is_exact: boolean;
}

/** The stored state of the configuration's own alert. */
export interface AlertState {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly triggered: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly matched_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly seen_at_ms?: number;
}

export interface ListingMatch {
  readonly configuration_id: string;
  readonly brand: string;
  readonly reference: string;
  readonly market_reference_normalized: string;
  /** A listing filter object. */
  readonly filters: {
    readonly [member: string]: unknown;
  };
  readonly filter_summary: string;
  readonly exclude_outliers: boolean;
  /** `shadow` or `live`. */
  readonly price_engine_status: string;
  readonly buy_signals_enabled: boolean;
  readonly is_stale: boolean;
  readonly year: number;
  /** `new`, `like_new` or `used`. */
  readonly condition_bucket: string;
  /** `EU` or `HK`. */
  readonly source_market: string;
  /** `available`, `insufficient` or `pending`. */
  readonly cell_status: string;
  readonly lookback_days: number;
  readonly listing_count: number;
  /** Minor units of EUR. */
  readonly original_ask_eur_minor: number;
  /** Minor units of EUR. */
  readonly comparable_ask_eur_minor: number;
  /** Minor units of EUR. */
  readonly hk_markup_eur_minor: number;
  /** Milliseconds since 1970, UTC. */
  readonly calculated_at_ms: number;
  readonly calculation_version: string;
  readonly configuration_key: string;
  readonly configuration_label: string;
  /** Minor units of EUR. */
  readonly market_average_eur_minor?: number;
  /** Minor units of EUR. */
  readonly consumer_min_eur_minor?: number;
  /** Minor units of EUR. */
  readonly consumer_max_eur_minor?: number;
  /** Minor units of EUR. */
  readonly minimum_profit_eur_minor: number;
  /** Minor units of EUR. */
  readonly maximum_eu_ask_eur_minor?: number;
  /** Minor units of EUR. */
  readonly maximum_hk_ask_eur_minor?: number;
  /** Minor units of EUR. */
  readonly profit_opportunity_eur_minor?: number;
  readonly meets_buy_threshold: boolean;
  readonly alert?: AlertState;
}

/** The price-engine model matches of one listing. */
export interface PricedListing {
  readonly listing_id: string;
  readonly items: readonly ListingMatch[];
}

/** An ask below its market, and the cell that says so. */
export interface LiveFeedItem {
  readonly listing: Listing;
  readonly price_engine: ListingMatch;
}

export interface Cell {
  readonly year: number;
  /** `new`, `like_new` or `used`. */
  readonly condition_bucket: string;
  readonly lookback_days: number;
  readonly listing_count: number;
  /** `available`, `insufficient` or `pending`. */
  readonly status: string;
  readonly source_sequence?: number;
  readonly calculation_version?: string;
  /** Milliseconds since 1970, UTC. */
  readonly calculated_at_ms?: number;
  /** Minor units of EUR. */
  readonly market_average_eur_minor?: number;
  /** Minor units of EUR. */
  readonly consumer_min_eur_minor?: number;
  /** Minor units of EUR. */
  readonly consumer_max_eur_minor?: number;
  /** Minor units of EUR. */
  readonly minimum_profit_eur_minor: number;
  /** Minor units of EUR. */
  readonly maximum_buy_eur_minor?: number;
}

export interface MinimumProfitOverride {
  readonly year: number;
  readonly condition_bucket: string;
  /** Minor units of EUR. */
  readonly amount_eur_minor: number;
}

export interface Configuration {
  readonly id: string;
  readonly profile_id: string;
  readonly brand: string;
  readonly brand_lower: string;
  readonly reference: string;
  readonly reference_normalized: string;
  readonly market_reference_normalized: string;
  /** A listing filter object. */
  readonly filters: {
    readonly [member: string]: unknown;
  };
  readonly filter_summary: string;
  readonly minimum_profit_overrides: readonly MinimumProfitOverride[];
  readonly exclude_outliers: boolean;
  readonly publish_enabled: boolean;
  readonly buy_signals_enabled: boolean;
  readonly available_years: readonly number[];
  /** `available`, `insufficient` or `pending`. */
  readonly cell_status: string;
  readonly is_stale: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly updated_at_ms: number;
  readonly configuration_key: string;
  readonly configuration_label: string;
  readonly image_url?: string;
  readonly imported_from_mapping_id?: string;
  /** Milliseconds since 1970, UTC. */
  readonly last_attempt_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_success_at_ms?: number;
  readonly last_refresh_error?: string;
}

/** The values of a cell from this time on. */
export interface CellPoint {
  /** Milliseconds since 1970, UTC. */
  readonly calculated_at_ms: number;
  /** `available`, `insufficient`, or `gone`. */
  readonly status: string;
  readonly listing_count: number;
  /** Minor units of EUR. */
  readonly market_average_eur_minor?: number;
  /** Minor units of EUR. */
  readonly market_median_eur_minor?: number;
  /** Minor units of EUR. */
  readonly consumer_min_eur_minor?: number;
  /** Minor units of EUR. */
  readonly consumer_max_eur_minor?: number;
  /** Minor units of EUR. */
  readonly maximum_buy_eur_minor?: number;
}

export interface ConfigurationDeclaration {
  readonly id: string;
  readonly configuration_key?: string;
  readonly profile: string;
  readonly brand: string;
  readonly reference: string;
  readonly market_reference?: string;
  readonly label?: string;
  /** A listing filter object. */
  readonly filters: {
    readonly [member: string]: unknown;
  };
  readonly minimum_profit_overrides?: readonly ({
    readonly year: number;
    readonly condition_bucket: "new" | "like_new" | "used";
    readonly amount_eur_minor: number;
  })[];
  readonly exclude_outliers?: boolean;
  readonly publish_enabled?: boolean;
  readonly buy_signals_enabled?: boolean;
  /** Whether the configuration's own alert is enabled. */
  readonly alert_enabled?: boolean;
  readonly image_url?: string;
  readonly calculator_mapping_id?: string;
  readonly imported_from_mapping_id?: string;
  /** `manifest` or `api`. */
  readonly managed_by: string;
}

export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly status?: "shadow" | "live";
  readonly lookback_days?: number;
  readonly minimum_listings?: number;
  readonly minimum_profit_eur_minor?: number;
  readonly implausible_below_bps?: number;
  readonly implausible_above_bps?: number;
  readonly hk_markup?: {
    readonly rate_bps?: number;
    readonly fixed_eur_minor?: number;
  };
  readonly consumer_range?: {
    readonly low_quantile_bps?: number;
    readonly high_quantile_bps?: number;
    readonly margin_bps?: number;
  };
  readonly stale_after_ms?: number;
  /** `manifest` or `api`. */
  readonly managed_by: string;
}

/** One ask of a cell. */
export interface PopulationAsk {
  readonly listing_id: string;
  readonly contact_id?: string;
  /** `EU` or `HK`. */
  readonly source_market: string;
  /** Minor units of EUR. */
  readonly original_ask_eur_minor: number;
  /** Minor units of EUR. */
  readonly comparable_ask_eur_minor: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_seen_at_ms: number;
  /** `counted`; or why it does not count: `outlier`, `suspect` (most likely misread), `superseded` (the same contact asked again later), `aged_out` (seen before the look-back). */
  readonly role: "counted" | "outlier" | "suspect" | "superseded" | "aged_out";
}

export interface CellPopulation {
  readonly items: readonly PopulationAsk[];
  /** Minor units of EUR. */
  readonly lower_fence_eur_minor?: number;
  /** Minor units of EUR. */
  readonly upper_fence_eur_minor?: number;
  /** False if the cell has more asks than are read. */
  readonly is_exact: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly as_of_ms: number;
}

export interface Alert {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  /** A listing filter object. */
  readonly filters: {
    readonly [member: string]: unknown;
  };
  /** `market_filter` or `price_engine`. */
  readonly strategy: string;
  readonly is_system: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly updated_at_ms: number;
  readonly view_id?: string;
  readonly managed_by?: string;
  readonly created_by?: string;
  readonly updated_by?: string;
}

/** The calculation at the time of the match. */
export interface MatchContext {
  readonly strategy?: string;
  readonly configuration_id?: string;
  /** Minor units of EUR. */
  readonly baseline_average_eur_minor?: number;
  /** Minor units of EUR. */
  readonly baseline_median_eur_minor?: number;
  /** Minor units of EUR. */
  readonly original_ask_eur_minor?: number;
  /** Minor units of EUR. */
  readonly hk_markup_eur_minor?: number;
  /** Minor units of EUR. */
  readonly comparable_ask_eur_minor?: number;
  /** Minor units of EUR. */
  readonly profit_opportunity_eur_minor?: number;
  /** Minor units of EUR. */
  readonly minimum_profit_eur_minor?: number;
  readonly year?: number;
  /** `new`, `like_new` or `used`. */
  readonly condition_bucket?: string;
  /** In lower case. */
  readonly brand?: string;
  readonly reference?: string;
  /** `EU` or `HK`. */
  readonly source_market?: string;
  /** Milliseconds since 1970, UTC. */
  readonly snapshot_at_ms?: number;
  readonly source_sequence?: number;
  readonly calculation_version?: string;
  readonly configuration_key?: string;
  readonly calculator_mapping_id?: string;
}

export interface AlertMatch {
  readonly alert_id: string;
  /** `watch_listing` or `message`. */
  readonly resource: string;
  readonly resource_id: string;
  readonly listing_id?: string;
  readonly canonical_message_id: string;
  /** Milliseconds since 1970, UTC. */
  readonly matched_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly seen_at_ms?: number;
  readonly match_context: MatchContext;
}

/** A UTC day. */
export interface MatchDay {
  /** Milliseconds since 1970, UTC. */
  readonly day_start_ms: number;
  readonly match_count: number;
}

/** How often an alert matched. */
export interface AlertActivity {
  readonly alert_id: string;
  readonly total_count: number;
  readonly unseen_count: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_matched_at_ms?: number;
  /** Absent if the alert is not muted; 253402300799999 if it is muted without an end. */
  readonly muted_until_ms?: number;
  readonly days: readonly MatchDay[];
}

export interface NamedAlertMatch {
  readonly alert: {
    readonly id: string;
    readonly name: string;
  };
  readonly match: AlertMatch;
}

/** A watch or a message, with the alerts that it matched. */
export interface WatchMatch {
  /** `watch_listing` or `message`. */
  readonly resource: string;
  readonly resource_id: string;
  /** Milliseconds since 1970, UTC. */
  readonly matched_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly seen_at_ms?: number;
  /** True if none of the matches was sent. */
  readonly is_shadow: boolean;
  readonly listing?: Listing;
  readonly matches: readonly NamedAlertMatch[];
}

/** A UTC day. */
export interface PreviewDay {
  /** Milliseconds since 1970, UTC. */
  readonly day_start_ms: number;
  readonly match_count: number;
  /** Only for `price_engine`: the prices of that day (`recorded`), or those of now (`current`), because the history of a cell does not go back so far. */
  readonly price_basis?: "recorded" | "current";
}

/** An alert that matched some of the same listings. */
export interface AlertOverlap {
  readonly alert_id: string;
  readonly name: string;
  readonly shared_count: number;
}

export interface AlertPreview {
  readonly total: number;
  /** False if the counts come from a sample, because the filter selects more than 10,000 listings, or 3,000 asks. */
  readonly is_exact: boolean;
  readonly days: readonly PreviewDay[];
  readonly items: readonly Listing[];
  readonly overlaps: readonly AlertOverlap[];
  /** Members of `filters` that were ignored because no filter knows them. */
  readonly warnings?: readonly string[];
}

/** One text by one contact, in all groups and on all days. */
export interface Message {
  readonly id: string;
  readonly text?: string;
  /** `true` if a list shows only the beginning of a long text; else absent. */
  readonly is_text_cut?: boolean;
  readonly sender: {
    readonly contact_id?: string;
    /** Digits without `+`. */
    readonly phone_number?: string;
    readonly country_prefix?: string;
    readonly display_name?: string;
  };
  /** Where it was posted and not revoked; if all posts are revoked, where it was. */
  readonly groups: readonly {
    readonly id: string;
    readonly name?: string;
  }[];
  /** Milliseconds since 1970, UTC. */
  readonly first_seen_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_seen_at_ms?: number;
  readonly occurrence_count: number;
  readonly has_media: boolean;
  /** Sent by one of your own sessions. */
  readonly is_own: boolean;
  /** All posts are revoked. */
  readonly is_revoked: boolean;
  /** What the text is read as, in its order. */
  readonly listing_ids: readonly string[];
}

/** One post of a canonical message. */
export interface Occurrence {
  readonly id: string;
  readonly group_id: string;
  readonly group_name?: string;
  /** Milliseconds since 1970, UTC. */
  readonly sent_at_ms: number;
  /** The sessions that reported the post. */
  readonly session_labels: readonly string[];
  readonly has_media: boolean;
  readonly is_own: boolean;
  readonly is_edited: boolean;
  readonly is_revoked: boolean;
}

export interface OccurrenceGroup {
  readonly group_id: string;
  readonly group_name?: string;
  readonly occurrence_count: number;
  /** Milliseconds since 1970, UTC. */
  readonly first_seen_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_seen_at_ms: number;
  readonly session_labels: readonly string[];
  readonly edited_count: number;
  readonly revoked_count: number;
  readonly media_count: number;
}

/** A UTC day. */
export interface OccurrenceDay {
  /** Milliseconds since 1970, UTC. */
  readonly day_start_ms: number;
  readonly occurrence_count: number;
  readonly group_count: number;
  /** Milliseconds since 1970, UTC. */
  readonly latest_at_ms: number;
  readonly groups: readonly OccurrenceGroup[];
}

export interface OccurrenceSummary {
  readonly total_count: number;
  readonly group_count: number;
  readonly session_count: number;
  /** Milliseconds since 1970, UTC. */
  readonly first_seen_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_seen_at_ms?: number;
  readonly days: readonly OccurrenceDay[];
}

/** Where matches are sent. */
export interface WebhookTarget {
  readonly id: string;
  readonly name: string;
  /** One of standard, ntfy, telegram, email. */
  readonly kind: string;
  /** Of `standard` and `ntfy`. */
  readonly url?: string;
  /** Of `telegram`. */
  readonly chat_id?: string;
  /** Of `email`. */
  readonly to?: string;
  /** Whether a secret or token is stored. It is never shown. */
  readonly has_secret: boolean;
  /** The alerts whose matches are sent. Absent: all alerts. */
  readonly alerts?: readonly string[];
  readonly quiet_hours?: {
    /** A time of day such as `22:00`. */
    readonly from: string;
    readonly to: string;
    /** An IANA name such as `Europe/Berlin`. */
    readonly time_zone: string;
  };
  /** Since when the target says that it is gone. Nothing is sent until it is changed, a test succeeds or a delivery is retried. */
  readonly gone_at_ms?: number;
  /** `manifest` or `api`. */
  readonly managed_by: string;
  readonly created_by?: string;
  readonly updated_by?: string;
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly updated_at_ms: number;
}

export interface TestResult {
  readonly is_delivered: boolean;
  /** The status of the response, or why there was none. */
  readonly result: string;
  /** What to do about it, if that is known. */
  readonly help?: string;
}

/** One match on its way to one target. */
export interface Delivery {
  readonly id: string;
  readonly target_id: string;
  readonly alert_id: string;
  readonly alert_name: string;
  /** `watch_listing` or `message`. */
  readonly resource: string;
  readonly resource_id: string;
  /** One of pending, delivered, dead. */
  readonly status: string;
  readonly attempt_count: number;
  /** The status of the last response, or why there was none. */
  readonly last_result?: string;
  /** Of a pending one; quiet hours are taken into account. */
  readonly next_attempt_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly finished_at_ms?: number;
}

export interface ContactGroup {
  readonly id: string;
  readonly name?: string;
  readonly message_count: number;
}

/** A person or a business that posts. */
export interface Contact {
  readonly id: string;
  readonly display_name?: string;
  /** All names, the latest first. */
  readonly names: readonly string[];
  /** Digits without `+`. */
  readonly phone_number?: string;
  readonly country_prefix?: string;
  /** All numbers, the first seen first. */
  readonly phone_numbers: readonly string[];
  /** One of your own sessions. */
  readonly is_own: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly first_seen_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_seen_at_ms?: number;
  readonly message_count: number;
  /** Visible listings that sell. */
  readonly for_sale_count: number;
  /** Visible listings that look. */
  readonly want_to_buy_count: number;
  /** Where it posted, the most messages first, at most 200. */
  readonly groups: readonly ContactGroup[];
  /** False if only the latest 20000 messages and listings were counted. */
  readonly is_exact: boolean;
}

/** A group of the gateway and what was posted there. */
export interface GroupSummary {
  readonly id: string;
  /** The group's id at the gateway. */
  readonly gateway_group_id: string;
  readonly name?: string;
  /** The currency of amounts without one in this group. */
  readonly default_currency?: string;
  /** Its messages are not read. */
  readonly is_ignored: boolean;
  /** `manifest` or `api`; absent if nothing is declared. */
  readonly managed_by?: string;
  readonly message_count: number;
  readonly listing_count: number;
}

export interface Group {
  readonly id: string;
  /** The group's id at the gateway. */
  readonly gateway_group_id: string;
  readonly name?: string;
  /** The currency of amounts without one in this group. */
  readonly default_currency?: string;
  /** Its messages are not read. */
  readonly is_ignored: boolean;
  /** `manifest` or `api`; absent if nothing is declared. */
  readonly managed_by?: string;
  readonly updated_by?: string;
}

export interface GroupPreset {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly group_ids: readonly string[];
  /** `manifest` or `api`. */
  readonly managed_by: string;
  readonly created_by?: string;
  readonly updated_by?: string;
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly updated_at_ms: number;
}

export interface Session {
  readonly id: string;
  /** The session's name at the gateway. */
  readonly gateway_name: string;
  /** `receiving` or `sending`. */
  readonly role: string;
  readonly engine?: string;
  /** The status as the gateway reports it. */
  readonly status?: string;
  readonly can_receive: boolean;
  readonly can_send: boolean;
  readonly label?: string;
  /** Digits without `+`. */
  readonly phone_number?: string;
  readonly connecting_user_id?: string;
  /** Milliseconds since 1970, UTC. */
  readonly last_status_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_message_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_activity_at_ms?: number;
  /** `healthy`, `stale`, `connecting`, `needs_auth` or `down`. */
  readonly health_state: string;
  /** Milliseconds. */
  readonly stale_after_ms: number;
}

export interface View {
  readonly id: string;
  readonly name: string;
  /** A listing filter object. */
  readonly filters: {
    readonly [member: string]: unknown;
  };
  /** `EU` or `HK`: a source view. */
  readonly source_market?: string;
  readonly sort?: string;
  readonly columns?: readonly string[];
  /** `manifest` or `api`. */
  readonly managed_by: string;
  readonly created_by?: string;
  readonly updated_by?: string;
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly updated_at_ms: number;
}

/** A line of `assay doctor`. */
export interface OperationsFinding {
  /** Which check found it, such as `quarantine` or `rates`. */
  readonly check: string;
  readonly is_fine: boolean;
  /** For people; the wording may change. */
  readonly text: string;
  /** The command that helps or shows more. */
  readonly command?: string;
  /** Milliseconds since 1970, UTC. */
  readonly checked_at_ms: number;
}

export interface OperationsQueue {
  /** The step that takes from the queue. */
  readonly step: string;
  /** Counted up to 100000. */
  readonly depth: number;
  /** How long its first item has waited, in milliseconds. */
  readonly oldest_age_ms?: number;
}

/** Items that workers processed in the hours that began in the last 24; matches are counted up to 5000. */
export interface OperationsStep {
  readonly step: string;
  readonly item_count: number;
}

/** Whether missed messages of a session were fetched. */
export interface OperationsBackfill {
  /** The session's name at the gateway. */
  readonly session_name: string;
  readonly is_fine: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly fetched_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly failing_since_ms?: number;
  /** Chats that could not be fetched. */
  readonly failing_count: number;
  /** Milliseconds since 1970, UTC. */
  readonly retry_at_ms?: number;
  readonly last_error?: string;
}

/** Whether the installation works, and what it is doing. */
export interface OperationsReport {
  /** Milliseconds since 1970, UTC. */
  readonly as_of_ms: number;
  /** All findings are fine. */
  readonly is_fine: boolean;
  readonly findings: readonly OperationsFinding[];
  /** Checks that have not finished since the start; ask again a few seconds later. */
  readonly pending_checks: readonly string[];
  readonly queues: readonly OperationsQueue[];
  readonly steps: readonly OperationsStep[];
  /** From the time of a message to its match, of the latest 5000 matches of the last 24 hours. */
  readonly lag: {
    readonly match_count: number;
    /** Milliseconds. */
    readonly p50_ms?: number;
    /** Milliseconds. */
    readonly p99_ms?: number;
  };
  readonly backfills: readonly OperationsBackfill[];
  /** How the fetches of exchange rates went. */
  readonly rates: {
    /** `none`, or `ecb`: a worker fetches them daily. */
    readonly source: string;
    /** Milliseconds since 1970, UTC. */
    readonly fetched_at_ms?: number;
    /** Milliseconds since 1970, UTC. */
    readonly latest_day_start_ms?: number;
    /** Failures since the last fetch. */
    readonly failed_count: number;
    /** Milliseconds since 1970, UTC. */
    readonly failing_since_ms?: number;
    readonly last_error?: string;
    /** Milliseconds since 1970, UTC. */
    readonly next_at_ms?: number;
  };
  readonly suspect_asks: {
    readonly suspect_count: number;
    readonly cell_count: number;
  };
  readonly quarantine: {
    readonly event_count: number;
    readonly item_count: number;
  };
}

/** An event or item that could not be processed. */
export interface QuarantineEntry {
  /** As `assay quarantine` takes it, such as `event-12`. */
  readonly id: string;
  /** `event`: an event of the gateway; `item`: an item of the pipeline. */
  readonly kind: string;
  readonly reason: string;
  /** Milliseconds since 1970, UTC. */
  readonly quarantined_at_ms: number;
  /** Of an item: the step that failed. */
  readonly step?: string;
  /** Of an item: how often it failed. */
  readonly attempt_count?: number;
  /** Of an item: when a worker tries it again by itself. */
  readonly next_attempt_at_ms?: number;
  readonly gateway?: string;
  /** `webhook`, `pull` or `import`. */
  readonly origin?: string;
  /** Milliseconds since 1970, UTC. */
  readonly received_at_ms?: number;
}

/** The rate of a currency from this day on, until the next one. */
export interface FxRate {
  readonly currency: string;
  /** Milliseconds since 1970, UTC. */
  readonly day_start_ms: number;
  /** `built_in`, `pegged`, `ecb`, `declared`; of one day, the last wins. */
  readonly kind: string;
  /** What one euro buys, as a decimal number. */
  readonly per_eur: string;
  /** Days since then. */
  readonly age_days: number;
  /** It is the rate of its day. */
  readonly is_used: boolean;
  /** Built in, or a stablecoin counted as a dollar. */
  readonly is_approximate: boolean;
}

/** An API token, without its text. */
export interface Token {
  readonly id: string;
  readonly name: string;
  /** The beginning of the token's text. */
  readonly prefix: string;
  readonly is_read_only: boolean;
  /** The token of this request. */
  readonly is_current: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly expires_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly revoked_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_used_at_ms?: number;
}

export interface NewToken {
  readonly id: string;
  readonly name: string;
  /** The beginning of the token's text. */
  readonly prefix: string;
  readonly is_read_only: boolean;
  /** The token of this request. */
  readonly is_current: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly created_at_ms: number;
  /** Milliseconds since 1970, UTC. */
  readonly expires_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly revoked_at_ms?: number;
  /** Milliseconds since 1970, UTC. */
  readonly last_used_at_ms?: number;
  /** The text to send as bearer token. It is shown only here. */
  readonly token: string;
}

/** An alert has matched. */
export interface AlertMatchEvent {
  readonly type: "alert.match";
  readonly timestamp: string;
  readonly data: {
    readonly alert: {
      readonly id: string;
      readonly name: string;
    };
    readonly match: AlertMatch;
    readonly listing?: Listing;
    /** For an alert on messages. */
    readonly message?: {
      readonly [member: string]: unknown;
    };
    /** True if it follows from a profile in shadow; else absent. */
    readonly is_shadow?: boolean;
  };
}

/** Alerts, their mute, their matches or seen marks have changed. */
export interface AlertChangedEvent {
  readonly type: "alert.changed";
  readonly timestamp: string;
  readonly data: {
    /** Absent: every one may have changed. */
    readonly alert_ids?: readonly string[];
  };
}

/** Configurations were calculated, or they or their profile have changed. */
export interface CellsChangedEvent {
  readonly type: "cells.changed";
  readonly timestamp: string;
  readonly data: {
    /** Absent: every one may have changed. */
    readonly configuration_ids?: readonly string[];
  };
}

/** Sessions have changed, or receive messages again after a minute of silence. */
export interface SessionChangedEvent {
  readonly type: "session.changed";
  readonly timestamp: string;
  readonly data: {
    /** Absent: every one may have changed. */
    readonly session_ids?: readonly string[];
  };
}

export interface SearchListingsRequest {
  readonly filters?: Filters;
  readonly sort?: "newest" | "oldest" | "price_asc" | "price_desc" | "year_desc";
  readonly limit?: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
  /** Also count all listings that the filter selects; slow for a broad filter. */
  readonly include_total?: boolean;
}

export interface CountFacetsRequest {
  readonly filters?: Filters;
  /** The facets to count. The default is all of them. */
  readonly facets?: readonly ("brand" | "model" | "reference" | "year" | "condition" | "full_set_status" | "dial_type" | "variant" | "country_code" | "group")[];
  /** The most frequent values of each facet to return. */
  readonly limit?: number;
}

export interface SearchReferencesRequest {
  readonly filters?: Filters;
  /** The highest first; references without a price come last. */
  readonly sort?: "listing_count" | "last_seen" | "median_price";
  readonly limit?: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

export interface SummarizeMarketRequest {
  readonly filters?: Filters;
  /** Only listings last seen at or after this time. */
  readonly from_ms?: number;
  /** Only listings last seen at or before this time. */
  readonly to_ms?: number;
}

export interface ExportListingsRequest {
  readonly filters?: Filters;
  readonly sort?: "newest" | "oldest" | "price_asc" | "price_desc" | "year_desc";
  /** Members of a listing; `id` is always the first. The default is all but `extraction` and the message text. */
  readonly columns?: readonly ("id" | "side" | "message_type" | "brand" | "model" | "reference" | "reference_normalized" | "year" | "card_month" | "condition" | "full_set_status" | "dial_type" | "variant" | "price.amount_minor" | "price.currency" | "alternative_price.amount_minor" | "alternative_price.currency" | "price_eur_minor" | "sender.contact_id" | "sender.phone_number" | "sender.country_prefix" | "sender.display_name" | "source.canonical_message_id" | "source.group_ids" | "source.group_names" | "source.message_timestamp_ms" | "source.first_seen_at_ms" | "source.last_seen_at_ms" | "source.occurrence_count" | "source.has_media" | "source.is_duplicate" | "source.is_hidden" | "source.is_revoked" | "source.message_text" | "extraction.version" | "extraction.confidence" | "extraction.sources" | "created_at_ms" | "updated_at_ms")[];
}

export interface GetPriceHistoryResponse {
  readonly items: readonly PriceHistoryLine[];
  readonly total: number;
}

export interface CorrectListingRequest {
  readonly side?: "for_sale" | "want_to_buy";
  readonly brand?: string | null;
  readonly model?: string | null;
  readonly reference?: string | null;
  readonly dial_type?: string | null;
  readonly variant?: string | null;
  readonly year?: number | null;
  readonly card_month?: number | null;
  readonly condition?: "NEW" | "LIKE_NEW" | "USED" | null;
  readonly full_set_status?: readonly ("FULL_SET" | "WATCH_AND_CARD" | "WATCH_AND_BOX" | "WATCH")[] | null;
  readonly price?: {
    readonly amount_minor: number;
    /** A code such as EUR, HKD or USDT. */
    readonly currency: string;
  } | null;
  readonly alternative_price?: {
    readonly amount_minor: number;
    /** A code such as EUR, HKD or USDT. */
    readonly currency: string;
  } | null;
  readonly status?: "sold" | "on_hold" | null;
  /** The text offers and asks for nothing there. */
  readonly is_listing?: false;
}

export interface ListListingPriceEngineMatchesResponse {
  readonly items: readonly ListingMatch[];
  readonly total: number;
}

export interface ListPriceEngineMatchesRequest {
  readonly listing_ids: readonly string[];
}

export interface ListPriceEngineMatchesResponse {
  readonly items: readonly PricedListing[];
}

export interface SearchLiveFeedRequest {
  readonly filters?: Filters;
  /** The ask lies at least so far below the market average. */
  readonly minimum_profit_eur_minor?: number;
  /** Likewise, in ten-thousandths of the market average. */
  readonly minimum_discount_bps?: number;
  readonly limit?: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

export interface SearchLiveFeedResponse {
  readonly items: readonly LiveFeedItem[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
  /** Members of `filters` that were ignored because no filter knows them. */
  readonly warnings?: readonly string[];
}

export interface GetConfigurationCellsResponse {
  readonly configuration: Configuration;
  readonly items: readonly Cell[];
  readonly is_stale: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly as_of_ms: number;
}

export interface ListConfigurationsResponse {
  readonly items: readonly Configuration[];
  readonly total: number;
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface CreateConfigurationRequest {
  readonly id?: string;
  readonly configuration_key?: string;
  readonly profile: string;
  readonly brand: string;
  readonly reference: string;
  readonly market_reference?: string;
  readonly label?: string;
  readonly filters?: {
    readonly [member: string]: unknown;
  };
  readonly minimum_profit_overrides?: readonly ({
    readonly year: number;
    readonly condition_bucket: "new" | "like_new" | "used";
    readonly amount_eur_minor: number;
  })[];
  readonly exclude_outliers?: boolean;
  readonly publish_enabled?: boolean;
  readonly buy_signals_enabled?: boolean;
  /** Whether the configuration's own alert is enabled. */
  readonly alert_enabled?: boolean;
  readonly image_url?: string;
  readonly calculator_mapping_id?: string;
  readonly imported_from_mapping_id?: string;
}

export interface GetCellHistoryResponse {
  readonly items: readonly CellPoint[];
  readonly total: number;
}

export interface ChangeConfigurationRequest {
  readonly configuration_key?: string | null;
  readonly profile?: string | null;
  readonly brand?: string | null;
  readonly reference?: string | null;
  readonly market_reference?: string | null;
  readonly label?: string | null;
  readonly filters?: {
    readonly [member: string]: unknown;
  } | null;
  readonly minimum_profit_overrides?: readonly ({
    readonly year: number;
    readonly condition_bucket: "new" | "like_new" | "used";
    readonly amount_eur_minor: number;
  })[] | null;
  readonly exclude_outliers?: boolean | null;
  readonly publish_enabled?: boolean | null;
  readonly buy_signals_enabled?: boolean | null;
  readonly alert_enabled?: boolean | null;
  readonly image_url?: string | null;
  readonly calculator_mapping_id?: string | null;
  readonly imported_from_mapping_id?: string | null;
}

export interface ListProfilesResponse {
  readonly items: readonly Profile[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface CreateProfileRequest {
  readonly id?: string;
  readonly name: string;
  readonly status?: "shadow" | "live";
  readonly lookback_days?: number;
  readonly minimum_listings?: number;
  readonly minimum_profit_eur_minor?: number;
  readonly implausible_below_bps?: number;
  readonly implausible_above_bps?: number;
  readonly hk_markup?: {
    readonly rate_bps?: number;
    readonly fixed_eur_minor?: number;
  };
  readonly consumer_range?: {
    readonly low_quantile_bps?: number;
    readonly high_quantile_bps?: number;
    readonly margin_bps?: number;
  };
  readonly stale_after_ms?: number;
}

export interface ChangeProfileRequest {
  readonly name?: string | null;
  readonly status?: "shadow" | "live" | null;
  readonly lookback_days?: number | null;
  readonly minimum_listings?: number | null;
  readonly minimum_profit_eur_minor?: number | null;
  readonly implausible_below_bps?: number | null;
  readonly implausible_above_bps?: number | null;
  readonly hk_markup?: {
    readonly rate_bps?: number;
    readonly fixed_eur_minor?: number;
  } | null;
  readonly consumer_range?: {
    readonly low_quantile_bps?: number;
    readonly high_quantile_bps?: number;
    readonly margin_bps?: number;
  } | null;
  readonly stale_after_ms?: number | null;
}

export interface GetBackcastResponse {
  readonly items: readonly CellPoint[];
  readonly total: number;
  /** False if the cell has more than 5,000 asks, so that some are left out. */
  readonly is_exact: boolean;
}

export interface PreviewConfigurationRequest {
  readonly profile: string;
  readonly brand: string;
  readonly reference: string;
  readonly market_reference?: string;
  readonly filters?: {
    readonly [member: string]: unknown;
  };
  readonly minimum_profit_overrides?: readonly ({
    readonly year: number;
    readonly condition_bucket: "new" | "like_new" | "used";
    readonly amount_eur_minor: number;
  })[];
  readonly exclude_outliers?: boolean;
}

export interface PreviewConfigurationResponse {
  readonly items: readonly Cell[];
  /** False if there are more than 50,000 asks, so that some are left out. */
  readonly is_exact: boolean;
  /** Milliseconds since 1970, UTC. */
  readonly as_of_ms: number;
  /** Members of `filters` that were ignored because no filter knows them. */
  readonly warnings?: readonly string[];
}

export interface ListAlertsResponse {
  readonly items: readonly Alert[];
  readonly total: number;
}

export interface CreateAlertRequest {
  readonly id?: string;
  readonly name: string;
  readonly enabled?: boolean;
  readonly strategy?: "market_filter" | "price_engine";
  readonly filters: {
    readonly [member: string]: unknown;
  };
  readonly view_id?: string;
}

export interface ChangeAlertRequest {
  readonly name?: string | null;
  readonly enabled?: boolean | null;
  readonly strategy?: "market_filter" | "price_engine" | null;
  readonly filters?: {
    readonly [member: string]: unknown;
  } | null;
  readonly view_id?: string | null;
}

export interface MuteAlertRequest {
  /** Milliseconds since 1970, UTC, in the future. Without it, until DELETE. */
  readonly until_ms?: number;
}

export interface ListAlertMatchesResponse {
  readonly items: readonly AlertMatch[];
  readonly total: number;
}

export interface ListAlertStatesResponse {
  readonly items: readonly AlertActivity[];
  readonly total: number;
}

export interface ListWatchMatchesResponse {
  readonly items: readonly WatchMatch[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
  readonly unseen_count: number;
}

export interface PreviewAlertRequest {
  readonly strategy?: "market_filter" | "price_engine";
  readonly filters: Filters;
  readonly view_id?: string;
  /** Default: 30 days before `to_ms`. At most 92 days before it. */
  readonly from_ms?: number;
  /** Default, and at most: now. */
  readonly to_ms?: number;
}

export interface MarkMatchesSeenRequest {
  /** The matches to mark; pairs without a match are skipped. */
  readonly matches?: readonly {
    readonly alert_id: string;
    readonly resource_id: string;
  }[];
  /** Marks all matches with a `matched_at_ms` up to this time. */
  readonly before_ms?: number;
  /** Only with `before_ms`: marks only matches of this alert. */
  readonly alert_id?: string;
}

export interface MarkMatchesSeenResponse {
  /** The number of matches that were not marked before. */
  readonly seen_count: number;
  readonly has_more: boolean;
}

export interface ListMessagesResponse {
  readonly items: readonly Message[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface ListOccurrencesResponse {
  readonly items: readonly Occurrence[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface ListWebhookTargetsResponse {
  readonly items: readonly WebhookTarget[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface CreateWebhookTargetRequest {
  readonly id?: string;
  readonly name: string;
  readonly kind?: "standard" | "ntfy" | "telegram" | "email";
  readonly url?: string;
  readonly secret?: string;
  readonly token?: string;
  readonly bot_token?: string;
  readonly chat_id?: number | string;
  readonly to?: string;
  readonly quiet_hours?: {
    readonly from: string;
    readonly to: string;
    readonly time_zone: string;
  };
  readonly alerts?: readonly string[];
}

export interface ChangeWebhookTargetRequest {
  readonly name?: string | null;
  readonly kind?: "standard" | "ntfy" | "telegram" | "email" | null;
  readonly url?: string | null;
  readonly secret?: string | null;
  readonly token?: string | null;
  readonly bot_token?: string | null;
  readonly chat_id?: number | string | null;
  readonly to?: string | null;
  readonly quiet_hours?: {
    readonly from: string;
    readonly to: string;
    readonly time_zone: string;
  } | null;
  readonly alerts?: readonly string[] | null;
}

export interface ListDeliveriesResponse {
  readonly items: readonly Delivery[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface ListGroupsResponse {
  readonly items: readonly GroupSummary[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
  /** 30 days ago, or later if more than 200000 messages or listings are newer. */
  readonly counted_from_ms: number;
  /** False if the counts do not cover 30 days. */
  readonly is_exact: boolean;
}

export interface ChangeGroupRequest {
  readonly is_ignored?: boolean | null;
  readonly default_currency?: string | null;
}

export interface ListGroupPresetsResponse {
  readonly items: readonly GroupPreset[];
  readonly total: number;
}

export interface CreateGroupPresetRequest {
  readonly id?: string;
  readonly name: string;
  readonly description?: string;
  readonly group_ids: readonly string[];
}

export interface ChangeGroupPresetRequest {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly group_ids?: readonly string[] | null;
}

export interface ListSessionsResponse {
  readonly items: readonly Session[];
}

export interface ListViewsResponse {
  readonly items: readonly View[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface CreateViewRequest {
  readonly id?: string;
  readonly name: string;
  readonly filters: {
    readonly [member: string]: unknown;
  };
  readonly source_market?: "EU" | "HK";
  readonly sort?: string;
  readonly columns?: readonly string[];
}

export interface ChangeViewRequest {
  readonly name?: string | null;
  readonly filters?: {
    readonly [member: string]: unknown;
  } | null;
  readonly source_market?: "EU" | "HK" | null;
  readonly sort?: string | null;
  readonly columns?: readonly string[] | null;
}

export interface ListQuarantineResponse {
  readonly items: readonly QuarantineEntry[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface ListFxRatesResponse {
  readonly items: readonly FxRate[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface ListTokensResponse {
  readonly items: readonly Token[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
}

export interface CreateTokenRequest {
  /** What the token is for. Two active tokens cannot have the same name. */
  readonly name: string;
  readonly is_read_only?: boolean;
  /** When it stops working. If absent, never, or with the token of this request. */
  readonly expires_at_ms?: number;
}

/** An event as WAHA sends it. */
export interface ReceiveWahaEventRequest {
  readonly [member: string]: unknown;
}

/** Each operation of the API: its input and its response. */
export interface Operations {
  /** Search listings. */
  readonly searchListings: {
    readonly input: SearchListingsRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: ListingPage;
  };
  /** List listings. */
  readonly listListings: {
    readonly input: {
      /** Ignores case, accents and punctuation. */
      readonly brand?: string;
      /** Ignores case and punctuation: `5711/1A-010` is `57111a010`. */
      readonly reference?: string;
      readonly year?: number;
      /** `NEW`, `LIKE_NEW` or `USED`, in any case. */
      readonly condition?: string;
      /** Lowest price in minor units of EUR. */
      readonly price_gte?: number;
      /** Highest price in minor units of EUR. */
      readonly price_lte?: number;
      /** Words of which a listing has at least one. */
      readonly q?: string;
      readonly sort?: "newest" | "oldest" | "price_asc" | "price_desc" | "year_desc";
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListingPage;
  };
  /** Count listings by brand, year and other values. */
  readonly countFacets: {
    readonly input: CountFacetsRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: MarketFacets;
  };
  /** Search references. */
  readonly searchReferences: {
    readonly input: SearchReferencesRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: MarketReferencePage;
  };
  /** Summarize the market. */
  readonly summarizeMarket: {
    readonly input: SummarizeMarketRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: MarketSummary;
  };
  /** Export listings as CSV. */
  readonly exportListings: {
    readonly input: ExportListingsRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: ReadableStream<Uint8Array>;
  };
  /** Get one listing. */
  readonly getListing: {
    readonly input: {
      /** The listing's id. */
      readonly listing_id: string;
    };
    readonly answer: Listing;
  };
  /** Get the price history of a listing's ask. */
  readonly getPriceHistory: {
    readonly input: {
      /** The listing's id. */
      readonly listing_id: string;
    };
    readonly answer: GetPriceHistoryResponse;
  };
  /** Get how a listing was read. */
  readonly getListingReading: {
    readonly input: {
      /** The listing's id. */
      readonly listing_id: string;
    };
    readonly answer: ListingReading;
  };
  /** Explain why a listing is or is not in a view, configuration or alert. */
  readonly explainListing: {
    readonly input: {
      /** The listing's id. */
      readonly listing_id: string;
    };
    readonly answer: ListingExplanation;
  };
  /** Correct what was read of a listing. */
  readonly correctListing: {
    readonly input: CorrectListingRequest & {
      /** The listing's id. */
      readonly listing_id: string;
    };
    readonly answer: Listing;
  };
  /** Undo the corrections of a listing. */
  readonly undoListingCorrection: {
    readonly input: {
      /** The listing's id. */
      readonly listing_id: string;
    };
    readonly answer: Listing;
  };
  /** Get the current price-engine model matches for one listing. */
  readonly listListingPriceEngineMatches: {
    readonly input: {
      /** The listing's id. */
      readonly listing_id: string;
    };
    readonly answer: ListListingPriceEngineMatchesResponse;
  };
  /** Get the current price-engine model matches for many listings. */
  readonly listPriceEngineMatches: {
    readonly input: ListPriceEngineMatchesRequest;
    readonly answer: ListPriceEngineMatchesResponse;
  };
  /** List the asks below their market. */
  readonly searchLiveFeed: {
    readonly input: SearchLiveFeedRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: SearchLiveFeedResponse;
  };
  /** Read the internal B2C and B2B cells of one configuration. */
  readonly getConfigurationCells: {
    readonly input: {
      /** The configuration's id. */
      readonly id: string;
    };
    readonly answer: GetConfigurationCellsResponse;
  };
  /** List price-engine configurations. */
  readonly listConfigurations: {
    readonly input: {
      /** The brand; case does not matter. */
      readonly brand?: string;
      /** The configuration's own reference or its market reference; punctuation and case do not matter. */
      readonly reference?: string;
      /** The `cell_status`. */
      readonly status?: "available" | "insufficient" | "pending";
      /** A profile's name or id. */
      readonly profile?: string;
      /** Words that must all occur in key, label, brand, reference or summary. */
      readonly q?: string;
      /** The maximum number of configurations. */
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListConfigurationsResponse;
  };
  /** Create a price-engine configuration. */
  readonly createConfiguration: {
    readonly input: CreateConfigurationRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
    };
    readonly answer: ConfigurationDeclaration;
  };
  /** Read how one cell of a configuration moved. */
  readonly getCellHistory: {
    readonly input: {
      readonly year: number;
      readonly condition_bucket: "new" | "like_new" | "used";
      /** Only points calculated at this time or later. */
      readonly from_ms?: number;
      /** Only points calculated at this time or earlier. */
      readonly to_ms?: number;
      /** The maximum number of points; the latest ones are returned. */
      readonly limit?: number;
      /** The configuration's id. */
      readonly id: string;
    };
    readonly answer: GetCellHistoryResponse;
  };
  /** Get a price-engine configuration. */
  readonly getConfiguration: {
    readonly input: {
      /** The configuration's id. */
      readonly id: string;
    };
    readonly answer: ConfigurationDeclaration;
  };
  /** Change a price-engine configuration. */
  readonly changeConfiguration: {
    readonly input: ChangeConfigurationRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
      /** The configuration's id. */
      readonly id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: ConfigurationDeclaration;
  };
  /** Delete a price-engine configuration. */
  readonly deleteConfiguration: {
    readonly input: {
      /** The configuration's id. */
      readonly id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: undefined;
  };
  /** List price-engine profiles. */
  readonly listProfiles: {
    readonly input: {
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListProfilesResponse;
  };
  /** Create a price-engine profile. */
  readonly createProfile: {
    readonly input: CreateProfileRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
    };
    readonly answer: Profile;
  };
  /** Get a price-engine profile. */
  readonly getProfile: {
    readonly input: {
      /** The profile's id. */
      readonly id: string;
    };
    readonly answer: Profile;
  };
  /** Change a price-engine profile. */
  readonly changeProfile: {
    readonly input: ChangeProfileRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
      /** The profile's id. */
      readonly id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: Profile;
  };
  /** Delete a price-engine profile. */
  readonly deleteProfile: {
    readonly input: {
      /** The profile's id. */
      readonly id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: undefined;
  };
  /** Calculate what one cell would have been in the past. */
  readonly getBackcast: {
    readonly input: {
      readonly year: number;
      readonly condition_bucket: "new" | "like_new" | "used";
      /** No point before this time. Default: 90 steps before the last point. */
      readonly from_ms?: number;
      /** The last point. Default, and at most: now. */
      readonly to_ms?: number;
      /** The time between two points. At most 400 points fit between the bounds. */
      readonly step_ms?: number;
      /** The configuration's id. */
      readonly id: string;
    };
    readonly answer: GetBackcastResponse;
  };
  /** List the asks of one cell, and why each of them counts or does not. */
  readonly getPopulation: {
    readonly input: {
      readonly year: number;
      readonly condition_bucket: "new" | "like_new" | "used";
      /** The configuration's id. */
      readonly id: string;
    };
    readonly answer: CellPopulation;
  };
  /** Show the cells that a configuration would have. */
  readonly previewConfiguration: {
    readonly input: PreviewConfigurationRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: PreviewConfigurationResponse;
  };
  /** List market alerts. */
  readonly listAlerts: {
    readonly input: Record<never, never>;
    readonly answer: ListAlertsResponse;
  };
  /** Create an alert. */
  readonly createAlert: {
    readonly input: CreateAlertRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
    };
    readonly answer: Alert;
  };
  /** Get an alert. */
  readonly getAlert: {
    readonly input: {
      /** The alert's id. */
      readonly alert_id: string;
    };
    readonly answer: Alert;
  };
  /** Change an alert. */
  readonly changeAlert: {
    readonly input: ChangeAlertRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
      /** The alert's id. */
      readonly alert_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: Alert;
  };
  /** Delete an alert. */
  readonly deleteAlert: {
    readonly input: {
      /** The alert's id. */
      readonly alert_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: undefined;
  };
  /** Mute an alert. */
  readonly muteAlert: {
    readonly input: MuteAlertRequest & {
      /** The alert's id. */
      readonly alert_id: string;
    };
    readonly answer: undefined;
  };
  /** End the muting of an alert. */
  readonly unmuteAlert: {
    readonly input: {
      /** The alert's id. */
      readonly alert_id: string;
    };
    readonly answer: undefined;
  };
  /** List the matches of an alert. */
  readonly listAlertMatches: {
    readonly input: {
      /** The number of matches to skip. */
      readonly offset?: number;
      /** The maximum number of matches. */
      readonly limit?: number;
      /** Only matches that are not marked as seen. */
      readonly unseen_only?: boolean;
      /** The alert's id. */
      readonly alert_id: string;
    };
    readonly answer: ListAlertMatchesResponse;
  };
  /** List how often each alert matched. */
  readonly listAlertStates: {
    readonly input: Record<never, never>;
    readonly answer: ListAlertStatesResponse;
  };
  /** List the matches of all alerts, one row per watch. */
  readonly listWatchMatches: {
    readonly input: {
      /** Only matches that are not marked as seen. */
      readonly unseen_only?: boolean;
      /** Only matches of such alerts. */
      readonly strategy?: "market_filter" | "price_engine";
      /** Only matches of this alert. */
      readonly alert_id?: string;
      /** Also matches that were not sent. */
      readonly include_shadow?: boolean;
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListWatchMatchesResponse;
  };
  /** Show what an alert would have matched. */
  readonly previewAlert: {
    readonly input: PreviewAlertRequest & {
      /** Refuse an unknown member of `filters` with 400 instead of a warning. */
      readonly strict?: boolean;
    };
    readonly answer: AlertPreview;
  };
  /** Mark a match as seen. */
  readonly markMatchSeen: {
    readonly input: {
      /** The alert's id. */
      readonly alert_id: string;
      /** The match's `resource_id`. */
      readonly resource_id: string;
    };
    readonly answer: AlertMatch;
  };
  /** Mark many matches as seen. */
  readonly markMatchesSeen: {
    readonly input: MarkMatchesSeenRequest;
    readonly answer: MarkMatchesSeenResponse;
  };
  /** List messages. */
  readonly listMessages: {
    readonly input: {
      /** Words of the message's text. Without any letter or digit, it selects all. */
      readonly q?: string;
      /** `broad`: one of the words, also as the beginning of a longer one. `exact`: the phrase. `exact_light`: the words in this order, with at most three others in between. */
      readonly search_mode?: "broad" | "exact" | "exact_light";
      readonly group_id?: string;
      readonly contact_id?: string;
      /** Last seen at this time or later. */
      readonly from_ms?: number;
      /** Last seen at this time or earlier. */
      readonly to_ms?: number;
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListMessagesResponse;
  };
  /** Get one message. */
  readonly getMessage: {
    readonly input: {
      /** The canonical message's id. */
      readonly canonical_message_id: string;
    };
    readonly answer: Message;
  };
  /** List the posts of one message. */
  readonly listOccurrences: {
    readonly input: {
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
      /** The canonical message's id. */
      readonly canonical_message_id: string;
    };
    readonly answer: ListOccurrencesResponse;
  };
  /** Summarize the occurrences of one canonical message. */
  readonly getOccurrenceSummary: {
    readonly input: {
      /** The canonical message's id. */
      readonly canonical_message_id: string;
    };
    readonly answer: OccurrenceSummary;
  };
  /** List webhook targets. */
  readonly listWebhookTargets: {
    readonly input: {
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListWebhookTargetsResponse;
  };
  /** Create a webhook target. */
  readonly createWebhookTarget: {
    readonly input: CreateWebhookTargetRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
    };
    readonly answer: WebhookTarget;
  };
  /** Get a webhook target. */
  readonly getWebhookTarget: {
    readonly input: {
      /** The webhook target's id. */
      readonly target_id: string;
    };
    readonly answer: WebhookTarget;
  };
  /** Change a webhook target. */
  readonly changeWebhookTarget: {
    readonly input: ChangeWebhookTargetRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
      /** The webhook target's id. */
      readonly target_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: WebhookTarget;
  };
  /** Delete a webhook target. */
  readonly deleteWebhookTarget: {
    readonly input: {
      /** The webhook target's id. */
      readonly target_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: undefined;
  };
  /** Send a test message. */
  readonly testWebhookTarget: {
    readonly input: {
      /** The target's id. */
      readonly target_id: string;
    };
    readonly answer: TestResult;
  };
  /** List the deliveries of a target. */
  readonly listDeliveries: {
    readonly input: {
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
      /** The target's id. */
      readonly target_id: string;
    };
    readonly answer: ListDeliveriesResponse;
  };
  /** Retry a delivery. */
  readonly retryDelivery: {
    readonly input: {
      /** The delivery's id. */
      readonly delivery_id: string;
    };
    readonly answer: Delivery;
  };
  /** Get one contact. */
  readonly getContact: {
    readonly input: {
      /** The contact's id. */
      readonly contact_id: string;
    };
    readonly answer: Contact;
  };
  /** List groups. */
  readonly listGroups: {
    readonly input: {
      /** A part of the name, in any case. */
      readonly q?: string;
      /** Only groups that are, or are not. */
      readonly is_ignored?: boolean;
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListGroupsResponse;
  };
  /** Change a group. */
  readonly changeGroup: {
    readonly input: ChangeGroupRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
      /** The group's id. */
      readonly group_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: Group;
  };
  /** List outbound group presets. */
  readonly listGroupPresets: {
    readonly input: Record<never, never>;
    readonly answer: ListGroupPresetsResponse;
  };
  /** Create an outbound group preset. */
  readonly createGroupPreset: {
    readonly input: CreateGroupPresetRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
    };
    readonly answer: GroupPreset;
  };
  /** Change an outbound group preset. */
  readonly changeGroupPreset: {
    readonly input: ChangeGroupPresetRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
      /** The group preset's id. */
      readonly preset_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: GroupPreset;
  };
  /** Delete an outbound group preset. */
  readonly deleteGroupPreset: {
    readonly input: {
      /** The preset's id. */
      readonly preset_id: string;
    };
    readonly answer: undefined;
  };
  /** List messaging sessions. */
  readonly listSessions: {
    readonly input: {
      readonly role?: "receiving" | "sending";
    };
    readonly answer: ListSessionsResponse;
  };
  /** List views. */
  readonly listViews: {
    readonly input: {
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListViewsResponse;
  };
  /** Create a view. */
  readonly createView: {
    readonly input: CreateViewRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
    };
    readonly answer: View;
  };
  /** Get a view. */
  readonly getView: {
    readonly input: {
      /** The view's id. */
      readonly view_id: string;
    };
    readonly answer: View;
  };
  /** Change a view. */
  readonly changeView: {
    readonly input: ChangeViewRequest & {
      /** Refuses what would be a warning in the header `X-Assay-Warnings`, such as an unknown member of `filters`. */
      readonly strict?: boolean;
      /** The view's id. */
      readonly view_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: View;
  };
  /** Delete a view. */
  readonly deleteView: {
    readonly input: {
      /** The view's id. */
      readonly view_id: string;
      /** The `ETag` of the object as it was read: 412 if it has changed. */
      readonly if_match?: string;
    };
    readonly answer: undefined;
  };
  /** Get the state of the installation. */
  readonly getOperations: {
    readonly input: Record<never, never>;
    readonly answer: OperationsReport;
  };
  /** List what could not be processed. */
  readonly listQuarantine: {
    readonly input: {
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListQuarantineResponse;
  };
  /** Export all declarations. */
  readonly exportManifest: {
    readonly input: Record<never, never>;
    readonly answer: ReadableStream<Uint8Array>;
  };
  /** List exchange rates. */
  readonly listFxRates: {
    readonly input: {
      /** Such as `USD`. */
      readonly currency?: string;
      /** From the UTC day of this time on. */
      readonly from_ms?: number;
      /** Up to the UTC day of this time. */
      readonly to_ms?: number;
      /** True: only the newest rate of each currency. */
      readonly is_latest?: boolean;
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListFxRatesResponse;
  };
  /** List tokens. */
  readonly listTokens: {
    readonly input: {
      readonly limit?: number;
      /** `next_cursor` of the previous page. */
      readonly cursor?: string;
    };
    readonly answer: ListTokensResponse;
  };
  /** Create a token. */
  readonly createToken: {
    readonly input: CreateTokenRequest;
    readonly answer: NewToken;
  };
  /** Revoke a token. */
  readonly revokeToken: {
    readonly input: {
      /** The token's id. */
      readonly token_id: string;
    };
    readonly answer: undefined;
  };
}

export const OPERATIONS = {
  searchListings: { method: "POST", path: "/v2/market/listings/search", query: ["strict"], hasBody: true },
  listListings: { method: "GET", path: "/v2/market/listings", query: ["brand", "reference", "year", "condition", "price_gte", "price_lte", "q", "sort", "limit", "cursor"], hasBody: false },
  countFacets: { method: "POST", path: "/v2/market/facets", query: ["strict"], hasBody: true },
  searchReferences: { method: "POST", path: "/v2/market/references/search", query: ["strict"], hasBody: true },
  summarizeMarket: { method: "POST", path: "/v2/market/summary", query: ["strict"], hasBody: true },
  exportListings: { method: "POST", path: "/v2/market/listings/export", query: ["strict"], hasBody: true, isText: true },
  getListing: { method: "GET", path: "/v2/market/listings/{listing_id}", query: [], hasBody: false },
  getPriceHistory: { method: "GET", path: "/v2/market/listings/{listing_id}/price-history", query: [], hasBody: false },
  getListingReading: { method: "GET", path: "/v2/market/listings/{listing_id}/reading", query: [], hasBody: false },
  explainListing: { method: "GET", path: "/v2/market/listings/{listing_id}/explain", query: [], hasBody: false },
  correctListing: { method: "PUT", path: "/v2/market/listings/{listing_id}/correction", query: [], hasBody: true },
  undoListingCorrection: { method: "DELETE", path: "/v2/market/listings/{listing_id}/correction", query: [], hasBody: false },
  listListingPriceEngineMatches: { method: "GET", path: "/v2/market/listings/{listing_id}/price-engine", query: [], hasBody: false },
  listPriceEngineMatches: { method: "POST", path: "/v2/market/price-engine/matches", query: [], hasBody: true },
  searchLiveFeed: { method: "POST", path: "/v2/market/live-feed/search", query: ["strict"], hasBody: true },
  getConfigurationCells: { method: "GET", path: "/v2/market/price-engine/configurations/{id}/cells", query: [], hasBody: false },
  listConfigurations: { method: "GET", path: "/v2/market/price-engine/configurations", query: ["brand", "reference", "status", "profile", "q", "limit", "cursor"], hasBody: false },
  createConfiguration: { method: "POST", path: "/v2/market/price-engine/configurations", query: ["strict"], hasBody: true, takesId: true },
  getCellHistory: { method: "GET", path: "/v2/market/price-engine/configurations/{id}/history", query: ["year", "condition_bucket", "from_ms", "to_ms", "limit"], hasBody: false },
  getConfiguration: { method: "GET", path: "/v2/market/price-engine/configurations/{id}", query: [], hasBody: false },
  changeConfiguration: { method: "PATCH", path: "/v2/market/price-engine/configurations/{id}", query: ["strict"], headers: ["if-match"], hasBody: true },
  deleteConfiguration: { method: "DELETE", path: "/v2/market/price-engine/configurations/{id}", query: [], headers: ["if-match"], hasBody: false },
  listProfiles: { method: "GET", path: "/v2/market/price-engine/profiles", query: ["limit", "cursor"], hasBody: false },
  createProfile: { method: "POST", path: "/v2/market/price-engine/profiles", query: ["strict"], hasBody: true, takesId: true },
  getProfile: { method: "GET", path: "/v2/market/price-engine/profiles/{id}", query: [], hasBody: false },
  changeProfile: { method: "PATCH", path: "/v2/market/price-engine/profiles/{id}", query: ["strict"], headers: ["if-match"], hasBody: true },
  deleteProfile: { method: "DELETE", path: "/v2/market/price-engine/profiles/{id}", query: [], headers: ["if-match"], hasBody: false },
  getBackcast: { method: "GET", path: "/v2/market/price-engine/configurations/{id}/backcast", query: ["year", "condition_bucket", "from_ms", "to_ms", "step_ms"], hasBody: false },
  getPopulation: { method: "GET", path: "/v2/market/price-engine/configurations/{id}/population", query: ["year", "condition_bucket"], hasBody: false },
  previewConfiguration: { method: "POST", path: "/v2/market/price-engine/configurations/preview", query: ["strict"], hasBody: true },
  listAlerts: { method: "GET", path: "/v2/alerts", query: [], hasBody: false },
  createAlert: { method: "POST", path: "/v2/alerts", query: ["strict"], hasBody: true, takesId: true },
  getAlert: { method: "GET", path: "/v2/alerts/{alert_id}", query: [], hasBody: false },
  changeAlert: { method: "PATCH", path: "/v2/alerts/{alert_id}", query: ["strict"], headers: ["if-match"], hasBody: true },
  deleteAlert: { method: "DELETE", path: "/v2/alerts/{alert_id}", query: [], headers: ["if-match"], hasBody: false },
  muteAlert: { method: "PUT", path: "/v2/alerts/{alert_id}/mute", query: [], hasBody: true },
  unmuteAlert: { method: "DELETE", path: "/v2/alerts/{alert_id}/mute", query: [], hasBody: false },
  listAlertMatches: { method: "GET", path: "/v2/alerts/{alert_id}/matches", query: ["offset", "limit", "unseen_only"], hasBody: false },
  listAlertStates: { method: "GET", path: "/v2/alerts/states", query: [], hasBody: false },
  listWatchMatches: { method: "GET", path: "/v2/alerts/matches", query: ["unseen_only", "strategy", "alert_id", "include_shadow", "limit", "cursor"], hasBody: false },
  previewAlert: { method: "POST", path: "/v2/alerts/preview", query: ["strict"], hasBody: true },
  markMatchSeen: { method: "POST", path: "/v2/alerts/{alert_id}/matches/{resource_id}/seen", query: [], hasBody: false },
  markMatchesSeen: { method: "POST", path: "/v2/alerts/matches/seen", query: [], hasBody: true },
  listMessages: { method: "GET", path: "/v2/messages", query: ["q", "search_mode", "group_id", "contact_id", "from_ms", "to_ms", "limit", "cursor"], hasBody: false },
  getMessage: { method: "GET", path: "/v2/messages/{canonical_message_id}", query: [], hasBody: false },
  listOccurrences: { method: "GET", path: "/v2/messages/{canonical_message_id}/occurrences", query: ["limit", "cursor"], hasBody: false },
  getOccurrenceSummary: { method: "GET", path: "/v2/messages/{canonical_message_id}/occurrences/summary", query: [], hasBody: false },
  listWebhookTargets: { method: "GET", path: "/v2/webhook-targets", query: ["limit", "cursor"], hasBody: false },
  createWebhookTarget: { method: "POST", path: "/v2/webhook-targets", query: ["strict"], hasBody: true, takesId: true },
  getWebhookTarget: { method: "GET", path: "/v2/webhook-targets/{target_id}", query: [], hasBody: false },
  changeWebhookTarget: { method: "PATCH", path: "/v2/webhook-targets/{target_id}", query: ["strict"], headers: ["if-match"], hasBody: true },
  deleteWebhookTarget: { method: "DELETE", path: "/v2/webhook-targets/{target_id}", query: [], headers: ["if-match"], hasBody: false },
  testWebhookTarget: { method: "POST", path: "/v2/webhook-targets/{target_id}/test", query: [], hasBody: false },
  listDeliveries: { method: "GET", path: "/v2/webhook-targets/{target_id}/deliveries", query: ["limit", "cursor"], hasBody: false },
  retryDelivery: { method: "POST", path: "/v2/deliveries/{delivery_id}/retry", query: [], hasBody: false },
  getContact: { method: "GET", path: "/v2/contacts/{contact_id}", query: [], hasBody: false },
  listGroups: { method: "GET", path: "/v2/groups", query: ["q", "is_ignored", "limit", "cursor"], hasBody: false },
  changeGroup: { method: "PATCH", path: "/v2/groups/{group_id}", query: ["strict"], headers: ["if-match"], hasBody: true },
  listGroupPresets: { method: "GET", path: "/v2/outbound/group-presets", query: [], hasBody: false },
  createGroupPreset: { method: "POST", path: "/v2/outbound/group-presets", query: ["strict"], hasBody: true, takesId: true },
  changeGroupPreset: { method: "PATCH", path: "/v2/outbound/group-presets/{preset_id}", query: ["strict"], headers: ["if-match"], hasBody: true },
  deleteGroupPreset: { method: "DELETE", path: "/v2/outbound/group-presets/{preset_id}", query: [], hasBody: false },
  listSessions: { method: "GET", path: "/v2/sessions", query: ["role"], hasBody: false },
  listViews: { method: "GET", path: "/v2/views", query: ["limit", "cursor"], hasBody: false },
  createView: { method: "POST", path: "/v2/views", query: ["strict"], hasBody: true, takesId: true },
  getView: { method: "GET", path: "/v2/views/{view_id}", query: [], hasBody: false },
  changeView: { method: "PATCH", path: "/v2/views/{view_id}", query: ["strict"], headers: ["if-match"], hasBody: true },
  deleteView: { method: "DELETE", path: "/v2/views/{view_id}", query: [], headers: ["if-match"], hasBody: false },
  getOperations: { method: "GET", path: "/v2/operations", query: [], hasBody: false },
  listQuarantine: { method: "GET", path: "/v2/operations/quarantine", query: ["limit", "cursor"], hasBody: false },
  exportManifest: { method: "GET", path: "/v2/manifest", query: [], hasBody: false, isText: true },
  listFxRates: { method: "GET", path: "/v2/fx-rates", query: ["currency", "from_ms", "to_ms", "is_latest", "limit", "cursor"], hasBody: false },
  listTokens: { method: "GET", path: "/v2/tokens", query: ["limit", "cursor"], hasBody: false },
  createToken: { method: "POST", path: "/v2/tokens", query: [], hasBody: true },
  revokeToken: { method: "DELETE", path: "/v2/tokens/{token_id}", query: [], hasBody: false },
} as const;
