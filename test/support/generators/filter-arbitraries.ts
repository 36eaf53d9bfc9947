import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import { foldWord } from "../../../src/base/text.ts";
import type { Directory } from "../../../src/filters/language/attributes.ts";
import { TEXT_MODES } from "../../../src/filters/language/clause.ts";
import type { Sets } from "../../../src/filters/language/sets.ts";
import { createRateTable, type FxRateRow } from "../../../src/rates/fx.ts";
import { aListingWith, type TestListing } from "../listings.ts";
import { NOW_MS } from "../test-app.ts";

/** Few values, so that filters often match listings, with the odd spellings of real messages. */
const BRANDS = [
  "Rolex",
  "ROLEX ",
  "Pâtek Philippe",
  "PATEK-PHILIPPE",
  "F.P. Journe",
  "劳力士",
  "Ünlü ½",
];
const MODELS = ["Submariner", "sub-mariner", "Nautilus", "Daytona"];
const REFERENCES = ["126610LN", "126610 ln", "5711/1A-010", "57111A010", "116500LN"];
const DIALS = ["white", "Wh.ite", "blue", "tiffany blue"];
const VARIANTS = ["jubilee", "Oyster", "oyster!"];
const YEARS = [2019, 2020, 2021, 2022, 2024];
const CURRENCIES = ["EUR", "USD", "HKD", "JPY", "USDT"];
const AMOUNTS = [
  0, 1, 999_999, 1_000_000, 1_000_001, 1_250_050, 2_147_483_646, 2_147_483_647, 9e12,
];
const DROPS = [1, 499, 500, 501, 5_000];
const PHONES = [
  "447700900123",
  "447700900124",
  "85291234567",
  "8529",
  "3312345678",
  "393331234567",
];
const CODES = ["44", "+852", "33", "39", "8", "4477", "(+1)"];
const WORDS = [
  "full",
  "set",
  "naked",
  "ROLEX",
  "rol",
  "126610ln",
  "1266",
  "été",
  "劳力士",
  "a",
  "b",
  "5711/1A",
];
const TIMES = [-5, 0, 1, 999, 86_399_999, DAY_MS].map((ms) => NOW_MS - 3 * DAY_MS + ms);
const IDS = [1, 2, 3, 4, 5].map((at) => `0000000${at}-0000-5000-8000-00000000000a`);
export const GROUPS = [
  { id: "10000000-0000-5000-8000-000000000001", name: "EU Dealers" },
  { id: "10000000-0000-5000-8000-000000000002", name: "eu-dealers" },
  { id: "10000000-0000-5000-8000-000000000003", name: "HK Trade" },
  { id: "10000000-0000-5000-8000-000000000004", name: null },
];
/** Ids from before a merge, and the ids that replaced them. */
export const FORMER: Readonly<Record<string, string>> = {
  [IDS[3] ?? ""]: IDS[0] ?? "",
  [IDS[4] ?? ""]: IDS[1] ?? "",
};

export const RATES: readonly FxRateRow[] = [
  { currency: "USD", day_number: dayOf(TIMES[1]), kind: "built_in", per_eur: "1.0833" },
  { currency: "USD", day_number: dayOf(TIMES[1]), kind: "declared", per_eur: "1.08335000001" },
  { currency: "HKD", day_number: dayOf(TIMES[1]) - 4, kind: "built_in", per_eur: "8.5" },
  { currency: "HKD", day_number: dayOf(TIMES[1]) + 1, kind: "built_in", per_eur: "8.45" },
  // Declared one day after the first messages, so that some messages have no rate.
  { currency: "JPY", day_number: dayOf(TIMES[1]) + 1, kind: "built_in", per_eur: "163.125" },
];
export const CONTEXT = { rateOf: createRateTable(RATES) };

