import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS } from "../../src/base/clock.ts";
import { sql } from "../../src/db/sql.ts";
import { DEAL_STATES } from "../../src/deals/deal.ts";
import { findDemoLoad, loadDemo } from "../../src/demo/load-demo.ts";
import { DEMO_SIZE, openDemoApp, openDemoDatabase } from "../support/demo.ts";
import { stepContext } from "../support/drain.ts";
import type { TestApp } from "../support/test-app.ts";

const PAUSES_DAYS = process.env["ASSAY_TEST_LONG"] === "1" ? [1, 7, 365] : [365];

test("a demo that restarts after days or a year has a market up to that day", async (t) => {
  // Its first load is done.
  const opened = await openDemoApp(t);
  const { db, clock } = opened;
  const context = await stepContext(db, clock);
  const load = () => loadDemo(context, { size: DEMO_SIZE, say: () => undefined });
  const first = await lookAround(opened);
  await checkDesk(opened);

  for (const days of PAUSES_DAYS) {
    clock.advance(days * DAY_MS);
    await load();
    const later = await lookAround(opened);

    assert.equal((await findDemoLoad(db))?.until_ms, clock.nowMs());
    assert.ok(
      later.availableCount > first.availableCount / 2,
      `${days} days: ${later.availableCount}`,
    );
    assert.ok(later.newMatchCount > 0, `after ${days} days no alert has fired for a day`);
    assert.equal(later.staleCount, 0);
  }
  await context.close();
  // However long the demo was stopped, it loads no more than a new demo would.
  const [posted] = await db.query<{ count: number }>(
    sql`select count(*) as count from canonical_message`,
  );
  assert.ok((posted?.count ?? 0) < 3 * first.messageCount, String(posted?.count));
});

interface DemoDeal {
  readonly state: string;
  readonly updated_by: string;
  readonly assignee_name: string;
  readonly updated_at_ms: number;
  readonly created_at_ms: number;
  readonly sold?: object;
  readonly realised_profit_eur_minor?: number;
  readonly predicted_profit_eur_minor?: number;
}

/** The desk has decided and sold in every state, and knows its dealers. */
async function checkDesk({ call, clock }: TestApp): Promise<void> {
  const { body: summary } = await call("GET", "/v2/deals/summary");
  const { items } = (await call("GET", "/v2/deals?limit=200")).body;
  const deals = items as readonly DemoDeal[];
  const { items: blocked } = (await call("GET", "/v2/contacts?is_blocked=true")).body;
  const { items: dealers } = (await call("GET", "/v2/contacts?limit=200")).body;
  const valuesOf = (member: "state" | "updated_by" | "assignee_name") =>
    [...new Set(deals.map((deal) => deal[member]))].toSorted();
  const days = (clock.nowMs() - Math.min(...deals.map((deal) => deal.created_at_ms))) / DAY_MS;
  const sold = deals.filter((deal) => deal.sold !== undefined);

  assert.deepEqual(valuesOf("state"), [...DEAL_STATES].toSorted());
  assert.deepEqual(valuesOf("updated_by"), ["Anna", "Ben"]);
  assert.deepEqual(valuesOf("assignee_name"), ["Anna", "Ben"]);
  const wantedDays = Math.min(60, DEMO_SIZE.days);
  assert.ok(days > wantedDays * 0.75 && days <= wantedDays, `deals of ${days} days`);
  assert.ok(sold.length > 5 && sold.length === summary.sold_count, JSON.stringify(summary));
  assert.ok(sold.every((deal) => deal.realised_profit_eur_minor !== undefined));
  assert.ok(sold.every((deal) => deal.predicted_profit_eur_minor !== undefined));
  assert.ok(summary.bought_count > sold.length, "some are in the safe");
  assert.ok(deals.every((deal) => deal.updated_at_ms <= clock.nowMs()));
  assert.equal(blocked.length, 2);
  const isNoted = (dealer: { note?: string; is_blocked: boolean }) =>
    dealer.note !== undefined && !dealer.is_blocked;
  assert.ok(dealers.filter(isNoted).length >= 3);
}

/** What the API shows right after the start. */
async function lookAround({ db, clock, call }: TestApp) {
  const configurations = await call("GET", "/v2/market/price-engine/configurations?limit=100");
  const items = configurations.body.items as readonly { cell_status: string; is_stale: boolean }[];
  const [counted] = await db.query<{ messages: number; matches: number }>(sql`
    select (select count(*) from canonical_message) as messages,
           (select count(*) from alert_match where matched_at_ms > ${clock.nowMs() - DAY_MS}) as matches`);
  return {
    availableCount: items.filter(({ cell_status }) => cell_status === "available").length,
    staleCount: items.filter(({ is_stale }) => is_stale).length,
    newMatchCount: counted?.matches ?? 0,
    messageCount: counted?.messages ?? 0,
  };
}

test("no buy of the demo is a watch without papers, and such watches have prices of their own", async (t) => {
  const { pool: db } = await openDemoDatabase(t);

  const rows = await db.query<{ is_own: boolean; member_count: number; buy_count: number }>(sql`
    select configuration.filters ? 'full_set_status' as is_own, count(distinct listing.id) as member_count,
           count(distinct listing.id) filter (where match.listing_id is not null) as buy_count
      from listing
      join listing_model as model on model.listing_id = listing.id
      join price_configuration as configuration on configuration.id = model.configuration_id
      left join alert_match as match
        on match.listing_id = listing.id and match.match_context ->> 'configuration_id' = configuration.id::text
     where full_set_status <> '{}' and not full_set_status && '{FULL_SET,WATCH_AND_CARD}'
     group by 1`);

  assert.ok(rows.length === 1 && rows.every(({ is_own }) => is_own), JSON.stringify(rows));
  assert.ok(rows.every(({ member_count, buy_count }) => member_count > 0 && buy_count === 0));
});
