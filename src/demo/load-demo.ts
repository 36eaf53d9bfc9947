import { createHash } from "node:crypto";
import { markPairsSeen, markSeenUpTo } from "../alerts/seen-store.ts";
import type { Clock } from "../base/clock.ts";
import { sleep } from "../base/sleep.ts";
import { DAY_MS } from "../base/time.ts";
import { whileLocked } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { isConflict } from "../db/store-error.ts";
import { saveRawEvents } from "../intake/raw-event-store.ts";
import { applyManifest } from "../manifest/apply-manifest.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import type { Step, StepContext } from "../pipeline/step.ts";
import { STEPS } from "../pipeline/steps.ts";
import { type DemoLoad, findDemoLoad, listUnseenPairs, saveDemoLoad } from "./demo-load-store.ts";
import { toDemoManifest } from "./demo-manifest.ts";
import { listMarketEvents } from "./market-events.ts";
import { createMarket, type Market, type MarketSize } from "./posts.ts";
import { listStretchEnds } from "./stretches.ts";

export interface LoadOptions {
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
/** More than the default market has. */
const MATCHES_MAX = 100_000;
const SAY_EVERY_DAYS = 10;
/** While the store works on one batch, this process reads another. */
const STRANDS = 2;
const CONFLICT_DELAY_MS = 20;
const TURN_DELAY_MS = 200;
/** Nothing is served yet, so batches may be large; dealers who appear in every batch are then processed less often. */
const BATCH_FACTOR = 4;

/**
 * Brings the demo market up to now. The first load stores all of its days; a later one stores what was posted since. The
 * market is lived through in stretches (`stretches.ts`), each with a clock that stands at its end, so that matches and
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
  const { days } = options.size;
  const market = createMarket(options.size);
  const toMs = clock.nowMs();
  // Older messages are in no cell any more, however long the demo was stopped.
  const firstMs = toMs - days * DAY_MS;
  const known = await findDemoLoad(pool);
  const load = known ?? { from_ms: firstMs, until_ms: null, manifest_sha256: null };
  const isFirst = (load.until_ms ?? 0) < load.from_ms + days * DAY_MS;
  if (known === undefined) {
    options.say(`loading a market of ${days} days, once …`);
    await saveDemoLoad(pool, load);
  } else if (isFirst) options.say("the last load was interrupted; continuing");
  const fromMs = Math.max(load.until_ms ?? load.from_ms, firstMs);
  const manifest_sha256 = await declare({ ...context, clock: standAt(fromMs, clock) }, options, {
    market,
    load,
    range: { fromMs: Math.max(load.from_ms, firstMs), toMs },
  });
  const events = listMarketEvents(market, { fromMs, toMs });
  const ends = listStretchEnds({ fromMs, toMs });
  const progress = createProgress(options, ends);
  for (const [at, endMs] of ends.entries()) {
    const startMs = ends[at - 1] ?? Number.NEGATIVE_INFINITY;
    const stretch = events.filter(({ atMs }) => atMs >= startMs && atMs < endMs);
    await liveThrough({ ...context, clock: standAt(endMs, clock) }, stretch, options);
    await saveDemoLoad(pool, { from_ms: load.from_ms, until_ms: endMs, manifest_sha256 });
    // The server gathers statistics after a while only and plans badly until then: some reads took over five seconds.
    if (isFirst && (at === 0 || at === ends.length - 1)) await pool.execute(sql`analyze`);
    progress.add(stretch.length);
  }
  if (isFirst) await markSomeSeen(context);
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

/** Applies the demo's manifest unless it was the last one applied. Returns its hash. */
async function declare(
  { pool, clock }: StepContext,
  { say }: LoadOptions,
  what: {
    readonly market: Market;
    readonly load: DemoLoad;
    readonly range: { readonly fromMs: number; readonly toMs: number };
  },
): Promise<string> {
  const text = JSON.stringify(toDemoManifest(what.market, what.range));
  const manifest_sha256 = createHash("sha256").update(text).digest("hex");
  if (what.load.manifest_sha256 === manifest_sha256) return manifest_sha256;
  const startedAtMs = performance.now();
  const manifest = parseManifest([{ name: "the demo's manifest", text }]);
  await applyManifest(pool, manifest, { clock });
  say(`applied the demo manifest ${since(startedAtMs)}`);
  await saveDemoLoad(pool, { ...what.load, manifest_sha256 });
  return manifest_sha256;
}

/**
 * Runs one step until its queue is empty, because a message that is complete is extracted once and one that still grows
 * is extracted again and again. Returns how many items it took.
 */
async function runStep(context: StepContext, step: Step, options: LoadOptions): Promise<number> {
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
function createProgress({ say, size }: LoadOptions, ends: readonly number[]) {
  const startedAtMs = performance.now();
  const toMs = ends.at(-1) ?? 0;
  let doneCount = 0;
  let eventCount = 0;
  return {
    add: (count: number): void => {
      eventCount += count;
      const endMs = ends[doneCount] ?? 0;
      doneCount += 1;
      const daysLeft = Math.round((toMs - endMs) / DAY_MS);
      if (doneCount < ends.length && (endMs > toMs - DAY_MS || daysLeft % SAY_EVERY_DAYS !== 0))
        return;
      const day = Math.max(size.days - daysLeft, 0);
      say(`day ${day} of ${size.days}: ${eventCount} gateway events so far ${since(startedAtMs)}`);
    },
  };
}

function since(startedAtMs: number): string {
  return `(${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`;
}
