import { createHash } from "node:crypto";
import { type MatchPair, markPairsSeen, markSeenUpTo } from "../alerts/match-store.ts";
import { type Clock, DAY_MS, sleep } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { whileLocked } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { isConflict } from "../db/store-error.ts";
import { saveRawEvents } from "../intake/raw-event-store.ts";
import { applyManifest } from "../manifest/apply-declarations.ts";
import { type Manifest, parseManifest } from "../manifest/parse-manifest.ts";
import type { Step, StepContext } from "../pipeline/step.ts";
import { STEPS } from "../pipeline/steps.ts";
import { makeDemoDeals } from "./demo-deals.ts";
import { DECLARED_ALERT, toDemoManifest } from "./demo-manifest.ts";
import { listMarketEvents, listStretches } from "./market-events.ts";
import { createMarket, type Market, type MarketSize } from "./posts.ts";

interface LoadOptions {
  readonly size: MarketSize;
  /** Called with a line of text for each phase. */
  readonly say: (line: string) => void;
  /** How many batches of a step run at once; with one, the order is always the same. */
  readonly strands?: number;
  /** How much larger than usual a batch is. */
  readonly batchFactor?: number;
  /** Stops the load between two batches; the next load continues there. */
  readonly signal?: AbortSignal;
}

const BATCH_MAX = 1_000;
const SEEN_EVERY = 3;
const SEEN_AFTER_MS = DAY_MS / 2;
/** Enough of the unseen matches of the last half day. */
const PAIRS_MAX = 3_000;
/** More than the default market has. */
const MATCHES_MAX = 100_000;
const SAY_EVERY_DAYS = 10;
/** The first stretch takes half a minute, and a user should see that something happens. */
const SAY_AFTER_MS = 2_000;
/** While the store works on one batch, this process reads another. */
const STRANDS = 2;
const CONFLICT_DELAY_MS = 20;
const TURN_DELAY_MS = 200;
/** Nothing is served yet, so batches may be large; dealers who appear in every batch are then processed less often. */
const BATCH_FACTOR = 4;

/**
 * Brings the demo market up to now. The first load stores all of its days; a later one stores what was posted since. The
 * market is lived through in stretches (`listStretches`), each with a clock that stands at its end, so that matches and
 * prices have the times that they would have had. A load that was interrupted continues after the last stretch that was
 * complete: what is already stored changes nothing. Two processes take turns.
 */
export async function loadDemo(context: StepContext, options: LoadOptions): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    options.signal?.throwIfAborted();
    const loaded = await whileLocked(context.pool, "demo", () => loadMarket(context, options));
    if (loaded !== undefined) return;
    if (isFirst) options.say("another process is loading the market; waiting for it");
    await sleep(TURN_DELAY_MS, options.signal);
  }
}

async function loadMarket(context: StepContext, options: LoadOptions): Promise<void> {
  const { pool, clock } = context;
  const lengthMs = options.size.days * DAY_MS;
  const nowMs = clock.nowMs();
  const known = await findDemoLoad(pool);
  const load = known ?? { from_ms: nowMs - lengthMs, until_ms: null, manifest_sha256: null };
  // A first load that was interrupted goes on with the same stretches.
  const firstEndMs = load.from_ms + lengthMs;
  const isFirst = load.until_ms === null || load.until_ms < firstEndMs;
  if (known === undefined) {
    options.say(`loading a market of ${options.size.days} days, once …`);
    await saveDemoLoad(pool, load);
  } else if (isFirst) options.say("the last load was interrupted; continuing");
  const loaded = isFirst
    ? await loadRange(context, options, { load, fromMs: load.from_ms, toMs: firstEndMs, isFirst })
    : load;
  // Older messages are in no cell any more, however long the demo was stopped.
  const fromMs = Math.max(loaded.until_ms ?? 0, nowMs - lengthMs);
  await loadRange(context, options, { load: loaded, fromMs, toMs: nowMs, isFirst: false });
}

