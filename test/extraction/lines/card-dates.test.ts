import { describe, test } from "node:test";
import { assertWatches } from "../../support/extraction.ts";

const HONG_KONG = { defaultCurrency: "HKD" };

describe("years of a card", () => {
  test("a plus that is glued to the next word does not make an open range", () => {
    assertWatches(["reference", "year", "price"], {
      "Rolex 279174 pink\n\nCard year 2021+white tag\n\n8,4 eur": ["279174 | 2021 | 8400 EUR"],
      "126300 blue 2022+tag+box 8.100€": ["126300 | 2022 | 8100 EUR"],
      "WTB 126300 blue 2022+": ["126300 | - | -"],
    });
  });

  test("a range of a short and a long year has no year", () => {
    assertWatches(
      ["reference", "year", "price"],
      {
        "5726/1A full set 21-2022 HKD 780k": ["5726/1A | - | 780000 HKD"],
        "5167A full set 23/2024 HKD 430k": ["5167A | - | 430000 HKD"],
      },
      HONG_KONG,
    );
  });

  test("a short year before an N month needs no date of the message", () => {
    assertWatches(
      ["reference", "year", "condition"],
      { "5164R 25/N9 HKD 498k": ["5164R | 2025 | NEW"] },
      { ...HONG_KONG, messageDate: undefined as never },
    );
  });

  test("two digits at the end of a request are a year", () => {
    assertWatches(["side", "reference", "year"], {
      "ntq 126500LN full set 24": ["want_to_buy | 126500LN | 2024"],
      "wtb 126334 blue 23": ["want_to_buy | 126334 | 2023"],
      "ntq 126500LN white 24 full set": ["want_to_buy | 126500LN | 2024"],
      "ntq 116508 green 19 fs": ["want_to_buy | 116508 | 2019"],
      "need 5167A 21": ["want_to_buy | 5167A | 2021"],
    });
  });

  test("two digits before a comma can be a year, and a decimal comma is not", () => {
    assertWatches(["reference", "year", "price"], {
      "124300 silver, 22, complete, 6.9k€": ["124300 | 2022 | 6900 EUR"],
      "116610LN used 19, full set, 9.6k€": ["116610LN | 2019 | 9600 EUR"],
      "124300 silver full set 12,5k€": ["124300 | - | 12500 EUR"],
    });
  });

  test("a year before a place is not an amount", () => {
    assertWatches(["reference", "year", "price"], {
      "need 7118/1200A grey new 2026 hk": ["7118/1200A | 2026 | -"],
    });
  });

  test("the letter of a serial number has a year behind it", () => {
    assertWatches(["reference", "year"], {
      "14060, U serial 1998, €6.200": ["14060 | 1998"],
      "14060 serial 8123456 €6.200": ["14060 | -"],
    });
  });

  test("a number of years is no year", () => {
    assertWatches(["reference", "year"], {
      "12 years with one owner and now for sale: Rolex 16233 7.400€": ["16233 | -"],
    });
  });

  test("the stamp of a clasp or a bracelet gives no year", () => {
    assertWatches(["reference", "year"], {
      "16610 watch only, clasp stamped 2008, €6.900": ["16610 | -"],
      "16600 bracelet stamp 2004, head only €5.200": ["16600 | -"],
    });
  });

  test("the month of the cards is the latest such month, and a header gives it to all watches", () => {
    assertWatches(["reference", "year", "condition"], {
      "Unworn, March cards, label not included\n126900 €8.300\n124270 €7.900": [
        "126900 | 2026 | NEW",
        "124270 | 2026 | NEW",
      ],
      "126300 black November card €9.100": ["126300 | 2025 | -"],
      "126300 black November card 2023 €9.100": ["126300 | 2023 | -"],
    });
  });

  test("papers of a service give no year", () => {
    assertWatches(["reference", "year"], {
      "15202ST blue, watch and 2021 AP service report €58k": ["15202ST | -"],
      "16520 (2019 service papers) €21.500": ["16520 | -"],
      "5970P, service invoice 2023, €118.000": ["5970P | -"],
      "116520 from 2013, service papers 2022, €17.900": ["116520 | 2013"],
    });
  });

  test("an N before a date means new, glued or with a space", () => {
    assertWatches(
      ["reference", "year", "condition", "price"],
      {
        "5261R N 2/2026 HKD 345,000": ["5261R | 2026 | NEW | 345000 HKD"],
        "5205R bluN3/26 HKD 398k": ["5205R | 2026 | NEW | 398000 HKD"],
        "5396G N12/2025HKD 402k": ["5396G | 2025 | NEW | 402000 HKD"],
      },
      HONG_KONG,
    );
  });
});
