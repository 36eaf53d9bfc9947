import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExtractedListing } from "../../../src/extraction/extraction.ts";
import { readMessage } from "../../support/extraction.ts";

const TALK = "Watched a 126610LN sell for €12,500 at the auction yesterday, crazy";

/** Such as "126334: own 2, headers 1". */
function show({ reference, sourceLines, headerLines }: ExtractedListing): string {
  const headers = headerLines.length === 0 ? "" : `, headers ${headerLines.join(" ")}`;
  return `${reference}: own ${sourceLines.join(" ")}${headers}`;
}

test("each watch has its own lines and its headers, and greetings and terms are shared", () => {
  const text = [
    "Good morning friends, here is my list",
    "ROLEX",
    "126334 €9.500",
    "126333 €11.200",
    "",
    "PATEK",
    "5711/1A 2019 €92.000",
    "full set",
    "",
    "Insured parcels leave on Friday",
  ].join("\n");

  const { listings, sharedLines } = readMessage(text);

  assert.deepEqual(listings.map(show), [
    "126334: own 2, headers 1",
    "126333: own 3, headers 1",
    "5711/1A: own 6 7, headers 5",
  ]);
  assert.deepEqual(sharedLines, [0, 9]);
});

test("of one watch all lines are its own, and watches on one line share it", () => {
  const single = readMessage("Hi all\nUSED\n126334 €9.500\n\nPick-up in Milan");
  const line = readMessage("126334 €9.500 / 126333 €11.200\n\nInsured parcels leave on Friday");

  assert.deepEqual(single.listings.map(show), ["126334: own 0 1 2 4"]);
  assert.deepEqual(single.sharedLines, []);
  assert.deepEqual(line.listings.map(show), ["126334: own 0", "126333: own 0"]);
  assert.deepEqual(line.sharedLines, [2]);
});

test("last lines about place, payment and shipping are shared, also without an empty line", () => {
  const texts = ["Dubai stock", "Payment by wire\nShips insured from Milan", "Versand versichert"];
  for (const text of texts) {
    const { listings, sharedLines } = readMessage(`126334 €9.500\n126333 €11.200\n${text}`);

    assert.deepEqual(listings.map(show), ["126334: own 0", "126333: own 1"], text);
    assert.deepEqual(
      sharedLines,
      text.split("\n").map((_, at) => 2 + at),
      text,
    );
  }
});

test("a closing line that describes all watches is a header of the others, and not shared", () => {
  const { listings, sharedLines } = readMessage(
    "126334 €9.500\n126333 €11.200\n\nAll new, full set",
  );

  assert.deepEqual(listings.map(show), ["126334: own 0, headers 3", "126333: own 1 3"]);
  assert.deepEqual(sharedLines, []);
});

test("what is read as talk is kept if it has a known reference and an ask", () => {
  const talk = readMessage(TALK);
  const unpriced = readMessage("Is the 126610LN getting replaced this year?");
  const unknown = readMessage(
    "Watched a 1999XYZ Rolex sell for €12,500 at the auction yesterday, crazy",
  );

  assert.deepEqual(talk.listings, []);
  assert.deepEqual(talk.rejections, [{ reason: "not_an_offer" }]);
  assert.deepEqual(
    talk.notOffered.map(({ reference, price, position }) => [reference, price, position]),
    [["126610LN", { amountMinor: 1_250_000, currency: "EUR" }, { firstLine: 0, ordinal: 0 }]],
  );
  assert.deepEqual([...unpriced.notOffered, ...unknown.notOffered], []);
});

test("talk beside offers is kept beside them, and its lines are neither shared nor theirs", () => {
  const text = `${TALK}\nGood morning\n126334 €9.500\n126333 €11.200`;

  const { listings, notOffered, sharedLines } = readMessage(text);

  assert.deepEqual(listings.map(show), ["126334: own 2", "126333: own 3"]);
  assert.deepEqual(notOffered.map(show), ["126610LN: own 0"]);
  assert.deepEqual(sharedLines, [1]);
});

test("talk about the watch that is offered below is one of its lines, and no second watch", () => {
  const { listings, notOffered } = readMessage(
    "Is the 126610LN getting replaced this year?\n126610LN 2024 €12,500",
  );

  assert.deepEqual(listings.map(show), ["126610LN: own 0 1"]);
  assert.deepEqual(notOffered, []);
});

test("the lines of a message with 200 watches are listed once each", () => {
  const watches = Array.from(
    { length: 200 },
    (_, at) => `126334 20${10 + (at % 15)} €${9_000 + at}`,
  );
  const text = ["Hello", "USED", ...watches, "", ...Array(3_000).fill("Insured parcels")].join(
    "\n",
  );

  const { listings, sharedLines } = readMessage(text);

  const own = listings.flatMap(({ sourceLines }) => sourceLines);
  assert.equal(listings.length, 200);
  assert.equal(new Set([...own, ...sharedLines]).size, own.length + sharedLines.length);
  assert.ok(listings.every(({ headerLines }) => headerLines.length <= 16));
});
