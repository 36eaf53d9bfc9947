import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readMessage, readWatch } from "../../support/extraction.ts";

describe("the shape of a reference determines its brand", () => {
  const cases: readonly [text: string, reference: string, brand: string][] = [
    ["126610LN", "126610LN", "Rolex"],
    ["126718 GRNR", "126718 GRNR", "Rolex"],
    ["124300-0006", "124300-0006", "Rolex"],
    ["16610", "16610", "Rolex"],
    ["79360N", "79360N", "Tudor"],
    ["M79000", "M79000", "Tudor"],
    ["5711/1A-010", "5711/1A-010", "Patek Philippe"],
    ["5740/ 1G", "5740/ 1G", "Patek Philippe"],
    ["7118 1200a", "7118 1200a", "Patek Philippe"],
    ["3970EG", "3970EG", "Patek Philippe"],
    ["15510ST", "15510ST", "Audemars Piguet"],
    ["26240BC.OO.1320BC.04", "26240BC.OO.1320BC.04", "Audemars Piguet"],
    ["RM 67-02", "RM 67-02", "Richard Mille"],
    ["rm1103", "rm1103", "Richard Mille"],
    ["WSSA0062", "WSSA0062", "Cartier"],
    ["W69012Z4", "W69012Z4", "Cartier"],
    ["HPI01607", "HPI01607", "Cartier"],
    ["310.30.42.50.01.001", "310.30.42.50.01.001", "Omega"],
    ["4500V/110A-B128", "4500V/110A-B128", "Vacheron Constantin"],
    ["49150/000W-9015", "49150/000W-9015", "Vacheron Constantin"],
    ["191.032", "191.032", "A. Lange & Söhne"],
    ["IW371701", "IW371701", "IWC"],
    ["IW3717-01", "IW3717-01", "IWC"],
    ["pam1312", "pam1312", "Panerai"],
    ["AB0138211B1P1", "AB0138211B1P1", "Breitling"],
    ["541.NX.1171.RX", "541.NX.1171.RX", "Hublot"],
    ["Q3848420", "Q3848420", "Jaeger-LeCoultre"],
    ["CBS2210.FC6534", "CBS2210.FC6534", "TAG Heuer"],
    ["SBGA211", "SBGA211", "Grand Seiko"],
    ["03.3100.3600/21.M3100", "03.3100.3600/21.M3100", "Zenith"],
    ["6902-1201", "6902-1201", "H. Moser & Cie."],
    ["7337BR/15/9VU", "7337BR/15/9VU", "Breguet"],
    ["5015-1130-52A", "5015-1130-52A", "Blancpain"],
    ["Bvlgari 103434", "103434", "Bulgari"],
    ["298601-3012", "298601-3012", "Chopard"],
    ["PFC914", "PFC914", "Parmigiani Fleurier"],
    ["81020-11-3154-1CM", "81020-11-3154-1CM", "Girard-Perregaux"],
  ];
  for (const [text, reference, brand] of cases) {
    test(`${text} is ${brand}`, () => {
      const listing = readWatch(`${text} worn 2021, complete, €9.450`);

      assert.equal(listing.reference, reference);
      assert.equal(listing.brand, brand);
      assert.equal(listing.price?.amountMinor, 945_000);
    });
  }
});

describe("a reference and the text around it", () => {
  test("a reference can be glued to its brand", () =>
    assert.equal(readWatch("PP5330G 2024 €61.000").reference, "5330G"));
  test("a reference can be glued to its condition", () =>
    assert.equal(readWatch("New5230p 1/2026 HKD512K").reference, "5230p"));
  test("a reference can be glued to its dial", () => {
    const listing = readWatch("126500white 2024 €29.000");

    assert.equal(listing.reference, "126500");
    assert.equal(listing.dialType, "white");
  });
  test("the first letter of a glued word is not part of the reference", () => {
    assert.equal(readWatch("126334Green 2024 €12.000").reference, "126334");
  });
  test("a dial code is not part of the reference", () => {
    const listing = readWatch("126334g blue N3 HKD 128k");

    assert.equal(listing.reference, "126334");
    assert.equal(listing.dialType, "blue diamond");
  });
  test("a reference is stored as written and in normalized form", () => {
    assert.equal(readWatch("5711/1a-010 2019 €98.000").referenceNormalized, "57111A010");
  });
  test("a reference beats the brand of the header above it", () => {
    assert.equal(readWatch("AP STOCK\n5712/1A blue N2 HKD 1.2m").brand, "Patek Philippe");
  });
  test("a reference can have four digits if the brand is named", () => {
    assert.equal(readWatch("Rolex 6917 naked 2600€").reference, "6917");
  });
  test("a base number without a metal letter is known", () => {
    assert.equal(readWatch("wtb 5990, complete").brand, "Patek Philippe");
  });
  test("a reference in two forms is one watch", () => {
    assert.equal(readWatch("124270 124270-0001 2023 €7.100").reference, "124270-0001");
  });
  test("the reference of a bracelet is not the watch's reference", () => {
    assert.equal(readWatch("Rolex 16600 2003\nBracelet: 93160A, W&P €8.300").reference, "16600");
  });
  test("a reference with a typing error is repaired if the catalogue has only one candidate", () => {
    const [, listing] = readMessage("ROLEX\n114060 4/2019 71500\n11661lv 03/2018 83000", {
      defaultCurrency: "HKD",
    }).listings;

    assert.equal(listing?.reference, "11661lv");
    assert.equal(listing?.referenceNormalized, "116610LV");
    assert.equal(listing?.price?.amountMinor, 8_300_000);
  });
});

describe("numbers that look like a reference but are not", () => {
  test("a price with the digits of a reference", () => {
    assert.equal(
      readWatch("4997/200G blue n2 126500", { defaultCurrency: "HKD" }).price?.amountMinor,
      12_650_000,
    );
  });
  test("a price on a line of its own", () => {
    assert.equal(
      readWatch("Patek Philippe 5119G\nwatch only, serviced\n16000").price?.amountMinor,
      1_600_000,
    );
  });
  test("a stock number", () =>
    assert.equal(readWatch("Rolex 116200, 2009\nSKU: 16233\n€5100").reference, "116200"));
  test("a range of years", () =>
    assert.equal(readWatch("NTQ 5935A 2023-2024 new").reference, "5935A"));
  test("the number in a model name", () =>
    assert.equal(readWatch("Rolex 1908 52506 07/25 €36.500").reference, "52506"));
  test("a price with a word after it", () => {
    assert.equal(readWatch("5269R €58500 or best offer").price?.amountMinor, 5_850_000);
  });
});

describe("a watch without a reference", () => {
  test("a watch without a reference needs a brand and a model", () => {
    const listing = readWatch("FPJ resonance rose gold 2013 212k usd");

    assert.equal(listing.brand, "F.P.Journe");
    assert.equal(listing.model, "Chronomètre à Résonance");
    assert.equal(listing.reference, undefined);
  });
  test("a brand alone is not a listing", () =>
    assert.equal(readMessage("Rolex 2020 €8.000").listings.length, 0));
});
