import { describe, test } from "node:test";
import { assertWatches } from "../support/extraction.ts";

describe("which text of a line belongs to which watch", () => {
  test("each watch of a line keeps its own ask and year, whatever comes first", () => {
    assertWatches(["reference", "year", "price"], {
      "€8.150 126300 grey 2021 full set // €31.000 5167R brown 2017 full set": [
        "126300 | 2021 | 8150 EUR",
        "5167R | 2017 | 31000 EUR",
      ],
      "EUR 8.150 126300 grey 2021, EUR 31.000 5167R 2017": [
        "126300 | 2021 | 8150 EUR",
        "5167R | 2017 | 31000 EUR",
      ],
      "2020 126600 W/C €11.300 | 2024 126603 FS €13.200": [
        "126600 | 2020 | 11300 EUR",
        "126603 | 2024 | 13200 EUR",
      ],
      "2020 126600 W/C €11.300 2024 126603 FS €13.200": [
        "126600 | 2020 | 11300 EUR",
        "126603 | 2024 | 13200 EUR",
      ],
    });
  });

  test("a year before the first of several watches is the year of all, unless they have their own", () => {
    assertWatches(["reference", "year"], {
      "2023: 126300 €8.150, 126334 €9.900": ["126300 | 2023", "126334 | 2023"],
    });
  });

  test("dates with their asks are pieces of one reference", () => {
    assertWatches(["reference", "dialType", "year", "fullSetStatus", "price"], {
      "5968G N2 EUR 91k N3 EUR 94k": [
        "5968G | - | 2026 | - | 91000 EUR",
        "5968G | - | 2026 | - | 94000 EUR",
      ],
      "15400ST 2013 28k, 2018 33k eur fs": [
        "15400ST | - | 2013 | FULL_SET | 28000 EUR",
        "15400ST | - | 2018 | FULL_SET | 33000 EUR",
      ],
      "126300 grey 20/21/22 fs 7.9k/8.2k/8.4k": [
        "126300 | grey | 2020 | FULL_SET | 7900 EUR",
        "126300 | grey | 2021 | FULL_SET | 8200 EUR",
        "126300 | grey | 2022 | FULL_SET | 8400 EUR",
      ],
      "126300 blue/grey 2022 8.2k/7.9k": [
        "126300 | blue | 2022 | - | 8200 EUR",
        "126300 | grey | 2022 | - | 7900 EUR",
      ],
    });
  });

  test("two currencies, several months at one ask, or a lowered ask are one piece", () => {
    assertWatches(["reference", "price"], {
      "5968G N2 EUR 91k / USD 99k": ["5968G | 91000 EUR"],
      "126610LN N1 N2 N3 €12.100": ["126610LN | 12100 EUR"],
      "126300 2021 €8.900 now €8.400": ["126300 | 8400 EUR"],
    });
  });

  test("lines that open with the same reference are a list, also if a word of the first is unknown", () => {
    assertWatches(["reference", "dialType", "year"], {
      "126300 Basalt y22 = 80\n126300 blue N2/2026 = 84\n126300 grey N2/2026 = 82": [
        "126300 | - | -",
        "126300 | blue | 2026",
        "126300 | grey | 2026",
      ],
      "Explorer 124270\nRef: 124270 2022 €7.300": ["124270 | - | 2022"],
    });
  });

  test("the ask of another house between separators goes to no neighbour", () => {
    assertWatches(["brand", "price"], {
      "Ulysse Nardin 243-55 €2.900; Tudor 79230R 2019 full set, PM": [
        "Ulysse Nardin | 2900 EUR",
        "Tudor | -",
      ],
      "Tudor 79230R 2019 full set, PM // Ulysse Nardin 243-55 €2.900": [
        "Tudor | -",
        "Ulysse Nardin | 2900 EUR",
      ],
      "Tudor 79230R 2019 full set, PM; QX2.415.7 EUR 1.900": ["Tudor | -"],
    });
  });

  test("a block of asks below a block of watches is in their order, if the counts agree", () => {
    assertWatches(["reference", "price"], {
      "Rolex\n116600 2015 FS\n114270 2008 W/C\n116300 2014 FS\n\n9.3k\n5.2k\n6.1k": [
        "116600 | 9300 EUR",
        "114270 | 5200 EUR",
        "116300 | 6100 EUR",
      ],
      "Rolex\n116600 2015 FS\n114270 2008 W/C\n116300 2014 FS\n\n9.3k\n5.2k": [
        "116600 | -",
        "114270 | -",
        "116300 | -",
      ],
      "116600 2015 FS\n114270 2008 W/C\n€5.200\n$5,900": ["116600 | -", "114270 | 5200 EUR"],
    });
  });
});

describe("watches that a dealer would take in a trade", () => {
  test("are no offers", () => {
    assertWatches(["side", "reference", "price"], {
      "5167A 2018 full set, 44k€, trade for 5726/1A possible": ["for_sale | 5167A | 44000 EUR"],
      "126500LN 2024 complete 27k eur, open to trades: 126508, 126518LN, 26240ST": [
        "for_sale | 126500LN | 27000 EUR",
      ],
      "126600 2020 €11.300 FS\nTausch möglich gegen 126603 oder 126711CHNR": [
        "for_sale | 126600 | 11300 EUR",
      ],
      "126300 gris 2021 full set 8.150€, échange contre 126334": ["for_sale | 126300 | 8150 EUR"],
      "114270 2008 5.200€ permuto con 116600 + 4k": ["for_sale | 114270 | 5200 EUR"],
      "Trade my 126300 2021 full set for 126334": ["for_sale | 126300 | -"],
    });
  });

  test("are offers if they have an ask of their own", () => {
    assertWatches(["reference", "price"], {
      "126600 2020 €11.300, trades ok. 126603 2021 €13.200": [
        "126600 | 11300 EUR",
        "126603 | 13200 EUR",
      ],
      "Fresh trade in: 126300 2021 full set €8.150": ["126300 | 8150 EUR"],
    });
  });
});

describe("the house of a reference", () => {
  test("that is named right before a reference which the catalogue does not have beats a later one", () => {
    assertWatches(["brand", "reference"], {
      "Tudor 79270 chrono 1997 black dial, Rolex signed crown, €3.900": ["Tudor | 79270"],
    });
  });
});
