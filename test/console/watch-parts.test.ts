import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ListingMatch, ListingPrice, PopulationAsk } from "../../client/assay-client.ts";
import {
  type Addressed,
  prepareMessage,
  toChatUrl,
} from "../../console/parts/watch/prepared-message.ts";
import { describeVerdict, findNearest, type Priced } from "../../console/parts/watch/verdict.ts";
import { formatAmount } from "../../console/words/formats.ts";
import { drawWatch } from "../../drawing/drawn-watch.ts";

const SENDER = { phone_number: "85290000001", country_prefix: "852", display_name: "Mei P." };
const LISTING = {
  side: "for_sale",
  price: { amount_minor: 12_200_000, currency: "HKD" },
  sender: SENDER,
};
const OFFER = {
  amount_minor: 13_561_234,
  shown_minor: 13_560_000,
  currency: "HKD",
  rate_day_ms: 0,
  is_approximate: false,
};
const WATCH = {
  side: "for_sale",
  brand: "Rolex",
  reference: "126710BLNR",
  year: 2025,
  condition: "NEW",
  full_set_status: ["FULL_SET"],
  price: { amount_minor: 12_200_000, currency: "HKD" },
  sender: SENDER,
} satisfies Addressed;

test("a buy says how far it is below how many asks, and up to what to offer", () => {
  const priced = aPrice({ profitMinor: 131_049, counted: 27, isBuy: true });

  assert.equal(sayVerdict(priced), "€1,310 below the average of 27 asks; offer up to HK$135,600");
});

test("what is no buy says why, and its limit is no advice", () => {
  const dear = aPrice({ profitMinor: 20_000, counted: 3, isThin: true, why: "above_maximum" });
  const above = aPrice({ profitMinor: -8_600, counted: 12, why: "above_maximum" });
  const gone = aPrice({ profitMinor: 131_000, counted: 27, why: "gone", hasOffer: false });
  const even = aPrice({ profitMinor: 40, counted: 1, why: "above_maximum", hasOffer: false });

  assert.equal(
    sayVerdict(dear),
    "€200 below the average of only 3 asks, too little for a buy; a buy up to HK$135,600",
  );
  assert.equal(sayVerdict(above), "€86 above the average of 12 asks; a buy up to HK$135,600");
  assert.equal(
    sayVerdict(gone),
    "€1,310 below the average of 27 asks, but it is no longer on offer",
  );
  assert.equal(sayVerdict(even), "At the average of 1 ask, too little for a buy");
});

test("without a price the reason stands there", () => {
  const american = { ...LISTING, sender: { country_prefix: "1" } };
  const say = (priced: Priced, listing: Parameters<typeof describeVerdict>[0] = LISTING) =>
    describeVerdict(listing, priced).join("");

  assert.equal(say({ reason: "no_year" }), "Not compared: no year was read");
  assert.equal(say({ reason: "too_few_asks" }), "Too few asks like it to compare with");
  assert.equal(
    say({ reason: "not_a_source_market" }, american),
    "Asks from United States are not priced",
  );
  assert.equal(say({}), "No price yet");
  assert.equal(say({}, { ...LISTING, side: "want_to_buy" }), "Someone looks for this watch");
});

test("the nearest asks are on offer, of other dealers, and the cheapest comes first", () => {
  const asks = [
    anAsk("own", 100, { contact_id: "mei" }),
    anAsk("of the same dealer", 101, { contact_id: "mei" }),
    anAsk("near", 103),
    anAsk("nearer", 98),
    anAsk("gone", 100, { offer_state: "gone" }),
    anAsk("replaced", 100, { offer_state: "replaced" }),
    anAsk("again", 100, { role: "superseded" }),
    anAsk("misread", 10, { role: "suspect" }),
    anAsk("cheap", 60, { role: "outlier" }),
    anAsk("a", 110),
    anAsk("b", 120),
    anAsk("c", 141),
  ];

  const found = findNearest(asks, { listingId: "own", landedMinor: 100 });

  assert.deepEqual(
    found.map(({ listing_id }) => listing_id),
    ["cheap", "nearer", "near", "a", "b"],
  );
});

test("a message is in the language of the dealer's country and names the watch", () => {
  const to = (country_prefix: string) =>
    prepareMessage({ ...WATCH, sender: { ...SENDER, country_prefix } }, undefined);

  assert.equal(
    to("44"),
    "Hi Mei P., is your Rolex 126710BLNR, 2025, new, full set, HK$122,000 still available?",
  );
  assert.equal(
    to("49"),
    "Hallo Mei P., ist die Rolex 126710BLNR, 2025, neu, Full Set, 122.000 HK$ noch zu haben?",
  );
  assert.equal(
    to("39"),
    "Ciao Mei P., Rolex 126710BLNR, 2025, nuovo, full set, 122.000 HKD: è ancora disponibile?",
  );
  assert.equal(
    to("852"),
    "Mei P. 您好，請問您的 Rolex 126710BLNR，2025，全新，全套，HK$122,000 還在嗎？",
  );
  assert.equal(
    to("86"),
    "Mei P. 您好，请问您的 Rolex 126710BLNR，2025，全新，全套，HK$122,000 还在吗？",
  );
});

