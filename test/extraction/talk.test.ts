import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertWatches, readMessage } from "../support/extraction.ts";

/** Checks that no text has a listing, and that the only rejection of each has one of these reasons. */
function assertNone(texts: readonly string[], reasons: readonly string[]): void {
  const others = texts.filter((text) => {
    const { listings, rejections } = readMessage(text);
    const isExpected = rejections.length === 1 && reasons.includes(rejections[0]?.reason ?? "");
    return listings.length > 0 || !isExpected;
  });

  assert.deepEqual(others, []);
}

describe("talk about a watch is not an offer", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "auction results": [
      "Watched a 5270P sell for 108k at the auction yesterday, crazy",
      "Phillips got 2.1m for the 2499 last weekend",
      "The 16520 on lot 41 went for €24.000, way over the estimate",
    ],
    "news of list prices": [
      "Rolex raised the list price of the 126610LN to 10.250€ in January",
      "New retail prices from May: 126334 11.150€, 126234 9.950€",
      "FYI Patek stopped the 5711/1A in 2021",
      "AP price increase again, 15510ST is 31.000€ now",
      "Neue Listenpreise bei Tudor, die 79030N kostet 4.050€ und die 79830RB 4.480€",
      "New RRP from January:\n124060 €9.650\n126610LN €10.900\n126234 €9.900",
    ],
    "questions about production, knowledge and service": [
      "Does anybody know when the 126500LN will be discontinued?",
      "How much did AP charge you for a service of the 15400ST?",
      "Price check 126613LB 2021 full set please",
      "Is the 5167A still made with the old clasp?",
      "Poll of the month, which one sells first?\n1) 126234\n2) 124270",
      "Example of a good post: 124060, 2023, used, full set, 9.900€",
      "What do you guys think, is the 124300 too loud in green?",
      "Which year did they stop the 116613LB?",
      "Should I polish my 16610 or live with the scratches?",
      "Is it clever to service a 5512 before selling it, or is a crystal enough?",
      "Reality check: my client expects 23k for a 116500LN in white",
    ],
    "questions about people and quotes of others": [
      "Can anyone vouch for Marco in Naples? He offers a 5811/1G at 120k",
      "Has anyone dealt with this shop in Vienna? They want prepayment for two 126500LN",
      "Anyone have feedback on Luca? My 5980/1R is already on its way to him",
      "Is this guy legit? Selling a 126610LV for 9k",
      "He wrote 85k for the 5711/1A and gave it to the next one for 84",
    ],
    "market talk": [
      "The 15202ST is going back to its 2019 level, in my opinion",
      "5711/1A trading at 85k again, the market is waking up",
      "We sold the 5968A for 98k",
      "Prices are dropping for the 126710BLRO since last week",
      "5726/1A back at 95 and no one is buying",
      "When I started, dealers were paying 33k for the steel 126710BLRO",
      "Luckily the 5167A we shipped was insured at 55k",
      "They want 14k for a 126710BLRO in Milan, insane",
      "He is asking 12k for a 126610LN, crazy",
      "We used to sell the 116610LN for 5k, good old days",
      "Found a buyer for my 116520 after three weeks",
    ],
    "an owner's remarks": [
      "I have been wearing my 124270 for two years and it never let me down",
      "Wrist check: 116500LN at the beach",
      "They charged me 900 to service a 16610 and lost the crown. I need a holiday",
      "My father gave me his 116234 when I turned thirty",
    ],
    "prices that were seen": [
      "Saw the same 116710LN with the grey dealer for €13.900. Madness",
      "Is 13k too much for a 116710LN full set 2018?",
      "New Rolex list in January: the 124060 goes to 9.800",
      "116710LN dropped 2k since summer, slow market",
    ],
    "warnings of theft and fakes": [
      "Beware, a 126710BLRO with papers from Milan was stolen last night",
      "Lost yesterday at Schiphol: Rolex 126234 silver, reward",
      "Careful with this seller, his 126610LV is a fake",
      "The account that offers an unworn 126710BLNR at 11k€ uses my photos",
    ],
    "talk in other languages": [
      "Gestern einen 126234 getragen, die Farbe ist wirklich schön",
      "Gestern die 126234 beim Konzi gesehen, die Farbe ist wirklich schön",
      "Weet iemand wanneer de 126710GRNR weer geleverd wordt?",
      "Quelqu'un sait combien coûte une révision de la 15300ST chez AP ?",
      "Qualcuno sa quando esce la nuova 126500LN?",
      "Alguien sabe si la 126613LB sigue en producción?",
    ],
  };
  for (const [name, texts] of Object.entries(cases)) {
    test(`${name} give no listing`, () => assertNone(texts, ["not_an_offer"]));
  }

  test("a headline about list prices does not hide pieces with a date, a set or a condition", () => {
    assertWatches(["reference", "price"], {
      "New retail prices are out, mine stay:\n124060 2022 €9.000\n126334 2023 full set €10.900": [
        "124060 | 9000 EUR",
        "126334 | 10900 EUR",
      ],
    });
  });

  test("an offer in whole sentences stays an offer", () => {
    assertWatches(["side", "reference", "price"], {
      "I have a 126334 blue from 2022 with box and papers, €10.900": [
        "for_sale | 126334 | 10900 EUR",
      ],
      "Just got in this 5167A, full set 2020, yours for €49.500": ["for_sale | 5167A | 49500 EUR"],
      "How about a 126334 blue 2022 full set €10.400": ["for_sale | 126334 | 10400 EUR"],
      "Contact me about 5167A 2021 full set €48.500": ["for_sale | 5167A | 48500 EUR"],
      "126500LN white 2024 €26.900. Trading at 29k elsewhere": ["for_sale | 126500LN | 26900 EUR"],
      "126334 2022 €11k net, wire only, account 116233": ["for_sale | 126334 | 11000 EUR"],
      "My client is selling his 116610LV, 2016, full set, asking €15.200": [
        "for_sale | 116610LV | 15200 EUR",
      ],
    });
  });

  test("talk below an offer takes nothing away from it", () => {
    assertWatches(["reference", "price"], {
      "126234 silver 2023 full set €8.400\nThe market is crazy these days": ["126234 | 8400 EUR"],
      "Prices are dropping, so here is a deal:\n126234 silver 2023 full set €8.400": [
        "126234 | 8400 EUR",
      ],
    });
  });
});

