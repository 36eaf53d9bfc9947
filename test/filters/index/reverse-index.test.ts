import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countRecords } from "../../../src/filters/index/records.ts";
import { createReverseIndex, type ReverseIndex } from "../../../src/filters/index/reverse-index.ts";
import {
  type Filter,
  joinFilters,
  parseFilter,
  parseFilters,
} from "../../../src/filters/language/filter.ts";
import { matches } from "../../../src/filters/language/predicate.ts";
import {
  anyFilterObject,
  anyListing,
  anySets,
  CONTEXT,
} from "../../support/generators/filter-arbitraries.ts";
import { aListingWith, type TestListing } from "../../support/listings.ts";

const SCALE = process.env["ASSAY_TEST_LONG"] === undefined ? 1 : 10;
const FILTERS = 50;
const LISTINGS = 20;
/** Each round compares FILTERS x LISTINGS pairs: 20,000 in all rounds, ten times as many in the long run. */
const ROUNDS = 20 * SCALE;

test("the index matches the same filters as the predicate", () => {
  const counts = { pairs: 0, matched: 0 };

  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyFilterObject, anySets), { minLength: FILTERS, maxLength: FILTERS }),
      fc.array(anyListing, { minLength: LISTINGS, maxLength: LISTINGS }),
      fc.boolean(),
      (given, listings, isObserving) => {
        const index = anIndex();
        if (isObserving) for (const listing of listings) index.observe(listing);
        const filters = new Map(
          given.map(([filter, sets], at) => [`f${at}`, parseFilters([filter], { sets })]),
        );
        for (const [id, filter] of filters) index.save(id, filter);

        for (const listing of listings) {
          counts.pairs += filters.size;
          counts.matched += assertSame(index, filters, listing);
        }
      },
    ),
    { numRuns: ROUNDS },
  );

  assert.ok(counts.pairs >= 20_000 * SCALE);
  assert.ok(counts.matched > counts.pairs / 50, `only ${counts.matched} of ${counts.pairs} match`);
});

test("after any additions, changes and removals the index matches as the current filters do", () => {
  const anyChange = fc.record({
    id: fc.integer({ min: 0, max: 30 }).map((at) => `f${at}`),
    given: fc.option(anyFilterObject, { freq: 3 }),
  });

  fc.assert(
    fc.property(
      fc.array(anyChange, { minLength: 20, maxLength: 200 }),
      fc.array(anyListing, { minLength: 10, maxLength: 10 }),
      (changes, listings) => {
        const index = anIndex();
        const filters = new Map<string, Filter>();
        for (const { id, given } of changes) {
          if (given === null) {
            assert.equal(index.remove(id), filters.delete(id));
          } else {
            filters.set(id, parseFilter(given));
            index.save(id, parseFilter(given));
          }
        }

        for (const listing of listings) assertSame(index, filters, listing);
        assert.equal(index.stats().filterCount, filters.size);
        for (const id of filters.keys()) index.remove(id);
        assert.equal(index.stats().recordCount, 0);
      },
    ),
    { numRuns: 30 * SCALE },
  );
});

test("ten thousand changes of one filter take no more memory than a hundred", () => {
  const index = anIndex();
  const change = (round: number) =>
    index.save(
      "f",
      parseFilter({ brand: ["Rolex", "Omega"], years: [2000 + (round % 20)], q: "a b" }),
    );
  for (let round = 0; round < 100; round += 1) change(round);
  const before = index.stats().bytes;

  for (let round = 0; round < 10_000; round += 1) change(round);

  assert.equal(index.stats().bytes, before);
});

test("a filter of several objects matches when all of them hold", () => {
  const index = anIndex();
  const both = joinFilters([
    parseFilter({ brand: ["Rolex"], price: { gte: 100 } }),
    parseFilter({ brand: ["Rolex", "Omega"], price: { lte: 200 }, include_hidden: true }),
  ]);
  index.save("both", both);

  for (const listing of [
    aListingWith({ price_eur_minor: 150 }),
    aListingWith({ price_eur_minor: 250 }),
    aListingWith({ price_eur_minor: 150, is_hidden: true }),
  ]) {
    assertSame(index, new Map([["both", both]]), listing);
  }
  assert.deepEqual(index.match(aListingWith({ price_eur_minor: 150 })), ["both"]);
});

