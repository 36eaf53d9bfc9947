import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { EXTRACTION_VERSION, LISTINGS_MAX } from "../../src/extraction/extract.ts";
import {
  LINES_MAX,
  normalizeLine,
  normalizeLines,
  TEXT_MAX,
} from "../../src/extraction/text/normalize.ts";
import { readMessage, readWatch } from "../support/extraction.ts";

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
          assert.ok(listing.reference !== undefined || listing.brand !== undefined);
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

  test("a text with too many lines is cut, and the rejections say so", () => {
    const { listings, rejections } = readMessage(
      `126334 €11.000\n${"x\n".repeat(LINES_MAX)}126610LN €9.000`,
    );

    assert.equal(listings.length, 1);
    assert.deepEqual(rejections, [{ reason: "text_cut" }]);
  });

  test("a text that folds to more than the limit is cut at a word, and the rejections say so", () => {
    for (const unit of ["\ufdfa", "\ufdfa\n", "\ufdfb ", "㍿"]) {
      const text = `126334 2022 full set €11.000\n${unit.repeat(TEXT_MAX)}\n126610LN €9.000`;
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

describe("where a listing comes from", () => {
  test("a value of the watch's own words is explicit, and one of a header is of the section", () => {
    const { listings } = readMessage("USED\n126334 N3 €11.000\n126333 2020 €12.000");
    const priced = readWatch("All prices in USD\n126334 14.2k");

    assert.deepEqual(
      listings.map(({ sources }) => sources.condition),
      ["explicit", "section"],
    );
    assert.equal(priced.sources.currency, "section");
  });

  test("the watches of one line are numbered from 0", () => {
    const { listings } = readMessage("5711/1A €98k 5712/1A €88k");

    assert.deepEqual(
      listings.map(({ position }) => position),
      [
        { firstLine: 0, ordinal: 0 },
        { firstLine: 0, ordinal: 1 },
      ],
    );
  });

  test("the position is the line of the reference, and text above it describes the watch too", () => {
    const listing = readWatch("Unworn 2026 Starbucks\nRef 126610LV\nw/c\n\n€13.700");

    assert.equal(listing.position.firstLine, 1);
    assert.deepEqual(listing.sourceLines, [0, 1, 2, 4]);
  });

  test("the type of the message follows from the side, or from its words if it has none", () => {
    const types = ["WTB 126334 blue", "126334 blue €11.000", "Thanks all", "We have"].map(
      (text) => readMessage(text).messageType,
    );

    assert.deepEqual(types, ["buying", "selling", "personal", "unknown"]);
  });

  test("a listing without a known reference or model is less certain", () => {
    const words = "2021 full set unworn €9.800";

    assert.ok(
      readWatch(`Armin Strom Gravity ${words}`).confidence <
        readWatch(`Rolex 126334 ${words}`).confidence,
    );
  });
});