interface LoadRange {
  readonly load: DemoLoad;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isFirst: boolean;
}

async function loadRange(
  context: StepContext,
  options: LoadOptions,
  range: LoadRange,
): Promise<DemoLoad> {
  const { pool, clock } = context;
  const market = createMarket(options.size);
  let load = range.load;
  const startMs = Math.max(range.fromMs, load.until_ms ?? range.fromMs);
  load = await declare({ ...context, clock: standAt(startMs, clock) }, options, {
    market,
    ...range,
  });
  const stretches = listStretches(listMarketEvents(market, range), range);
  const progress = createProgress(options, range);
  for (const [at, { endMs, events }] of stretches.entries()) {
    progress.add(events.filter(({ atMs }) => atMs >= range.fromMs).length);
    if (load.until_ms !== null && endMs <= load.until_ms) continue;
    const stretchContext = { ...context, clock: standAt(endMs, clock) };
    await liveThrough(stretchContext, events, options);
    if (range.isFirst && endMs === range.toMs) {
      await makeDemoDeals(pool, endMs);
      await markSomeSeen(stretchContext);
    }
    // The server gathers statistics after a while only and plans badly until then: some reads took over five seconds.
    if (range.isFirst && (at === 0 || endMs === range.toMs)) await pool.execute(sql`analyze`);
    load = { ...load, until_ms: endMs };
    await saveDemoLoad(pool, load);
    progress.sayAt(endMs);
  }
  return load;
}

/** Stores the events of a stretch and runs all steps until none finds work. */
async function liveThrough(
  context: StepContext,
  events: readonly { readonly body: object }[],
  options: LoadOptions,
): Promise<void> {
  await saveEvents(context, options, events);
  for (;;) {
    let count = 0;
    for (const step of STEPS) count += await runStep(context, step, options);
    if (count === 0) return;
  }
}

/** A clock that stands still. Durations are measured as ever. */
function standAt(nowMs: number, clock: Clock): Clock {
  return { nowMs: () => nowMs, elapsedMs: () => clock.elapsedMs() };
}

/** Applies the demo's manifest unless it was the last one applied. */
async function declare(
  { pool, clock }: StepContext,
  { say, size }: LoadOptions,
  what: LoadRange & { readonly market: Market },
): Promise<DemoLoad> {
  const { load, market, toMs } = what;
  const range = { fromMs: Math.max(load.from_ms, toMs - size.days * DAY_MS), toMs };
  const text = JSON.stringify(toDemoManifest(market, range));
  const manifest_sha256 = createHash("sha256").update(text).digest("hex");
  if (load.manifest_sha256 === manifest_sha256) return load;
  const startedAtMs = performance.now();
  const manifest = parseManifest([{ name: "the demo's manifest", text }]);
  const isFirst = load.manifest_sha256 === null;
  await applyManifest(pool, withOwnAlerts(manifest, isFirst), { clock, by: "demo" });
  say(`applied the demo manifest ${since(startedAtMs)}`);
  const declared = { ...load, manifest_sha256 };
  await saveDemoLoad(pool, declared);
  return declared;
}

/** All alerts but one are as if a person had made them, so that they can be edited; a later manifest does not touch them. */
function withOwnAlerts(manifest: Manifest, isFirst: boolean): Manifest {
  const [declared, own] = [true, false].map((isDeclared) =>
    manifest.rows.alerts.filter(({ given }) => (given.name === DECLARED_ALERT) === isDeclared),
  );
  const alerts = [
    ...(declared ?? []),
    ...(isFirst ? (own ?? []).map((row) => ({ ...row, managedBy: "api" as const })) : []),
  ];
  return { ...manifest, rows: { ...manifest.rows, alerts } };
}

/**
 * Runs one step until its queue is empty, because a message that is complete is extracted once and one that still grows
 * is extracted again and again. Returns how many items it took.
 */
