import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertWatches, readMessage, readWatch } from "../support/extraction.ts";

const FIELDS = ["reference", "year", "price"] as const;

describe("one place decides what a number is", () => {
  test("a sign that touches the amount before it does not take the number behind it", () => {
    assertWatches(FIELDS, {
      "12.800€ 126710 blnr 2021 full set": ["126710 blnr | 2021 | 12800 EUR"],
      "126300 grey 7.900€ 126334 blue 9.300€": ["126300 | - | 7900 EUR", "126334 | - | 9300 EUR"],
      "5167A 45k€ 2018 fs": ["5167A | 2018 | 45000 EUR"],
      "9.450,- EUR 126334 blue 2020": ["126334 | 2020 | 9450 EUR"],
    });
    assertWatches(
      FIELDS,
      { "5167A 47k$ 2018 fs": ["5167A | 2018 | 47000 USD"] },
      { defaultCurrency: "USD" },
    );
  });

  test("a code between two numbers goes to the one that needs it", () => {
    assertWatches(FIELDS, {
      "126334 2021 HKD 92,500": ["126334 | 2021 | 92500 HKD"],
      "126334 92,500 HKD 2021": ["126334 | 2021 | 92500 HKD"],
    });
  });

  test("every currency code makes a known number an amount", () => {
    for (const code of ["AUD", "CAD", "NZD", "THB", "SEK", "PLN"])
      assertWatches(FIELDS, {
        [`Rolex 124060 2021 full set 16600 ${code}`]: [`124060 | 2021 | 16600 ${code}`],
      });
  });

  test("the end of a code does not join the amount behind it", () => {
    assertWatches(FIELDS, {
      "Seiko Presage SRPB43J1 340 EUR": ["SRPB43J1 | - | 340 EUR"],
      "Seiko 7002-7000 1989 95€": ["7002-7000 | 1989 | -"],
    });
  });

  test("a bare number that ends like a calibre is no ask", () => {
    assert.equal(readWatch("WTB 16610 with 3135 inside").price, undefined);
  });

  test("a decimal before words of a sale is in thousands", () => {
    for (const words of ["obo", "net", "firm", "neg", "ono", "VB"])
      assert.equal(
        readWatch(`126300 blue 2021 fs 8.3 ${words}`).price?.amountMinor,
        830_000,
        words,
      );
  });

  test("a range of asks is left out", () => {
    for (const text of ["5167A 2018 full set 43k-46k€", "126610LN 2021 FS 10.8-11.3k"]) {
      const { price, leftOut } = readWatch(text);

      assert.equal(price, undefined);
      assert.deepEqual(
        leftOut?.map(({ reason }) => reason),
        ["several_prices"],
      );
    }
  });

  test("the struck-out and the old price are not the ask", () => {
    assertWatches(FIELDS, {
      "~€14.900~ €14.100 126711CHNR 2022 FS": ["126711CHNR | 2022 | 14100 EUR"],
      "5227G 2018 fs ~HKD 192k~ HKD 181k": ["5227G | 2018 | 181000 HKD"],
      "Old price 9.8k new price 9.3k 126622 rhodium 2021": ["126622 | 2021 | 9300 EUR"],
    });
  });

  test("days of posting, decades and names of models are no years of the watch", () => {
    assertWatches(["reference", "model", "year"], {
      "9/17 RM11-03 rg 2021/04 1.8m hkd": ["RM11-03 | RM 011 | 2021"],
      "Rolex 1603 grey dial 1970's 3.050€": ["1603 | Datejust | -"],
      "Tudor Classic 1926 36mm new 2024 €1.310": ["- | 1926 | 2024"],
    });
  });

  test("the house that is named beats the shape of another one", () => {
    assertWatches(["brand", "reference"], {
      "Girard-Perregaux 8102-1135 Laureato 2019 FS 7.300€": ["Girard-Perregaux | 8102-1135"],
      "Audemars Piguet Royal Oak 56272TT 1996 18.800€": ["Audemars Piguet | 56272TT"],
      "Certina DS PH200M C036.408.11.050.00 2022 510€": ["Certina | C036.408.11.050.00"],
    });
  });
});

describe("amounts as other languages write them", () => {
  const AMOUNTS: readonly (readonly [currency: string, written: string, value: number])[] = [
    ["EUR", "12.400,-", 12_400],
    ["CHF", "12'400", 12_400],
    ["EUR", "12 400 €", 12_400],
    ["EUR", "15k4", 15_400],
    ["EUR", "12,4 mila", 12_400],
    ["EUR", "12 mil", 12_000],
    ["EUR", "12 mil 400 euros", 12_400],
    ["BRL", "R$ 78.400", 78_400],
    ["BRL", "78 mil", 78_000],
    ["TRY", "480 bin TL", 480_000],
    ["RUB", "1,2 млн", 1_200_000],
    ["RUB", "1 млн 90 тыс", 1_090_000],
    ["RUB", "890 тыс", 890_000],
    ["VND", "250 triệu", 250_000_000],
    ["VND", "250tr500", 250_500_000],
    ["VND", "1 tỷ 2", 1_200_000_000],
    ["IDR", "185 juta", 185_000_000],
    ["CNY", "8.5万", 85_000],
    ["HKD", "8萬5", 85_000],
    ["AED", "٤٢٬٥٠٠ درهم", 42_500],
    ["AED", "٤٢ ألف و٥٠٠ درهم", 42_500],
  ];
  for (const [currency, written, value] of AMOUNTS)
    test(`"${written}" is ${value} ${currency}`, () => {
      const { price } = readWatch(`126334 2021 ${written}`, { defaultCurrency: currency });

      assert.deepEqual(price, { amountMinor: value * 100, currency });
    });
});

test("the reading of a line does not depend on the order of its parts", () => {
  const prices = ["€9.450", "9.450€", "9.450 EUR", "EUR 9450", "9,45k€", "9 450 €", "9.450,- EUR"];
  for (const price of prices)
    for (const separator of [" ", ", ", " / ", " - "])
      for (const parts of orders(["16610", "black", "2005", "full set", price])) {
        const text = parts.join(separator);
        const shown = readMessage(text).listings.map((listing) => [
          listing.reference,
          listing.dialType,
          listing.year,
          listing.fullSetStatus,
          listing.price,
        ]);

        const ask = { amountMinor: 945_000, currency: "EUR" };
        assert.deepEqual(shown, [["16610", "black", 2005, ["FULL_SET"], ask]], text);
      }
});

/** Returns every order of the parts. */
function orders(parts: readonly string[]): readonly (readonly string[])[] {
  if (parts.length < 2) return [parts];
  return parts.flatMap((part, at) =>
    orders(parts.filter((_, index) => index !== at)).map((rest) => [part, ...rest]),
  );
}
