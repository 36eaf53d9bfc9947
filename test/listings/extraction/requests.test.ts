import { describe, test } from "node:test";
import { assertWatches } from "../../support/extraction.ts";

const AMERICA = { defaultCurrency: "USD" };

describe("requests", () => {
  test("a word of a request can be behind the reference", () => {
    assertWatches(["side", "reference", "condition"], {
      "116500LN white needed new 2023 who is holding": ["want_to_buy | 116500LN | NEW"],
      "5726/1A wanted, full set": ["want_to_buy | 5726/1A | -"],
      "126234 pink need asap": ["want_to_buy | 126234 | -"],
    });
  });

  test("a question for a watch is a request", () => {
    assertWatches(["side", "reference"], {
      "any 126334 mint green available?": ["want_to_buy | 126334"],
      "Any 15510ST?": ["want_to_buy | 15510ST"],
      "Anyone got a 126200?": ["want_to_buy | 126200"],
      "126200 blue anyone?": ["want_to_buy | 126200"],
      "Any one selling 126710GRNR?": ["want_to_buy | 126710GRNR"],
      "Can anyone source 5164R?": ["want_to_buy | 5164R"],
      "Best price 228238 green?": ["want_to_buy | 228238"],
      "Client for 126508 green, what you got": ["want_to_buy | 126508"],
      "Does anyone have 5712/1A for sale?": ["want_to_buy | 5712/1A"],
    });
  });

  test("misspelt and short words of a request are read", () => {
    assertWatches(["side", "reference"], {
      "Sold oder 5327G new 2026": ["want_to_buy | 5327G"],
      "WLF 5726A": ["want_to_buy | 5726A"],
      "Buy 116508 61k usd": ["want_to_buy | 116508"],
      "куплю 116500LN white": ["want_to_buy | 116500LN"],
    });
  });

  test("conditions that are alternatives state no condition", () => {
    assertWatches(["side", "reference", "condition"], {
      "need 126506 new complete or mint complete": ["want_to_buy | 126506 | -"],
      "wtb 126711CHNR unworn/sealed or slider": ["want_to_buy | 126711CHNR | -"],
      "looking for 5726/1A new full set or like new full set": ["want_to_buy | 5726/1A | -"],
      "ntq 116508 new/mint": ["want_to_buy | 116508 | -"],
    });
  });

  test('"looking for" an amount or offers is an offer', () => {
    assertWatches(
      ["side", "reference", "price"],
      {
        "116610LV 2015 full set. Looking for 14.5k": ["for_sale | 116610LV | 14500 USD"],
        "126334 2022, looking for best offers above 10k": ["for_sale | 126334 | -"],
        "5711/1A 2018 complete, looking for offers": ["for_sale | 5711/1A | -"],
        "126334 2022 full set looking for $10,900 shipped": ["for_sale | 126334 | 10900 USD"],
      },
      AMERICA,
    );
  });
});
