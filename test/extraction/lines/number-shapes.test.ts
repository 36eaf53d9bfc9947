import { describe, test } from "node:test";
import { assertWatches } from "../../support/extraction.ts";

const HONG_KONG = { defaultCurrency: "HKD" };
const AMERICA = { defaultCurrency: "USD" };

describe("numbers around an amount", () => {
  test("a year before a currency code is the year, and the amount behind the code is the price", () => {
    assertWatches(
      ["reference", "year", "price"],
      {
        "126900 black Used 2023 HKD:58,500": ["126900 | 2023 | 58500 HKD"],
        "5740/1G 2020 HKD1.125M": ["5740/1G | 2020 | 1125000 HKD"],
        "5167A used 2021 USD:61,000": ["5167A | 2021 | 61000 USD"],
      },
      HONG_KONG,
    );
  });

  test("a month and a year before a code and a colon are the date", () => {
    assertWatches(
      ["reference", "year", "price"],
      {
        "5712R-001 N9/25 HKD:780000": ["5712R-001 | 2025 | 780000 HKD"],
        "5167A-001 N11/24 HKD: 405000": ["5167A-001 | 2024 | 405000 HKD"],
      },
      HONG_KONG,
    );
  });

  test("a space before three digits groups thousands at the end of a watch's line", () => {
    assertWatches(["reference", "year", "price"], {
      "Port inclus, prix en euros\nTudor 79030N 2021 2 450\n126300 bleu 2022 8 250": [
        "79030N | 2021 | 2450 EUR",
        "126300 | 2022 | 8250 EUR",
      ],
      "Preise in CHF\n126334 blau 2022 10 900": ["126334 | 2022 | 10900 CHF"],
      "126334 blue 2022 full set, call 44 207 555": ["126334 | 2022 | -"],
    });
  });

  test("14k and 18k are a price where the price stands, and fineness next to gold", () => {
    const fields = ["reference", "price"] as const;
    assertWatches(fields, {
      "Submariner 126610LV 2021 full set 14k + ship": ["126610LV | 14000 EUR"],
      "Explorer 226570 polar 2023 w/c 14k": ["226570 | 14000 EUR"],
      "126334 2021 blue full set 14 k": ["126334 | 14000 EUR"],
      "126718GRNR 18k yellow gold 2024": ["126718GRNR | -"],
      "116518LN 18k gold 2021 full set €24.500": ["116518LN | 24500 EUR"],
    });
    assertWatches(
      fields,
      {
        "126710BLRO 2023 w/c 18k plus label": ["126710BLRO | 18000 USD"],
        "116613LB 2018 14k USDT": ["116613LB | 14000 USDT"],
      },
      AMERICA,
    );
  });

  test('a year or an amount behind "edition" is not the number of an edition', () => {
    assertWatches(
      ["reference", "year", "price"],
      {
        "RM030 Paris Edition 2018 full set $119k": ["RM030 | 2018 | 119000 USD"],
        "26237ST Chinese Edition 2020 complete 41.5k": ["26237ST | 2020 | 41500 USD"],
        "5970P Limited Edition 1.35 million HKD": ["5970P | - | 1350000 HKD"],
        "26176FO limited edition 4200": ["26176FO | - | -"],
      },
      AMERICA,
    );
  });

  test("digits that are glued to a year or a fraction are not part of the amount", () => {
    assertWatches(
      ["reference", "price"],
      {
        "5980/1R 2023y, 1.45m": ["5980/1R | 1450000 HKD"],
        "5740/1G 2019y1.05m": ["5740/1G | 1050000 HKD"],
        "15202ST 20182.05m": ["15202ST | 2050000 HKD"],
        "5164A 2018y, 30-415,640k hkd": ["5164A | 640000 HKD"],
      },
      HONG_KONG,
    );
  });
});

