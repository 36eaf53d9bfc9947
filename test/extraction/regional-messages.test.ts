import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ExtractionInput } from "../../src/extraction/extraction.ts";
import { LINES_MAX } from "../../src/extraction/text/normalize.ts";
import { readMessage } from "../support/extraction.ts";

const HONG_KONG = { defaultCurrency: "HKD", senderCountry: "852" };
const AMERICA = { defaultCurrency: "USD", senderCountry: "1" };

/** Returns "126334 2023 USED FULL_SET 11000 EUR" for each watch. Missing fields are left out. */
function summarize(text: string, input: Partial<ExtractionInput> = {}): string[] {
  return readMessage(text, input).listings.map((listing) => {
    const { reference, model, year, condition, fullSetStatus, price, status, side } = listing;
    const words = [
      side === "want_to_buy" ? "wanted" : undefined,
      reference ?? model,
      year,
      condition,
      fullSetStatus?.join("+"),
      price && `${price.amountMinor / 100} ${price.currency}`,
      status,
    ];
    return words.filter((word) => word !== undefined).join(" ");
  });
}

type Case = readonly [rule: string, text: string, ...watches: string[]];

function check(cases: readonly Case[], input: Partial<ExtractionInput> = {}): void {
  for (const [rule, text, ...watches] of cases) {
    test(rule, () => assert.deepEqual(summarize(text, input), watches));
  }
}

describe("European messages", () => {
  check([
    [
      "a dot can be between the word for a reference and its number",
      "Rolex Daytona Ref.116500LN 07/2018 top condition fullset 22.150€",
      "116500LN 2018 USED FULL_SET 22150 EUR",
    ],
    [
      "a number announced as a reference is one, with any shape",
      "Cartier Panthere 27mm\nRef. 187949\nwatch only\n€4.950",
      "187949 WATCH 4950 EUR",
    ],
    [
      "a dealer's own number is not a reference",
      "Mint Rolex 126515LN black\nOur Ref: Q41207\n€31.500",
      "126515LN LIKE_NEW 31500 EUR",
    ],
    [
      "box and papers can be answered with yes and no",
      "Omega 311.30.42.30.01.005\n2019\nBox: no\nPapers: yes\n3.700€",
      "311.30.42.30.01.005 2019 WATCH_AND_CARD 3700 EUR",
    ],
    [
      "papers without a box are read in German",
      "Biete: Rolex 16613 blau, 1997, Papiere, keine Box, 8.600€",
      "16613 1997 WATCH_AND_CARD 8600 EUR",
    ],
    [
      "a card and a box are read in Dutch",
      "Rolex 116900 2017 garantiekaart en doos, gebruikt, 5.950",
      "116900 2017 USED FULL_SET 5950 EUR",
    ],
    [
      "digits before a space that groups thousands are not a year",
      "Rolex 126231 choco 2025 neuve complet 14 900 €",
      "126231 2025 NEW FULL_SET 14900 EUR",
    ],
    [
      'of two asks, the one after "now" counts',
      "226570 polar new 02/2026 €9.950 now €9.650",
      "226570 2026 NEW 9650 EUR",
    ],
    [
      "a date after 'polished' is the card's date",
      "116689 like new, lightly polished 11/2021 €29.500",
      "116689 2021 LIKE_NEW 29500 EUR",
    ],
    [
      "the year of a polish by the brand is not the card's date",
      "15400ST full set 2016, polished by AP in 2024, €31.000",
      "15400ST 2016 USED FULL_SET 31000 EUR",
    ],
    [
      "asterisks around a separator do not split an amount",
      "126713GRNR 5/2024 mint\n2️⃣1️⃣**,**0️⃣0️⃣0️⃣** + shipping**",
      "126713GRNR 2024 LIKE_NEW 21000 EUR",
    ],
    [
      "a pen that comes with the watch is not an accessory for sale",
      "5164A 2020 complete with pen and pusher €61.000",
      "5164A 2020 FULL_SET 61000 EUR",
    ],
    [
      "a scratch at twelve o'clock is not a clock",
      "26401RO used, tiny scratch at 12 o’clock, 06/2021 complete €25.750",
      "26401RO 2021 USED FULL_SET 25750 EUR",
    ],
  ]);
});

