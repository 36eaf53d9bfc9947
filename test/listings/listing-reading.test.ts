import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  applyCorrections,
  type CorrectionField,
  type CorrectionValue,
} from "../../src/listings/corrections/correction.ts";
import { toListingReading } from "../../src/listings/listing-reading.ts";
import { toSnakeCase } from "../../src/listings/listing-rows.ts";
import { readMessage } from "../support/extraction.ts";
import { anyDecoration, dealerMessage, isReadAs } from "../support/texts.ts";

const anyCorrections = fc
  .record(
    {
      year: fc.constantFrom(2021, null),
      price: fc.constantFrom({ amount_minor: 950_000, currency: "HKD" }, null),
      reference: fc.constantFrom("5711/1A", null),
      full_set_status: fc.constantFrom(["WATCH"], null),
      condition: fc.constantFrom("USED", null),
      is_listing: fc.constant(false as const),
    },
    { requiredKeys: [] },
  )
  .map((fields) => new Map(Object.entries(fields) as [CorrectionField, CorrectionValue][]));

test("the text at each span normalises to the evidence, whatever is corrected", () => {
  let spanCount = 0;
  fc.assert(
    fc.property(dealerMessage, anyCorrections, (text, corrections) => {
      spanCount += checkReadings(text, corrections);
    }),
    { numRuns: 150 },
  );
  assert.ok(spanCount > 500, `only ${spanCount} values with words were checked`);
});

test("spans hold in texts with emoji, marks of direction and halves of surrogate pairs", () => {
  const anyNoise = fc.oneof(
    fc.constantFrom(
      "\u202E",
      "\u2066",
      "\u2069",
      "\u200F",
      "\uD83D",
      "\uDC00",
      "👨‍👩‍👧",
      "🇭🇰",
      "👍🏽",
    ),
    anyDecoration,
  );
  fc.assert(
    fc.property(
      fc.array(anyNoise, { minLength: 6, maxLength: 6 }),
      anyCorrections,
      (noise, set) => {
        const [a, b, c, d, e, f] = noise;
        checkReadings(
          `${a}WTS ${b}126334 ${c}new${d} 2021 ${e}€9.500${f}\n${a}5711/1A${b} HKD 1.2m`,
          set,
        );
      },
    ),
    { numRuns: 150 },
  );
});

/** Returns how many values with words were checked. */
function checkReadings(
  text: string,
  corrections: ReadonlyMap<CorrectionField, CorrectionValue>,
): number {
  let checkedCount = 0;
  for (const listing of readMessage(text).listings) {
    const { fields, left_out } = toListingReading(text, listing, corrections);
    const { sources } = applyCorrections(listing, corrections);
    const shown = new Map(fields.map((item) => [item.field, item]));
    assert.equal(shown.size, fields.length, "a field stands twice");
    for (const [name, source] of Object.entries(sources))
      assert.equal(shown.get(toSnakeCase(name))?.source, source, name);

    const quotes = [
      ...listing.evidence.map((item) => ({ ...item, separator: " " })),
      ...listing.leftOut.map((item) => ({ ...item, separator: " / " })),
    ];
    for (const item of [...fields, ...left_out]) {
      const isCorrected = "source" in item && item.source === "corrected";
      assert.equal(isCorrected && item.spans.length > 0, false, item.field);
      if (item.spans.length === 0) continue;
      const pieces = item.spans.map(({ start, end }) => text.slice(start, end));
      const isRight = quotes.some(
        ({ field, words, separator }) =>
          toSnakeCase(field) === item.field && isReadAs({ text, pieces, words, separator }),
      );
      assert.ok(isRight, `${item.field} "${pieces.join("|")}": ${JSON.stringify(text)}`);
      checkedCount += 1;
    }
  }
  return checkedCount;
}
