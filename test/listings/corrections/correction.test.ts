import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Correction,
  chooseCorrections,
  type ReadPlace,
  withId,
} from "../../../src/listings/corrections/correction.ts";

const READ: ReadPlace = {
  reference_normalized: "126610LN",
  default_currency: "HKD",
  sender_country: "852",
  equal_currencies: [],
};

function aCorrection(fields: Partial<Omit<Correction, "id">> = {}): Correction {
  return withId({
    identity_sha256: "00",
    line: 0,
    ordinal: 0,
    reference_normalized: "126610LN",
    field: "year",
    value: 2021,
    is_undone: false,
    default_currency: null,
    sender_country: null,
    corrected_at_ms: 1,
    ...fields,
  });
}

const price = (amount_minor: number, fields: Partial<Correction> = {}) =>
  aCorrection({
    field: "price",
    value: { amount_minor, currency: "HKD" },
    default_currency: "HKD",
    sender_country: "852",
    ...fields,
  });

test("what holds does not depend on the order in which corrections are stored", () => {
  const correction = fc
    .record({
      reference_normalized: fc.constantFrom("126610LN", "126610LV"),
      field: fc.constantFrom("year" as const, "card_month" as const),
      value: fc.constantFrom(1, 2, 3, null),
      is_undone: fc.boolean(),
      corrected_at_ms: fc.integer({ min: 0, max: 3 }),
    })
    .map((fields) => aCorrection({ ...fields, value: fields.is_undone ? null : fields.value }));

  fc.assert(
    fc.property(
      fc
        .array(correction, { maxLength: 8 })
        .chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
      ([stored, shuffled]) => {
        const left = chooseCorrections(stored, READ);
        const right = chooseCorrections([...shuffled, ...shuffled], READ);

        assert.deepEqual(new Map(right.values), new Map(left.values));
        assert.deepEqual(new Map(right.setAside), new Map(left.setAside));
      },
    ),
  );
});

test("of two corrections at the same time, the one with the larger id holds", () => {
  const [smaller, larger] = [aCorrection({ value: 2021 }), aCorrection({ value: 2022 })].toSorted(
    (left, right) => (left.id < right.id ? -1 : 1),
  );
  assert.ok(smaller !== undefined && larger !== undefined);

  for (const stored of [
    [smaller, larger],
    [larger, smaller],
  ])
    assert.equal(chooseCorrections(stored, READ).values.get("year"), larger.value);
});

test("a price holds for its own country and currency, and each country keeps its own", () => {
  const ours = price(100);
  const theirs = price(200, { sender_country: "1", corrected_at_ms: 5 });

  const both = chooseCorrections([ours, theirs], READ);
  const foreign = chooseCorrections([theirs], READ);

  assert.deepEqual(both.values.get("price"), ours.value);
  assert.equal(both.setAside.size, 0);
  assert.equal(foreign.values.size, 0);
  assert.deepEqual([...foreign.setAside], [[theirs.id, "other_currency_or_country"]]);
});

test("a price that was corrected while the country was unknown holds when it becomes known, and not the reverse", () => {
  const unknown = price(100, { sender_country: null });
  const known = price(100);

  assert.equal(chooseCorrections([unknown], READ).values.size, 1);
  assert.equal(chooseCorrections([known], { ...READ, sender_country: null }).values.size, 0);
});

test("a correction that was undone is not reported as set aside", () => {
  const stored = [
    aCorrection({ reference_normalized: "126610" }),
    aCorrection({
      reference_normalized: "126610",
      value: null,
      is_undone: true,
      corrected_at_ms: 2,
    }),
  ];

  assert.equal(chooseCorrections(stored, READ).setAside.size, 0);
});

test("to undo a price of an unknown country undoes nothing that was corrected for a known one", () => {
  const known = price(9_700_000);
  const undone = price(0, {
    sender_country: null,
    value: null,
    is_undone: true,
    corrected_at_ms: 2,
  });

  const { values } = chooseCorrections([known, undone], READ);

  assert.deepEqual(values.get("price"), known.value);
});