test("matching continues when the 31-bit counter of listings wraps around", () => {
  const index = anIndex();
  index.save("groups", parseFilter({ group_names: ["a", "b"] }));
  const listing = aListingWith({ group_names_folded: ["a", "b"] });
  const matchTwice = () => [index.match(listing), index.match(listing)];
  assert.deepEqual(matchTwice(), [["groups"], ["groups"]]);

  index.parts.keys.epoch = 0x7fff_ffff - 1;

  assert.deepEqual(matchTwice(), [["groups"], ["groups"]]);
  assert.deepEqual(matchTwice(), [["groups"], ["groups"]]);
});

test("a filter without a key is compared with every listing", () => {
  const index = anIndex();
  index.save("price", parseFilter({ price: { lte: 100 } }));
  index.save("reference", parseFilter({ reference: ["126610LN"] }));

  assert.equal(index.stats().everyListingCount, 1);
  assert.deepEqual(index.match(aListingWith({ price_eur_minor: 50, reference: null })), ["price"]);
});

test("a filter that throws is reported and does not stop the others", () => {
  const failures: string[] = [];
  const index = createReverseIndex({
    rateOf: () => {
      throw new Error("no rates");
    },
    onFailure: (id) => failures.push(id),
  });
  index.save("dollars", parseFilter({ price: { lte: 100, currency: "USD" } }));
  index.save("all", parseFilter({}));

  assert.deepEqual(index.match(aListingWith()), ["all"]);
  assert.deepEqual(failures, ["dollars"]);
});

test("a listing is compared only with the filters that are stored under one of its values", () => {
  const index = anIndex();
  const filter = { brand: ["Rolex"], reference: ["126610LN", "5711"], year: { gte: 2024 } };
  index.save("f", parseFilter(filter));

  assert.deepEqual(matchAndCount(index, aListingWith({ year: 2024 })), [["f"], 1]);
  assert.deepEqual(matchAndCount(index, aListingWith({ year: 2023 })), [[], 1]);
  assert.deepEqual(matchAndCount(index, aListingWith({ reference: "116500LN" })), [[], 0]);
});

test("a filter with two common values is compared only with listings that have both", () => {
  const index = anIndex();
  for (let at = 0; at < 10; at += 1) index.observe(aListingWith({ phone_number: "85290000000" }));
  for (let at = 0; at < 70; at += 1) {
    index.observe(aListingWith({ brand: `brand ${at % 7}`, phone_number: `${40 + (at % 7)}1` }));
  }
  index.save("f", parseFilter({ brand: ["Rolex"], country_codes: { include: ["852", "49"] } }));

  assert.equal(index.stats().recordCount, 2);
  assert.deepEqual(matchAndCount(index, aListingWith({ phone_number: "85291111111" })), [["f"], 1]);
  assert.deepEqual(matchAndCount(index, aListingWith({ phone_number: "33611111111" })), [[], 0]);
});

/** The ids that match, and the number of records that the listing was compared with. */
function matchAndCount(
  index: ReverseIndex,
  listing: TestListing,
): readonly [readonly string[], number] {
  const ids = index.match(listing);
  const { keys, records } = index.parts;
  const listingKeys = keys.listingKeys.subarray(0, keys.listingKeyCount);
  return [ids, listingKeys.reduce((sum, key) => sum + countRecords(records, key), 0)];
}

function anIndex(): ReverseIndex {
  return createReverseIndex({
    ...CONTEXT,
    onFailure: (id, error) => {
      throw new Error(id, { cause: error });
    },
  });
}

function assertSame(
  index: ReverseIndex,
  filters: ReadonlyMap<string, Filter>,
  listing: TestListing,
): number {
  const expected = [...filters].flatMap(([id, filter]) =>
    matches(filter, listing, CONTEXT) ? [id] : [],
  );

  assert.deepEqual([...index.match(listing)].sort(), expected.sort());
  return expected.length;
}