describe("Hong Kong messages", () => {
  check(
    [
      [
        "a discount can be written in words",
        "Bvlgari\n104060, New 5/2025, 78500 HKR less 35% off",
        "104060 2025 NEW 51025 HKD",
      ],
      [
        "the size of an edition is not a price, even with a currency after it",
        "26401RO camo used 2019 Ltd 500 HKD 290,000",
        "26401RO 2019 USED 290000 HKD",
      ],
      [
        'text after "all" at the end of a line applies to each watch',
        "126610LN 107k hkd, 126610LV 113k hkd all N2/26",
        "126610LN 2026 NEW 107000 HKD",
        "126610LV 2026 NEW 113000 HKD",
      ],
      [
        "a line with another date and price is another piece",
        "5072R full set\nN9 2025: 1.72m\nN1 2026: 1.83m",
        "5072R 2025 NEW FULL_SET 1720000 HKD",
        "5072R 2026 NEW FULL_SET 1830000 HKD",
      ],
      [
        "decorations after an ask do not hide it",
        "Rolex\n12661lv 07/2025 116000 🔥🔥",
        "12661lv 2025 116000 HKD",
      ],
      [
        "a line of a numbered list can be a request",
        "1) Need 126500LN white N3",
        "wanted 126500LN 2026 NEW",
      ],
    ],
    HONG_KONG,
  );
});

describe("American messages", () => {
  check(
    [
      [
        "two digits between the dial or bracelet and the ask are a year",
        "126300 blue jub 22 8.9k\n124300 green 21 $9.4k",
        "126300 2022 8900 USD",
        "124300 2021 9400 USD",
      ],
      [
        "a decimal at the end of a line is the ask, and the last line applies to all",
        "278271 choco jub 18.5\n278273 champ jub 15.5\nNew fresh 3/26",
        "278271 2026 NEW 18500 USD",
        "278273 2026 NEW 15500 USD",
      ],
      [
        "in a list of references, a model name is a watch too",
        "126503 white, good condition 08/2024 $22800\n\n07/2022 oyster blue Sky-Dweller, preowned $19300",
        "126503 2024 USED 22800 USD",
        "Sky-Dweller 2022 USED 19300 USD",
      ],
      [
        "an ask before a blank line does not belong to the next watch",
        "03.3107.3600 Chronomaster\nNew 10/2023 $7800\nNew 04/2024 $8000\n\n126300 white, new\n06/2024\n$8600",
        "03.3107.3600 2023 NEW 7800 USD",
        "03.3107.3600 2024 NEW 8000 USD",
        "126300 2024 NEW 8600 USD",
      ],
      [
        "14k with a dollar sign is a price and not gold",
        "126613LB 2024 complete $14k",
        "126613LB 2024 FULL_SET 14000 USD",
      ],
      [
        "a complete protective film is not a complete set",
        "228235 2024 watch card, complete ppf 56k",
        "228235 2024 WATCH_AND_CARD 56000 USD",
      ],
      [
        "the value of the gold is not the ask",
        "18038 used, gold price: $11,700, watch only $12,900",
        "18038 USED WATCH 12900 USD",
      ],
      ["a part at the start of a line is not a watch", "Dial 126334 blue roman with hands $800"],
      ["a bezel insert is not a watch", "126610 bezel insert black OEM $250"],
      ["links are not a watch", "Links 126610 2 pieces $180 each"],
    ],
    AMERICA,
  );
});

test("a text with too many lines is cut, and the rejections say so", () => {
  const { listings, rejections } = readMessage(
    `126334 €11.000\n${"x\n".repeat(LINES_MAX)}126610LN €9.000`,
  );

  assert.equal(listings.length, 1);
  assert.deepEqual(rejections, [{ reason: "text_cut" }]);
});
