import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { foldWord } from "../../src/base/text.ts";
import { otherScripts } from "../../src/extraction/catalogue/brands/other-scripts.ts";
import { BUILT_IN_BRANDS } from "../../src/extraction/catalogue/catalogue.ts";
import { assertWatches, builtInCatalogue, findKnown, readMessage } from "../support/extraction.ts";

describe("watches that a name alone identifies", () => {
  test("the suffix of a reference names brand and model", () =>
    assertWatches(["brand", "model", "year", "price"], {
      "BLRO on jubilee 2023 complete 18.900€": ["Rolex | GMT-Master II | 2023 | 18900 EUR"],
      "vtnr 2024 full set €14,8k": ["Rolex | GMT-Master II | 2024 | 14800 EUR"],
      "126710 BLNR 2021 fs 13.900€": ["Rolex | GMT-Master II | 2021 | 13900 EUR"],
    }));

  test("what stands behind Oyster Perpetual is the model", () =>
    assertWatches(["model", "year", "price"], {
      "Rolex Oyster Perpetual Date 1991 watch only 3.150€": [
        "Oyster Perpetual Date | 1991 | 3150 EUR",
      ],
      "Rolex Oyster Perpetual Date Just 1988 naked 4.100€": ["Datejust | 1988 | 4100 EUR"],
      "Rolex Oyster Perpetual Day-Date 1990 w/c 13.900€": ["Day-Date | 1990 | 13900 EUR"],
      "Rolex Oyster Perpetual 41 2022 fs 8.100€": ["Oyster Perpetual 41 | 2022 | 8100 EUR"],
    }));

  test("1926 behind Classic is a model and not a year", () =>
    assertWatches(["model", "year", "price"], {
      "Tudor Classic 1926 39mm opaline, unworn 2024, 1.350€": ["1926 | 2024 | 1350 EUR"],
    }));
});

describe("references of houses that dealers trade rarely", () => {
  test("are read with their house and leave the price alone", () =>
    assertWatches(["brand", "reference", "price"], {
      "Ulysse Nardin 353-66 2009 fs 2.900€": ["Ulysse Nardin | 353-66 | 2900 EUR"],
      "Longines L2.793.4 2019 full set 1.450€": ["Longines | L2.793.4 | 1450 EUR"],
      "Certina DS PH500M C037.407.18.050.00 fs 480€": ["Certina | C037.407.18.050.00 | 480 EUR"],
      "Tissot T120.407.11.041.01 2023 new 590€": ["Tissot | T120.407.11.041.01 | 590 EUR"],
      "Mido M042.430.11.051.00 box papers 690€": ["Mido | M042.430.11.051.00 | 690 EUR"],
      "Hamilton Khaki H64615135 2020 fs 430€": ["Hamilton | H64615135 | 430 EUR"],
      "Rado DiaStar R12160303 2023 fs 980€": ["Rado | R12160303 | 980 EUR"],
      "Seiko SRPD63K1 310 EUR unworn": ["Seiko | SRPD63K1 | 310 EUR"],
      "Seiko 6139-6005 1976 serviced 690€": ["Seiko | 6139-6005 | 690 EUR"],
      "Casio GW-M5610U-1 unworn 270€": ["Casio | GW-M5610U-1 | 270 EUR"],
      "Girard-Perregaux 8104-2211 2018 FS 6.800€": ["Girard-Perregaux | 8104-2211 | 6800 EUR"],
      "Junghans 058/4801.01 Meister 2022 900€": ["Junghans | 058/4801.01 | 900 EUR"],
      "Baume & Mercier M0A10468 2021 fs 1.350€": ["Baume & Mercier | M0A10468 | 1350 EUR"],
      "Heuer Carrera 1158CHN 1971 naked 19.500€": ["TAG Heuer | 1158CHN | 19500 EUR"],
      "IWC 3717-05 2010 fs 3.300€": ["IWC | 3717-05 | 3300 EUR"],
      "AP 56175TT tantalum 1995 naked 9.900€": ["Audemars Piguet | 56175TT | 9900 EUR"],
      "AP 5402ST B series 1974 39k€": ["Audemars Piguet | 5402ST | 39000 EUR"],
      "Omega Speedmaster 145.022-74 naked 4.700€": ["Omega | 145.022-74 | 4700 EUR"],
    }));

  test("keep their price when another watch without one is on the line", () =>
    assertWatches(["brand", "reference", "price"], {
      "Longines L3.781.4 €1.150; Tudor 79230R 2019 full set, PM": [
        "Longines | L3.781.4 | 1150 EUR",
        "Tudor | 79230R | -",
      ],
    }));

  test("belong to the house, also if the name of another one is near", () =>
    assertWatches(["brand", "reference"], {
      "Tudor 79280 1997 black dial, signed Rolex clasp, 2.900€": ["Tudor | 79280"],
      "Citizen, Yacht-Master style, NJ0151 260€": ["Citizen | NJ0151"],
    }));

  test("do not take an ask or a phone number", () =>
    assertWatches(["brand", "reference", "price"], {
      "TAG Heuer Carrera 2019 full set 2.190€": ["TAG Heuer | - | 2190 EUR"],
      "IWC Portugieser 2019 fs 5290": ["IWC | - | 5290 EUR"],
      "Girard-Perregaux Laureato 2020 fs 8490": ["Girard-Perregaux | - | 8490 EUR"],
      "call 6123-4567 126610LN 2022 12.500€": ["Rolex | 126610LN | 12500 EUR"],
      "new 126610LN BR 02-24 12.500€": ["Rolex | 126610LN | 12500 EUR"],
    }));

  test("four digits, a dash and four digits are no watch without a house", () =>
    assert.deepEqual(readMessage("6139-6005 for details, 8101-1134 at night").listings, []));
});