export const DIRECTORY: Directory = {
  groupIdsNamed: (names) =>
    GROUPS.filter(({ name }) => name !== null && names.includes(foldWord(name))).map(
      ({ id }) => id,
    ),
  currentContactIds: (ids) => ids.map((id) => FORMER[id] ?? id),
  currentMessageIds: (ids) => ids.map((id) => FORMER[id] ?? id),
};

const pick = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const maybe = <Value>(values: readonly Value[]) => fc.option(pick(values), { freq: 6 });
const some = <Value>(values: readonly Value[], maxLength = 3) =>
  fc.array(pick(values), { minLength: 0, maxLength });
const asked = <Value>(values: readonly Value[], maxLength = 4) =>
  fc.array(pick(values), { minLength: 1, maxLength });
const rarely = fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0);
const sentence = fc
  .array(pick(WORDS), { minLength: 0, maxLength: 12 })
  .map((words) => words.join(" "));

export const anyListing: fc.Arbitrary<TestListing> = fc
  .record({
    id: fc.uuid(),
    side: pick(["for_sale", "for_sale", "want_to_buy"] as const),
    message_type: pick(["selling", "buying", "personal", "unknown"] as const),
    brand: maybe([...BRANDS, "?!"]),
    model: maybe(MODELS),
    reference: maybe(REFERENCES),
    dial_type: maybe(DIALS),
    variant: maybe(VARIANTS),
    message_text: fc.oneof(sentence, fc.string({ unit: "binary", maxLength: 30 })),
    year: maybe(YEARS),
    condition: maybe(["NEW", "LIKE_NEW", "USED"] as const),
    full_set_status: fc.uniqueArray(
      pick(["FULL_SET", "WATCH_AND_CARD", "WATCH_AND_BOX", "WATCH"]),
      { maxLength: 2 },
    ),
    price: fc.option(fc.record({ amount: pick(AMOUNTS), currency: pick(CURRENCIES) }), { freq: 6 }),
    price_eur_minor: maybe(AMOUNTS),
    price_drop_bps: fc.option(pick(DROPS), { freq: 1 }),
    phone_number: maybe(PHONES),
    group_ids: some(GROUPS.map(({ id }) => id)).map((ids) => [...new Set(ids)]),
    contact_id: maybe(IDS.slice(0, 3)),
    canonical_message_id: pick(IDS.slice(0, 3)),
    message_timestamp_ms: pick(TIMES),
    last_seen_at_ms: pick(TIMES),
    has_media: fc.boolean(),
    is_duplicate: rarely,
    is_hidden: rarely,
    is_revoked: rarely,
    is_not_offered: rarely,
  })
  .map(({ price, ...given }) => ({
    ...aListingWith({
      ...given,
      is_hidden: given.is_hidden || given.is_not_offered,
      price_amount_minor: price?.amount ?? null,
      price_currency: price?.currency ?? null,
      price_eur_minor:
        price?.currency === "EUR" ? price.amount : price === null ? null : given.price_eur_minor,
      group_names_folded: GROUPS.flatMap(({ id, name }) =>
        name !== null && given.group_ids.includes(id) ? [foldWord(name)] : [],
      ),
    }),
    contact_ids: withFormer(given.contact_id),
    canonical_message_ids: withFormer(given.canonical_message_id),
  }));

function withFormer(id: string | null): readonly string[] {
  if (id === null) return [];
  return [id, ...Object.keys(FORMER).filter((former) => FORMER[former] === id)];
}

function boundsOf(values: readonly number[]) {
  const bound = fc.option(
    fc.oneof({ weight: 8, arbitrary: pick(values) }, { weight: 1, arbitrary: fc.maxSafeInteger() }),
  );
  return fc.record({ gte: bound, lte: bound }, { requiredKeys: [] });
}

const query = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(pick(WORDS), { minLength: 1, maxLength: 4 })
      .map((words) => words.join("-")),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }),
  },
  { weight: 1, arbitrary: pick(["", "!?"]) },
);
const phones = asked([...PHONES, "+44 7700 900-123", "999"]);
const sets = (values: fc.Arbitrary<string[]>) =>
  fc.record({ include: fc.option(values), exclude: fc.option(values) }, { requiredKeys: [] });
