// The time from a webhook's acknowledgement to the commit of the match that it causes, at a steady rate of messages.
//   node --import tsx bench/alerting.ts [ALERTS] [MESSAGES] [PER_SECOND]             default 100000 2000 100
// has many alerts on filters, of which a listing matches about five.
//   node --import tsx bench/alerting.ts buys [BACKLOG] [MESSAGES] [PER_SECOND]       default 12000 200 10
// has alerts on buys, first alone and then behind a backlog of messages that are extracted again, with the ratio.

import { randomUUID } from "node:crypto";
import { sleep } from "../src/base/clock.ts";
import type { Database, DatabasePool } from "../src/db/database.ts";
import { recordset, sql } from "../src/db/sql.ts";
import { saveRawEvents } from "../src/intake/raw-event-store.ts";
import { aSavedFilter } from "../test/support/alerts.ts";
import { rawEvent } from "../test/support/drain.ts";
import { aConfiguration, anAlert } from "../test/support/rows.ts";
import { openWebhookClient } from "./support/connection.ts";
import { aPost } from "./support/messages.ts";
import {
  isBusy,
  openStore,
  quantile,
  type Run,
  readNumbers,
  readWords,
  round,
  runBenchmark,
  serve,
} from "./support/runner.ts";

const REFERENCES = (
  "126610LN 126610LV 116610LN 116610LV 124060 114060 126500LN 116500LN 116520 126710BLRO 126710BLNR 116710BLNR " +
  "116710LN 126720VTNR 126334 126300 126331 126333 116334 228238 228235 228206 126600 116600 126660 124270 214270 " +
  "226570 216570 116400GV 126900 116900 126622 126621 116622 336934 326934 326935 268622 126200"
).split(" ");
// All of these references were made in each of these years. Extraction rejects a year before a reference's first one.
const FIRST_YEAR = 2023;
const YEARS = 4;
/** Alerts differ by reference, year and price band. A listing matches one in this many. */
const BANDS = 125;
const BAND_EUR = 80;
const BUY_REFERENCES =
  "126610LN 126610LV 124060 126500LN 126710BLRO 126334 228238 126600 226570 126900".split(" ");
/** A dealer who repeats a price repeats the ask, which is no new buy. So each phase has its own prices. */
const FIRST_PRICE_EUR = { W: 8_000, A: 8_500, B: 9_500, I: 11_000 };
const PRICES = 900;
const WARM_UP_BUYS = 20;
const SENDERS = 16;
const ROWS_AT_ONCE = 1_000;
const QUIET_MAX_MS = 60_000;
const SETTLE_MS = 5_000;

await runBenchmark("alerting", readWords().includes("buys") ? measureBuys : measureFilters);

async function measureFilters(t: Run) {
  const [ALERTS, MESSAGES, PER_SECOND] = readNumbers(100_000, 2_000, 100);
  const { db, url } = await openStore(t);
  for (let at = 0; at < ALERTS; at += ROWS_AT_ONCE) {
    await declareAlerts(db, at, Math.min(at + ROWS_AT_ONCE, ALERTS));
  }
  const service = await serve(t, { DATABASE_URL: url });
  // The filters are loaded before the first message arrives, so that only matching is measured.
  await sleep(SETTLE_MS);
  const post = { db, url: service.url, perSecond: PER_SECOND };
  const text = (at: number) => {
    const { reference, year, band } = wishOf(at * 7_919);
    const ask = 10_000 + band * BAND_EUR + (at % BAND_EUR);
    return `WTS Rolex ${reference} ${year} used full set EUR ${ask} lot x${at}`;
  };
  // The first messages warm the process up and are not counted.
  const warmUp = Math.min(200, MESSAGES / 5);
  await postAndWait({ ...post, prefix: "W", count: warmUp, text: (at) => text(MESSAGES + at) });
  const delays = await postAndWait({ ...post, prefix: "A", count: MESSAGES, text });
  const [counted] = await db.query<{ matches: number; listings: number }>(sql`
    select (select count(*) from alert_match) as matches, (select count(*) from listing) as listings`);
  const matchesPerListing = (counted?.matches ?? 0) / (counted?.listings ?? 1);
  return {
    alerts: ALERTS,
    messages_per_second: PER_SECOND,
    matches_per_listing: round(matchesPerListing),
    ...delays,
  };
}

async function measureBuys(t: Run) {
  const [BACKLOG, MESSAGES, PER_SECOND] = readNumbers(12_000, 200, 10);
  const { db, url } = await openStore(t);
  await declareConfigurations(db);
  const service = await serve(t, { DATABASE_URL: url });
  for (let from = 0; from < BACKLOG; from += ROWS_AT_ONCE) {
    const events = Array.from({ length: Math.min(ROWS_AT_ONCE, BACKLOG - from) }, (_, index) => {
      const at = from + index;
      const event = aPost({ id: `I${at}`, at, text: anAsk("I", at) });
      return rawEvent(event, { origin: "import", receivedAtMs: Date.now() });
    });
    await saveRawEvents(db, events, "never");
  }
  while (await isBusy(db)) await sleep(200);
  const post = { db, url: service.url, perSecond: PER_SECOND };
  const measure = (prefix: Phase, count: number) =>
    postAndWait({ ...post, prefix, count, text: (at) => anAsk(prefix, at) });
  await measure("W", WARM_UP_BUYS);
  const alone = await measure("A", MESSAGES);
  await db.execute(
    sql`insert into message_queue (canonical_message_id) select id from canonical_message`,
  );
  const queued = await countQueuedMessages(db);
  const behind = await measure("B", MESSAGES);
  return {
    buys_per_second: PER_SECOND,
    alone,
    behind_backlog: behind,
    backlog_queued: queued,
    backlog_left: await countQueuedMessages(db),
    p99_ratio: round(behind.p99_ms / alone.p99_ms),
  };
}

