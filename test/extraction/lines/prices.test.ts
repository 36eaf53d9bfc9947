import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertWatches, readPrice, readWatch } from "../../support/extraction.ts";

const HONG_KONG = { defaultCurrency: "HKD" };
const AMERICA = { defaultCurrency: "USD" };

describe("ways of writing an amount", () => {
  const cases: readonly [rule: string, text: string, price: string][] = [
    ["a dot groups thousands in Europe", "126334 €11.450", "11450 EUR"],
    ["a comma groups thousands as well", "126334 €11,450", "11450 EUR"],
    ["an apostrophe groups thousands", "126334 CHF 11'450", "11450 CHF"],
    [
      "mixed separators are fine if each is before three digits",
      "5270P HKD 1.145,000",
      "1145000 HKD",
    ],
    ["spaces group thousands before a currency", "5270P 1 145 000 HKD", "1145000 HKD"],
    ["a comma and a dash can end a price", "126334 €11.450,-", "11450 EUR"],
    ["a slash and a dash can end a price", "126334 411,000 /- AED", "411000 AED"],
    ["cents after a grouped amount are cents", "126334 SGD 16'300.00", "16300 SGD"],
    ["k means thousands", "126334 11.4k €", "11400 EUR"],
    ["a comma before k is a decimal point", "126334 11,4k €", "11400 EUR"],
    ["a space inside a decimal with a unit is ignored", "126334 11. 4k €", "11400 EUR"],
    ["m means millions", "5270P HKD 1.14m", "1140000 HKD"],
    ["the unit can be a word", "5270P 1.14 million hkd", "1140000 HKD"],
    ["万 means ten thousands", "5270P 114万 HKD", "1140000 HKD"],
    ["萬 means ten thousands", "5270P HKD 114萬", "1140000 HKD"],
    ["the amount can be before the watch", "11.450 euro Rolex 126334 blue", "11450 EUR"],
    ["keycap digits are digits", "126334 €1️⃣1️⃣4️⃣5️⃣0️⃣", "11450 EUR"],
    ["full-width digits are digits", "126334 €１１４５０", "11450 EUR"],
    ["Arabic digits are digits", "126334 €١١٤٥٠", "11450 EUR"],
    ["a currency glued to a unit is read", "5270P 2021 1.14mhkd", "1140000 HKD"],
    ["a price glued to a year word is read", "5990/1R 2022yr271000usdt", "271000 USDT"],
    [
      "a year and an amount with a comma between them are two numbers",
      "15468BA,2024,1.3M HKD",
      "1300000 HKD",
    ],
  ];
  for (const [rule, text, price] of cases) {
    test(rule, () => assert.equal(readPrice(text), price));
  }
});

describe("an omitted unit", () => {
  test("a small decimal means thousands in euros", () =>
    assert.equal(readPrice("126334 €11,4"), "11400 EUR"));
  test("a small number with two decimals means thousands too", () =>
    assert.equal(readPrice("126503 €21,00"), "21000 EUR"));
  test("behind a date, two decimals at the end of a line are the ask", () => {
    assert.equal(readPrice("126610LN 2023 full set 11.95"), "11950 EUR");
    assert.equal(readPrice("79030N N4/26 3.05"), "3050 EUR");
  });
  test("a decimal between a date and a set is the ask", () =>
    assert.equal(readPrice("126200 green 2021 7.7 full set"), "7700 EUR"));
  test("a decimal before a separator and the next watch is the ask", () =>
    assertWatches(["reference", "price"], {
      "116500LN 2020 full set 26.4 // 116520 2012 w/c 19.9 // 116523 2008 11.2": [
        "116500LN | 26400 EUR",
        "116520 | 19900 EUR",
        "116523 | 11200 EUR",
      ],
    }));
  test("two decimals without a date before them are a date", () => {
    assert.equal(readPrice("126610LN full set 10.25"), "none");
    assert.equal(readPrice("126610LN 2019 serviced 10.25"), "none");
  });
  test("the month of the card behind its year is no ask", () => {
    assert.equal(readPrice("126610LN 2024 full set card 11.24"), "none");
    assert.equal(readPrice("126334 2024 dated 05.24"), "none");
    assert.equal(readPrice("126610LN 2025 new 03.25"), "none");
  });
  test("a size or a time of the day is no ask", () => {
    assert.equal(readPrice("310.30.42.50.01.001 42mm thickness 13.18"), "none");
    assert.equal(readPrice("126610LN 2023 full set pickup 18.30"), "none");
  });
  test("a small decimal means thousands in dollars", () =>
    assert.equal(readPrice("126334 $11.4", AMERICA), "11400 USD"));
  test("a small decimal means millions in Hong Kong dollars", () =>
    assert.equal(readPrice("5270P HKD1.94"), "1940000 HKD"));
});

