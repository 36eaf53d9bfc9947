import { DAY_MS } from "../base/clock.ts";
import { toStableId } from "../base/ids.ts";
import { groupIdOf } from "../messages/message.ts";
import { demoRate } from "./asks.ts";
import { EU_SESSION, HK_SESSION, SENDING_SESSION } from "./dealers.ts";
import type { Market } from "./posts.ts";
import type { DemoWatch } from "./watches.ts";

/** Watches worth this much or more use the "High end" profile, which is still in shadow mode. */
const HIGH_END_EUR = 30_000;
/** For this many of the best-known watches, new full sets and watches without papers have configurations of their own. */
const SET_WATCHES = 16;
/** The one that shows what an alert of a file is like. */
export const DECLARED_ALERT = "Every buy";
const CORE = "Core";
const HIGH_END = "High end";
const EUROPE = "Europe";
const HONG_KONG = "Hong Kong";

/** Calling prefixes of the European Union, Britain, Norway and Switzerland. */
const EUROPEAN_CODES =
  "30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 351 352 353 354 356 357 358 359 370 371 372 385 386 420 421";

const FROM_EUROPE = { country_codes: { include: EUROPEAN_CODES.split(" ") } };

/** Returns the declarations of the demo dealer, with the same members as a file for `assay apply`. */
export function toDemoManifest(
  market: Market,
  range: { readonly fromMs: number; readonly toMs: number },
) {
  const thisYear = new Date(range.toMs).getUTCFullYear();
  return {
    profiles: [
      { name: CORE, status: "live", sets: "papers", minimum_profit_eur_minor: 80_000 },
      {
        name: HIGH_END,
        status: "shadow",
        sets: "papers",
        minimum_profit_eur_minor: 400_000,
        hk_markup: { rate_bps: 500, fixed_eur_minor: 15_000 },
        consumer_range: { low_quantile_bps: 2_500, high_quantile_bps: 7_500, margin_bps: 1_200 },
      },
    ],
    views: [
      {
        name: EUROPE,
        source_market: "EU",
        filters: FROM_EUROPE,
      },
      {
        name: HONG_KONG,
        source_market: "HK",
        filters: { country_codes: { include: ["852", "853", "86"] } },
      },
      { name: "New Rolex", filters: { brand: ["Rolex"], condition: ["NEW"] } },
    ],
    configurations: listConfigurations(market, thisYear),
    alerts: listAlerts(market),
    sessions: [EU_SESSION, HK_SESSION, SENDING_SESSION].map((session) => ({
      gateway_name: session.name,
      role: session.role,
      label: session.label,
      phone_number: session.phone,
      connecting_user_id: session.role === "sending" ? "user-sales" : "user-desk",
    })),
    groups: market.groups.map((group) => ({
      gateway_group_id: group.gatewayGroupId,
      name: group.name,
      default_currency: { EU: "EUR", HK: "HKD", US: "USD" }[group.market],
    })),
    group_presets: listGroupPresets(market),
    fx_rates: listRates(range),
  };
}