const ids = fc.oneof(
  asked(IDS),
  fc.uuid().map((id) => [id]),
);

const MEMBER_VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  q: query,
  text_search: fc.record({ query, mode: pick([...TEXT_MODES]) }, { requiredKeys: [] }),
  side: asked(["for_sale", "want_to_buy"]),
  message_type: asked(["selling", "buying", "personal", "unknown"]),
  brand: asked([...BRANDS, "rolex", "Tudor", "", "?"]),
  model: asked([...MODELS, "SUBMARINER"]),
  reference: asked([...REFERENCES, "5711/1a.010"]),
  year: fc.record(
    {
      values: fc.option(fc.oneof(some(YEARS), asked([2019, 2021, 99_999, -1]))),
      gte: fc.option(pick(YEARS)),
      lte: fc.option(pick([...YEARS, 70_000])),
    },
    { requiredKeys: [] },
  ),
  years: asked([...YEARS, 1e15]),
  price: fc
    .tuple(boundsOf(AMOUNTS), fc.option(pick([...CURRENCIES, "usd", "CHF"]), { nil: undefined }))
    .map(([bounds, currency]) => (currency === undefined ? bounds : { ...bounds, currency })),
  price_drop_bps: fc.record({ gte: fc.option(pick(DROPS)) }, { requiredKeys: [] }),
  condition: asked(["NEW", "new", "LIKE_NEW", "Used"]),
  conditions: asked(["NEW", "LIKE_NEW", "Used"]),
  full_set_status: asked(["FULL_SET", "watch"]),
  full_set_options: asked(["FULL_SET", "WATCH_AND_CARD", "Watch_and_box", "WATCH"]),
  dial_type: asked([...DIALS, "WHITE"]),
  dial_types: asked(DIALS),
  variant: asked(VARIANTS),
  variants: asked([...VARIANTS, "Jubilée"]),
  country_codes: sets(asked(CODES)),
  phone_numbers: sets(phones),
  phone_numbers_include: phones,
  phone_numbers_exclude: phones,
  phone_number: pick([...PHONES, "+44 7700 900123"]),
  group_ids: asked([...GROUPS.map(({ id }) => id.toUpperCase()), IDS[0] ?? ""]),
  group_names: asked(["EU dealers", "hk.trade", "none"]),
  contact_ids: ids,
  contact_id: pick(IDS),
  canonical_message_ids: ids,
  canonical_message_id: pick(IDS),
  has_media: fc.boolean(),
  message_timestamp_ms: boundsOf(TIMES),
  last_seen_at_ms: boundsOf(TIMES),
  from_ms: pick(TIMES),
  to_ms: pick(TIMES),
  include_duplicates: fc.boolean(),
  include_hidden: fc.boolean(),
  include_revoked: fc.boolean(),
  exclude_outliers: fc.boolean(),
};
export const MEMBER_NAMES = Object.keys(MEMBER_VALUES);

const nothing = pick([null, "", []]);

/** Few members, so that many filters match something. All members occur. */
export const anyFilterObject: fc.Arbitrary<Record<string, unknown>> = fc
  .subarray(MEMBER_NAMES, { minLength: 0, maxLength: 4 })
  .chain((names) =>
    fc.record({
      ...Object.fromEntries(
        names.map((name) => [
          name,
          fc.oneof(
            { weight: 15, arbitrary: MEMBER_VALUES[name] ?? nothing },
            { weight: 1, arbitrary: nothing },
          ),
        ]),
      ),
    }),
  );

/** What a saved filter has beside its objects: half of them compare sets. */
export const anySets = fc.constantFrom<Sets | null>(null, null, "papers", "complete");

function dayOf(ms = 0): number {
  return Math.floor(ms / DAY_MS);
}
