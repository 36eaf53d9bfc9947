import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertWatches, readWatch } from "../../support/extraction.ts";

const HONG_KONG = { defaultCurrency: "HKD" };
const AMERICA = { defaultCurrency: "USD" };

describe("one watch has one normalized reference", () => {
  test("a Richard Mille has one with and without RM", () => {
    assertWatches(
      ["brand", "referenceNormalized"],
      {
        "RM 67-02 2021 full set 2.1m hkd": ["Richard Mille | RM6702"],
        "rm67-02 2021 full set 2.1m hkd": ["Richard Mille | RM6702"],
        "67-02 ntpt 2021 full set 2.1m hkd": ["Richard Mille | RM6702"],
        "NTQ 30-01 complete, 11-03 titanium complete": [
          "Richard Mille | RM3001",
          "Richard Mille | RM1103",
        ],
      },
      HONG_KONG,
    );
  });

  test("a Richard Mille can have the letters of its material behind it", () => {
    assertWatches(
      ["brand", "model", "year", "price"],
      {
        "RM030ti white 2016 HKD 780k": ["Richard Mille | RM 030 | 2016 | 780000 HKD"],
        "RM037ce 2015 full set HKD 1.2m": ["Richard Mille | RM 037 | 2015 | 1200000 HKD"],
        "RM029ce white 2019 HKD 990k": ["Richard Mille | RM 029 | 2019 | 990000 HKD"],
      },
      HONG_KONG,
    );
  });

  test("the letter of a metal can be between dashes", () => {
    assertWatches(
      ["brand", "referenceNormalized", "year"],
      {
        "Patek Philippe Calatrava 5196-P-001, 2012, single watch.19500USD": [
          "Patek Philippe | 5196P001 | 2012",
        ],
        "Patek Philippe 5205-G-013, 2019, complete set. 38500USD": [
          "Patek Philippe | 5205G013 | 2019",
        ],
      },
      AMERICA,
    );
  });

  test("the number of a Bell & Ross is no date", () => {
    assertWatches(["brand", "reference", "year"], {
      "Bell & Ross BR 03-92 Diver 2019, box and papers, 2.150€": ["Bell & Ross | BR 03-92 | 2019"],
      "126610LN BR 11-24 11.500€": ["Rolex | 126610LN | 2024"],
    });
  });

  test("three digits behind a model of Nomos are a reference", () => {
    assertWatches(["brand", "reference", "price"], {
      "Nomos Tangente 164, 2021 full set, €1.150": ["Nomos | 164 | 1150 EUR"],
      "Oris Aquis 733 2021 full set, €1.150": ["Oris | - | 1150 EUR"],
    });
  });

  test("an M before a Rolex with a dash is not a Tudor", () => {
    assertWatches(["brand", "reference", "price"], {
      "Rolex M126234-0051 2023 €10.400": ["Rolex | M126234-0051 | 10400 EUR"],
      "M126334-0002 2022 full set €11.200": ["Rolex | M126334-0002 | 11200 EUR"],
      "Tudor M79230B-0008 2021 €2.350": ["Tudor | M79230B-0008 | 2350 EUR"],
    });
  });

  test("the long code of a Tudor is one reference", () => {
    assertWatches(["brand", "reference", "price"], {
      "Tudor Royal M2860C3A0-0012 new 2024 €2.150": ["Tudor | M2860C3A0-0012 | 2150 EUR"],
      "Tudor 1926 M9165C1A0-0004 2022 €1.390": ["Tudor | M9165C1A0-0004 | 1390 EUR"],
    });
  });
});

describe("words that are glued to a reference or a year", () => {
  test("a currency code can be glued to a reference", () => {
    assertWatches(["brand", "reference", "price"], {
      "Rolex 126233HKD": ["Rolex | 126233 | -"],
      "Rolex 116234EUR 5.900": ["Rolex | 116234 | 5900 EUR"],
    });
  });

  test("a word that is glued to a year is not a reference", () => {
    assertWatches(
      ["brand", "reference", "year", "condition", "fullSetStatus", "price"],
      {
        "PP5712R full set2020/ used\n61000USD": [
          "Patek Philippe | 5712R | 2020 | USED | FULL_SET | 61000 USD",
        ],
        "AP15703ST complete2018/ used\n19800USD": [
          "Audemars Piguet | 15703ST | 2018 | USED | FULL_SET | 19800 USD",
        ],
      },
      HONG_KONG,
    );
  });

  test("glued and misspelt words of condition are read", () => {
    assertWatches(
      ["reference", "condition"],
      {
        "5227R ivory likenew 2019 // 175k hkd": ["5227R | LIKE_NEW"],
        "126334 preownd 2021 88k": ["126334 | USED"],
        "126300 pre-owend 2020 61k": ["126300 | USED"],
        "124060 brandnew 2026 82k": ["124060 | NEW"],
      },
      HONG_KONG,
    );
  });
});