function listConfigurations(market: Market, thisYear: number) {
  const simple = market.watches.flatMap((watch) =>
    watch.dials.length === 0
      ? [toConfiguration(watch, thisYear)]
      : watch.dials.map((dial) => toConfiguration(watch, thisYear, dial)),
  );
  const [first, second] = market.watches;
  if (first === undefined || second === undefined) return simple;
  return [
    ...simple,
    // These two show what a filter can say. Their buys fire nothing.
    ...showcaseFilters(market, first).map(({ key, label, filters }) => ({
      ...toConfiguration(first, thisYear),
      configuration_key: `${keyOf(first)}:${key}`,
      label,
      filters,
      exclude_outliers: true,
      buy_signals_enabled: false,
    })),
    {
      // The manufacturer's number of the white dial. Dealers write the reference without the suffix.
      ...toConfiguration(second, thisYear, second.dials[0]),
      configuration_key: `${keyOf(second)}:catalogue-number`,
      reference: `${second.reference}-0001`,
      market_reference: second.reference,
      label: `${second.model} ${second.reference}-0001`,
    },
    ...market.watches.slice(0, SET_WATCHES).map((watch) => ({
      ...toConfiguration(watch, thisYear),
      configuration_key: `${keyOf(watch)}:full-set-new`,
      label: `${watch.model} ${watch.reference}, new full sets`,
      filters: {
        condition: ["NEW"],
        full_set_status: ["FULL_SET"],
        ...(watch.dials[0] === undefined ? {} : { dial_type: [watch.dials[0]] }),
      },
      buy_signals_enabled: false,
      publish_enabled: false,
    })),
    // The profiles leave watches without papers out. These say what one is worth.
    ...market.watches.slice(0, SET_WATCHES).map((watch) => ({
      ...toConfiguration(watch, thisYear),
      configuration_key: `${keyOf(watch)}:without-papers`,
      label: `${watch.model} ${watch.reference}, without papers`,
      filters: { full_set_status: ["WATCH_AND_BOX", "WATCH"] },
      buy_signals_enabled: false,
      publish_enabled: false,
    })),
  ];
}

function toConfiguration(watch: DemoWatch, thisYear: number, dial?: string) {
  const key = dial === undefined ? keyOf(watch) : `${keyOf(watch)}:${dial}`;
  const isHighEnd = watch.worthEur >= HIGH_END_EUR;
  return {
    configuration_key: key,
    profile: isHighEnd ? HIGH_END : CORE,
    brand: watch.brand,
    reference: watch.reference,
    label: `${watch.model} ${watch.reference}${dial === undefined ? "" : `, ${dial}`}`,
    filters: dial === undefined ? {} : { dial_type: [dial] },
    // A new watch from this year sells quickly, so a lower profit is enough. An older one needs more.
    minimum_profit_overrides: [
      { year: thisYear, condition_bucket: "new", amount_eur_minor: isHighEnd ? 300_000 : 60_000 },
      {
        year: thisYear - 3,
        condition_bucket: "used",
        // Six percent of what a new one is worth, in minor units.
        amount_eur_minor: Math.round(watch.worthEur * 6),
      },
    ],
    exclude_outliers: true,
    publish_enabled: true,
    buy_signals_enabled: true,
    image_url: `https://images.assay.example/${encodeURIComponent(watch.reference)}.jpg`,
    calculator_mapping_id: toStableId("demo calculator mapping", key),
    imported_from_mapping_id: toStableId("demo imported mapping", key),
  };
}

function keyOf(watch: DemoWatch): string {
  const brand = watch.brand.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return `${brand}:${watch.reference}`;
}

function listAlerts({ watches }: Market) {
  const authors = { created_by: "desk", updated_by: "desk" };
  const gmts = watches.filter(({ model }) => model.startsWith("GMT"));
  return [
    {
      ...authors,
      name: "Submariners below 11,500",
      filters: {
        reference: ["126610LN", "126610LV", "124060"],
        price: { lte: 1_150_000, currency: "EUR" },
      },
    },
    {
      ...authors,
      name: "New Rolex in Europe",
      view: "New Rolex",
      filters: { side: ["for_sale"], ...FROM_EUROPE },
    },
    {
      ...authors,
      name: "Daytona, seen from Europe",
      view: EUROPE,
      filters: { model: ["Daytona"], condition: ["LIKE_NEW", "USED"] },
    },
    { ...authors, name: DECLARED_ALERT, strategy: "price_engine" },
    {
      ...authors,
      name: "GMT buys",
      strategy: "price_engine",
      configurations: gmts.slice(0, 4).map(keyOf),
    },
    {
      ...authors,
      name: "Somebody wants a Nautilus",
      filters: { resource: "messages", text_search: { query: "WTB 5711", mode: "exact_light" } },
    },
    { ...authors, name: "Royal Oak (paused)", enabled: false, filters: { model: ["Royal Oak"] } },
  ];
}

