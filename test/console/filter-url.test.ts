import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { askedDays, daysAgo, isSameJson } from "../../console/filters/filter.ts";
import { readFilter, URL_MEMBERS, writeFilter } from "../../console/filters/filter-url.ts";
import { anyFilterObject, MEMBER_NAMES } from "../support/generators/filter-arbitraries.ts";

const RUNS = { numRuns: 1_000 };
const HOUR_MS = 3_600_000;
/** A known member with any value, and members that no filter knows, with any text as name and value. */
const anyMember = fc.oneof(fc.constantFrom(...MEMBER_NAMES), fc.string({ unit: "binary" }));
const anyValue = fc.oneof(
  fc.jsonValue({ stringUnit: "binary" }),
  fc.record({ gte: fc.jsonValue(), lte: fc.jsonValue() }, { requiredKeys: [] }),
  fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.integer()), { maxLength: 4 }),
);
const strangeFilter = fc.dictionary(anyMember, anyValue, { maxKeys: 6, noNullPrototype: true });

const PARAMETERS = [...URL_MEMBERS.values()].flatMap(({ parameters }) => parameters);
const anyQuery = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom(...PARAMETERS, "more", "brnad"), fc.string()),
      fc.oneof(
        fc.constantFrom(
          "Rolex",
          "2021",
          "-1",
          "1e5",
          "true",
          "yes",
          "constructor",
          "{}",
          "[1]",
          '{"brand":["x"]}',
          "",
        ),
        fc.string({ unit: "binary" }),
        fc.json(),
      ),
    ),
    { maxLength: 8 },
  )
  .map((pairs) => new URLSearchParams(pairs));

test("every filter of the language survives the address", () => {
  fc.assert(
    fc.property(anyFilterObject, (filter) => assertSurvives(filter)),
    RUNS,
  );
});

test("members with wrong shapes and unknown members survive the address too", () => {
  fc.assert(
    fc.property(strangeFilter, (filter) => assertSurvives(filter)),
    RUNS,
  );
});

test("any address gives a filter, and that filter gives an address that says the same without a problem", () => {
  fc.assert(
    fc.property(anyQuery, (query) => {
      const { filter } = readFilter(query);
      const written = writeFilter(filter);

      const again = readFilter(new URLSearchParams(written.toString()));

      assert.ok(isSameJson(again.filter, filter));
      assert.deepEqual(again.problems, []);
      assert.deepEqual([...writeFilter(again.filter)].sort(), [...written].sort());
    }),
    RUNS,
  );
});

test("common members are readable, and the rest is one parameter", () => {
  const filter = {
    brand: ["Rolex", "Tudor"],
    reference: ["126610LN"],
    year: { values: [2021], gte: 2020 },
    price: { lte: 900_000 },
    country_codes: { exclude: ["852"] },
    phone_numbers: { exclude: ["852"] },
    q: "root beer",
  };

  assert.equal(
    decodeURIComponent(writeFilter(filter).toString()),
    "brand=Rolex&brand=Tudor&reference=126610LN&year=2021&year_gte=2020&price_lte=900000&country_not=852&q=root+beer" +
      '&more={"phone_numbers":{"exclude":["852"]}}',
  );
});

test("what is malformed is named, and the rest is kept", () => {
  const query = new URLSearchParams(
    "brand=Rolex&year=2021&year=old&price_lte=9k&has_media=maybe&more={oops&brnad=x&sort=newest&q=a&q=b",
  );

  const { filter, problems } = readFilter(query, ["sort"]);

  assert.deepEqual(filter, { q: "a", brand: ["Rolex"], year: { values: [2021] } });
  assert.deepEqual(problems.map(({ name, kind }) => `${name} ${kind}`).sort(), [
    "brnad unknown",
    "has_media not_boolean",
    "more not_json",
    "price_lte not_whole",
    "q repeated",
    "year not_whole",
  ]);
});

test("a member that stands in its own parameter and in `more` is told", () => {
  const query = new URLSearchParams({ brand: "Rolex", more: '{"brand":["Tudor"],"x":1}' });

  const { filter, problems } = readFilter(query);

  assert.deepEqual(filter, { brand: ["Rolex"], x: 1 });
  assert.deepEqual(problems, [{ name: "brand", value: '["Tudor"]', kind: "twice" }]);
});

test("the last 30 days are that also on a page that is open for more than a day", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const first = daysAgo(30);

  t.mock.timers.tick(25 * HOUR_MS);
  const second = daysAgo(30);

  assert.notEqual(first, second);
  assert.deepEqual([first, second, first + 1].map(askedDays), [30, 30, undefined]);
});

function assertSurvives(filter: Readonly<Record<string, unknown>>): void {
  const text = writeFilter(filter).toString();
  const { filter: back, problems } = readFilter(new URLSearchParams(text));

  assert.ok(isSameJson(back, filter), `${text}: ${JSON.stringify(back)}`);
  assert.deepEqual(problems, []);
}
