import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../../src/base/clock.ts";
import { parseFilter, parseFilters } from "../../../src/filters/language/filter.ts";
import { matches } from "../../../src/filters/language/predicate.ts";
import { SETS, type Sets } from "../../../src/filters/language/sets.ts";
import { createRateTable } from "../../../src/rates/fx.ts";
import { aListingWith } from "../../support/listings.ts";
import { NOW_MS } from "../../support/test-app.ts";

const DAY = Math.floor(NOW_MS / DAY_MS);
const context = {
  rateOf: createRateTable([
    { currency: "USD", day_number: DAY - 3, kind: "built_in", per_eur: "1.10" },
    { currency: "USD", day_number: DAY + 1, kind: "built_in", per_eur: "9" },
    { currency: "HKD", day_number: DAY, kind: "built_in", per_eur: "8.5" },
    { currency: "HKD", day_number: DAY, kind: "declared", per_eur: "8.400005" },
  ]),
};
const GROUP = "10000000-0000-5000-8000-000000000001";
const CONTACT = "20000000-0000-5000-8000-000000000001";
const FORMER = "20000000-0000-5000-8000-000000000002";
const MESSAGE = "30000000-0000-5000-8000-000000000001";

const watch = {
  brand: "Pâtek Philippe",
  model: "Nautilus",
  reference: "5711/1A-010",
  dial_type: "Tiffany Blue",
  variant: "Tiffany & Co.",
  message_text: "FS: full set, never worn; unpolished. Full set 2021!",
  year: 2021,
  condition: "LIKE_NEW",
  full_set_status: ["WATCH_AND_CARD", "WATCH_AND_BOX"],
  price_amount_minor: 10_000_000,
  price_currency: "HKD",
  price_eur_minor: 1_190_471,
  phone_number: "85291234567",
  group_ids: [GROUP],
  group_names_folded: ["hktrade"],
  contact_id: CONTACT,
  contact_ids: [CONTACT, FORMER],
  canonical_message_id: MESSAGE,
  canonical_message_ids: [MESSAGE],
  has_media: true,
  message_timestamp_ms: NOW_MS - 1000,
  last_seen_at_ms: NOW_MS,
} as const;
const bare = {
  brand: null,
  model: null,
  reference: null,
  year: null,
  condition: null,
  full_set_status: [],
  price_amount_minor: null,
  price_currency: null,
  price_eur_minor: null,
  phone_number: null,
} as const;

