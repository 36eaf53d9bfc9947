import fc from "fast-check";
import { isPlainName, isStorableText } from "../../../src/base/text.ts";
import { SETS } from "../../../src/filters/language/sets.ts";
import { anyFilterObject } from "./filter-arbitraries.ts";

/** Texts that YAML could read as something else. */
const ODD_TEXTS = [
  "no",
  "~",
  "null",
  "1e3",
  "0x1F",
  "2026-01-01",
  ".inf",
  "<<",
  "=",
  "- a",
  "a: b",
  "a #b",
  " lead",
  "trail ",
  "line\nbreak",
  "\r\n",
  "\u2028x",
  "\u0085x",
  "\ufeffx",
  "\u0001x\u009f",
  "'\"\\",
  "{a}",
  "&a",
  "*a",
  "!t",
  "|",
  ">-",
  "%d",
  "@",
  "`",
  "__proto__",
  "---",
  "...",
  "# x",
];

const oddText = fc
  .oneof(
    { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  )
  .filter((text) => /\S/u.test(text) && isStorableText(text));
const oddName = oddText.filter(isPlainName);
const uuid = fc.uuid();
const amount = fc.integer({ min: 0, max: 1_000_000_000 });
const bps = fc.integer({ min: 0, max: 10_000 });
const currency = fc.stringMatching(/^[A-Z]{3,5}$/).filter((code) => code !== "EUR");

/** Unknown members of any shape are stored too. */
const filters = fc
  .tuple(anyFilterObject, fc.option(fc.tuple(oddText, fc.jsonValue({ maxDepth: 3 })), { freq: 3 }))
  .map(([known, odd]) => {
    const text = JSON.stringify(odd === null ? {} : { [`x${odd[0]}`]: odd[1] });
    return { ...known, ...parseStorable(text) };
  });

/** Null characters and halves of characters cannot be stored, wherever they are. */
function parseStorable(text: string): object {
  return /\\u0000|\\ud[89a-f]/i.test(text) ? {} : (JSON.parse(text) as object);
}

const profile = fc.record(
  {
    id: uuid,
    name: oddName,
    status: fc.constantFrom("shadow", "live"),
    lookback_days: fc.integer({ min: 1, max: 3650 }),
    minimum_listings: fc.integer({ min: 1, max: 10_000 }),
    minimum_profit_eur_minor: amount,
    implausible_below_bps: bps,
    implausible_above_bps: fc.integer({ min: 10_000, max: 1_000_000 }),
    hk_markup: fc.record({ rate_bps: bps, fixed_eur_minor: amount }, { requiredKeys: [] }),
    consumer_range: fc.record(
      { low_quantile_bps: fc.integer({ min: 0, max: 7_500 }), margin_bps: bps },
      { requiredKeys: [] },
    ),
    stale_after_ms: fc.integer({ min: 1, max: 10 ** 9 }),
    sets: fc.constantFrom(...SETS),
  },
  { requiredKeys: ["name"] },
);
const view = fc.record(
  {
    id: uuid,
    name: oddName,
    filters,
    source_market: fc.constantFrom("EU", "HK"),
    sort: fc.constantFrom("newest", "null"),
    columns: fc.uniqueArray(fc.constantFrom("id", "price.amount_minor", "year"), { minLength: 1 }),
  },
  { requiredKeys: ["name", "filters"] },
);
const configuration = fc.record(
  {
    id: uuid,
    configuration_key: fc.stringMatching(/^[!-~é劳]{1,12}$/),
    brand: fc.constantFrom("Rolex", "Pâtek Philippe", "劳力士", "R".repeat(120)),
    reference: fc.oneof(fc.stringMatching(/^[0-9A-Z/.-]{0,8}[0-9]$/), fc.constant("1".repeat(120))),
    market_reference: fc.constantFrom("126610LN", "007"),
    label: oddText,
    filters,
    sets: fc.constantFrom(...SETS),
    minimum_profit_overrides: fc.uniqueArray(
      fc.record({
        year: fc.integer({ min: 1, max: 9999 }),
        condition_bucket: fc.constantFrom("new", "like_new", "used"),
        amount_eur_minor: amount,
      }),
      { maxLength: 3, selector: ({ year, condition_bucket }) => `${year} ${condition_bucket}` },
    ),
    exclude_outliers: fc.boolean(),
    publish_enabled: fc.boolean(),
    buy_signals_enabled: fc.boolean(),
    alert_enabled: fc.boolean(),
    image_url: fc.webUrl(),
    calculator_mapping_id: uuid,
    imported_from_mapping_id: uuid,
  },
  { requiredKeys: ["brand", "reference"] },
);
const messageFilters = fc.record({ resource: fc.constant("messages"), q: oddText });
const alert = fc.record(
  {
    id: uuid,
    name: oddName,
    enabled: fc.boolean(),
    filters: fc.oneof({ weight: 3, arbitrary: filters }, { weight: 1, arbitrary: messageFilters }),
    created_by: oddText,
    updated_by: oddText,
  },
  { requiredKeys: ["id", "name"] },
);
const priceAlert = fc.record(
  {
    id: uuid,
    name: oddName,
    strategy: fc.constant("price_engine"),
    filters: fc.tuple(filters, fc.array(uuid, { maxLength: 2 })).map(([given, ids]) => ({
      ...given,
      configuration_ids: ids,
    })),
  },
  { requiredKeys: ["id", "name", "strategy"] },
);
const webhook = fc.record(
  {
    id: uuid,
    name: oddName,
    url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    secret: fc
      .uint8Array({ minLength: 24, maxLength: 64 })
      .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`),
    alerts: fc.array(uuid, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ["name", "url", "secret"] },
);
const session = fc.record(
  {
    gateway_name: oddText,
    role: fc.constantFrom("receiving", "sending"),
    engine: oddText,
    label: oddText,
    phone_number: fc.stringMatching(/^\+?[0-9][0-9 ().-]{0,8}[0-9]{5}$/),
    stale_after_ms: fc.integer({ min: 1, max: 10 ** 9 }),
    connecting_user_id: oddText,
  },
  { requiredKeys: ["gateway_name"] },
);
const group = fc.record(
  {
    gateway_group_id: oddText,
    name: oddName,
    default_currency: currency,
    is_ignored: fc.boolean(),
  },
  { requiredKeys: ["gateway_group_id"] },
);
const preset = fc.record(
  {
    id: uuid,
    name: oddName,
    description: oddText,
    group_ids: fc.array(fc.oneof(uuid, fc.constant("1203@g.us")), { maxLength: 3 }),
  },
  { requiredKeys: ["name"] },
);
const rate = fc.record({
  date: fc.constantFrom("1999-01-04", "2026-11-13"),
  currency,
  per_eur: fc.stringMatching(/^[0-9]{1,5}(\.[0-9]{0,12}[1-9])$/),
});

type Item = Readonly<Record<string, unknown>>;

/** Few names, so that several objects want the same one. */
const anyName = fc.constantFrom("a", "b", "~", "line\nbreak");

/** Bodies of requests, by the kind that they create or change. Ids of other objects are left to the caller. */
export const BODIES = {
  profiles: fc.tuple(profile, anyName).map(([given, name]) => ({ ...given, name })),
  views: fc.tuple(view, anyName).map(([given, name]) => ({ ...given, name })),
  configurations: fc
    .tuple(configuration, fc.constantFrom("a", "~", "#c"))
    .map(([given, key]) => ({ ...given, configuration_key: key })),
  alerts: fc
    .tuple(fc.oneof(alert, priceAlert), anyName)
    .map(([{ created_by: _, updated_by: _by, ...given }, name]: [Item, string]) => ({
      filters: {},
      ...given,
      name,
    })),
  webhooks: fc.tuple(webhook, anyName).map(([given, name]) => ({ ...given, name })),
  group_presets: fc
    .tuple(preset, anyName)
    .map(([given, name]) => ({ group_ids: [], ...given, name })),
} as const satisfies Readonly<Record<string, fc.Arbitrary<Item>>>;

function several(item: fc.Arbitrary<Item>, ...members: readonly string[]): fc.Arbitrary<Item[]> {
  return fc.uniqueArray(item, {
    maxLength: 4,
    selector: (one) => members.map((member) => one[member]).join(" "),
  });
}

/** Configurations of different watches may not have the same key either. */
function withoutRepeatedKeys(items: readonly Item[]): readonly Item[] {
  const keys = items.map((item) => item["configuration_key"]);
  return items.filter((_, at) => keys[at] === undefined || keys.indexOf(keys[at]) === at);
}

/** The items of a manifest, without problems. Alerts name views, and targets alerts, of the same manifest. */
export const anyManifest: fc.Arbitrary<Readonly<Record<string, readonly Item[]>>> = fc
  .record({
    profiles: several(profile, "name"),
    views: several(view, "name"),
    configurations: several(configuration, "brand", "reference", "configuration_key"),
    alerts: several(alert, "name"),
    priceAlerts: several(priceAlert, "name"),
    webhooks: several(webhook, "name"),
    sessions: several(session, "gateway_name"),
    groups: several(group, "gateway_group_id"),
    group_presets: several(preset, "name"),
    fx_rates: several(rate, "date", "currency"),
  })
  .map(({ priceAlerts, ...given }) => {
    const profiles = [
      { name: "default" },
      ...given.profiles.filter(({ name }) => name !== "default"),
    ];
    const names = new Set(given.alerts.map(({ name }) => name));
    const alerts = [...given.alerts, ...priceAlerts.filter(({ name }) => !names.has(name))];
    return {
      ...given,
      profiles,
      configurations: withoutRepeatedKeys(given.configurations).map((one, at) => ({
        // A made key could be that of another configuration.
        ...(String(one["reference"]).length > 100 ? {} : { configuration_key: `key-${at}` }),
        ...one,
        profile: profiles[at % profiles.length]?.["name"],
      })),
      alerts: alerts.map((one, at) => {
        const [name] = given.views.map((known) => known["name"]).slice(at);
        const isOfMessages = (one["filters"] as Item | undefined)?.["resource"] !== undefined;
        return name === undefined || isOfMessages ? one : { ...one, view: name };
      }),
      webhooks: given.webhooks.map((one, at) =>
        at % 2 === 0 || alerts[at] === undefined ? one : { ...one, alerts: [alerts[at]["id"]] },
      ),
    };
  });