type Phase = keyof typeof FIRST_PRICE_EUR;

function anAsk(phase: Phase, at: number): string {
  const reference = BUY_REFERENCES[at % BUY_REFERENCES.length];
  const ask = FIRST_PRICE_EUR[phase] + (at % PRICES);
  return `WTS Rolex ${reference} 2023 new full set EUR ${ask} lot ${phase}${at}`;
}

/** Typical alerts: one reference, one year, one price band. */
async function declareAlerts(db: DatabasePool, from: number, to: number): Promise<void> {
  const rows = Array.from({ length: to - from }, (_, index) => {
    const { reference, year, band } = wishOf(from + index);
    const gte = (10_000 + band * BAND_EUR) * 100;
    const price = { gte, lte: gte + BAND_EUR * 100 - 1 };
    const filters = { reference: [reference], years: [year], price };
    return { id: randomUUID(), name: `alert ${from + index}`, filters };
  });
  await db.execute(sql`
    insert into alert (id, name, is_enabled, filters, strategy, is_system, created_at_ms, updated_at_ms)
    select id, name, true, filters, 'market_filter', false, 0, 0
      from ${recordset(rows)} as made (id uuid, name text, filters jsonb)`);
  await db.execute(sql`
    insert into saved_filter (owner_kind, owner_id, filters, reads_duplicates)
    select 'alert', id, jsonb_build_array(filters), false
      from ${recordset(rows)} as made (id uuid, filters jsonb)`);
}

function wishOf(at: number) {
  const reference = REFERENCES[at % REFERENCES.length] ?? "";
  const rest = Math.floor(at / REFERENCES.length);
  return { reference, year: FIRST_YEAR + (rest % YEARS), band: Math.floor(rest / YEARS) % BANDS };
}

/** A configuration and its alert for each reference; every listing counts as an ask in Europe. */
async function declareConfigurations(db: DatabasePool): Promise<void> {
  await aSavedFilter(db, "view_eu", randomUUID());
  for (const reference of BUY_REFERENCES) {
    const id = await aConfiguration(db, {
      configuration_key: `rolex:${reference}`,
      reference,
      reference_normalized: reference,
      market_reference_normalized: reference,
    });
    await aSavedFilter(db, "configuration", id, { reference: [reference] });
    await anAlert(db, {
      strategy: "price_engine",
      is_system: true,
      configuration_id: id,
      filters: { configuration_ids: [id] },
    });
  }
}

interface Posting {
  readonly db: DatabasePool;
  readonly url: string;
  /** The ids of the messages begin with it. */
  readonly prefix: string;
  readonly count: number;
  readonly perSecond: number;
  text(at: number): string;
}

/** Posts at a steady rate and waits for the matches. Returns the delays. */
async function postAndWait(posting: Posting) {
  const { url, prefix, count, perSecond, text } = posting;
  const clients = await Promise.all(Array.from({ length: SENDERS }, () => openWebhookClient(url)));
  const acknowledgedAtMs = new Map<string, number>();
  const startedAtMs = performance.now();
  let next = 0;
  let refusedCount = 0;
  const send = async (client: (typeof clients)[number]): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      await sleep(Math.max(0, startedAtMs + (at * 1000) / perSecond - performance.now()));
      const id = `${prefix}${at}`;
      const body = JSON.stringify(aPost({ id, at, text: text(at) }));
      // A refused event is sent again after a pause, as a gateway does.
      while ((await client.send(body)) !== 202) {
        refusedCount += 1;
        await sleep(500);
      }
      acknowledgedAtMs.set(id, performance.now());
    }
    client.close();
  };
  const [seenAtMs] = await Promise.all([watchMatches(posting), ...clients.map(send)]);
  const delays = [...seenAtMs].map(([id, atMs]) => atMs - (acknowledgedAtMs.get(id) ?? atMs));
  return {
    measured: delays.length,
    refused: refusedCount,
    p50_ms: Math.round(quantile(delays, 0.5)),
    p99_ms: Math.round(quantile(delays, 0.99)),
    max_ms: Math.round(quantile(delays, 1)),
  };
}

/** Records when the match of each message becomes visible to a reader of the store. */
async function watchMatches({ db, prefix, count, perSecond }: Posting) {
  const seenAtMs = new Map<string, number>();
  let readUpTo = 0;
  let endMs = performance.now() + (count * 1000) / perSecond + QUIET_MAX_MS;
  while (seenAtMs.size < count && performance.now() < endMs) {
    const rows = await db.query<{ sequence: number; raw_id: string }>(sql`
      select match.sequence, occurrence.raw_id
        from alert_match as match
        join occurrence on occurrence.canonical_message_id = match.canonical_message_id
       where match.sequence > ${readUpTo}
       order by match.sequence`);
    const nowMs = performance.now();
    for (const { sequence, raw_id } of rows) {
      readUpTo = sequence;
      if (raw_id.startsWith(prefix) && !seenAtMs.has(raw_id)) seenAtMs.set(raw_id, nowMs);
    }
    if (rows.length > 0) endMs = Math.max(endMs, nowMs + QUIET_MAX_MS);
    await sleep(5);
  }
  return seenAtMs;
}

async function countQueuedMessages(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from message_queue`);
  return row?.count ?? 0;
}
