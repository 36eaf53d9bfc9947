import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { listMarketEvents } from "../../src/demo/market-events.ts";
import { createMarket, listMessages, sizeOf } from "../../src/demo/posts.ts";
import { buildCatalogue } from "../../src/extraction/catalogue/catalogue.ts";
import { extract } from "../../src/extraction/extract.ts";
import { countryPrefixOf } from "../../src/listings/listing.ts";
import { readWaha } from "../../src/messages/gateways/waha.ts";
import { NOW_MS } from "../support/test-app.ts";

const FULL_SIZE = sizeOf(30_000);
const market = createMarket(FULL_SIZE);
const tenDays = { fromMs: NOW_MS - 10 * DAY_MS, toMs: NOW_MS };

test("a range always generates the same market, and two ranges agree where they overlap", () => {
  const all = listMessages(market, tenDays);
  const again = listMessages(createMarket(FULL_SIZE), tenDays);
  const later = listMessages(market, { fromMs: NOW_MS - 4 * DAY_MS, toMs: NOW_MS + DAY_MS });

  assert.deepEqual(again, all);
  assert.deepEqual(
    later.filter(({ atMs }) => atMs < NOW_MS),
    all.filter(({ atMs }) => atMs >= NOW_MS - 4 * DAY_MS),
  );
});

test("the full market has about the configured number of messages, from all dealers, in all groups", () => {
  const { messages, days, groups, dealers } = FULL_SIZE;
  const all = listMessages(market, { fromMs: NOW_MS - days * DAY_MS, toMs: NOW_MS });

  assert.ok(Math.abs(all.length / messages - 1) < 0.03, String(all.length));
  assert.equal(new Set(all.map(({ group }) => group.gatewayGroupId)).size, groups);
  assert.equal(new Set(all.map(({ dealer }) => dealer.phone)).size, dealers);
  assert.equal(new Set(all.map(({ rawId }) => rawId)).size, all.length);
  assert.ok(all.some(({ edit }) => edit !== undefined));
  assert.ok(all.some(({ revokedAtMs }) => revokedAtMs !== undefined));
});

test("some repeats ask more than the post before, and a sale is a reply of the dealer to his last post", () => {
  const all = listMessages(market, { fromMs: NOW_MS - 30 * DAY_MS, toMs: NOW_MS });
  const byRawId = new Map(all.map((message) => [message.rawId, message]));
  const amounts = new Map<string, number>();
  let [repeats, raised] = [0, 0];
  for (const { asks } of all) {
    for (const { piece, amount } of asks) {
      const before = amounts.get(piece);
      if (before !== undefined && before !== amount) repeats += 1;
      if (before !== undefined && before < amount) raised += 1;
      amounts.set(piece, amount);
    }
  }
  const sales = all.flatMap((reply) => {
    const post = byRawId.get(reply.replyTo?.rawId ?? "");
    return reply.soldPiece === undefined || post === undefined ? [] : [{ reply, post }];
  });

  assert.ok(raised > repeats / 10 && raised < repeats / 2, `${raised} of ${repeats}`);
  assert.ok(sales.length > all.length / 100, String(sales.length));
  for (const { reply, post } of sales) {
    assert.deepEqual([reply.dealer, reply.group], [post.dealer, post.group]);
    assert.ok(post.asks.some(({ piece }) => piece === reply.soldPiece));
    const later = all.filter(
      ({ asks, atMs }) => atMs > reply.atMs && asks.some(({ piece }) => piece === reply.soldPiece),
    );
    assert.deepEqual(later, []);
  }
});

test("every engine names the message that a sale replies to", () => {
  const range = { fromMs: NOW_MS - 70 * DAY_MS, toMs: NOW_MS };
  const small = createMarket({ ...FULL_SIZE, messages: 4_000 });
  const quoted = listMarketEvents(small, range).flatMap(({ body }) => {
    const { engine } = body as { engine: string };
    const reading = readWaha(Buffer.from(JSON.stringify(body)));
    const facts = reading.kind === "facts" ? reading.facts : [];
    return facts.flatMap((fact) =>
      fact.kind === "message" && fact.replyTo !== undefined
        ? [{ engine, replyTo: fact.replyTo }]
        : [],
    );
  });
  const posts = listMessages(small, { ...range, fromMs: range.fromMs - 12 * DAY_MS });
  const rawIds = new Set(posts.map(({ rawId }) => rawId));

  assert.deepEqual([...new Set(quoted.map(({ engine }) => engine))].sort(), [
    "GOWS",
    "NOWEB",
    "WEBJS",
  ]);
  assert.ok(quoted.every(({ replyTo }) => rawIds.has(replyTo)));
});

test("the gateway parser understands every event, and all four engines occur", () => {
  const range = { fromMs: NOW_MS - 70 * DAY_MS, toMs: NOW_MS };
  const small = createMarket({ ...FULL_SIZE, messages: 1_500 });
  const events = listMarketEvents(small, range);

  const readings = events.map(({ body }) => readWaha(Buffer.from(JSON.stringify(body))));
  const engines = events.map(({ body }) => (body as { engine: string }).engine);
  const kinds = new Set(
    readings.flatMap((reading) =>
      reading.kind === "facts" ? reading.facts.map(({ kind }) => kind) : [reading.reason],
    ),
  );

  assert.deepEqual([...new Set(engines)].sort(), ["GOWS", "NOWEB", "WEBJS", "WPP"]);
  assert.deepEqual([...kinds].sort(), ["edit", "group", "message", "revoke", "session"]);
});

test("the Hong Kong session has been silent for hours, and the European session has not", () => {
  const events = listMarketEvents(market, tenDays);
  const latestOf = (session: string): number =>
    Math.max(
      ...events.flatMap(({ atMs, body }) => {
        const event = body as { session: string; event: string };
        return event.session === session && event.event.startsWith("message") ? [atMs] : [];
      }),
    );

  assert.ok(latestOf("recv-eu-1") > NOW_MS - 1_800_000);
  assert.ok(latestOf("recv-hk-1") < NOW_MS - 7_200_000);
});

test("extraction understands what the demo dealers write", () => {
  const catalogue = buildCatalogue();
  const messages = listMessages(market, { fromMs: NOW_MS - 2 * DAY_MS, toMs: NOW_MS });
  const texts = messages.filter(({ replyTo }) => replyTo === undefined);

  const listings = texts.flatMap(({ text, dealer }) => {
    const senderCountry = countryPrefixOf(dealer.phone) ?? "";
    return extract({ text, senderCountry }, catalogue).listings.filter(
      ({ side }) => side === "for_sale",
    );
  });
  const whole = listings.filter(({ reference, brand, year, condition, price }) =>
    [reference, brand, year, condition, price].every((value) => value !== undefined),
  );

  assert.ok(listings.length > texts.length);
  assert.ok(whole.length / listings.length > 0.97, `${whole.length} of ${listings.length}`);
});