async function runStep(context: StepContext, step: Step, options: LoadOptions): Promise<number> {
  const startedAtMs = performance.now();
  let count = 0;
  const strand = async (): Promise<void> => {
    while (options.signal?.aborted !== true) {
      try {
        const { takenCount } = await step.run(context, {
          batchMax: step.batchMax * (options.batchFactor ?? BATCH_FACTOR),
        });
        if (takenCount === 0) return;
        count += takenCount;
      } catch (error) {
        // Two strands met; the one that lost tries again.
        if (!isConflict(error)) throw error;
        await sleep(CONFLICT_DELAY_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: options.strands ?? STRANDS }, strand));
  // Only now, when no batch is running.
  options.signal?.throwIfAborted();
  if (performance.now() - startedAtMs > SAY_AFTER_MS)
    options.say(`${step.name}: ${count} ${since(startedAtMs)}`);
  return count;
}

/** Marks some of the matches as seen, as a dealer at the desk would have: all of the days before, and some of today. */
async function markSomeSeen({ pool, clock }: StepContext): Promise<void> {
  const nowMs = clock.nowMs();
  const older = { beforeMs: nowMs - SEEN_AFTER_MS, limit: MATCHES_MAX };
  await pool.transaction((tx) => markSeenUpTo(tx, older, nowMs));
  const pairs = await listUnseenPairs(pool);
  await markPairsSeen(
    pool,
    pairs.filter((_, at) => at % SEEN_EVERY === 0),
    nowMs,
  );
}

async function listUnseenPairs(db: Database): Promise<readonly MatchPair[]> {
  return db.query<MatchPair>(sql`
    select alert_id, resource_id
      from alert_match
     where seen_at_ms is null
     order by resource_id, alert_id
     limit ${PAIRS_MAX}`);
}

async function saveEvents(
  context: StepContext,
  { signal }: LoadOptions,
  events: readonly { readonly body: object }[],
): Promise<void> {
  const receivedAtMs = context.clock.nowMs();
  for (let at = 0; at < events.length; at += BATCH_MAX) {
    signal?.throwIfAborted();
    const batch = events.slice(at, at + BATCH_MAX).map(({ body }) => ({
      gateway: "waha" as const,
      origin: "import" as const,
      body: Buffer.from(JSON.stringify(body)),
      receivedAtMs,
    }));
    await saveRawEvents(context.pool, batch, "window");
  }
}

/** Says how far the load is, a few times. */
function createProgress({ say, size }: LoadOptions, { isFirst, toMs }: LoadRange) {
  const startedAtMs = performance.now();
  let eventCount = 0;
  let saidDay = 0;
  return {
    add: (count: number): void => {
      eventCount += count;
    },
    sayAt: (endMs: number): void => {
      const day = Math.max(size.days - Math.ceil((toMs - endMs) / DAY_MS), 0);
      const isDue = isFirst && day >= saidDay + SAY_EVERY_DAYS;
      if (!isDue && endMs < toMs) return;
      saidDay = day;
      const place = isFirst ? `day ${day} of ${size.days}` : "caught up";
      say(`${place}: ${eventCount} gateway events ${since(startedAtMs)}`);
    },
  };
}

function since(startedAtMs: number): string {
  return `(${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`;
}

/** How far the demo market is loaded. */
interface DemoLoad {
  readonly from_ms: number;
  /** Null until the first stretch of the first load is complete. */
  readonly until_ms: number | null;
  readonly manifest_sha256: string | null;
}

export async function findDemoLoad(db: Database): Promise<DemoLoad | undefined> {
  const [row] = await db.query<DemoLoad>(
    sql`select from_ms, until_ms, manifest_sha256 from demo_load limit 1`,
  );
  return row;
}

export async function saveDemoLoad(db: Database, load: DemoLoad): Promise<void> {
  await db.execute(sql`
    insert into demo_load (from_ms, until_ms, manifest_sha256)
    values (${load.from_ms}, ${load.until_ms}, ${load.manifest_sha256})
    on conflict (is_only) do update
       set from_ms = excluded.from_ms,
           until_ms = excluded.until_ms,
           manifest_sha256 = excluded.manifest_sha256`);
}
