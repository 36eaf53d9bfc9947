import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readMessage, readWatch } from "../support/extraction.ts";

function readCondition(words: string): string | undefined {
  return readWatch(`126334 ${words} €11.000`).condition;
}

describe("condition", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    NEW: [
      "new",
      "brand new",
      "BNIB",
      "unworn",
      "never worn",
      "fresh",
      "N3",
      "NOS",
      "full stickers",
      "single seal",
      "🆕",
      "n3w",
      "n 3 w",
      "unw0rn",
      "ungetragen",
      "ongedragen",
      "neuf",
      "nuovo",
      "nuevo",
      "全新",
    ],
    LIKE_NEW: [
      "like new",
      "like-new",
      "as new",
      "mint",
      "99%",
      "slider",
      "used like new",
      "wie neu",
      "als nieuw",
      "comme neuf",
      "pari al nuovo",
      "como nuevo",
      "99新",
    ],
    USED: [
      "used",
      "pre-owned",
      "preøwned",
      "worn",
      "very good condition",
      "top condition",
      "polished",
      "needs a polish",
      "serviced",
      "overhauled",
      "leicht poliert",
      "gepolijst",
      "成色很好",
      "vintage",
      "gebraucht",
      "gebruikt",
      "d'occasion",
      "usato",
      "usado",
      "二手",
    ],
  };
  for (const [condition, words] of Object.entries(cases)) {
    for (const word of words)
      test(`"${word}" is ${condition}`, () => assert.equal(readCondition(word), condition));
  }

  for (const words of [
    "unpolished",
    "retail ready",
    "new card",
    "new buckle",
    "new style box",
    "new or used",
    "new or slider",
    "mint green dial",
    "mintgrünes Zifferblatt",
    "bought new in Madrid",
    "sold new in 2015",
    "cheaper than a new one",
    "nie poliert",
  ]) {
    test(`"${words}" states no condition`, () => assert.equal(readCondition(words), undefined));
  }

  test("an N date beats a used header", () => {
    const listings = readMessage("USED\n126334 N3 €11.000\n126333 2020 €12.000").listings;

    assert.deepEqual(
      listings.map((listing) => listing.condition),
      ["NEW", "USED"],
    );
    assert.deepEqual(
      listings.map((listing) => listing.sources.condition),
      ["explicit", "section"],
    );
  });
});

describe("what comes with the watch", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    FULL_SET: [
      "full set",
      "fullset",
      "FS",
      "complete",
      "compl3te",
      "box and papers",
      "watch + box + papers",
      "B&P",
      "card & box",
      "full set -wt",
      "inner and outer box, warranty card",
      "avec boîte, papiers",
      "with box, the papers",
      "mit Box und Papieren",
      "doos en papieren",
      "corredo completo",
      "caja y papeles",
      "pudełko i papiery",
      "全套",
    ],
    WATCH_AND_CARD: [
      "w/c",
      "W & C",
      "watch & card",
      "W&P",
      "with papers",
      "with Italian papers",
      "no box",
      "no box but card",
      "full set no box",
      "everything but the box",
      "box is missing, papers included",
      "only certificate",
      "mit Papieren",
      "met papieren",
      "sans boîte",
      "con garanzia",
      "con tarjeta",
      "保証書あり",
    ],
    WATCH_AND_BOX: ["with box", "no papers", "ohne Papiere", "with box, missing card"],
    WATCH: [
      "watch only",
      "only watch",
      "naked",
      "OW",
      "head only",
      "single watch",
      "nur Uhr",
      "solo orologio",
      "裸表",
      "淨錶",
    ],
  };
  for (const [status, words] of Object.entries(cases)) {
    for (const word of words) {
      test(`"${word}" is ${status}`, () =>
        assert.deepEqual(readWatch(`126334 ${word} €11.000`).fullSetStatus, [status]));
    }
  }

  for (const words of [
    "2022 card",
    "German papers",
    "full links",
    "full set or only watch",
    "credit card",
    "white tag",
  ]) {
    test(`"${words}" does not say what comes with the watch`, () =>
      assert.equal(readWatch(`126334 ${words} €11.000`).fullSetStatus, undefined));
  }

  test("FS at the start of a message means for sale", () => {
    assert.equal(readWatch("FS: 126334 2022 €11.000").fullSetStatus, undefined);
  });
});

