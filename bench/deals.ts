// Reads of a desk that has decided about many watches, over HTTP: deals, what they made, dealers, and the matches of alerts
// without what was passed. Each call asks for other values, so no kept answer helps.
//   node --import tsx bench/deals.ts [DEALS] [LISTINGS] [CALLERS]      default 100000 300000 4
//   CALLS=50 for fewer calls
// `slowest_to_aim` is the slowest p95 divided by the aim; `cpu_ms` is the processor time of the server and the service per call,
// which other programs on the machine do not change.

import { DAY_MS, systemClock } from "../src/base/clock.ts";
import { toStableId } from "../src/base/ids.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { sql } from "../src/db/sql.ts";
import { anAlert } from "../test/support/rows.ts";
import { type ApiCall, type Called, callAll } from "./support/api-calls.ts";
import { createMarket, createRandom, NOW_MS } from "./support/market.ts";
import { loadListings, toListingRow } from "./support/market-store.ts";
import {
  addToken,
  measure,
  openStore,
  readNumbers,
  readVariable,
  round,
  runBenchmark,
  serve,
} from "./support/runner.ts";

const [DEALS, LISTINGS, CALLERS] = readNumbers(100_000, 300_000, 4);
const CALLS = readVariable("CALLS", 200);
const AIM_MS = 100;
const MATCHES = 50_000;
/** One match of so many is one of a price alert. */
const MATCHES_PER_BUY = 10;
const DAYS = 365;
const BLOCKED = 20;
const STATES = ["shortlisted", "contacted", "offered", "bought", "passed"];

interface Known {
  readonly listingIds: readonly string[];
  readonly contactIds: readonly string[];
  readonly assignees: readonly string[];
  readonly cursors: readonly string[];
}

await runBenchmark("deals", async (t) => {
  const { db, url, serverPid } = await openStore(t);
  await loadMarket(db);
  await addDeals(db);
  await addMatches(db);
  await db.script("vacuum analyze");
  const token = await addToken(db);
  const service = await serve(t, { DATABASE_URL: url });
  const target = { url: service.url, token };
  const cursors = await walkDeals(target);
  const processes = { serverPid, servicePid: service.servicePid };
  const reads: Record<string, Called & { readonly cpu_ms: number }> = {};
  for (const [name, create] of Object.entries(callsOf({ ...(await findKnown(db)), cursors }))) {
    // The first calls are not counted: they warm the caches of the server.
    await callAll(target, (at) => (at < CALLERS * 2 ? create() : undefined), CALLERS);
    const { result, serverUs, serviceUs } = await measure(
      () => callAll(target, (at) => (at < CALLS ? create() : undefined), CALLERS),
      processes,
    );
    reads[name] = { ...result, cpu_ms: round((serverUs + serviceUs) / 1000 / CALLS, 1) };
  }
  const slowest = Math.max(...Object.values(reads).map(({ p95_ms }) => p95_ms));
  return {
    deals: DEALS,
    listings: LISTINGS,
    callers: CALLERS,
    slowest_to_aim: round(slowest / AIM_MS),
    reads,
  };
});

function callsOf(known: Known): Readonly<Record<string, () => ApiCall>> {
  const random = createRandom(3);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const get = (create: () => string) => () => ({ method: "GET", path: `/v2/${create()}` });
  // Another question each time.
  const sinceMs = (days: number) =>
    systemClock.nowMs() - days * DAY_MS - Math.floor(random() * DAY_MS);
  const limit = () => 50 + Math.floor(random() * 50);
  return {
    "deals: newest": get(() => `deals?limit=${limit()}`),
    "deals: a later page": get(() => `deals?limit=50&cursor=${pick(known.cursors)}`),
    "deals: of a state": get(() => `deals?state=${pick(STATES)}&limit=${limit()}`),
    "deals: of a person": get(() => `deals?assignee=${pick(known.assignees)}&limit=${limit()}`),
    "deals: of a person in a state": get(
      () => `deals?assignee=${pick(known.assignees)}&state=${pick(STATES)}&limit=${limit()}`,
    ),
    "deal: one": get(() => `deals/${pick(known.listingIds)}`),
    "summary: all": get(() => `deals/summary?from_ms=${Math.floor(random() * 1e9)}`),
    "summary: 30 days": get(() => `deals/summary?from_ms=${sinceMs(30)}`),
    "dealers: last seen": get(() => `contacts?limit=${limit()}`),
    "dealers: on offer": get(() => `contacts?sort=on_offer&limit=${limit()}`),
    "dealers: buys": get(() => `contacts?sort=buys&limit=${limit()}`),
    "dealers: blocked": get(() => `contacts?is_blocked=true&limit=${limit()}`),
    "dealers: by name": get(() => `contacts?q=dealer%20${Math.floor(random() * 900)}`),
    "dealer: one": get(() => `contacts/${pick(known.contactIds)}`),
    "matches: newest": get(() => `alerts/matches?limit=50&since_ms=${sinceMs(60)}`),
    "matches: with hidden": get(
      () => `alerts/matches?limit=50&include_hidden=true&since_ms=${sinceMs(60)}`,
    ),
    "matches: summary of a week": get(() => `alerts/matches/summary?since_ms=${sinceMs(7)}`),
    "search with prices": () => ({
      method: "POST",
      path: "/v2/market/listings/search",
      body: { filters: { price: { gte: Math.floor(random() * 1e5) } }, include: ["price"] },
    }),
  };
}