describe("numbers in a link", () => {
  test("are neither a reference nor a price", () => {
    assertWatches(
      ["reference", "price"],
      {
        "Rolex 126233\nwww.finewatches.example/item/116610\nUSD 12,400": ["126233 | 12400 USD"],
        "126334 blue 2022 $11,900 https://shop.example/p/116500LN?id=15400": ["126334 | 11900 USD"],
        "https://dealer.example/watches/5711-1a": [],
      },
      AMERICA,
    );
  });
});

describe("a brand or a model that the catalogue does not have", () => {
  test("a brand, a model and the words of an offer are a listing", () => {
    assertWatches(["brand", "year", "fullSetStatus", "price"], {
      "Laurent Ferrier Galet Micro-Rotor 2019 full set €31.000": [
        "Laurent Ferrier | 2019 | FULL_SET | 31000 EUR",
      ],
      "Ressence Type 3 2021 full set €19.000": ["Ressence | 2021 | FULL_SET | 19000 EUR"],
      "Frederique Constant Slimline 2022 full set 1.450€": [
        "Frederique Constant | 2022 | FULL_SET | 1450 EUR",
      ],
      "Junghans Max Bill ref 027/3500, complete 2021, 620€": [
        "Junghans | 2021 | FULL_SET | 620 EUR",
      ],
      "Omega Flightmaster 1971 watch only €3.900": ["Omega | 1971 | WATCH | 3900 EUR"],
    });
  });

  test("a number behind the brand and the model is the reference, also below other watches", () => {
    assertWatches(["brand", "reference", "price"], {
      "Omega 2254.50 2004 €2.900\nUniversal Geneve Polerouter 20369 1962 €1.900\nJLC Memovox E853 €2.400":
        [
          "Omega | 2254.50 | 2900 EUR",
          "Universal Genève | 20369 | 1900 EUR",
          "Jaeger-LeCoultre | E853 | 2400 EUR",
        ],
    });
  });

  test("a listing without a known reference or model is less certain", () => {
    const words = "2021 full set unworn €9.800";

    assert.ok(
      readWatch(`Armin Strom Gravity ${words}`).confidence <
        readWatch(`Rolex 126334 ${words}`).confidence,
    );
  });

  test("a model of another brand below references is a watch of its own", () => {
    assertWatches(["brand", "price"], {
      "Rolex 214270 2019 full set 6.700€\nSinn 556 used 760€": [
        "Rolex | 6700 EUR",
        "Sinn | 760 EUR",
      ],
      "Omega stock\nMB&F LM101 2018 full set 44.000€\nOmega 2254.50 2.700€": [
        "MB&F | 44000 EUR",
        "Omega | 2700 EUR",
      ],
      "16520 Zenith white 1996 €21.000": ["Rolex | 21000 EUR"],
      "Louis Vuitton Tambour 2018 full set €4.900": ["Louis Vuitton | 4900 EUR"],
    });
  });

  test("a code of letters and dashes behind the brand is a reference", () => {
    assertWatches(["brand", "reference"], {
      "Bell & Ross BR05A-BK-ST/SRB 2022 full set €2.800": ["Bell & Ross | BR05A-BK-ST/SRB"],
      "Grand Seiko SBGA229 2021 €3.600\nSeiko Prospex SLA021 2018 €1.900": [
        "Grand Seiko | SBGA229",
        "Seiko | SLA021",
      ],
    });
  });

  test("a year behind a reference is not its dial code", () => {
    assertWatches(["reference", "year"], {
      "4500V/110A 2021 used €21.000": ["4500V/110A | 2021"],
      "6000V/110A-B544 2023 €98.000": ["6000V/110A-B544 | 2023"],
    });
  });

  test("a decade is not a reference", () => {
    assertWatches(["brand", "reference", "year", "price"], {
      "Universal Genève Polerouter 1960s €2.400": ["Universal Genève | - | - | 2400 EUR"],
      "Longines Conquest 1950s watch only €900": ["Longines | - | - | 900 EUR"],
    });
  });

  test("a word that names a model of Rolex does not make another brand's watch a Rolex", () => {
    assertWatches(["brand", "year"], {
      "Longines Spirit GMT 2022 full set €2.300": ["Longines | 2022"],
      "Oris Explorer style pilot 2019 full set €1.100": ["Oris | 2019"],
      "Christopher Ward GMT 2021 full set €700": ["Christopher Ward | 2021"],
    });
  });

  test("a brand alone, or with a word that names no model, is not a listing", () => {
    assertWatches(["brand"], {
      "Czapek 2023 €18.000": [],
      "Longines stock list": [],
      "Zenith boutique opening today": [],
    });
  });
});