test("only what was offered is in a message, and only a person is greeted by name", () => {
  const offer = { amount_minor: 11_800_000, currency: "HKD" };
  const from = (display_name: string) =>
    prepareMessage(
      { side: "for_sale", full_set_status: [], sender: { country_prefix: "44", display_name } },
      offer,
    );

  assert.equal(from("Tom"), "Hi Tom, is your watch still available? I can do HK$118,000.");
  for (const name of ["+44 7700 900001", "⌚ Top Watches ⌚", "\u202eevil", "a".repeat(31), ""]) {
    assert.equal(from(name), "Hi, is your watch still available? I can do HK$118,000.", name);
  }
});

test("whatever was read, a chat address has the number, one text and a bounded length", () => {
  fc.assert(
    fc.property(
      fc.record({
        brand: fc.string({ unit: "binary", maxLength: 300 }),
        reference: fc.string({ unit: "binary", maxLength: 300 }),
        dial_type: fc.string({ unit: "binary", maxLength: 300 }),
        name: fc.string({ unit: "binary", maxLength: 300 }),
        prefix: fc.constantFrom("49", "39", "852", "86", "1", "999"),
      }),
      ({ name, prefix, ...read }) => {
        const sender = { phone_number: "+85290000001", country_prefix: prefix, display_name: name };
        const url = new URL(toChatUrl({ ...WATCH, ...read, sender }, undefined) ?? "");

        assert.equal(url.origin + url.pathname, "https://wa.me/85290000001");
        assert.deepEqual([...url.searchParams.keys()], ["text"]);
        assert.doesNotMatch(url.searchParams.get("text") ?? "", /[\p{Cc}\p{Bidi_Control}\ufffd]/u);
        assert.ok(url.href.length < 4_000);
      },
    ),
  );
  assert.equal(toChatUrl({ ...WATCH, sender: {} }, undefined), undefined);
});

test("a drawing shows the bezel, the dial and the build of its watch", () => {
  const fills = (facts: Parameters<typeof drawWatch>[0]) =>
    drawWatch(facts).map(({ attributes }) => attributes["fill"]);
  const batman = { brand: "Rolex", model: "GMT-Master II", reference: "126710BLNR" };
  const oak = { brand: "Audemars Piguet", model: "Royal Oak", reference: "15510ST" };

  assert.ok(fills(batman).includes("#23457e") && fills(batman).includes("#1d1f23"));
  assert.ok(fills({ ...oak, dial_type: "green" }).includes("#2b5f47"));
  assert.notDeepEqual(drawWatch(batman), drawWatch(oak));
  assert.deepEqual(drawWatch(oak), drawWatch(oak));
  assert.ok(drawWatch({}).length > 10);
});

test("what is over says so, also where there is no price any more", () => {
  const over = (no_buy_reason: "gone" | "replaced") =>
    describeVerdict(LISTING, { no_buy_reason }).join("");

  assert.equal(over("gone"), "No longer on offer");
  assert.equal(over("replaced"), "The dealer asks another price by now");
});

test("someone who looks for a watch is asked whether they still do, in their language", () => {
  const ask = (country_prefix: string): string => {
    const { price: _, ...wanted } = WATCH;
    return prepareMessage(
      { ...wanted, side: "want_to_buy", sender: { ...SENDER, country_prefix } },
      undefined,
    );
  };

  assert.equal(
    ask("44"),
    "Hi Mei P., are you still looking for this watch: Rolex 126710BLNR, 2025, new, full set?",
  );
  assert.match(ask("49"), /^Hallo Mei P., suchst du diese Uhr noch: .*neu/);
  assert.match(ask("39"), /lo stai ancora cercando\?$/);
  assert.match(ask("86"), /您还在找 .* 吗？$/);
  assert.match(ask("852"), /您還在找 .* 嗎？$/);
});

function sayVerdict(priced: Priced): string {
  return describeVerdict(LISTING, priced)
    .map((piece) => (typeof piece === "string" ? piece : formatAmount(piece)))
    .join("");
}

function aPrice(price: {
  readonly profitMinor: number;
  readonly counted: number;
  readonly isBuy?: boolean;
  readonly isThin?: boolean;
  readonly hasOffer?: boolean;
  readonly why?: NonNullable<Priced["no_buy_reason"]>;
}): Priced {
  const { profitMinor, counted, isBuy = false, isThin = false, hasOffer = true, why } = price;
  const evidence = {
    counted,
    is_thin: isThin,
    low_eur_minor: 1,
    high_eur_minor: 2,
    newest_at_ms: 0,
  };
  return {
    headline: { profit_opportunity_eur_minor: profitMinor } as ListingMatch,
    price: { is_buy: isBuy, evidence, ...(hasOffer ? { offer_up_to: OFFER } : {}) } as ListingPrice,
    ...(why === undefined ? {} : { no_buy_reason: why }),
  };
}

function anAsk(
  listing_id: string,
  comparable_ask_eur_minor: number,
  more: Partial<PopulationAsk> = {},
): PopulationAsk {
  return {
    listing_id,
    source_market: "EU",
    original_ask_eur_minor: comparable_ask_eur_minor,
    comparable_ask_eur_minor,
    last_seen_at_ms: 0,
    role: "counted",
    is_buy: false,
    full_set_status: [],
    offer_state: "today",
    ...more,
  };
}