function listGroupPresets({ groups }: Market) {
  const idsOf = (market: string) =>
    groups
      .filter((group) => group.market === market)
      .map(({ gatewayGroupId }) => groupIdOf(gatewayGroupId));
  return [
    { name: "Europe, all", description: "Every European group", group_ids: idsOf("EU") },
    { name: "Hong Kong, all", description: "Every group of Hong Kong", group_ids: idsOf("HK") },
    { name: "Europe, first three", group_ids: idsOf("EU").slice(0, 3) },
    { name: "To be filled", group_ids: [] },
  ];
}

/** Declares a rate for every day, so that no built-in rate is used between two of them. */
function listRates(range: { readonly fromMs: number; readonly toMs: number }) {
  const days: number[] = [];
  const first = Math.floor(range.fromMs / DAY_MS) - 1;
  for (let day = first; day * DAY_MS <= range.toMs; day += 1) days.push(day);
  return days.flatMap((day) =>
    (["HKD", "USD", "USDT"] as const).map((currency) => ({
      date: new Date(day * DAY_MS).toISOString().slice(0, 10),
      currency,
      per_eur: String(demoRate(currency, day * DAY_MS)),
    })),
  );
}

interface Showcase {
  readonly key: string;
  readonly label: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** Two filters with most members. The first selects many listings, the second almost none. */
function showcaseFilters(market: Market, watch: DemoWatch): readonly Showcase[] {
  const years = Array.from({ length: 10 }, (_, at) => watch.firstYear + at);
  const conditions = ["NEW", "LIKE_NEW", "USED"];
  const sets = ["FULL_SET", "WATCH_AND_CARD", "WATCH"];
  const dayAfterAll = Date.UTC(2100, 0, 1);
  const broad = {
    q: watch.reference,
    text_search: { query: watch.reference, mode: "broad" },
    side: ["for_sale"],
    message_type: ["selling"],
    brand: [watch.brand],
    model: [watch.model],
    reference: [watch.reference],
    year: { values: years, gte: watch.firstYear, lte: watch.firstYear + 9 },
    years,
    price: { gte: 100_000, lte: 100_000_000, currency: "EUR" },
    condition: conditions,
    conditions,
    full_set_status: sets,
    full_set_options: sets,
    country_codes: { include: ["44", "33", "49", "353", "852"], exclude: ["1"] },
    phone_numbers_exclude: ["447700900998"],
    phone_numbers: { exclude: ["447700900999"] },
    group_ids: market.groups.map(({ gatewayGroupId }) => groupIdOf(gatewayGroupId)),
    group_names: market.groups.map(({ name }) => name),
    message_timestamp_ms: { gte: 0, lte: dayAfterAll },
    last_seen_at_ms: { gte: 0, lte: dayAfterAll },
    from_ms: 0,
    to_ms: dayAfterAll,
    include_duplicates: true,
    include_hidden: false,
    include_revoked: false,
    exclude_outliers: true,
  };
  const messageId = toStableId("demo", "a message to watch");
  const contactId = toStableId("demo", "a contact to watch");
  const narrow = {
    dial_type: ["black"],
    dial_types: ["black"],
    variant: ["jubilee"],
    variants: ["jubilee"],
    phone_numbers_include: ["447700900123"],
    phone_numbers: { include: ["447700900123"], exclude: [] },
    phone_number: "447700900123",
    contact_ids: [contactId],
    contact_id: contactId,
    canonical_message_ids: [messageId],
    canonical_message_id: messageId,
    has_media: true,
  };
  return [
    { key: "desk", label: `${watch.model} ${watch.reference}, our desk's filter`, filters: broad },
    { key: "one-offer", label: `${watch.model} ${watch.reference}, one offer`, filters: narrow },
  ];
}
