import { createHash } from "node:crypto";
import { markPairsSeen } from "../alerts/seen-store.ts";
import { sleep } from "../base/sleep.ts";
import { DAY_MS } from "../base/time.ts";
import { whileLocked } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { isConflict } from "../db/store-error.ts";
import { type Alerting, saveRawEvents } from "../intake/raw-event-store.ts";
import { applyManifest } from "../manifest/apply-manifest.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import type { Step, StepContext } from "../pipeline/step.ts";
import { STEPS } from "../pipeline/steps.ts";
import { type DemoLoad, findDemoLoad, listMatchPairs, saveDemoLoad } from "./demo-load-store.ts";
import { toDemoManifest } from "./demo-manifest.ts";
import { listMarketEvents } from "./market-events.ts";
import { createMarket, type Market, type MarketSize } from "./posts.ts";

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
/** While the store works on one batch, this process reads another. */
const STRANDS = 2;
const CONFLICT_DELAY_MS = 20;
const TURN_DELAY_MS = 200;
/** Nothing is served yet, so batches may be large; dealers who appear in every batch are then processed less often. */
const BATCH_FACTOR = 4;

/**
 * Brings the demo market up to now. The first load stores all of its days; a later one stores what was posted since. A
 * load that was interrupted continues: what is already stored changes nothing. Two processes take turns.
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
  const market = createMarket(options.size);
  const toMs = clock.nowMs();
  // Older messages are in no cell any more, however long the demo was stopped.
  const firstMs = toMs - options.size.days * DAY_MS;
  const known = await findDemoLoad(pool);
  const load = known ?? { from_ms: firstMs, until_ms: null, manifest_sha256: null };
  const isFirst = load.until_ms === null;
  if (known === undefined) {
    options.say(`loading a market of ${options.size.days} days, once …`);
    await saveDemoLoad(pool, load);
  } else if (isFirst) options.say("the last load was interrupted; continuing");
  const manifest_sha256 = await declare(context, options, {
    market,
    load,
    range: { fromMs: Math.max(load.from_ms, firstMs), toMs },
  });
  await saveEvents(context, options, {
    bodies: listMarketEvents(market, {
      fromMs: load.until_ms === null ? load.from_ms : Math.max(load.until_ms, firstMs),
      toMs,
    }),
    alerting: isFirst ? "always" : "window",
  });
  for (const step of STEPS) await runStep(context, step, options);
  await drainSteps(context, options);
  if (isFirst) {
    // The server gathers statistics only after a minute and plans badly until then: some reads took over five seconds.
    await pool.execute(sql`analyze`);
    await markSomeSeen(context);
  }
  await saveDemoLoad(pool, { from_ms: load.from_ms, until_ms: toMs, manifest_sha256 });
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

/** Until no step finds work: a step may queue work for an earlier one, and another service may add some. */
async function drainSteps(context: StepContext, options: LoadOptions): Promise<void> {
  for (;;) {
    let count = 0;
    for (const step of STEPS) count += await runStep(context, step, options);
    if (count === 0) return;
  }
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
  if (count > 0) options.say(`${step.name}: ${count} ${since(startedAtMs)}`);
  return count;
}

/** Marks some of the matches as seen, as a dealer at the desk would have. */
async function markSomeSeen({ pool, clock }: StepContext): Promise<void> {
  const pairs = await listMatchPairs(pool);
  await markPairsSeen(
    pool,
    pairs.filter((_, at) => at % SEEN_EVERY === 0),
    clock.nowMs(),
  );
}

async function saveEvents(
  context: StepContext,
  { say, signal }: LoadOptions,
  events: {
    readonly bodies: readonly { readonly body: object }[];
    readonly alerting: Alerting;
  },
): Promise<void> {
  const startedAtMs = performance.now();
  const receivedAtMs = context.clock.nowMs();
  let newCount = 0;
  for (let at = 0; at < events.bodies.length; at += BATCH_MAX) {
    signal?.throwIfAborted();
    const batch = events.bodies.slice(at, at + BATCH_MAX).map(({ body }) => ({
      gateway: "waha" as const,
      origin: "import" as const,
      body: Buffer.from(JSON.stringify(body)),
      receivedAtMs,
    }));
    newCount += await saveRawEvents(context.pool, batch, events.alerting);
  }
  if (newCount > 0) say(`gateway events stored: ${newCount} ${since(startedAtMs)}`);
}

function since(startedAtMs: number): string {
  return `(${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`;
}
