import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { toNotification } from "../../../src/alerts/deliveries/notification.ts";
import type { MatchEvent } from "../../../src/alerts/describe-matches.ts";

const PUBLIC_URL = "https://assay.example.org/";

test("a match is told with watch, ask, profit, dealer, alert and link", () => {
  const event = anEvent({ id: "l1" });

  const told = toNotification([event], PUBLIC_URL);

  assert.equal(told.title, "Rolex 126610LN: 10,580 EUR, profit 920 EUR");
  assert.deepEqual(told.text.split("\n"), [
    "Rolex Submariner 126610LN, 2023, like new",
    "Ask 11,500 USD (10,580 EUR), profit 920 EUR",
    "From Peter Wong, +85291234567, in HK Dealers",
    "Alert: cheap Submariners",
    "https://assay.example.org/listings/l1",
  ]);
  assert.equal(told.link, "https://assay.example.org/listings/l1");
});

test("the profit is that of the headline, whichever rule fired, with what the watch costs landed", () => {
  const event = anEvent();
  const hongKong: MatchEvent = {
    ...event,
    data: {
      ...event.data,
      match: { ...event.data.match, match_context: { profit_opportunity_eur_minor: 99_900 } },
      headline: { ...event.data.headline, comparable_ask_eur_minor: 1_125_900 },
    },
  };

  const told = toNotification([hongKong], undefined);

  assert.equal(
    told.text.split("\n")[1],
    "Ask 11,500 USD (10,580 EUR, landed 11,259 EUR), profit 920 EUR",
  );
});

test("what to offer is told of a buy only, and that a watch is no longer on offer", () => {
  const event = anEvent();
  const offer_up_to = {
    amount_minor: 1_186_543,
    shown_minor: 1_186_000,
    currency: "USD",
    rate_day_ms: 0,
    is_approximate: false,
  };
  const tell = (is_buy: boolean, offer_state: "today" | "replaced" | "gone") =>
    toNotification(
      [
        {
          ...event,
          data: {
            ...event.data,
            offer_state,
            price: {
              configuration_id: randomUUID(),
              is_headline: true,
              is_buy,
              landed_eur_minor: 1_058_000,
              offer_up_to,
            },
          },
        },
      ],
      undefined,
    ).text.split("\n")[2];

  assert.equal(tell(true, "today"), "Offer up to 11,860 USD");
  assert.match(tell(false, "today") ?? "", /^From /);
  assert.equal(tell(false, "replaced"), "No longer on offer");
  assert.equal(tell(false, "gone"), "No longer on offer");
});

test("a price drop is told with the ask before it", () => {
  const from = { amount_minor: 1_220_000, currency: "USD" };

  const told = toNotification(
    [anEvent({ price_drop: { from, since_ms: 0, bps: 573 } })],
    undefined,
  );

  assert.deepEqual(told.text.split("\n").slice(1, 3), [
    "Ask 11,500 USD (10,580 EUR), profit 920 EUR",
    "Down 5.73% from 12,200 USD",
  ]);
});

test("a listing without price, dealer or link, and a message, are told as far as they are known", () => {
  const bare = anEvent({ price: undefined, price_eur_minor: undefined, sender: {}, source: {} });
  const message = {
    ...bare,
    data: {
      alert: bare.data.alert,
      match: { ...bare.data.match, match_context: {} },
      message: { message_text: "WTB Daytona\nasap", sender: { phone_number: "85291234567" } },
    },
  };

  assert.deepEqual(toNotification([bare], undefined).text.split("\n"), [
    "Rolex Submariner 126610LN, 2023, like new",
    "Ask without a price, profit 920 EUR",
    "Alert: cheap Submariners",
  ]);
  assert.equal(toNotification([bare], undefined).link, undefined);
  const told = toNotification([message], PUBLIC_URL);
  assert.equal(told.title, 'Message for "cheap Submariners"');
  assert.deepEqual(told.text.split("\n"), [
    "WTB Daytona asap",
    "From +85291234567",
    "Alert: cheap Submariners",
  ]);
});

