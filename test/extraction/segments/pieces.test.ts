import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertWatches, readMessage } from "../../support/extraction.ts";

const HONG_KONG = { defaultCurrency: "HKD" };
const AMERICA = { defaultCurrency: "USD" };

describe("several watches under one reference", () => {
  test("each line with a dial and an ask below a reference is a watch", () => {
    assertWatches(
      ["reference", "dialType", "variant", "year", "price"],
      {
        "126234 jub\nsilver N2 74k\nblue N3 81k\npink N3 77k": [
          "126234 | silver | Jubilee | 2026 | 74000 HKD",
          "126234 | blue | Jubilee | 2026 | 81000 HKD",
          "126234 | pink | Jubilee | 2026 | 77000 HKD",
        ],
        "Rolex 278274 oys\n- aubergine 2/26 HKD 98k\n- olive 2/26 HKD 92k": [
          "278274 | aubergine | Oyster | 2026 | 98000 HKD",
          "278274 | olive | Oyster | 2026 | 92000 HKD",
        ],
      },
      HONG_KONG,
    );
  });

  test("two blocks with one base number and one month are two watches", () => {
    assertWatches(
      ["reference", "dialType", "price"],
      {
        "126231G slate N1\nHKD 131000\n\n126231 slate N1\nHKD 112000": [
          "126231 | slate diamond | 131000 HKD",
          "126231 | slate | 112000 HKD",
        ],
        "279171 sundust N2\nHKD 99000\n\n279171 choco N2\nHKD 96000": [
          "279171 | sundust | 99000 HKD",
          "279171 | chocolate | 96000 HKD",
        ],
      },
      HONG_KONG,
    );
  });

  test("a closing line that speaks of all watches behind a comma reaches all", () => {
    assertWatches(["reference", "dialType", "fullSetStatus"], {
      "126000\nyellow 2022 12.9k€\ngreen 2024 8.4k€\nplus label, all fs": [
        "126000 | yellow | FULL_SET",
        "126000 | green | FULL_SET",
      ],
    });
  });

  test("a closing line for both watches reaches both", () => {
    assertWatches(
      ["reference", "dialType", "condition", "fullSetStatus", "price"],
      {
        "336934 oys\nblue N2 151k\nwhite N2 139k\nboth new, full set": [
          "336934 | blue | NEW | FULL_SET | 151000 HKD",
          "336934 | white | NEW | FULL_SET | 139000 HKD",
        ],
      },
      HONG_KONG,
    );
  });

  test("a message that was pasted twice is read once", () => {
    const list = "126334 blue N2 HKD 96k\n126234 silver 2022 used HKD 71k";
    const watches = ["126334 | 96000 HKD", "126234 | 71000 HKD"];
    assertWatches(
      ["reference", "price"],
      {
        [`${list}\n${list}`]: watches,
        [`${list}\n\n\n${list}`]: watches,
        [`${list}\n126334 blue N2 HKD 95k`]: [...watches, "126334 | 95000 HKD"],
      },
      HONG_KONG,
    );
  });
});

describe("several watches in one line", () => {
  test("one reference can have several dials with an ask each", () => {
    assertWatches(
      ["reference", "dialType", "price"],
      {
        "126233 jub champ N2 95k / slate N1 92k / white N3 90k": [
          "126233 | champagne | 95000 HKD",
          "126233 | slate | 92000 HKD",
          "126233 | white | 90000 HKD",
        ],
      },
      HONG_KONG,
    );
  });

  test("a condition behind the price belongs to the watch before it", () => {
    assertWatches(
      ["reference", "year", "condition", "price"],
      {
        "5905R blue $420k HKD 21Y USED 🌿 5230G grey $298k HKD 3/2026": [
          "5905R | 2021 | USED | 420000 HKD",
          "5230G | 2026 | - | 298000 HKD",
        ],
        "126233 champ $88k HKD 22Y MINT 🔥 126331 choco $97k HKD 2/2026": [
          "126233 | 2022 | LIKE_NEW | 88000 HKD",
          "126331 | 2026 | - | 97000 HKD",
        ],
      },
      HONG_KONG,
    );
  });

  test("a watch without a reference keeps its own price behind one with a reference", () => {
    assertWatches(
      ["brand", "year", "price"],
      {
        "5712/1R 2021 1,02m FPJ Octa Lune 2016 fullset HKD520K": [
          "Patek Philippe | 2021 | 1020000 HKD",
          "F.P.Journe | 2016 | 520000 HKD",
        ],
        "FPJ Resonance 2012 fullset HKD 880K\nFPJ Octa Lune 2016 fullset HKD 520K": [
          "F.P.Journe | 2012 | 880000 HKD",
          "F.P.Journe | 2016 | 520000 HKD",
        ],
      },
      HONG_KONG,
    );
  });
});