/** A filter, whether it matches the watch above, and whether it matches a listing that lacks everything. */
const EXAMPLES: readonly (readonly [unknown, boolean, boolean])[] = [
  [{}, true, true],
  [
    { brand: null, model: [], q: "", year: {}, price: { currency: "HKD" }, text_search: {} },
    true,
    true,
  ],
  [{ year: { values: [], gte: null }, country_codes: { include: [], exclude: null } }, true, true],
  [{ no_such_member: { deep: [1] }, constructor: 1 }, true, true],
  [{ side: ["for_sale"] }, true, true],
  [{ side: ["want_to_buy"] }, false, false],
  [{ side: ["want_to_buy", "for_sale"] }, true, true],
  [{ message_type: ["selling", "buying"] }, true, true],
  [{ message_type: ["personal"] }, false, false],
  [{ brand: ["PATEK-PHILIPPE"] }, true, false],
  [{ brand: ["Rolex", "patek philippe"] }, true, false],
  [{ brand: ["Patek"] }, false, false],
  [{ brand: ["?"] }, false, false],
  [{ model: ["nauti-lus"] }, true, false],
  [{ reference: ["57111A010"] }, true, false],
  [{ reference: ["5711/1a.010 "] }, true, false],
  [{ reference: ["5711"] }, false, false],
  [{ year: { values: [2020, 2021] } }, true, false],
  [{ year: { gte: 2021, lte: 2021 } }, true, false],
  [{ year: { gte: 2022 } }, false, false],
  [{ year: { gte: 2022, lte: 2020 } }, false, false],
  [{ year: { values: [2021], gte: 2022 } }, false, false],
  [{ years: [2021] }, true, false],
  [{ years: [2021], year: { values: [2020] } }, false, false],
  [{ price: { gte: 1_190_471, lte: 1_190_471 } }, true, false],
  [{ price: { gte: 1_190_472 } }, false, false],
  [{ price: { lte: 1_190_470, currency: "eur" } }, false, false],
  [{ price: { gte: 10_000_000, lte: 10_000_000, currency: "HKD" } }, true, false],
  // 1,190,471 x 1.10 = 1,309,518.1
  [{ price: { gte: 1_309_518, lte: 1_309_518, currency: "USD" } }, true, false],
  [{ price: { gte: 0, currency: "JPY" } }, false, false],
  [{ condition: ["like_new"] }, true, false],
  [{ condition: ["LIKE_NEW"], conditions: ["NEW"] }, false, false],
  [{ full_set_status: ["watch_and_box"] }, true, false],
  [{ full_set_options: ["FULL_SET", "WATCH"] }, false, false],
  [{ dial_type: ["tiffany-blue"] }, true, false],
  [{ dial_types: ["blue"] }, false, false],
  [{ variant: ["TIFFANY CO"] }, true, false],
  [{ variants: ["none"] }, false, false],
  [{ country_codes: { include: ["+852", "44"] } }, true, false],
  [{ country_codes: { include: ["85"] } }, true, false],
  [{ country_codes: { exclude: ["44"] } }, true, true],
  [{ country_codes: { exclude: ["852"] } }, false, true],
  [{ country_codes: { include: ["8"], exclude: ["852"] } }, false, false],
  [{ country_codes: { include: ["+"] } }, false, false],
  [{ country_codes: { exclude: ["+"] } }, true, true],
  [{ phone_number: "+852 9123 4567" }, true, false],
  [{ phone_numbers_include: ["1", "85291234567"] }, true, false],
  [{ phone_numbers_exclude: ["85291234567"] }, false, true],
  [{ phone_numbers: { include: ["85291234567"], exclude: ["85291234567"] } }, false, false],
  [{ phone_numbers: { exclude: ["1"] } }, true, true],
  [{ phone_number: "85291234567", phone_numbers_include: ["1"] }, false, false],
  [{ group_ids: [GROUP.toUpperCase()] }, true, false],
  [{ group_names: ["HK trade"] }, true, false],
  [{ group_names: ["HK"] }, false, false],
  [{ contact_id: CONTACT }, true, false],
  [{ contact_ids: [FORMER] }, true, false],
  [{ contact_id: GROUP }, false, false],
  [{ canonical_message_id: MESSAGE }, true, false],
  [{ canonical_message_ids: [GROUP] }, false, false],
  [{ has_media: true }, true, false],
  [{ has_media: false }, false, true],
  [{ message_timestamp_ms: { gte: NOW_MS - 1000, lte: NOW_MS - 1000 } }, true, false],
  [{ last_seen_at_ms: { gte: NOW_MS } }, true, true],
  [{ from_ms: NOW_MS - 1000, to_ms: NOW_MS - 1000 }, true, false],
  [{ from_ms: NOW_MS + 1 }, false, false],
  [{ q: "naut" }, true, false],
  [{ q: "nothing, or 57111" }, true, false],
  [{ q: "autilus" }, false, false],
  [{ q: "!?" }, true, true],
  [{ text_search: { query: "unpol NAUT 57111", mode: "all" } }, true, false],
  [{ text_search: { query: "nautilus submariner", mode: "all" } }, false, false],
  [{ text_search: { query: "nautilus autilus", mode: "all" } }, false, false],
  [{ text_search: { query: "!?", mode: "all" } }, true, true],
  [{ text_search: { query: "PATEK philippe", mode: "exact" } }, true, false],
  [{ text_search: { query: "philippe nautilus", mode: "exact" } }, false, false],
  [{ text_search: { query: "full set 2021", mode: "exact" } }, true, false],
  [{ text_search: { query: "never worn full", mode: "exact" } }, false, false],
  [{ text_search: { query: "never worn full", mode: "exact_light" } }, true, false],
  // Four words stand between the two: full, set, never and worn.
  [{ text_search: { query: "fs unpolished", mode: "exact_light" } }, false, false],
  [{ text_search: { query: "worn full 2021", mode: "exact_light" } }, true, false],
  [{ text_search: { query: "2021 full", mode: "exact_light" } }, false, false],
  [{ text_search: { query: "57111a010", mode: "exact" } }, true, false],
  [{ text_search: { query: "5711 1a", mode: "exact" } }, true, false],
  [{ text_search: { query: "5711 1a" } }, true, false],
  [{ exclude_outliers: true }, true, true],
];

