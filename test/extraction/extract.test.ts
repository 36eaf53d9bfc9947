import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { EXTRACTION_VERSION, LISTINGS_MAX } from "../../src/extraction/extract.ts";
import { normalizeLine, normalizeLines, TEXT_MAX } from "../../src/extraction/text/normalize.ts";
import { readMessage } from "../support/extraction.ts";

/** Any string, lone surrogates included. Words of dealers are mixed in, so that the tests reach the rules. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({
        unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
        maxLength: 6,
      }),
      fc.constantFrom(
        "126334",
        "5711/1A",
        "RM 11-03",
        "€11.400",
        "HKD 1.2m",
        "N3/26",
        "2024",
        "new",
        "full set",
        "WTB",
        "\n",
        " ",
        "🆕",
        "1️⃣",
        "~",
        "-43%",
        "retail",
        "，",
        "全新",
        "3,4",
        "n 3 w",
        "Rolex",
        "or",
        "$",
        "k",
      ),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(""));

describe("extraction of any text", () => {
  test("never throws, and its positions and lines are inside the message", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lineCount = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).length;
        for (const listing of readMessage(text).listings) {
          assert.ok(listing.sourceLines.every((line) => line >= 0 && line < lineCount));
          assert.ok(listing.sourceLines.includes(listing.position.firstLine));
          assert.ok(listing.confidence >= 0 && listing.confidence <= 1);
          assert.ok(listing.price === undefined || Number.isSafeInteger(listing.price.amountMinor));
          assert.ok(
            listing.reference !== undefined ||
              (listing.brand !== undefined && listing.model !== undefined),
          );
        }
      }),
      { numRuns: 600 },
    );
  });

  test("returns the same result for the same text", () => {
    fc.assert(
      fc.property(anyText, (text) => assert.deepEqual(readMessage(text), readMessage(text))),
      { numRuns: 200 },
    );
  });

  test("no two listings of a message have the same position", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const places = readMessage(text).listings.map(
          ({ position }) => `${position.firstLine}/${position.ordinal}`,
        );
        assert.equal(new Set(places).size, places.length);
      }),
      { numRuns: 300 },
    );
  });

  test("normalizing a line twice changes nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normal = normalizeLine(text);
        assert.equal(normalizeLine(normal), normal);
      }),
      { numRuns: 600 },
    );
  });
});

describe("bounds", () => {
  test("a text over the limit is cut, and the rejections say so", () => {
    const extraction = readMessage(`126334 €11.000\n${"x".repeat(TEXT_MAX)}`);

    assert.equal(extraction.listings.length, 1);
    assert.deepEqual(extraction.rejections, [{ reason: "text_cut" }]);
  });

  test("a text that folds to more than the limit is cut at a word, and the rejections say so", () => {
    for (const unit of ["\ufdfa", "\ufdfa\n", "\ufdfb ", "㍿"]) {
      const text = `126334 €11.000\n${unit.repeat(TEXT_MAX)}\n126610LN €9.000`;
      const extraction = readMessage(text.slice(0, TEXT_MAX));

      assert.equal(extraction.listings.length, 1);
      assert.deepEqual(extraction.rejections, [{ reason: "text_cut" }]);
    }
  });

  test("the folded lines of a text have no more characters than the bound", () => {
    const bounds = { linesMax: 4_000, lengthMax: 1_000 };
    for (const unit of ["\ufdfa", "\ufdfa\n", "🆕", "x", "abc ", "𝕬𝕭", "𐐨"]) {
      const { lines, isCut } = normalizeLines(unit.repeat(2_000), bounds);
      const folded = lines.map(({ text }) => text).join("");

      assert.ok(isCut && folded.length <= 1_000 && folded.isWellFormed());
      assert.ok(folded.length > 980, `${unit}: ${folded.length}`);
    }
  });

  test("a message with too many watches has the maximum of listings, and the rejections say so", () => {
    const lines = Array.from(
      { length: LISTINGS_MAX + 50 },
      (_, at) => `126334 blue €${11_000 + at}`,
    );

    const extraction = readMessage(lines.join("\n"));

    assert.equal(extraction.listings.length, LISTINGS_MAX);
    assert.deepEqual(extraction.rejections, [{ reason: "too_many_listings" }]);
  });

  test("every result has the version of the extraction", () => {
    assert.equal(readMessage("").version, EXTRACTION_VERSION);
  });
});
