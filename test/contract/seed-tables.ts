/**
 * The tables of the contract with the type of each member: sections 2.1 to 2.8, and the bodies of section 4. Every
 * response is checked against them: it has no other members, no other types and never `null`.
 */
export type Shape =
  | "string"
  | "uuid"
  | "integer"
  | "boolean"
  /** An object of any shape. */
  | "object"
  | { readonly list: Shape }
  | { readonly members: Members };

export interface Members {
  readonly [name: string]: Shape;
}

/** Seed 2.1. */
const ALERT: Members = {
  id: "uuid",
  name: "string",
  enabled: "boolean",
  filters: "object",
  strategy: "string",
  is_system: "boolean",
  created_at_ms: "integer",
  updated_at_ms: "integer",
  view_id: "uuid",
  managed_by: "string",
  created_by: "string",
  updated_by: "string",
};

/** Seed 2.2. */
const MATCH_CONTEXT: Members = {
  strategy: "string",
  configuration_id: "uuid",
  baseline_average_eur_minor: "integer",
  baseline_median_eur_minor: "integer",
  original_ask_eur_minor: "integer",
  hk_markup_eur_minor: "integer",
  comparable_ask_eur_minor: "integer",
  profit_opportunity_eur_minor: "integer",
  minimum_profit_eur_minor: "integer",
  year: "integer",
  condition_bucket: "string",
  brand: "string",
  reference: "string",
  source_market: "string",
  snapshot_at_ms: "integer",
  source_sequence: "integer",
  calculation_version: "string",
  configuration_key: "string",
  calculator_mapping_id: "uuid",
};

/** Seed 2.2. */
const ALERT_MATCH: Members = {
  alert_id: "uuid",
  resource: "string",
  resource_id: "uuid",
  listing_id: "uuid",
  canonical_message_id: "uuid",
  matched_at_ms: "integer",
  seen_at_ms: "integer",
  match_context: { members: MATCH_CONTEXT },
};

const TEXTS: Shape = { list: "string" };
const INTEGERS: Shape = { list: "integer" };
const IDS: Shape = { list: "uuid" };
const BOUNDS: Members = { gte: "integer", lte: "integer" };
const INCLUDE_EXCLUDE: Shape = { members: { include: TEXTS, exclude: TEXTS } };

/** Seed 2.3. */
const FILTERS: Members = {
  q: "string",
  text_search: { members: { query: "string", mode: "string" } },
  side: TEXTS,
  message_type: TEXTS,
  brand: TEXTS,
  model: TEXTS,
  reference: TEXTS,
  year: { members: { values: INTEGERS, ...BOUNDS } },
  years: INTEGERS,
  price: { members: { ...BOUNDS, currency: "string" } },
  condition: TEXTS,
  conditions: TEXTS,
  full_set_status: TEXTS,
  full_set_options: TEXTS,
  dial_type: TEXTS,
  dial_types: TEXTS,
  variant: TEXTS,
  variants: TEXTS,
  country_codes: INCLUDE_EXCLUDE,
  phone_numbers_include: TEXTS,
  phone_numbers_exclude: TEXTS,
  phone_numbers: INCLUDE_EXCLUDE,
  group_ids: IDS,
  contact_ids: IDS,
  canonical_message_ids: IDS,
  group_names: TEXTS,
  contact_id: "uuid",
  canonical_message_id: "uuid",
  phone_number: "string",
  has_media: "boolean",
  message_timestamp_ms: { members: BOUNDS },
  last_seen_at_ms: { members: BOUNDS },
  from_ms: "integer",
  to_ms: "integer",
  include_duplicates: "boolean",
  include_hidden: "boolean",
  include_revoked: "boolean",
  exclude_outliers: "boolean",
};

/** Seed 2.4. */
const LISTING_MATCH: Members = {
  configuration_id: "uuid",
  brand: "string",
  reference: "string",
  market_reference_normalized: "string",
  filters: { members: FILTERS },
  filter_summary: "string",
  exclude_outliers: "boolean",
  price_engine_status: "string",
  buy_signals_enabled: "boolean",
  is_stale: "boolean",
  year: "integer",
  condition_bucket: "string",
  source_market: "string",
  cell_status: "string",
  lookback_days: "integer",
  listing_count: "integer",
  original_ask_eur_minor: "integer",
  comparable_ask_eur_minor: "integer",
  hk_markup_eur_minor: "integer",
  calculated_at_ms: "integer",
  calculation_version: "string",
  configuration_key: "string",
  configuration_label: "string",
  market_average_eur_minor: "integer",
  consumer_min_eur_minor: "integer",
  consumer_max_eur_minor: "integer",
  minimum_profit_eur_minor: "integer",
  maximum_eu_ask_eur_minor: "integer",
  maximum_hk_ask_eur_minor: "integer",
  profit_opportunity_eur_minor: "integer",
  meets_buy_threshold: "boolean",
  alert: {
    members: {
      id: "uuid",
      name: "string",
      enabled: "boolean",
      triggered: "boolean",
      matched_at_ms: "integer",
      seen_at_ms: "integer",
    },
  },
};