describe("keycaps", () => {
  test("keycaps at the start of a line are bullets", () => {
    assertWatches(
      ["reference", "year", "price"],
      {
        "1️⃣126710BLRO 2022 used HKD 152k\n2️⃣126720VTNR 2024 used HKD 118k": [
          "126710BLRO | 2022 | 152000 HKD",
          "126720VTNR | 2024 | 118000 HKD",
        ],
        "4️⃣5205G 2018 full set HKD 268k": ["5205G | 2018 | 268000 HKD"],
        "9️⃣ 124060 2023 HKD 79k\n🔟126603 2021 HKD 96k\n1️⃣1️⃣126233 2020 HKD 82k": [
          "124060 | 2023 | 79000 HKD",
          "126603 | 2021 | 96000 HKD",
          "126233 | 2020 | 82000 HKD",
        ],
      },
      HONG_KONG,
    );
  });

  test("keycaps with a currency, a separator or a unit are an amount", () => {
    assertWatches(["reference", "price"], {
      "126610LV 2022 €1️⃣2️⃣9️⃣5️⃣0️⃣": ["126610LV | 12950 EUR"],
      "126300 2023 mint\n8️⃣.9️⃣5️⃣0️⃣ €": ["126300 | 8950 EUR"],
      "1️⃣126300 2023 mint €8️⃣.9️⃣k": ["126300 | 8900 EUR"],
      "124270 2022\n6️⃣4️⃣0️⃣0️⃣ + ship": ["124270 | 6400 EUR"],
    });
  });
});

describe("prose around a watch", () => {
  test("a comparison with another reference and a repeated reference add no listing", () => {
    assertWatches(
      ["reference", "year", "condition", "fullSetStatus", "price"],
      {
        "126715CHNR - Root Beer BNIB\n41,500 + label\n\nThe steel 126710BLNR is over 15k, so why not go gold?\n\nReference: 126715 CHNR - GMT-Master II\nDial: Black\nComplete with card (2025)":
          ["126715CHNR | 2025 | NEW | FULL_SET | 41500 USD"],
        "5968A orange unworn\n$118,000\n\nMuch rarer than a 5167A, and easier to wear.\n\nRef: 5968 A\nFull set, 2023":
          ["5968A | 2023 | NEW | FULL_SET | 118000 USD"],
        "Why pay more? Cheaper than 126610LN: 124060 2022 unworn full set $9,100": [
          "124060 | 2022 | NEW | FULL_SET | 9100 USD",
        ],
      },
      AMERICA,
    );
  });

  test("words of a request in a description do not make a request", () => {
    assertWatches(
      ["side", "reference", "year", "condition"],
      {
        "💚 2022 AP OFFSHORE DIVER GREEN 💚\n\nRef: 15720ST\n\nWITH CARD! The Diver has grown from unloved to wanted.\n\nThe green dial pops in daylight. Dated 2022, great condition.":
          ["for_sale | 15720ST | 2022 | USED"],
        "2021 Omega Speedmaster Silver Snoopy\n\nRef: 310.32.42.50.02.001\n\nThe one everybody is looking for. Full set, $13,900":
          ["for_sale | 310.32.42.50.02.001 | 2021 | -"],
      },
      AMERICA,
    );
  });

  test("ordinary words in a headline or a sentence are not terms of the sale", () => {
    assertWatches(
      ["reference", "condition", "fullSetStatus", "status"],
      {
        "Black Friday, everything has to go\n124270 2022 $6,900\n126710BLNR 2021 watch only $13,400":
          ["124270 | - | - | -", "126710BLNR | - | WATCH | -"],
        "5396R watch + fresh archive extract $31.5k + label": ["5396R | - | - | -"],
        "126610LV 2022 full set $13,200, the last one was gone in an hour": [
          "126610LV | - | FULL_SET | -",
        ],
      },
      AMERICA,
    );
  });
});

test("a text that is pasted twice below a greeting is read once, and two equal lines of a list twice", () => {
  const offers = "126622 rhodium 2023 €10.900\n126621 choco 2022 €14.200";

  const pasted = readMessage(`Good morning\n${offers}\n\n${offers}`);
  const list = readMessage("124060 N6 95k\n126610LN N6 107k\n126610LN N6 107k");

  assert.equal(pasted.listings.length, 2);
  assert.equal(list.listings.length, 3);
});