describe("dial and bracelet", () => {
  test("all spellings of a dial have the same value", () => {
    assert.equal(readWatch("126334 blk oys N3 HKD 110k").dialType, "black");
    assert.equal(readWatch("126334 schwarz €11.000").dialType, "black");
  });
  test("colour and style always have the same order", () => {
    assert.equal(
      readWatch("128239 ombre green €41.000").dialType,
      readWatch("128239 green ombre €41.000").dialType,
    );
  });
  test("words glued at their capitals are separated", () =>
    assert.equal(readWatch("128238 GreenRoma N2 31k usd").dialType, "green roman"));
  test("the colour of a metal is not a dial", () =>
    assert.equal(readWatch("5980 white gold €80.000").dialType, undefined));
  test("a bracelet is the variant", () =>
    assert.equal(readWatch("126301 grey jub €12.700").variant, "Jubilee"));
  test("a nickname is the variant if no bracelet is named", () => {
    assert.equal(readWatch("126710GRNR, the Bruce Wayne, €16.700").variant, "Bruce Wayne");
  });
});

describe("side", () => {
  for (const words of [
    "WTB",
    "W.T.B",
    "NTQ",
    "LF",
    "ISO",
    "looking for",
    "need",
    "please I need",
    "sold order",
    "confirm order",
    "who has",
    "anyone have",
    "suche",
    "gezocht",
    "cerco",
    "busco",
    "recherche",
    "求购",
    "paying €9.000 for",
  ]) {
    test(`"${words}" asks for a watch`, () => {
      const { side, messageType } = readMessage(`${words} 126334 blue`);

      assert.equal(side, "want_to_buy");
      assert.equal(messageType, "buying");
    });
  }
  for (const words of [
    "WTS",
    "want to sell",
    "for sale",
    "te koop",
    "need HK export,",
    "needs a polish,",
    "in stock",
  ]) {
    test(`"${words}" offers a watch`, () =>
      assert.equal(readMessage(`${words} 126334 blue €11.000`).side, "for_sale"));
  }
  test("a request without a watch has a side and no listing", () => {
    const extraction = readMessage("NTQ");

    assert.equal(extraction.side, "want_to_buy");
    assert.deepEqual(extraction.rejections, [{ reason: "wanted_without_watch" }]);
  });
  test("a bid is the price of a request", () => {
    assert.equal(readWatch("WTB 126334 paying €9.000").price?.amountMinor, 900_000);
  });
  test("words of a request below an ask do not change the side of the offer", () => {
    assert.equal(readWatch("126334 2022 €11.000\nWant to see more? Ask me").side, "for_sale");
  });
});

describe("status", () => {
  test("a sold watch stays a listing with the status sold", () =>
    assert.equal(readWatch("126334 N3 HKD 110k SOLD").status, "sold"));
  test("a watch on hold stays a listing with the status on hold", () =>
    assert.equal(readWatch("126334 €11.000 on hold").status, "on_hold"));
  test("a watch that is not sold yet is on offer", () => {
    for (const words of ["not sold yet", "noch nicht verkauft", "pas encore vendu", "未售"])
      assert.equal(readWatch(`126334 N3 HKD 110k ${words}`).status, undefined, words);
  });
  test("a watch on a struck-through line is sold", () =>
    assert.equal(readWatch("~126334 2022 €11.000~").status, "sold"));
  test("a sold order is a request and not a sold watch", () => {
    const listing = readWatch("Sold order 126334 blue");

    assert.equal(listing.status, undefined);
    assert.equal(listing.side, "want_to_buy");
  });
});

describe("no watch", () => {
  for (const text of [
    "",
    "   \n ",
    "We have",
    "Thanks all, good morning",
    "Rubber strap to fit 5164A, new",
    "Rolex cufflinks €200",
    "Patek desk clock 2k usd",
    "Hermes Birkin 30 black €14.000",
    "126610LN bezel only",
    "Looking for two links for 116234",
    "GMT bezel insert 16710 €90",
    "Box and papers of a 116610LN, no watch",
    "Anyone have a clasp for Datejust 41?",
    "Join my group <link>",
    "Can anyone polish this?",
  ]) {
    test(`"${text.slice(0, 30)}" has no listing`, () => {
      const { listings, rejections } = readMessage(text);

      assert.deepEqual(listings, []);
      assert.equal(rejections.length, 1);
    });
  }
});