test("a bundle shows the five best and counts the others; a watch of two alerts counts once", () => {
  const events = [1, 9, 3, 4, 5, 6, 7].map((profit) => anEvent({ id: `l${profit}` }, profit * 100));
  const again = anEvent({ id: "l9" }, 900, "all Rolex");
  const twin = {
    ...again,
    data: { ...again.data, match: events[1]?.data.match ?? again.data.match },
  };

  const told = toNotification([...events, twin], PUBLIC_URL);

  assert.equal(told.title, "7 matches, best profit 9 EUR");
  const links = told.text.match(/\/listings\/\w+/g);
  assert.deepEqual(links, [
    "/listings/l9",
    "/listings/l7",
    "/listings/l6",
    "/listings/l5",
    "/listings/l4",
  ]);
  assert.match(told.text, /\nAlert: cheap Submariners, all Rolex\n/);
  assert.match(told.text, /\n\nand 2 more\nhttps:\/\/assay\.example\.org\/$/);
});

test("what a group wrote cannot break lines, hide text, or become a link, a mention or a command", () => {
  const name = "Evil\r\nBcc: x@evil.com \u202e\u200bhttps://evil.com/x t.me/spam @admin /start";
  const event = anEvent({
    sender: { display_name: name, phone_number: "1\r\n2" },
    source: { group_names: ["g\u0000\u2028roup"] },
    reference: "1266\n10LN",
  });

  const { title, text } = toNotification([event], undefined);

  assert.equal(title, "Rolex 1266 10LN: 10,580 EUR, profit 920 EUR");
  const line = text.split("\n")[2] ?? "";
  assert.match(line, /^From Evil Bcc x evil\. com/);
  assert.match(line, /, \+12, in g roup$/);
  assert.doesNotMatch(text, /[@\u202e\u200b\r]|:\/\/|evil\.com|t\.me|\/start/);
});

test("a text is short enough for ntfy and Telegram, whatever the names are, and never half a character", () => {
  const long = "𝕏時".repeat(400);
  const events = Array.from({ length: 40 }, () =>
    anEvent({
      brand: long,
      model: long,
      reference: long,
      sender: { display_name: long },
      source: { group_names: [long] },
    }),
  );

  for (const bundle of [events, events.slice(0, 1)]) {
    const { title, text } = toNotification(bundle, PUBLIC_URL);
    assert.ok(Buffer.byteLength(text) <= 3_500, String(Buffer.byteLength(text)));
    assert.ok(title.length <= 120);
    assert.ok(text.isWellFormed() && !text.includes("\uFFFD"));
  }
  assert.match(toNotification(events, PUBLIC_URL).text, /and \d\d more/);
});

function anEvent(
  members: Readonly<Record<string, unknown>> = {},
  profitMinor = 92_000,
  alertName = "cheap Submariners",
): MatchEvent {
  const id = randomUUID();
  return {
    type: "alert.match",
    timestamp: "2026-11-15T12:00:00.000Z",
    data: {
      alert: { id, name: alertName },
      match: {
        alert_id: id,
        resource: "watch_listing",
        resource_id: id,
        canonical_message_id: id,
        matched_at_ms: 1,
        match_context: {},
      },
      headline: {
        original_ask_eur_minor: 1_058_000,
        comparable_ask_eur_minor: 1_058_000,
        profit_opportunity_eur_minor: profitMinor,
      },
      listing: {
        id,
        side: "for_sale",
        brand: "Rolex",
        model: "Submariner",
        reference: "126610LN",
        year: 2023,
        condition: "LIKE_NEW",
        price: { amount_minor: 1_150_000, currency: "USD" },
        price_eur_minor: 1_058_000,
        sender: { display_name: "Peter Wong", phone_number: "85291234567" },
        source: { group_names: ["HK Dealers", "EU Dealers"] },
        ...members,
      },
    },
  };
}
