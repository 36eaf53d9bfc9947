/**
 * Examples for the document: what `/docs` fills in for "Try it out". Examples of single members stand in the routes' schemas;
 * here are whole bodies, and ids. Ids of what the demo declares are the demo's own. What an example creates, the others read,
 * change and delete. All other ids belong to no object until `test/support/api/api-examples.ts` puts real ones in their place.
 */

/** By the segment of the path before the id. */
export const EXAMPLE_IDS = {
  alerts: "9f752dee-2c63-5c17-a5b7-b32ad23d1b2a",
  configurations: "b53760b2-6d3c-5d08-add0-875b0d8845f0",
  "group-presets": "b757a71a-3e87-594d-bf8f-b29787112b4a",
  deals: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e0e",
  contacts: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e01",
  media: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e11",
  deliveries: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e02",
  groups: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e03",
  listings: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e04",
  matches: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e05",
  messages: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e06",
  profiles: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e07",
  tokens: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e08",
  views: "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e09",
  "webhook-targets": "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e0a",
} as const;

const NEW_ALERT_ID = "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e0b";
const NEW_CONFIGURATION_ID = "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e0c";
const NEW_PRESET_ID = "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e0d";

/** Operations on what an example creates, where the segment alone would lead to an object of the demo's manifest. */
export const OPERATION_IDS: Readonly<Record<string, string>> = {
  changeAlert: NEW_ALERT_ID,
  deleteAlert: NEW_ALERT_ID,
  getAlert: NEW_ALERT_ID,
  changeConfiguration: NEW_CONFIGURATION_ID,
  deleteConfiguration: NEW_CONFIGURATION_ID,
  getConfiguration: NEW_CONFIGURATION_ID,
  changeGroupPreset: NEW_PRESET_ID,
};

/** What the examples create gets the id that the other examples name. */
export const NEW_IDS: Readonly<Record<string, string>> = {
  createConfiguration: NEW_CONFIGURATION_ID,
  createProfile: EXAMPLE_IDS.profiles,
  createWebhookTarget: EXAMPLE_IDS["webhook-targets"],
};

/** For parameters of a query that a request needs. */
export const QUERY_EXAMPLES: Readonly<Record<string, unknown>> = {
  year: 2021,
  condition_bucket: "used",
  q: "pepsi",
};

const FILTERS = { brand: ["Rolex"], condition: ["NEW"] };

/** By `operationId`. */
export const BODY_EXAMPLES: Readonly<Record<string, object>> = {
  countFacets: { filters: FILTERS, facets: ["reference", "year"], limit: 3 },
  searchReferences: { filters: FILTERS, sort: "listing_count", limit: 2 },
  summarizeMarket: { filters: FILTERS },
  exportListings: {
    filters: FILTERS,
    sort: "price_asc",
    columns: ["reference", "year", "price.amount_minor"],
  },
  listPriceEngineMatches: { listing_ids: [EXAMPLE_IDS.listings] },
  searchLiveFeed: { filters: { brand: ["Rolex"] }, minimum_profit_eur_minor: 20_000, limit: 1 },
  correctListing: { year: 2023 },
  previewAlert: { strategy: "market_filter", filters: FILTERS },
  createAlert: { id: NEW_ALERT_ID, name: "New Rolex", filters: FILTERS },
  changeAlert: {
    name: "New Rolex below 9,000",
    filters: { ...FILTERS, price: { lte: 900_000, currency: "EUR" } },
  },
  muteAlert: { until_ms: Date.UTC(2030, 0, 1) },
  createConfiguration: {
    id: NEW_CONFIGURATION_ID,
    profile: "default",
    brand: "Rolex",
    reference: "126234",
    configuration_key: "example:126234",
    label: "Datejust 36",
  },
  previewConfiguration: { profile: "default", brand: "Rolex", reference: "126610LN" },
  changeConfiguration: { label: "Datejust 36, fluted" },
  changeProfile: { minimum_profit_eur_minor: 40_000 },
  createGroupPreset: { id: NEW_PRESET_ID, name: "Evening round", group_ids: [] },
  changeGroupPreset: { description: "After eight" },
  changeGroup: { is_ignored: true },
  createView: {
    id: EXAMPLE_IDS.views,
    name: "New Rolex, cheapest first",
    filters: FILTERS,
    sort: "price_asc",
  },
  changeView: { filters: { ...FILTERS, year: { gte: 2023 } } },
  createWebhookTarget: {
    id: EXAMPLE_IDS["webhook-targets"],
    name: "My phone",
    kind: "ntfy",
    url: "https://ntfy.example/watches",
  },
  changeWebhookTarget: { quiet_hours: { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" } },
  createToken: { name: "spreadsheet", role: "market" },
  changeToken: { role: "desk" },
  saveLastLooked: { at_ms: 1_790_000_000_000 },
};