describe("names in other scripts", () => {
  test("are those of brands and models that the catalogue has", () => {
    const names = new Map(
      BUILT_IN_BRANDS.map(({ name, models }) => [name, models.map((model) => model.name)]),
    );
    for (const { name, models } of otherScripts) {
      const known = names.get(name) ?? [];
      assert.ok(names.has(name), name);
      // One entry of the script itself, and one of the brand.
      for (const model of models)
        assert.ok(
          known.filter((other) => other === model.name).length > 1,
          `${name} ${model.name}`,
        );
    }
  });

  test("belong to one brand each", () => {
    const owners = new Map<string, string>();
    for (const { name, spellings, models } of otherScripts) {
      for (const word of [...spellings, ...models.flatMap(({ words }) => words ?? [])]) {
        const owner = owners.get(foldWord(word)) ?? name;
        assert.equal(owner, name, word);
        owners.set(foldWord(word), name);
      }
    }
  });

  test("identify a watch", () =>
    assertWatches(
      ["brand", "model"],
      {
        "劳力士绿水鬼 2022年 全套 98000": ["Rolex | Submariner Date"],
        "勞力士迪通拿 全新 2024年 250000": ["Rolex | Daytona"],
        "帝舵碧湾 2021年 全套 17800": ["Tudor | Black Bay"],
        "Ролекс Дайтона 2021 105000": ["Rolex | Daytona"],
        "Патек Наутилус 2019 700000": ["Patek Philippe | Nautilus"],
        "رولكس سبمارينر 2021 80000": ["Rolex | Submariner"],
        "كارتير سانتوس 2021 45000": ["Cartier | Santos"],
        "ロレックス デイトナ 2020 210000": ["Rolex | Daytona"],
      },
      { defaultCurrency: "CNY" },
    ));
});

test("a reference with one more digit is another one and not a longer form with a price", () => {
  assert.ok(findKnown(builtInCatalogue, "Rolex", "68273")?.usualEur !== undefined);
  assert.equal(findKnown(builtInCatalogue, "Rolex", "6827")?.usualEur, undefined);
});