/** Seed 2.5. */
const CONFIGURATION: Members = {
  id: "uuid",
  profile_id: "uuid",
  brand: "string",
  brand_lower: "string",
  reference: "string",
  reference_normalized: "string",
  market_reference_normalized: "string",
  filters: { members: FILTERS },
  filter_summary: "string",
  minimum_profit_overrides: {
    list: {
      members: { year: "integer", condition_bucket: "string", amount_eur_minor: "integer" },
    },
  },
  exclude_outliers: "boolean",
  publish_enabled: "boolean",
  buy_signals_enabled: "boolean",
  available_years: INTEGERS,
  cell_status: "string",
  is_stale: "boolean",
  updated_at_ms: "integer",
  configuration_key: "string",
  configuration_label: "string",
  image_url: "string",
  imported_from_mapping_id: "uuid",
  last_attempt_at_ms: "integer",
  last_success_at_ms: "integer",
  last_refresh_error: "string",
};

/** Seed 2.6. */
const CELL: Members = {
  year: "integer",
  condition_bucket: "string",
  lookback_days: "integer",
  listing_count: "integer",
  status: "string",
  source_sequence: "integer",
  calculation_version: "string",
  calculated_at_ms: "integer",
  market_average_eur_minor: "integer",
  consumer_min_eur_minor: "integer",
  consumer_max_eur_minor: "integer",
  minimum_profit_eur_minor: "integer",
  maximum_buy_eur_minor: "integer",
};

/** Seed 2.7. */
const OCCURRENCE_SUMMARY: Members = {
  total_count: "integer",
  group_count: "integer",
  session_count: "integer",
  first_seen_at_ms: "integer",
  last_seen_at_ms: "integer",
  days: {
    list: {
      members: {
        day_start_ms: "integer",
        occurrence_count: "integer",
        group_count: "integer",
        latest_at_ms: "integer",
        groups: {
          list: {
            members: {
              group_id: "uuid",
              group_name: "string",
              occurrence_count: "integer",
              first_seen_at_ms: "integer",
              last_seen_at_ms: "integer",
              session_labels: TEXTS,
              edited_count: "integer",
              revoked_count: "integer",
              media_count: "integer",
            },
          },
        },
      },
    },
  },
};

/** Seed 2.8. */
const SESSION: Members = {
  id: "uuid",
  gateway_name: "string",
  role: "string",
  engine: "string",
  status: "string",
  can_receive: "boolean",
  can_send: "boolean",
  label: "string",
  phone_number: "string",
  connecting_user_id: "string",
  last_status_at_ms: "integer",
  last_message_at_ms: "integer",
  last_activity_at_ms: "integer",
  health_state: "string",
  stale_after_ms: "integer",
};

const LIST_OF = (item: Members): Members => ({
  items: { list: { members: item } },
  total: "integer",
});

/** The bodies of section 4 by endpoint. */
export const BODIES = {
  alerts: LIST_OF(ALERT),
  matches: LIST_OF(ALERT_MATCH),
  listing: LIST_OF(LISTING_MATCH),
  cells: {
    configuration: { members: CONFIGURATION },
    items: { list: { members: CELL } },
    is_stale: "boolean",
    as_of_ms: "integer",
  },
  summary: OCCURRENCE_SUMMARY,
  sessions: { items: { list: { members: SESSION } } },
} as const satisfies Readonly<Record<string, Members>>;

/** Seed 7.1. */
export const ERROR_BODY: Members = {
  error: { members: { code: "string", message: "string", request_id: "string" } },
};

/** Seed 7.3: the number of errors that each endpoint documents, and the statuses that we chose for them. */
export const DOCUMENTED_ERRORS = {
  listing: [400, 401, 404],
  cells: [401, 404],
  summary: [400, 401, 404],
  preset: [400, 401, 404],
  alerts: [401],
  sessions: [401],
} as const;
