import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CORRECTION_FIELDS,
  type Correction,
  type CorrectionField,
  type CorrectionValue,
  chooseCorrections,
  type ReadPlace,
} from "../../../src/listings/corrections/correction.ts";
import { draftCorrections } from "../../../src/listings/corrections/draft-corrections.ts";

const OURS: ReadPlace = {
  reference_normalized: "126610LN",
  default_currency: "HKD",
  sender_country: "852",
  equal_currencies: [],
};
const THEIRS: ReadPlace = { ...OURS, default_currency: "EUR", sender_country: "49" };
const PRICE = { amount_minor: 9_700_000, currency: "HKD" };

/** Adds to `stored` what a person says about the place as it is read. */
function say(
  stored: readonly Correction[],
  read: ReadPlace | undefined,
  wanted: {
    readonly set?: Readonly<Partial<Record<CorrectionField, CorrectionValue>>>;
    readonly undo?: readonly CorrectionField[];
  },
): readonly Correction[] {
  const place = { identity_sha256: "00", line: 0, ordinal: 0, read, stored };
  const set = new Map(Object.entries(wanted.set ?? {}) as [CorrectionField, CorrectionValue][]);
  return [...stored, ...draftCorrections(place, { set, undo: new Set(wanted.undo) }, 10)];
}

const holding = (stored: readonly Correction[], read: ReadPlace) =>
  Object.fromEntries(chooseCorrections(stored, read).values);

test("undoing a price for one country leaves that of another, and ends the report", () => {
  const theirs = say([], THEIRS, { set: { price: PRICE } });
  const reported = chooseCorrections(theirs, OURS).setAside;

  const undone = say(theirs, OURS, { undo: CORRECTION_FIELDS });

  assert.equal(reported.size, 1);
  assert.equal(chooseCorrections(undone, OURS).setAside.size, 0);
  assert.deepEqual(holding(undone, OURS), {});
  assert.deepEqual(holding(undone, THEIRS), { price: PRICE });
  assert.deepEqual(say(undone, OURS, { undo: CORRECTION_FIELDS }), undone);
});

test("undoing also undoes what was said while another reference was read there", () => {
  const before = say([], OURS, { set: { year: 2021 } });
  const now = { ...OURS, reference_normalized: "126610LV" };

  const undone = say(before, now, { undo: ["year"] });

  assert.equal(chooseCorrections(before, now).setAside.size, 1);
  assert.equal(chooseCorrections(undone, now).setAside.size, 0);
  assert.deepEqual(holding(undone, OURS), {});
});

test("where no listing is read, everything can be undone and nothing set", () => {
  const before = say([], OURS, { set: { year: 2021, price: PRICE } });

  const undone = say(before, undefined, { set: { year: 2020 }, undo: CORRECTION_FIELDS });

  assert.equal(undone.length, before.length + 2);
  assert.deepEqual(holding(undone, OURS), {});
});

test("what holds already is not said again, and what was undone can be set again", () => {
  const once = say([], OURS, { set: { year: 2021, condition: null } });
  const undone = say(once, OURS, { undo: ["year"] });
  const again = say(undone, OURS, { set: { year: 2021 } });

  assert.deepEqual(say(once, OURS, { set: { year: 2021, condition: null } }), once);
  assert.deepEqual(holding(undone, OURS), { condition: null });
  assert.deepEqual(holding(again, OURS), { condition: null, year: 2021 });
});
