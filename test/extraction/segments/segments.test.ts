import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readMessage, readWatch } from "../../support/extraction.ts";

/** Returns "126334 11000 EUR" for each watch of a message. */
function readList(text: string, defaultCurrency = "HKD"): string[] {
  return readMessage(text, { defaultCurrency }).listings.map(
    ({ reference, price }) =>
      `${reference} ${price === undefined ? "-" : `${price.amountMinor / 100} ${price.currency}`}`,
  );
}

describe("one watch over several lines", () => {
  test("each field can be on its own line, with blank lines between them", () => {
    const listing = readWatch(
      "WTS\n\n\nRolex Sky-Dweller\n\n336934\n\nBlue dial on Oyster\n\nlightly worn 2024\n\ncomplete\n\n€19.850,-",
    );

    assert.equal(listing.reference, "336934");
    assert.equal(listing.dialType, "blue");
    assert.equal(listing.year, 2024);
    assert.equal(listing.condition, "USED");
    assert.deepEqual(listing.fullSetStatus, ["FULL_SET"]);
    assert.equal(listing.price?.amountMinor, 1_985_000);
    assert.deepEqual(listing.position, { firstLine: 5, ordinal: 0 });
  });

  test("text above the reference describes the watch", () => {
    const listing = readWatch("Unworn 2026 Starbucks\nRef 126610LV\nw/c\n€13.700");

    assert.equal(listing.year, 2026);
    assert.equal(listing.variant, "Starbucks");
    assert.deepEqual(listing.sourceLines, [0, 1, 2, 3]);
  });

  test("a repeated reference is the same watch", () => {
    assert.equal(
      readMessage("Explorer 124270, black\nRef: 124270\nYear: 2022\n$7.4k", {
        defaultCurrency: "USD",
      }).listings.length,
      1,
    );
  });

  test("two pieces at one price are one listing", () => {
    assert.deepEqual(readList("2x 124060 11/25 fullset 9.700€"), ["124060 9700 EUR"]);
  });

  test("several card months at one price are one listing", () => {
    assert.deepEqual(readList("5226G N8 or N9 2025 HKD263k"), ["5226G 263000 HKD"]);
  });
});

