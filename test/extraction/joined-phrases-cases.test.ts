import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readWatch } from "../support/extraction.ts";

function readSet(words: string): string | undefined {
  return readWatch(`126334 blue 2021 ${words} €9.450`).fullSetStatus?.join("+");
}

function readCondition(words: string): string | undefined {
  return readWatch(`126334 blue 2021 ${words} €9.450`).condition;
}

describe("words for box, papers and watch", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    FULL_SET: [
      "with original box and the papers",
      "box, card",
      "certificate + box",
      "mit den Papieren und Schachtel",
      "avec boîte et ses papiers",
      "con la scatola e i documenti",
      "caja y tarjeta",
      "с коробкой и документами",
      "盒卡",
      "new box and papers",
    ],
    WATCH_AND_CARD: [
      "no box but with papers",
      "everything but the box",
      "box is missing",
      "papers, no box",
      "only the certificate",
      "watch with warranty card",
      "nur Karte",
      "senza scatola",
      "doos ontbreekt",
      "无盒有卡",
      "papers yes box no",
      "box no papers yes",
      "papieren wel doos niet",
      "Schachtel fehlt leider, Garantiekarte vorhanden",
    ],
    WATCH_AND_BOX: [
      "box, no papers",
      "boîte seule",
      "everything but the card",
      "card lost",
      "zonder papieren",
    ],
    WATCH: [
      "no box, no papers",
      "neither box nor papers",
      "ohne Box und Papiere",
      "sin caja ni papeles",
      "just the watch",
      "solo orologio",
      "belgesiz kutusuz",
    ],
  };

  for (const [status, words] of Object.entries(cases)) {
    test(`say ${status}`, () => {
      const readings = words.map((text) => [text, readSet(text)]);

      assert.deepEqual(
        readings,
        words.map((text) => [text, status]),
      );
    });
  }

  test("one piece alone says nothing", () => {
    const words = ["2021 card", "German papers", "new style card", "but box and papers on request"];

    assert.deepEqual(
      words.slice(0, 3).map((text) => readSet(text)),
      [undefined, undefined, undefined],
    );
    assert.equal(readSet(words[3] ?? ""), "FULL_SET");
  });
});

describe("a condition with other words beside it", () => {
  test("that is denied says nothing, and not worn is new", () => {
    const words = ["never polished", "nicht poliert", "no scuffs", "not new", "never used"];

    assert.deepEqual(words.map(readCondition), [undefined, undefined, undefined, undefined, "NEW"]);
  });

  test("is not about the watch if a part or another thing is new", () => {
    const words = [
      "new button",
      "new glass",
      "new crystal and hands",
      "new pins",
      "brand new black rubber strap",
      "correa nueva",
      "new generation",
      "new warranty card",
    ];

    assert.deepEqual(
      words.map((text) => [text, readCondition(text)]),
      words.map((text) => [text, undefined]),
    );
  });

  test("is about the watch if the dial only follows it", () => {
    assert.equal(readCondition("new black dial"), "NEW");
    assert.equal(readCondition("new, crystal is clean"), "NEW");
  });
});
