// How fast webhooks are acknowledged, next to plain inserts of the same bytes on the same server, and how fast a single
// worker turns them into messages, with few and with many messages stored. Each rate comes with the processor time per
// event in µs: `own_us` is that of the client or the worker.
//   node --import tsx bench/intake.ts [MESSAGES]      default 100000; 0 skips the steps

import { DAY_MS, systemClock } from "../src/base/clock.ts";
import type { DatabasePool } from "../src/db/database.ts";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";
import { saveRawEvents } from "../src/intake/raw-event-store.ts";
import { canonicalizeEvents } from "../src/messages/canonicalize-events.ts";
import { mergeContacts } from "../src/messages/contacts/merge-contacts.ts";
import { rawEvent } from "../test/support/drain.ts";
import { aMessageEvent } from "../test/support/waha.ts";
import { openWebhookClient } from "./support/connection.ts";
import { aPost, DEALERS } from "./support/messages.ts";
import {
  inTurns,
  measure,
  openStore,
  quantile,
  type Run,
  readNumbers,
  round,
  runBenchmark,
  type Store,
  serve,
} from "./support/runner.ts";

const [MESSAGES] = readNumbers(100_000);
const CONNECTIONS = 64;
const SECONDS = 3;
const ROUNDS = 5;
const PIECE = 10_000;
const MARKS = [10_000, 100_000, 1_000_000];
const START_MS = 1_787_217_330_000;
const TEMPLATE = JSON.stringify(aMessageEvent({ rawId: "RAW_ID" }));

type Processes = Parameters<typeof measure>[1];

interface Rate {
  readonly per_second: number;
  readonly own_us: number;
  readonly service_us: number;
  readonly server_us: number;
}

await runBenchmark("intake", async (t) => {
  const store = await openStore(t);
  const { webhooks, inserts } = await compareWithInserts(t, store);
  await store.db.execute(sql`truncate raw_event_queue`);
  const ratios = webhooks.map((rate, at) => rate.per_second / (inserts[at]?.per_second ?? 0));
  return {
    connections: CONNECTIONS,
    webhooks: middle(webhooks),
    inserts: middle(inserts),
    ratios: ratios.map((ratio) => round(ratio)).sort(),
    steps: MESSAGES === 0 ? [] : await stepRates(store),
  };
});

async function compareWithInserts(t: Run, store: Store) {
  const { url } = store;
  const service = await serve(t, { DATABASE_URL: url }, ["--role", "api"]);
  const peer = openPool({ url, sharedCount: CONNECTIONS, name: "assay bench" });
  await peer.script(
    "create table peer (id bigint generated always as identity, body bytea not null)",
  );
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openWebhookClient(service.url)),
  );
  const processes = { ...store, ...service };
  const rates = await inTurns(ROUNDS, {
    webhooks: (round) =>
      rateOf(processes, (client, at) => clients[client]?.post(bodyOf(`W${round}x${client}x${at}`))),
    inserts: (round) =>
      rateOf(processes, (client, at) => {
        const body = Buffer.from(bodyOf(`P${round}x${client}x${at}`));
        return peer.execute(sql`insert into peer (body) values (${body})`);
      }),
  });
  for (const client of clients) client.close();
  await peer.end();
  await service.stop();
  return rates;
}

function bodyOf(rawId: string): string {
  return TEMPLATE.replace("RAW_ID", rawId);
}

/** Works on all connections at once, each as fast as it gets responses. */
function rateOf(
  processes: Processes,
  work: (client: number, at: number) => PromiseLike<unknown> | undefined,
): Promise<Rate> {
  return measureRate(processes, async () => {
    const endMs = performance.now() + SECONDS * 1000;
    let count = 0;
    const drive = async (_: unknown, client: number): Promise<void> => {
      for (let at = 0; performance.now() < endMs; at += 1) {
        await work(client, at);
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, drive));
    return count;
  });
}

async function measureRate(processes: Processes, work: () => Promise<number>): Promise<Rate> {
  const { result: count, ms, ownUs, serviceUs, serverUs } = await measure(work, processes);
  return {
    per_second: Math.round(count / (ms / 1000)),
    own_us: Math.round(ownUs / count),
    service_us: Math.round(serviceUs / count),
    server_us: Math.round(serverUs / count),
  };
}

/** The round with the median rate. */
function middle(rates: readonly Rate[]): Rate | undefined {
  const median = quantile(
    rates.map(({ per_second }) => per_second),
    0.5,
  );
  return rates.find(({ per_second }) => per_second === median);
}

/** Fills the store piece by piece, and returns the rates of the pieces that end at the marks. */
async function stepRates(store: Store) {
  const rates: (Rate & { readonly stored: number })[] = [];
  for (let stored = 0; stored < MESSAGES; stored += PIECE) {
    for (let at = 0; at < PIECE; at += 500) {
      const events = Array.from({ length: 500 }, (_, k) =>
        rawEvent(aRepeatedPost(stored + at + k)),
      );
      await saveRawEvents(store.db, events, "window");
    }
    const piece = await measureRate(store, async () => {
      await runSteps(store.db);
      return PIECE;
    });
    const total = stored + PIECE;
    // The first piece runs code that V8 has not optimised yet, so the mark is at the second.
    if (total === 2 * PIECE || MARKS.includes(total) || total >= MESSAGES) {
      rates.push({ stored: total, ...piece });
    }
  }
  return rates;
}

/** Each text is posted about three times. */
function aRepeatedPost(at: number) {
  const lot = `number ${Math.floor(at / (3 * DEALERS))} of ${at % DEALERS}`;
  const text = `126610LN 2024 full set, ${lot}, HKD 98,500`;
  return aPost({ id: `S${at}`, at, text, atMs: START_MS + at * 1000 });
}

async function runSteps(db: DatabasePool): Promise<void> {
  const options = { batchMax: 500, clock: systemClock, alertWindowMs: DAY_MS };
  for (;;) {
    const { takenCount } = await canonicalizeEvents(db, options);
    const merged = await mergeContacts(db, { batchMax: 500 });
    if (takenCount + merged.takenCount === 0) return;
  }
}
