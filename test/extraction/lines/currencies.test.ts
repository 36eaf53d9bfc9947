import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertWatches, readWatch } from "../../support/extraction.ts";

const HONG_KONG = { defaultCurrency: "HKD" };
const AMERICA = { defaultCurrency: "USD" };

describe("which currency an amount has", () => {
  test("a letter of a word that is written with spaces names no currency", () => {
    assertWatches(
      ["reference", "price"],
      {
        "N A U T I L U S\n5712/1A\n88.5 k shipped": ["5712/1A | 88500 USD"],
        "S U B M A R I N E R\n126610LN\nwatch and card\n12.4 k": ["126610LN | 12400 USD"],
        "H U L K\n116610LV\n15.9 k + label": ["116610LV | 15900 USD"],
      },
      AMERICA,
    );
  });

  test("an arrow between the code and the amount is skipped", () => {
    assertWatches(
      ["year", "price"],
      {
        "126334 2021 SGD->13,900": ["2021 | 13900 SGD"],
        "5227G 2019 HKD -> 205k": ["2019 | 205000 HKD"],
      },
      AMERICA,
    );
  });

  test("a place in the United States makes a bare amount US dollars", () => {
    assertWatches(
      ["price"],
      {
        "5712/1R 2021 used 118k available in US": ["118000 USD"],
        "126710BLNR 2022 full set 14.2k located in the USA": ["14200 USD"],
        "116500LN black 2020 $23,500 in Miami": ["23500 USD"],
      },
      HONG_KONG,
    );
  });

  test("a code at the amount beats a dollar sign and the group's default", () => {
    assertWatches(
      ["price"],
      {
        "5726/1A blue $598,000hkd 3/2026": ["598000 HKD"],
        "126334 2022 $13,900SGD": ["13900 SGD"],
        "5168G 2023 82k (usdt)": ["82000 USDT"],
        "5167R 2021 CN¥420k": ["420000 CNY"],
      },
      AMERICA,
    );
  });

  test("an amount in a currency that dealers use rarely never gets the group's default", () => {
    for (const text of [
      "116233 2012 NZ$11,800",
      "116233 2012 ₩14,500,000",
      "116233 2012 ₹875,000",
      "116233 2012 ฿345,000",
      "116233 2012 R$58,000",
      "116233 2012 MXN 189,000",
      "116233 2012 kr 62.000",
    ]) {
      assert.notEqual(readWatch(text, AMERICA).price?.currency, "USD", text);
    }
  });

  test("a closing line can name the currency", () => {
    assertWatches(["price"], { "116610LN 2015 $8,300\nPrices in USD": ["8300 USD"] }, HONG_KONG);
  });

  test("a misspelt or short code of the Hong Kong dollar is read", () => {
    assertWatches(
      ["price"],
      {
        "126334 2021 92,000HKN": ["92000 HKD"],
        "126334 2022 HK 95k": ["95000 HKD"],
        "126334 2022 97,500 hdk": ["97500 HKD"],
      },
      AMERICA,
    );
  });

  test("a code between two amounts belongs to the second one if that has no other", () => {
    assertWatches(["price"], { "RM 010 used 710k usdt 90k": ["90000 USDT"] }, HONG_KONG);
  });

  test("the rate of exchange is not an ask", () => {
    assertWatches(
      ["reference", "price"],
      { "15510ST blue 2023 used 258k\nUSDT 7.8": ["15510ST | 258000 HKD"] },
      HONG_KONG,
    );
  });

  test("the euro is read in Russian", () => {
    assertWatches(
      ["price"],
      { "126334 2022 9500 евро": ["9500 EUR"], "116610LN 2018 8.900 евро": ["8900 EUR"] },
      AMERICA,
    );
  });
});

describe("a default currency that does not fit the usual price of the reference", () => {
  const readReasons = (text: string, defaultCurrency: string): string[] => {
    const { price, leftOut } = readWatch(text, { defaultCurrency });
    return [`${price?.currency ?? "none"}`, ...leftOut.map(({ reason }) => reason)];
  };

  test("leaves the price out if another currency fits", () => {
    for (const [text, currency] of [
      ["124060 2022 full links w/c $9,100 + label", "HKD"],
      ["126710BLRO 2021 16.5k net", "HKD"],
      ["126610LV 2023 complete $102,000", "USD"],
    ] as const) {
      assert.deepEqual(readReasons(text, currency), ["none", "currency_implausible"], text);
    }
  });

  test("changes nothing if the text names the currency or the price is plausible", () => {
    assert.deepEqual(readReasons("126610LV 2023 complete USD 13,400", "HKD"), ["USD"]);
    assert.deepEqual(readReasons("126610LV 2023 complete €105k", "EUR"), ["EUR"]);
    assert.deepEqual(readReasons("126610LV 2023 complete $102,000", "HKD"), ["HKD"]);
  });

  test("changes nothing for a reference without a usual price", () => {
    assert.deepEqual(readReasons("Rolex 6917 naked $2,600", "HKD"), ["HKD"]);
  });
});