describe("amounts that are left out instead of guessed", () => {
  const cases: readonly [rule: string, text: string, reason: string][] = [
    [
      "a group of two digits in the middle of a number",
      "7118/1R N2 HKD1,045,00",
      "malformed_number",
    ],
    ["a doubled unit", "26405CE N2 HKD 191kk", "malformed_number"],
    ["thousands that contradict the size", "5270J HKD1.08k", "unit_contradicts_size"],
    ["more thousands than dealers write with a k", "26470OR HKD7315K", "unit_contradicts_size"],
    ["a small whole number without a unit", "5524G HKD412", "unit_unknown"],
    [
      "two asks in one currency that differ a lot",
      "126334 €11.450 or maybe €15.900",
      "several_prices",
    ],
  ];
  for (const [rule, text, reason] of cases) {
    test(rule, () => {
      const listing = readWatch(text);

      assert.equal(listing.price, undefined);
      assert.deepEqual(
        listing.leftOut.map((left) => left.reason),
        [reason],
      );
    });
  }

  test("an amount with an unknown currency", () => {
    const listing = readWatch("126334 11.4k", { defaultCurrency: undefined as never });

    assert.equal(listing.price, undefined);
    assert.equal(listing.leftOut[0]?.reason, "currency_unknown");
  });
});

describe("currencies", () => {
  const cases: readonly [rule: string, text: string, price: string][] = [
    ["a symbol beats the group's default", "126334 €11.450", "11450 EUR"],
    ["u after a unit is USDT", "5990/1R 271k u", "271000 USDT"],
    ["ustd is USDT", "RM016 white gold 97k ustd", "97000 USDT"],
    ["US$ is USD", "126334 US$14,200", "14200 USD"],
    ["HK$ is HKD", "126334 HK$114,000", "114000 HKD"],
    ["a code after the amount decides which dollar it is", "5726/1A $1,04m hkd", "1040000 HKD"],
    [
      "a way of payment after a euro amount does not change the currency",
      "126515LN €44k usdt",
      "44000 EUR",
    ],
    [
      "a way of payment on the next line does not change the currency",
      "126610LV\n€13.200\nbh or usdt",
      "13200 EUR",
    ],
    ["a bare dollar sign means the group's default dollar", "126334 $114,000", "114000 HKD"],
    ["a bare number has the group's default currency", "126334 114,000", "114000 HKD"],
    ["RM before a grouped amount is the ringgit", "126334 RM 64,500", "64500 MYR"],
    ["a place in the text beats the group's default", "116500LN $29,900+ship NYC", "29900 USD"],
  ];
  for (const [rule, text, price] of cases) {
    test(rule, () => assert.equal(readPrice(text, HONG_KONG), price));
  }

  test("without a default, the sender's country decides a bare dollar sign", () => {
    const input = { defaultCurrency: undefined as never, senderCountry: "852" };

    assert.equal(readPrice("126334 $114,000", input), "114000 HKD");
  });

  test("the currency of a header applies to the lines below it", () => {
    const listing = readWatch("All prices in USD\n126334 14.2k", HONG_KONG);

    assert.deepEqual(listing.price, { amountMinor: 1_420_000, currency: "USD" });
    assert.equal(listing.sources.currency, "section");
  });
});