describe("lists", () => {
  test("each line is a watch", () => {
    assert.deepEqual(readList("💎 5212A white 2022 231k\n💎 5740/1G 2019 1.61m"), [
      "5212A 231000 HKD",
      "5740/1G 1610000 HKD",
    ]);
  });

  test("one line can have several watches", () => {
    assert.deepEqual(readList("7128/1G blue 01-26 $931k 5167A black 12-25 $508k"), [
      "7128/1G 931000 HKD",
      "5167A 508000 HKD",
    ]);
    assert.deepEqual(readList("❶ 5164A naked HKD 512000 ❷ 5726A 2014 HKD 463000"), [
      "5164A 512000 HKD",
      "5726A 463000 HKD",
    ]);
  });

  test("a sentence can have two watches, each with its own ask", () => {
    assert.deepEqual(
      readList("Selling a 16700 (1997, box only) for €9.900, plus a 14060 (1999) for €6.400"),
      ["16700 9900 EUR", "14060 6400 EUR"],
    );
    assert.deepEqual(
      readList("Biete zwei: 116610LN mit Karte für 8.900€ und eine 16800, nur Uhr, für 8.700€"),
      ["116610LN 8900 EUR", "16800 8700 EUR"],
    );
    assert.deepEqual(readList("116610LV 2015 full set 14k€ or trade for a 16600 plus cash"), [
      "116610LV 14000 EUR",
    ]);
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

  test("the same reference with another date is another watch", () => {
    assert.deepEqual(readList("5821/1A N2/26 402k\n5821/1A N8/25 391k"), [
      "5821/1A 402000 HKD",
      "5821/1A 391000 HKD",
    ]);
  });

  test("the lines after a watch describe it until the next watch", () => {
    assert.deepEqual(
      readList("5980/1AR\n11/2024 complete\n1020000HKD\n5811/1G\n2023 complete\n1190000HKD"),
      ["5980/1AR 1020000 HKD", "5811/1G 1190000 HKD"],
    );
  });

  test("a headline that names the watches below it adds no listing", () => {
    assert.deepEqual(
      readList(
        "Two days only: 126200 & 268621\nunworn 126200 slate oys\n8,750 + label\n\nunworn 126200 pink jub\n9,150 + label",
        "USD",
      ),
      ["126200 8750 USD", "126200 9150 USD"],
    );
  });

  test("without references, two nicknames mean two watches", () => {
    const { listings } = readMessage("Looking for unworn\nSprite on jubilee\nZombie on jubilee");

    assert.deepEqual(
      listings.map(({ model, condition }) => `${model} ${condition}`),
      ["GMT-Master II NEW", "GMT-Master II NEW"],
    );
  });

  test("terms of sale do not describe a watch", () => {
    const { listings } = readMessage(
      "Everything watch & card only unless stated\nAdd $ for full set rolex\n\n126334 new 01/2026 $12000\n15500ST complete 2020 $36000",
      { defaultCurrency: "USD" },
    );

    assert.deepEqual(
      listings.map(({ fullSetStatus }) => fullSetStatus),
      [["WATCH_AND_CARD"], ["FULL_SET"]],
    );
  });
});

describe("sections", () => {
  const text = "ROLEX USED full set\n126334 2021 80k\n126333 new 90k\n\nPATEK\n5167A 2020 440k";

  test("watches inherit condition and set from a header, and a line overrides it", () => {
    const [first, second] = readMessage(text, { defaultCurrency: "HKD" }).listings;

    assert.equal(first?.condition, "USED");
    assert.equal(first?.sources.condition, "section");
    assert.deepEqual(first?.fullSetStatus, ["FULL_SET"]);
    assert.equal(second?.condition, "NEW");
  });

  test("a header with another brand replaces the header before it", () => {
    const third = readMessage(text, { defaultCurrency: "HKD" }).listings[2];

    assert.equal(third?.condition, undefined);
    assert.equal(third?.fullSetStatus, undefined);
  });

  test("watches inherit the year of a header", () => {
    const { listings } = readMessage("2024 stock\n126334 €11.000\n126333 €12.000");

    assert.deepEqual(
      listings.map(({ year }) => year),
      [2024, 2024],
    );
  });

  test("the side of a header applies to all lines below it", () => {
    const { listings } = readMessage("NTQ:\n\n5230P-001\n\n5370R-001");

    assert.deepEqual(
      listings.map(({ side }) => side),
      ["want_to_buy", "want_to_buy"],
    );
  });

  test("the closing line of a list of requests applies to all of them", () => {
    const { listings } = readMessage("CONFIRM ORDER\n5930P\n5822P\nneed new, 2026");

    assert.deepEqual(
      listings.map(({ condition, year }) => `${condition} ${year}`),
      ["NEW 2026", "NEW 2026"],
    );
  });

  test("a line with the model above each reference describes that watch alone", () => {
    const { listings } = readMessage(
      "Rolex DJ 36 green oys\nRef: 126200, 04/2022\n€8.100\n\nRolex DJ 41 slate roman jub\nRef: 126334, 10/2023\n€10.900",
    );

    assert.deepEqual(
      listings.map(({ reference, dialType }) => `${reference} ${dialType}`),
      ["126200 green", "126334 slate roman"],
    );
  });

  test("the dial of a line above two watches of one line is of neither", () => {
    const { listings } = readMessage("Datejust 41 blue\n126334 2023 10k€ / 126300 2022 8k€");

    assert.deepEqual(
      listings.map(({ dialType }) => dialType),
      [undefined, undefined],
    );
  });

  test("text after joined references applies to each of them", () => {
    const { listings } = readMessage("Need 116610ln and 114060 with papers");

    assert.deepEqual(
      listings.map(({ fullSetStatus }) => fullSetStatus),
      [["WATCH_AND_CARD"], ["WATCH_AND_CARD"]],
    );
  });
});