test("each row of the filter language means what docs/filters.md says", () => {
  const full = aListingWith(watch);
  const empty = aListingWith(bare);

  for (const [given, isFullMatched, isEmptyMatched] of EXAMPLES) {
    const filter = parseFilter(given);
    assert.equal(matches(filter, full, context), isFullMatched, `full: ${JSON.stringify(given)}`);
    assert.equal(matches(filter, empty, context), isEmptyMatched, `bare: ${JSON.stringify(given)}`);
  }
});

test("duplicate, hidden and revoked listings match only when the filter includes them", () => {
  for (const [mark, member] of [
    ["is_duplicate", "include_duplicates"],
    ["is_hidden", "include_hidden"],
    ["is_revoked", "include_revoked"],
  ] as const) {
    const listing = aListingWith({ [mark]: true });

    assert.equal(matches(parseFilter({}), listing, context), false);
    assert.equal(matches(parseFilter({ [member]: false }), listing, context), false);
    assert.equal(matches(parseFilter({ [member]: true }), listing, context), true);
  }
});

test("with readsDuplicates a filter includes duplicates, and no hidden or revoked listings", () => {
  const filter = parseFilter({ include_duplicates: false }, { readsDuplicates: true });

  assert.equal(matches(filter, aListingWith({ is_duplicate: true }), context), true);
  assert.equal(matches(filter, aListingWith({ is_hidden: true }), context), false);
});

test("a declared rate takes precedence over a built-in one of the same day, and halves are rounded up", () => {
  const listing = aListingWith({
    price_amount_minor: 100,
    price_currency: "USD",
    price_eur_minor: 100_000,
  });
  const isAsked = (hkdMinor: number) =>
    matches(
      parseFilter({ price: { gte: hkdMinor, lte: hkdMinor, currency: "HKD" } }),
      listing,
      context,
    );

  // 100,000 x 8.400005 = 840,000.5
  assert.equal(isAsked(840_001), true);
  assert.equal(isAsked(840_000), false);
});

test("sets leave out what states another set, and keep what states none", () => {
  const admits = (sets: Sets | null, full_set_status: readonly string[]) =>
    matches(parseFilters([{}], { sets }), aListingWith({ full_set_status }), context);
  const stated = [[], ["FULL_SET"], ["WATCH_AND_CARD"], ["WATCH_AND_BOX"], ["WATCH"]];

  const shown = ([null, ...SETS] as const).map((sets) => stated.map((set) => admits(sets, set)));

  assert.deepEqual(shown, [
    [true, true, true, true, true],
    [true, true, true, true, true],
    [true, true, true, false, false],
    [true, true, false, false, false],
  ]);
  // Several are stated if a message offers more than one.
  assert.ok(admits("papers", ["WATCH", "WATCH_AND_CARD"]));
});

test("the longest query over a long text is answered: its pattern does not explode", () => {
  const text = "a b ".repeat(10_000);
  const listing = aListingWith({ message_text: text });
  const filter = parseFilter({
    text_search: { query: `${"a ".repeat(31)}c`, mode: "exact_light" },
  });

  assert.equal(matches(filter, listing, context), false);
});
