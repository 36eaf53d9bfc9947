import { describe, test } from "node:test";
import { assertWatches } from "../support/extraction.ts";

const AMERICA = { defaultCurrency: "USD" };
const HONG_KONG = { defaultCurrency: "HKD" };

describe("condition in its context", () => {
  test('"mint" before a dial says nothing about a watch that was serviced or needs a polish', () => {
    assertWatches(
      ["reference", "condition", "fullSetStatus"],
      {
        "116234 naked, mint white dial, just serviced, $4,900": ["116234 | USED | WATCH"],
        "14270 watch only, mint black dial, polished once, $5,400": ["14270 | USED | WATCH"],
      },
      AMERICA,
    );
  });

  test("a line's own word beats a like-new header", () => {
    assertWatches(
      ["reference", "condition"],
      {
        "Like new\nNOS 5396G 2022 HKD 410k": ["5396G | NEW"],
        "Mint\n126234 unworn 2025 HKD 81k\n126334 2022 HKD 88k": [
          "126234 | NEW",
          "126334 | LIKE_NEW",
        ],
      },
      HONG_KONG,
    );
  });

  test("a watch with its stickers is new", () => {
    assertWatches(["reference", "condition"], {
      "126334 2022 full set with stickers €10.9k": ["126334 | NEW"],
      "124060 with all stickers 2025 €9.900": ["124060 | NEW"],
      "15510ST 2024 stickers on €32.500": ["15510ST | NEW"],
    });
  });
});

describe("what comes with the watch in its context", () => {
  test("a watch, a card and a tag without a box are a watch and card", () => {
    assertWatches(
      ["reference", "year", "fullSetStatus", "price"],
      {
        "126281 wim 2022, watch,card,WT, 12.3k": ["126281 | 2022 | WATCH_AND_CARD | 12300 USD"],
        "RM029 Ti (Watch + 2015 Paper) $97k": ["RM029 | 2015 | WATCH_AND_CARD | 97000 USD"],
        "126233 2020 head & card $9.1k": ["126233 | 2020 | WATCH_AND_CARD | 9100 USD"],
        "126334 blue 2021 watch + card + tag $9,800": ["126334 | 2021 | WATCH_AND_CARD | 9800 USD"],
      },
      AMERICA,
    );
  });

  test("FS on a line of its own is a full set, and at the start of a line it is not", () => {
    assertWatches(["reference", "fullSetStatus", "price"], {
      "126300 blue 2021\nFS\n€8.100": ["126300 | FULL_SET | 8100 EUR"],
      "FS 126300 blue 2021 €8.100": ["126300 | - | 8100 EUR"],
      "16570 1998 bare watch €6.400": ["16570 | WATCH | 6400 EUR"],
      "126300 2021 boîte + carte 8.100€": ["126300 | FULL_SET | 8100 EUR"],
    });
  });

  test("a plural in a header is the condition of all watches", () => {
    assertWatches(["reference", "condition"], {
      "Rolex nuovi\n126300 8.900€\n126334 11.900€": ["126300 | NEW", "126334 | NEW"],
      "Rolex como nuevos\n126300 8.100€": ["126300 | LIKE_NEW"],
      "Panerai usati\nPAM00111 2.600€": ["PAM00111 | USED"],
    });
  });

  test("box and papers are read in French without an accent", () => {
    assertWatches(["reference", "fullSetStatus", "price"], {
      "126300 2019 boite papier 7.400€": ["126300 | FULL_SET | 7400 EUR"],
      "16610 1998 boite et papiers 7.900€": ["16610 | FULL_SET | 7900 EUR"],
    });
  });
});

describe("dials in their context", () => {
  test("short and misspelt dial words are read", () => {
    assertWatches(
      ["reference", "dialType"],
      {
        "126719BLRO met full links $61k": ["126719BLRO | meteorite"],
        "126333 champange jub 2022 $11,500": ["126333 | champagne"],
        "126334 wimbeldon 2021 $11,900": ["126334 | Wimbledon"],
        "278271 choclate 2023 $13,200": ["278271 | chocolate"],
      },
      AMERICA,
    );
  });

  test("a colour can have an ending", () => {
    assertWatches(["reference", "dialType"], {
      "126300 mit schwarzem Zifferblatt €8.900": ["126300 | black"],
      "126234 mintgrünes Zifferblatt €9.900": ["126234 | mint green"],
      "126300 met witte wijzerplaat €8.900": ["126300 | white"],
      "126300 esfera blanca €8.900": ["126300 | white"],
    });
  });

  test("the colour of a bezel or a strap is not a dial", () => {
    assertWatches(["reference", "dialType", "variant"], {
      "116610LN schwarze Lünette €8.900": ["116610LN | - | -"],
      "116519 correa negra, esfera blanca €24.900": ["116519 | white | -"],
      "116519 blaues Blatt, schwarzes Lederband €24.900": ["116519 | blue | leather"],
    });
  });

  test("the colour of gold or carbon is not a dial, and PN in German is a private message", () => {
    assertWatches(["reference", "dialType"], {
      "Cartier WGSA0031 en or rose 2023 21.000€": ["WGSA0031 | -"],
      "126508 oro giallo 2024 full set 41.000€": ["126508 | -"],
      "Richard Mille RM67-02 black NTPT 2021 $260,000": ["RM67-02 | -"],
      "116500LN 2021 Fullset 26.500€, Fragen bitte per PN": ["116500LN | -"],
      "Daytona 6239 PN dial 1968 $210,000": ["6239 | Paul Newman"],
    });
  });

  test("new or fresh things beside the watch are no condition", () => {
    assertWatches(["reference", "condition"], {
      "My 16610 looks for a new home, 2005, full set, 8.900€": ["16610 | -"],
      "Two fresh trades from this morning\n126333 2021 $12,100\n124270 2022 $7,300": [
        "126333 | -",
        "124270 | -",
      ],
    });
  });

  test("a colour that is glued to its markers is read", () => {
    assertWatches(
      ["reference", "dialType"],
      {
        "126334 BlueInd N2 $12,400": ["126334 | blue index"],
        "126231 ChocoAPH 2022 $13,900": ["126231 | chocolate APH"],
      },
      AMERICA,
    );
  });

  test("a D-Blue is a blue dial, and the nickname is the variant", () => {
    assertWatches(
      ["reference", "dialType", "variant"],
      {
        "126660 d-blue 2021 $12,900": ["126660 | blue | D-Blue"],
        "116660 D Blue 2016 $11,200": ["116660 | blue | D-Blue"],
      },
      AMERICA,
    );
  });

  test("a white birch is a white dial, with or without a reference", () => {
    assertWatches(["brand", "dialType", "variant"], {
      "Grand Seiko SLGH005 white birch 2022 full set €6.900": ["Grand Seiko | white | White Birch"],
      "Grand Seiko white birch 2022 full set €6.900": ["Grand Seiko | white | White Birch"],
    });
  });

  test("a panda is a white dial, and the nickname is the variant", () => {
    assertWatches(["reference", "dialType", "variant"], {
      "116500LN panda 2019 €25.500": ["116500LN | white | Panda"],
      "126500LN white panda dial 2024 €29.900": ["126500LN | white | Panda"],
      "116500LN 🐼 2021 €26.000": ["116500LN | white | Panda"],
      "116500LN reverse panda 2020 €22.900": ["116500LN | black | Reverse Panda"],
    });
  });
});
