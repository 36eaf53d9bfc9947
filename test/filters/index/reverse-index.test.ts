import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createReverseIndex, type ReverseIndex } from "../../../src/filters/index/reverse-index.ts";
import { explainMatch } from "../../../src/filters/language/explain-match.ts";
import { type Filter, joinFilters, parseFilter } from "../../../src/filters/language/filter.ts";
import { matches } from "../../../src/filters/language/predicate.ts";
import { anyFilterObject, anyListing, CONTEXT } from "../../support/filter-arbitraries.ts";
import { aListingWith, type TestListing } from "../../support/listings.ts";

const SCALE = process.env["ASSAY_TEST_LONG"] === undefined ? 1 : 10;
const FILTERS = 50;
const LISTINGS = 20;
/** Rounds of that many pairs: 20,000 in all, ten times that in the long run. */
const ROUNDS = 20 * SCALE;

test("the index finds what the predicate finds", () => {
  const counts = { pairs: 0, matched: 0 };

  fc.assert(
    fc.property(
      fc.array(anyFilterObject, { minLength: FILTERS, maxLength: FILTERS }),
      fc.array(anyListing, { minLength: LISTINGS, maxLength: LISTINGS }),
      fc.boolean(),
      (given, listings, isObserving) => {
        const index = anIndex();
        if (isObserving) for (const listing of listings) index.observe(listing);
        const filters = new Map(given.map((filter, at) => [`f${at}`, parseFilter(filter)]));
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

test("after any additions, changes and removals the index equals one that was built anew", () => {
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

test("a filter that is changed ten thousand times takes no more room than at first", () => {
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

test("filters of several objects hold when all of them do", () => {
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

test("matching goes on when the count of listings runs out of 31 bits", () => {
  const index = anIndex();
  index.save("groups", parseFilter({ group_names: ["a", "b"] }));
  const listing = aListingWith({ group_names_folded: ["a", "b"] });
  const matchTwice = () => [index.match(listing), index.match(listing)];
  assert.deepEqual(matchTwice(), [["groups"], ["groups"]]);

  index.parts.keys.epoch = 0x7fff_ffff - 1;

  assert.deepEqual(matchTwice(), [["groups"], ["groups"]]);
  assert.deepEqual(matchTwice(), [["groups"], ["groups"]]);
});

test("a filter that no key narrows is on the list that every listing is compared with", () => {
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

test("the index explains which key proposed a filter and which clause decided", () => {
  const index = anIndex();
  const filter = parseFilter({
    brand: ["Rolex"],
    reference: ["126610LN", "5711"],
    year: { gte: 2024 },
  });
  index.save("f", filter);
  const explain = (listing: TestListing) =>
    explainMatch(index, "f", { filter, listing, context: CONTEXT });

  const tooOld = explain(aListingWith({ year: 2023 }));
  const other = explain(aListingWith({ reference: "116500LN" }));
  const match = explain(aListingWith({ year: 2024 }));

  assert.deepEqual(tooOld?.proposedBy, [{ space: "reference", value: "126610LN" }]);
  assert.equal(tooOld?.decidedBy?.member, "year");
  assert.deepEqual(other?.proposedBy, []);
  assert.equal(other?.decidedBy?.member, "reference");
  assert.deepEqual([match?.isMatch, match?.decidedBy], [true, undefined]);
  assert.equal(
    explainMatch(index, "none", { filter, listing: aListingWith(), context: CONTEXT }),
    undefined,
  );
});

test("a filter of two common values is found only by listings that have both", () => {
  const index = anIndex();
  const rolexes = Array.from({ length: 10 }, () => aListingWith({ phone_number: "85290000000" }));
  for (const listing of rolexes) index.observe(listing);
  const filter = parseFilter({ brand: ["Rolex"], country_codes: { include: ["852", "49"] } });
  for (let at = 0; at < 70; at += 1) {
    index.observe(aListingWith({ brand: `brand ${at % 7}`, phone_number: `${40 + (at % 7)}1` }));
  }
  index.save("f", filter);
  const explain = (listing: TestListing) =>
    explainMatch(index, "f", { filter, listing, context: CONTEXT });

  const both = explain(aListingWith({ phone_number: "85291111111" }));
  const other = explain(aListingWith({ phone_number: "33611111111" }));

  assert.deepEqual(both?.proposedBy, [{ space: "brand + country_code", value: "rolex + 852" }]);
  assert.deepEqual([both?.isMatch, both?.anchors.length], [true, 2]);
  assert.deepEqual([other?.isMatch, other?.proposedBy], [false, []]);
});

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
