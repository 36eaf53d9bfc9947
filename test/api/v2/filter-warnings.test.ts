import assert from "node:assert/strict";
import { test } from "node:test";
import { checkMembers } from "../../../src/api/v2/filter-body.ts";

test("an unknown member of a filter gives a warning that suggests a near name", () => {
  assert.deepEqual(checkMembers({ referense: ["5711"], brand: ["Rolex"], xyzzy: 1 }), {
    warnings: [
      'filters.referense: unknown member, ignored; did you mean "reference"?',
      "filters.xyzzy: unknown member, ignored",
    ],
  });
});

test("an unknown member inside of a member gives a warning too", () => {
  const { warnings } = checkMembers({
    year: { min: 2020, gte: 2019 },
    price: { lt: 5 },
    country_codes: { excluded: ["852"] },
    brand: ["Rolex"],
    text_search: null,
  });

  assert.deepEqual(warnings, [
    "filters.year.min: unknown member, ignored",
    'filters.price.lt: unknown member, ignored; did you mean "lte"?',
    'filters.country_codes.excluded: unknown member, ignored; did you mean "exclude"?',
  ]);
});

test("known members, and those that the route names, give no member `warnings`", () => {
  assert.deepEqual(checkMembers({}), {});
  assert.deepEqual(checkMembers({ q: "5711", year: { values: [2020] } }), {});
  assert.deepEqual(checkMembers({ resource: "messages" }, { extraMembers: ["resource"] }), {});
  assert.ok("warnings" in checkMembers({ resource: "messages" }));
});

test("with strict, the first unknown member is an error", () => {
  assert.throws(() => checkMembers({ referense: 1 }, { strict: true }), {
    code: "invalid_payload",
    message: 'filters.referense: unknown member; did you mean "reference"?',
  });
  assert.deepEqual(checkMembers({ q: "5711" }, { strict: true }), {});
});

test("names of objects that every object has are unknown members", () => {
  const filters = JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}');

  assert.equal(checkMembers(filters).warnings?.length, 3);
});

test("warnings are bounded in count and length", () => {
  const names = Array.from({ length: 90 }, (_, at) => `${at}${"x".repeat(5_000)}`);

  const { warnings = [] } = checkMembers(Object.fromEntries(names.map((name) => [name, 1])));

  assert.equal(warnings.length, 21);
  assert.equal(warnings.at(-1), "filters: 70 more unknown members, ignored");
  assert.ok(warnings.every((warning) => warning.length < 120));
});