describe("two amounts for one watch", () => {
  test("the first amount is the ask, the other one the alternative", () => {
    const listing = readWatch("5269R €58500 or 531,000 HKD");

    assert.deepEqual(listing.price, { amountMinor: 5_850_000, currency: "EUR" });
    assert.deepEqual(listing.alternativePrice, { amountMinor: 53_100_000, currency: "HKD" });
  });

  test("an amount in HKD is the ask, even after one in USD", () => {
    const listing = readWatch("7042G 91k Usd or 705k Hkd");

    assert.deepEqual(listing.price, { amountMinor: 70_500_000, currency: "HKD" });
    assert.deepEqual(listing.alternativePrice, { amountMinor: 9_100_000, currency: "USD" });
  });

  test("two currencies on two lines are one watch", () => {
    const listing = readWatch("276200 blue N2\nHKD 51000\nUSD 6550");

    assert.equal(listing.price?.currency, "HKD");
    assert.equal(listing.alternativePrice?.currency, "USD");
  });

  test("a retail price is stored in addition to the ask", () => {
    const listing = readWatch("126334 retail €12.100 now €10.200");

    assert.deepEqual(listing.price, { amountMinor: 1_020_000, currency: "EUR" });
    assert.deepEqual(listing.retailPrice, { amountMinor: 1_210_000, currency: "EUR" });
  });

  test("a retail word between two amounts belongs to the larger one", () => {
    assert.equal(readPrice("126334 12100€ retail 10200€"), "10200 EUR");
    assert.equal(readPrice("WSSA0018 2023. It lists at €8.100, mine is €5.300"), "5300 EUR");
  });

  test("a list price minus a percentage is computed exactly", () => {
    const listing = readWatch("7147BB/29 HKD 204000-35%");

    assert.deepEqual(listing.price, { amountMinor: 13_260_000, currency: "HKD" });
    assert.deepEqual(listing.retailPrice, { amountMinor: 20_400_000, currency: "HKD" });
  });

  test("next to an amount with a currency code, a bare dollar sign means another dollar", () => {
    assert.equal(readPrice("7118/1A N2 $41k 320000hkd", HONG_KONG), "320000 HKD");
  });

  test("an amount after an arrow is the new, lower price", () => {
    assert.equal(readPrice("126610LN €10.8k -> €10.5k"), "10500 EUR");
  });

  test("an ask can follow a discounted list price on a later line", () => {
    const listing = readWatch("Unworn 5226G-001\nRetail $ 46,300 (-20% off)\n$37,000", AMERICA);

    assert.deepEqual(listing.price, { amountMinor: 3_700_000, currency: "USD" });
    assert.deepEqual(listing.retailPrice, { amountMinor: 4_630_000, currency: "USD" });
  });

  test("a rate of exchange is no ask", () => {
    assert.equal(readPrice("5960P 2009 full set US$ 46.500,- (rate to hkd 7.8)"), "46500 USD");
    assert.equal(readPrice("114060 2014 good rate 7.8k€ full set"), "7800 EUR");
  });

  test("a written result beats the computed one", () => {
    assert.equal(readPrice("WSSA0029 71,500 -20% = 57,000HK$"), "57000 HKD");
  });
});

describe("numbers that are not a price", () => {
  const cases: readonly [rule: string, text: string][] = [
    ["links", "126334 11.5 links"],
    ["millimetres", "126334 41mm"],
    ["days until delivery", "126334 3-5 days"],
    ["the fineness of gold", "116688 18k white gold"],
    ["a depth", "126067 300m"],
    ["a stock number", "126334\nSKU: 16364"],
    ["a limited edition", "26176FO limited edition 4200"],
    ["a calibre", "116618LN calibre 3135"],
    ["a reference", "126334 and nothing else"],
    ["the upper limit of a request", "WTB 126334 under €9.000"],
  ];
  for (const [rule, text] of cases) test(rule, () => assert.equal(readPrice(text), "none"));
});
