/** A dealer whose price goes down and up, or who posts a list again: every page shows the watches that he offers now. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../../src/base/clock.ts";
import { sql } from "../../../src/db/sql.ts";
import { changeShippedRates } from "../../../src/pipeline/change-rates.ts";
import { process } from "../../support/drain.ts";
import { applyTexts } from "../../support/manifest.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { NOW_MS, type TestApp } from "../../support/test-app.ts";
import { aMessageEvent, post } from "../../support/waha.ts";

const WATCH = "126610LN 2023 new full set";

const MARKET = `
profiles: [{name: p, status: live, minimum_listings: 3, minimum_profit_eur_minor: 50000}]
views: [{name: EU, source_market: EU, filters: {}}]
configurations: [{profile: p, brand: Rolex, reference: 126610LN}]
alerts: [{name: all buys, strategy: price_engine, filters: {}}]`;

/** An average of 10,500, so asks up to 10,000 are buys. */
const OTHERS = [10_400, 10_500, 10_600].map((euros, at) =>
  aMessageEvent({
    rawId: `O${at}`,
    sender: { phone: `44770090055${at}`, lid: `19990000000055${at}`, name: `Other ${at}` },
    text: `WTS Rolex ${WATCH} EUR ${euros}`,
    atS: NOW_MS / 1000 - 30 * 3600,
  }),
);

const posted = (rawId: string, text: string, hoursAgo: number) =>
  aMessageEvent({ rawId, text, atS: (NOW_MS - hoursAgo * HOUR_MS) / 1000 });

const UP_AND_DOWN = [
  posted("A", `${WATCH} EUR 9,500`, 20),
  posted("B", `${WATCH} EUR 9,300 today only`, 12),
  posted("C", `${WATCH} EUR 9,500 available`, 2),
];

const TWO_PIECES = [
  posted("A", `Monday offers\n${WATCH} EUR 9,500\n${WATCH} EUR 9,700`, 22),
  posted("B", `Tuesday offers\n${WATCH} EUR 9,500\n${WATCH} EUR 9,700`, 2),
];

const sorted = (asks: readonly number[]) => asks.toSorted((a, b) => a - b);

const askOf = ({ price }: { price: { amount_minor: number } }) => price.amount_minor / 100;

/** What each page shows of the dealer's watches, as asks. */
async function showPages(app: TestApp) {
  const filters = { reference: ["126610LN"], price: { lte: 1_000_000 } };
  const search = (body: object) =>
    post(app, "/v2/market/listings/search", { filters, limit: 100, ...body });
  const ranking = (await search({ sort: "profit" })).body;
  const plain = (await search({ include: ["price"] })).body;
  const feed = (await post(app, "/v2/market/live-feed/search", { filters, limit: 100 })).body;
  const buys = (await app.call("GET", "/v2/alerts/matches?is_buy=true&limit=100")).body;
  const summary = (await app.call("GET", "/v2/alerts/matches/summary?since_ms=0")).body;
  const matched = await app.db.query<{ euros: number }>(sql`
    select price_amount_minor / 100 as euros from listing
     where id = any(${buys.items.map((item: { resource_id: string }) => item.resource_id)}::uuid[])`);
  return {
    ranking: sorted(ranking.items.map(askOf)),
    buysOfSearch: plain.prices.filter(({ price }: { price?: { is_buy: boolean } }) => price?.is_buy)
      .length,
    feed: sorted(feed.items.map(({ listing }: { listing: never }) => askOf(listing))),
    buys: sorted(matched.map(({ euros }) => euros)),
    buyCount: summary.buy_count,
  };
}

function ordersOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((first, at) =>
    ordersOf(items.toSpliced(at, 1)).map((rest) => [first, ...rest]),
  );
}

const CASES = [
  { name: "a price goes down and up", events: UP_AND_DOWN, asks: [9_500] },
  { name: "a list of two pieces is posted again", events: TWO_PIECES, asks: [9_500, 9_700] },
] as const;

for (const { name, events, asks } of CASES) {
  for (const order of ordersOf([...events.keys()])) {
    test(`${name}: Buys, ranking, search and feed show what is offered (${order.join(" ")})`, async (t) => {
      const app = await borrowTestApp(t);
      await changeShippedRates(app.db);
      await applyTexts(app.db, MARKET);
      await process(app.db, OTHERS);
      for (const at of order) await process(app.db, [events[at]]);

      assert.deepEqual(await showPages(app), {
        ranking: asks,
        buysOfSearch: asks.length,
        feed: asks,
        buys: asks,
        // Pieces that read as one watch count once.
        buyCount: 1,
      });
    });
  }
}
