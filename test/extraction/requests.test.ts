import { describe, test } from "node:test";
import { assertWatches } from "../support/extraction.ts";

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

  test("a request in a sentence is a request", () => {
    assertWatches(["side", "reference", "status"], {
      "The order is for three, so we still need one 126233 champagne by Friday": [
        "want_to_buy | 126233 | -",
      ],
      "I have a buyer in the shop who asks for a 5168G green, cash. Ideas?": [
        "want_to_buy | 5168G | -",
      ],
      "Two 15202ST were not enough this month, need another one": ["want_to_buy | 15202ST | -"],
      "Only the 5212A is missing from the set that we build. If anybody has one, send me pictures":
        ["want_to_buy | 5212A | -"],
      "Somebody is surely sitting on a 126710BLNR, price please": ["want_to_buy | 126710BLNR | -"],
      "Whoever has a 5905R in the safe gets a wire tonight": ["want_to_buy | 5905R | -"],
      "Für einen Sammler fehlt mir die 126720VTNR. Falls jemand eine hat, bitte melden": [
        "want_to_buy | 126720VTNR | -",
      ],
    });
  });

  test("a request in a sentence needs no certain phrase", () => {
    assertWatches(["side", "reference", "price"], {
      "Should one of these 15407ST ever cross your desk, give me a ring first": [
        "want_to_buy | 15407ST | -",
      ],
      "The groom insists on a 126233 with the wimbledon dial, so if anyone hears of one I would be thankful":
        ["want_to_buy | 126233 | -"],
      "Let me know if the Geneva boys get hold of a 5270J": ["want_to_buy | 5270J | -"],
      "Hat von euch noch wer eine 116710LN im Tresor?": ["want_to_buy | 116710LN | -"],
      "Si quelqu'un trouve une 5146R, merci de me contacter": ["want_to_buy | 5146R | -"],
      "We are buyers of any 16520 under 24k€, papers or not": ["want_to_buy | 16520 | -"],
      "I would be a buyer of a 5726A at 71k€": ["want_to_buy | 5726A | 71000 EUR"],
      "bid 44k€ 5167A full set": ["want_to_buy | 5167A | 44000 EUR"],
      "Where can one find a 126711CHNR in this town? I would pay €16.800": [
        "want_to_buy | 126711CHNR | 16800 EUR",
      ],
      "I'm short one 126334 for an order, stickered": ["want_to_buy | 126334 | -"],
      "Still hunting that 126619LB, no stories": ["want_to_buy | 126619LB | -"],
      "need 126500LN black BNIB paying 26.5 today": ["want_to_buy | 126500LN | 26500 EUR"],
      "Client lost the auction, so I am back in the market for a 5131J. Send me what you have": [
        "want_to_buy | 5131J | -",
      ],
      "The boss has his heart set on a 5970G": ["want_to_buy | 5970G | -"],
      "Searching for a 5131J for a museum, they saw theirs go at auction": [
        "want_to_buy | 5131J | -",
      ],
      "Do tell me one of you has a 118206. I won't ask why it was hidden": [
        "want_to_buy | 118206 | -",
      ],
      "Wanted: 114270 or 14270": ["want_to_buy | 114270 | -", "want_to_buy | 14270 | -"],
      "need naked 16610 16613 116613": [
        "want_to_buy | 16610 | -",
        "want_to_buy | 16613 | -",
        "want_to_buy | 116613 | -",
      ],
    });
  });

  test("people, clients and buyers in talk or in an offer ask for nothing", () => {
    assertWatches(["side", "reference", "price"], {
      "Did anyone see what the 5270J went for?": [],
      "A buyer in Porto asked me for a discount on a 79030N that he has worn for a month": [],
      "The buyer of the 15400ST refuses to pay, who can help": [],
      "Looking at the 5980R from all sides, what a watch": [],
      "Hat jemand Erfahrung mit dem Werk der 126603?": [],
      "The 15400ST you posted has a new dial. I want my money back": [],
      "A buyer returned his 126233 because the clasp was changed": [],
      "Can someone tell me whether the 15407ST has a service dial?": [],
      "Client of mine paid too much for a 126710BLRO last year": [],
      "Is €12.400 fair for a 126610LN with card from 2021?": [],
      "Any buyer for a 126233? 2021 full set, I need €11.400": ["for_sale | 126233 | 11400 EUR"],
      "Serious buyers only: 5270J 2012 full set €88.000": ["for_sale | 5270J | 88000 EUR"],
    });
  });

  test("a dealer who tries to find a watch asks for it, and one who tries to find something else does not", () => {
    assertWatches(["side", "reference"], {
      "All week I am trying to track down a 5726A for the anniversary of a good friend": [
        "want_to_buy | 5726A",
      ],
      "The man from Basel is after a 126619LB, any year. Show me what you have": [
        "want_to_buy | 126619LB",
      ],
      "A regular of ours has asked me for a 15210ST black, papers are a must": [
        "want_to_buy | 15210ST",
      ],
      "We would like to buy three 126334 blue jubilee, stickered": ["want_to_buy | 126334"],
      "Is one of you able to help? If you spot a 5980R I am in the market": ["want_to_buy | 5980R"],
      "Trying to find out why everyone shows the 126500LN this week": [],
    });
  });

  test("a watch that a client wants is a request, and the money that a client wants is an ask", () => {
    assertWatches(["side", "reference", "price"], {
      "One of my regulars turns fifty and wants a clean 126711CHNR": [
        "want_to_buy | 126711CHNR | -",
      ],
      "Mein Kunde will unbedingt eine 126710BLRO": ["want_to_buy | 126710BLRO | -"],
      "Mon client veut une 15500ST bleue": ["want_to_buy | 15500ST | -"],
      "Happy to pay 31k€ for a 126508 black, full set": ["want_to_buy | 126508 | 31000 EUR"],
      "Client wants 10k€ for his 126610LN 2022 full set": ["for_sale | 126610LN | 10000 EUR"],
      "Buyer wants a discount, so it is back: 5167A 2020 full set 47k€": [
        "for_sale | 5167A | 47000 EUR",
      ],
    });
  });

  test("what a dealer would take at a price is a bid", () => {
    assertWatches(["side", "reference", "price"], {
      "At €9.000 I'd take any 124060 from 2024": ["want_to_buy | 124060 | 9000 EUR"],
      "I would take one 126334 blue at €10.500 if full set": ["want_to_buy | 126334 | 10500 EUR"],
    });
  });

  test("a question to buyers is an offer", () => {
    assertWatches(["side", "reference", "price"], {
      "Can I interest anyone in a 126600, 2020, full set, €10.100?": [
        "for_sale | 126600 | 10100 EUR",
      ],
      "Could I tempt a Patek friend? 5146J from 2011, papers only, 17k€": [
        "for_sale | 5146J | 17000 EUR",
      ],
      "So who is buying? 116610LV 2016 full set €13.900": ["for_sale | 116610LV | 13900 EUR"],
      "Wer hat Interesse an einer 124300 grün? 2021, Fullset, 9.900€": [
        "for_sale | 124300 | 9900 EUR",
      ],
      "Heeft iemand interesse in een 126200 blauw? 2022, full set, €7.900": [
        "for_sale | 126200 | 7900 EUR",
      ],
      "Need a buyer for my 116520, 2012, full set, €17.500": ["for_sale | 116520 | 17500 EUR"],
    });
  });

  test("a dealer who pays the shipping offers the watch", () => {
    assertWatches(["side", "reference", "price"], {
      "15500ST blue 2021 full set 36k€, I'll pay the postage": ["for_sale | 15500ST | 36000 EUR"],
      "14060M 2006, caja y papeles, 7.100€, pago el envío": ["for_sale | 14060M | 7100 EUR"],
      "126333 2020 complete, I pay €11.200": ["want_to_buy | 126333 | 11200 EUR"],
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

  test("a boss, a guest or a visit asks for the watch", () => {
    assertWatches(["side", "reference", "price"], {
      "My boss wants one 5980/1A, send pictures and the lowest": ["want_to_buy | 5980/1A | -"],
      "A collector is asking me since March for a 16528, please write me": [
        "want_to_buy | 16528 | -",
      ],
      "Is there anybody in Milan with a 15500ST? I leave on Sunday": ["want_to_buy | 15500ST | -"],
      "Client coming in at noon for a 126720VTNR, not going over 17k€": [
        "want_to_buy | 126720VTNR | -",
      ],
      "Hunting a 116505, money is no problem, only with papers": ["want_to_buy | 116505 | -"],
    });
  });

  test("a wish to purchase and a call for quotes are requests", () => {
    assertWatches(["side", "reference", "price"], {
      "We are interested in purchasing a 5935A, full set": ["want_to_buy | 5935A | -"],
      "Quiero comprar un 126710BLRO, completo": ["want_to_buy | 126710BLRO | -"],
      "Vorrei acquistare 5167A del 2021": ["want_to_buy | 5167A | -"],
      "Quote pls 5811/1G, ready buyer": ["want_to_buy | 5811/1G | -"],
      "Price me a 228235 olive please": ["want_to_buy | 228235 | -"],
      "Top dollar for a 116519LN with the steel dial": ["want_to_buy | 116519LN | -"],
      "Money on the table: 48k usdt for a 15510ST green, who sells?": [
        "want_to_buy | 15510ST | 48000 USDT",
      ],
      "Looking to place an order for 2x 126334": ["want_to_buy | 126334 | -"],
      "Need to cover a short: 226659, EU stock only": ["want_to_buy | 226659 | -"],
      "Wanted to buy 126610LN full set": ["want_to_buy | 126610LN | -"],
      "Dear all, requirement from Doha: 5236P, any year": ["want_to_buy | 5236P | -"],
      "5980/1A, whoever brings me one tonight gets 92,000 usd": [
        "want_to_buy | 5980/1A | 92000 USD",
      ],
      "A chi avanza un 16710 con corredo completo?": ["want_to_buy | 16710 | -"],
      "My guy in Antwerp wants two pcs 5168G, send offers please": ["want_to_buy | 5168G | -"],
      "Any 69178 around? Present for a grandmother, the case must be sharp and never thinned": [
        "want_to_buy | 69178 | -",
      ],
    });
  });

  test("what a buyer wanted once, or may be after, is no request", () => {
    assertWatches(["side", "reference", "price"], {
      "Looking to place a 126613LB, 2023, 13.4k€": ["for_sale | 126613LB | 13400 EUR"],
      "Wanted to keep it, but here we go: 5146J 2012 full set 24k€": [
        "for_sale | 5146J | 24000 EUR",
      ],
      "Need this gone before Friday, 126200 2021 w/c 7.900€": ["for_sale | 126200 | 7900 EUR"],
      "If you're chasing a 126234, stop searching: 2024, unworn, 10.900€": [
        "for_sale | 126234 | 10900 EUR",
      ],
      "Buyer walked off after paying the deposit, so RM35-01 2014 is free again, full set, HKD 1.3m":
        ["for_sale | RM35-01 | 1300000 HKD"],
      "Need space: who takes the 116509 2021 complete for 46k€?": ["for_sale | 116509 | 46000 EUR"],
      "Last chance before it goes back to its owner on Monday, 363.179 2022 42,5k€": [
        "for_sale | 363.179 | 42500 EUR",
      ],
      "126610LN 2023 full set 11.000€, ready buyers only please": [
        "for_sale | 126610LN | 11000 EUR",
      ],
      "If you are interested to buy, dm me: 126610LN 2023 full set 11.000€": [
        "for_sale | 126610LN | 11000 EUR",
      ],
      "126610LN 2023 full set 11.000€, who can beat this price?": [
        "for_sale | 126610LN | 11000 EUR",
      ],
      "From a guy who was looking for a bigger one: 14270, 1998, papers, 5.900€": [
        "for_sale | 14270 | 5900 EUR",
      ],
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