describe("shapes of amounts", () => {
  test("three decimals before a million or behind a currency code are a decimal", () => {
    assertWatches(
      ["price"],
      {
        "RM 27-02 2019 HKD 7.125m": ["7125000 HKD"],
        "26585CE 2022 used hkd2.875m": ["2875000 HKD"],
        "5990/1R 2021 HKD1.875": ["1875000 HKD"],
      },
      HONG_KONG,
    );
  });

  test("ku means thousands of USDT", () => {
    assertWatches(
      ["price"],
      {
        "15500ST 2021 used 31.5ku": ["31500 USDT"],
        "116508 green 2019 62ku": ["62000 USDT"],
      },
      HONG_KONG,
    );
  });

  test("a first group of four digits is read if three digits are behind each separator", () => {
    assertWatches(
      ["price"],
      {
        "5740/1G 2022 HKD 1150,000": ["1150000 HKD"],
        "5712/1R 2021 HKD 1080.000": ["1080000 HKD"],
      },
      HONG_KONG,
    );
  });

  test("an amount with a unit or groups that contradict its size is left out", () => {
    assertWatches(
      ["price"],
      {
        "5711/1R 2018 used hkd3.10k": ["-"],
        "5320G 2023 61,2000 HKD": ["-"],
      },
      HONG_KONG,
    );
  });

  test("spaces group thousands before cents", () => {
    assertWatches(
      ["year", "price"],
      {
        "2020 Rolex 126610LV mint $14 900.00 USD": ["2020 | 14900 USD"],
        "2019 Rolex 116508 mint $61 250.00 USD": ["2019 | 61250 USD"],
        "Omega 310.30.42.50.01.002 2022 € 6 450,00": ["2022 | 6450 EUR"],
        "126334 10 900,00 € full set 2021": ["2021 | 10900 EUR"],
      },
      AMERICA,
    );
  });

  test("a large decimal without a unit is not an amount in millions", () => {
    assertWatches(
      ["reference", "price"],
      {
        "126000 coral n2 $58.5": ["126000 | -"],
        "126234 blue n3 $81.5": ["126234 | -"],
      },
      HONG_KONG,
    );
  });

  test("of two columns of a table, the one with a currency is the price", () => {
    assertWatches(
      ["price"],
      {
        "116234 BLU 2014\t9.5\tHKD 61,300.00": ["61300 HKD"],
        "116300 WHT 2012\t11.5\tHKD 54,800.00": ["54800 HKD"],
      },
      HONG_KONG,
    );
  });
});

describe("amounts below a reference", () => {
  test("a decimal closes the line of a dated piece", () => {
    assertWatches(["reference", "year", "fullSetStatus", "price"], {
      "126710BLNR jubilee\n2021 w/c 11.9\n2023 full set 12.8": [
        "126710BLNR | 2021 | WATCH_AND_CARD | 11900 EUR",
        "126710BLNR | 2023 | FULL_SET | 12800 EUR",
      ],
    });
  });

  test("a number alone is the ask of a dated piece if it is like the ask above", () => {
    assertWatches(
      ["reference", "dialType", "price"],
      {
        "126233\nsilver jub N2 104k\nchamp jub N3 98500\ngreen jub N1 117k": [
          "126233 | silver | 104000 HKD",
          "126233 | champagne | 98500 HKD",
          "126233 | green | 117000 HKD",
        ],
      },
      HONG_KONG,
    );
  });

  test("an amount behind a sentence about the wrist is the ask, and not its size", () => {
    assertWatches(["reference", "price"], {
      "79030N 2022 full set, two months on the wrist. 2.4k takes it": ["79030N | 2400 EUR"],
    });
  });
});

describe("amounts that are not the ask", () => {
  test("a list price before the ask is not the ask", () => {
    assertWatches(["reference", "price"], {
      "IW371605 2024 unworn. List is €8.300, I need €5.900": ["IW371605 | 5900 EUR"],
      "IW371605 2024 unworn, list €8.300, asking €5.900": ["IW371605 | 5900 EUR"],
      "IW371605 2024 unworn, retail was 8.3 asking €5.900": ["IW371605 | 5900 EUR"],
    });
  });

  test("a deposit, the shipping and the market value are not the ask", () => {
    assertWatches(["reference", "price"], {
      "Rolex 126333\nDeposit EUR 1.500": ["126333 | -"],
      "116334 blue 2016 full set €7.900, deposit €500": ["116334 | 7900 EUR"],
      "126334 €10.400 + shipping €75": ["126334 | 10400 EUR"],
      "126334 2022 full set €10.900, reserve with €1.000": ["126334 | 10900 EUR"],
      "126610LN market value €12.900, asking €11.400": ["126610LN | 11400 EUR"],
    });
  });
});