describe("numbers that look like a reference", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "rooms and addresses": [
      "Office moved: room 1680, 48 Wyndham Street",
      "We are at booth 5712, hall 3, come and say hello",
      "Meet me in suite 1603 of the Peninsula Hotel",
    ],
    "parcels, flights and invoices": [
      "Tracking 5980 1127, leaves Frankfurt tonight",
      "DHL 5167 0912 arrived in Leipzig",
      "Flight 5270 lands at 18:40",
      "Invoice 126334 is paid, thanks",
    ],
    "phones and bank accounts": [
      "Call me on +31 6 1680 5513",
      "Wire it to account 116233 at UBS please",
      "Zelle to 305 555 1655",
    ],
  };
  for (const [name, texts] of Object.entries(cases)) {
    test(`${name} are not watches`, () => assertNone(texts, ["not_an_offer", "no_watch"]));
  }
});

describe("parts and objects", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "a product sheet of an object": [
      "Audemars Piguet Royal Oak cufflinks white gold\nStock no: 15400\nPrice: €2.900\nMaterial: white gold",
      "Rolex Submariner desk clock 2022\nOur Ref: 116610\nPrice: €410\nCondition: new",
      "Patek Philippe Nautilus keyring\nRef: 5711\nPrice: €350",
    ],
    "a part that was taken off a watch": [
      "Original oyster bracelet 93150 off a 16610, 13 links, €950",
      "Dial and hands removed from a 1601, €300",
      "Full jubilee bracelet from a 126334, like new, €1.400",
    ],
    "an empty box": [
      "Empty box for 116500LN, €180",
      "Box only 116500LN €180",
      "Empty Rolex box 116500LN + booklets €150",
      "Boite vide 116610LN 150€",
      "Rolex green box with booklet for 126610, no watch, €150",
    ],
    "a strap or a part that fits a watch": [
      "Aftermarket rubber strap, fits 126610, €60",
      "Nautilus strap D24, never used, €120",
      "Clasp for 5167A wanted",
      "Rolex bezel 116613LB blue ceramic €550",
      "Crystal and gasket 1675 €80",
      "Omega NATO strap 20mm €95",
      "Three spare straps here, size 4, fit 126515LN and 126519LN, €400 each",
    ],
  };
  for (const [name, texts] of Object.entries(cases)) {
    test(`${name} is not a watch`, () => assertNone(texts, ["part_or_accessory"]));
  }
});