async function loadMarket(db: DatabasePool): Promise<void> {
  const market = createMarket(11);
  const nowMs = systemClock.nowMs();
  const createRow = (sequence: number) => {
    const listing = market.listing();
    const contact_id = toStableId("contact", listing.phone_number ?? "none");
    const watch = [contact_id, listing.reference_normalized ?? "", String(listing.year)];
    return {
      ...toListingRow(listing, sequence, nowMs),
      contact_id,
      ask_key: toStableId("ask", ...watch),
    };
  };
  await loadListings(db, { count: LISTINGS, createRow });
  await db.execute(sql`
    insert into contact (id, key, phone_number, display_name)
    select contact_id, 'phone:' || number, number, 'Dealer ' || row_number() over (order by contact_id)
      from (select contact_id, coalesce(min(phone_number), '1') as number from listing group by contact_id) as dealer`);
  await db.execute(sql`
    insert into contact_identifier (identifier, contact_id, first_seen_at_ms, name)
    select key, id, ${NOW_MS}, display_name from contact`);
  await db.execute(sql`
    insert into contact_note (identifier, is_blocked, updated_at_ms)
    select key, true, ${NOW_MS} from contact order by md5(key) limit ${BLOCKED}`);
}

/** Of a year, as their watches were posted; half of what was bought is sold, in several currencies. */
async function addDeals(db: DatabasePool): Promise<void> {
  await db.execute(sql`
    insert into fx_rate (currency, day, kind, per_eur)
    select currency, day::date, 'declared', per_eur
      from (values ('HKD', 9.0501), ('USD', 1.0823), ('CHF', 0.9377)) as quoted (currency, per_eur),
           generate_series(now() - interval '400 days', now(), interval '1 day') as day
    on conflict do nothing`);
  // The amounts in euros follow the rates.
  await db.script(
    "alter table deal disable trigger all; alter table deal enable trigger deal_converted",
  );
  await db.execute(sql`
    insert into deal (listing_id, state, reason, assignee_token_id, assignee_name, paid_amount_minor, paid_currency, paid_at_ms,
                      sold_amount_minor, sold_currency, sold_at_ms, created_by, created_at_ms, updated_by, updated_at_ms,
                      asked_amount_minor, asked_currency, profit_eur_minor, predicted_profit_eur_minor, canonical_message_id,
                      contact_id, sender_ids, ask_key, side, variant_folded, price_amount_minor, price_currency, posted_at_ms,
                      watch)
    select id, state, case when state = 'passed' then 'too_dear' end, assignee, 'Anna',
           case when is_bought then price_amount_minor end,
           case when is_bought then (array['EUR', 'HKD', 'USD', 'CHF'])[1 + number % 4] end,
           case when is_bought then decided_at_ms end,
           case when is_sold then price_amount_minor * 1.05 end, case when is_sold then (array['EUR', 'EUR', 'USD'])[1 + number % 3] end,
           case when is_sold then decided_at_ms + ${9 * DAY_MS} end,
           'Anna', decided_at_ms, 'Anna', decided_at_ms, price_amount_minor, price_currency, 50000,
           case when is_bought then 50000 end, canonical_message_id, contact_id, array['phone:' || phone_number], ask_key, side,
           variant_folded, price_amount_minor, price_currency, message_timestamp_ms,
           jsonb_build_object('brand', brand, 'reference', reference, 'contact_id', contact_id, 'year', year)
      from (select chosen.*, chosen.state = 'bought' as is_bought, chosen.state = 'bought' and number % 2 = 0 as is_sold,
                   greatest(chosen.message_timestamp_ms, ${systemClock.nowMs() - DAYS * DAY_MS}) as decided_at_ms,
                   md5((number % 8)::text)::uuid as assignee
              from (select listing.*, (${STATES}::text[])[1 + number % 5] as state
                      from (select listing.*, row_number() over (order by md5(id::text)) as number from listing
                             where price_amount_minor is not null and phone_number is not null) as listing
                     limit ${DEALS}) as chosen) as decided`);
  await db.script("alter table deal enable trigger all");
}

/** Two alerts that matched the latest watches for sale. */
async function addMatches(db: DatabasePool): Promise<void> {
  const filterId = await anAlert(db);
  const buysId = await anAlert(db, { strategy: "price_engine" });
  await db.execute(sql`
    insert into alert_match (alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, match_context)
    select case when is_buy then ${buysId}::uuid else ${filterId}::uuid end, 'watch_listing', id, id, canonical_message_id,
           last_seen_at_ms,
           jsonb_build_object('strategy', case when is_buy then 'price_engine' else 'market_filter' end)
      from (select listing.*, sequence % ${MATCHES_PER_BUY} = 0 as is_buy from listing) as listing
     where side = 'for_sale' and not is_hidden and not is_revoked
     order by last_seen_at_ms desc
     limit ${MATCHES}`);
}

async function findKnown(db: DatabasePool): Promise<Omit<Known, "cursors">> {
  const deals = await db.query<{ id: string }>(sql`
    select listing_id as id from deal order by md5(listing_id::text) limit 1000`);
  const contacts = await db.query<{ id: string }>(sql`
    select contact_id as id from listing group by contact_id order by count(*) desc, contact_id limit 500`);
  const people = await db.query<{ id: string }>(sql`
    select distinct assignee_token_id as id from deal`);
  const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
  return { listingIds: idsOf(deals), contactIds: idsOf(contacts), assignees: idsOf(people) };
}

/** The places of some later pages. */
async function walkDeals(target: { readonly url: string; readonly token: string }) {
  const cursors: string[] = [];
  for (let at = 0; at < 100; at += 1) {
    const last = cursors.at(-1);
    const from = last === undefined ? "" : `&cursor=${last}`;
    const response = await fetch(`${target.url}/v2/deals?limit=100${from}`, {
      headers: { authorization: `Bearer ${target.token}` },
    });
    const { next_cursor } = (await response.json()) as { next_cursor?: string };
    if (next_cursor === undefined) break;
    cursors.push(next_cursor);
  }
  return cursors;
}
