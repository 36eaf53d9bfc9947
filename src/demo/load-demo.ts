import { createHash } from "node:crypto";
import { markPairsSeen } from "../alerts/seen-store.ts";
import { sleep } from "../base/sleep.ts";
import { whileLocked } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import { isConflict } from "../db/store-error.ts";
import { type Alerting, saveRawEvents } from "../intake/raw-event-store.ts";
import { applyManifest } from "../manifest/apply-manifest.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { STEPS, type Step, type StepContext } from "../pipeline/steps.ts";
import { type DemoLoad, findDemoLoad, listMatchPairs, saveDemoLoad } from "./demo-load-store.ts";
import { toDemoManifest } from "./demo-manifest.ts";
import { listMarketEvents } from "./market-events.ts";
import { createMarket, type Market, type MarketSize } from "./posts.ts";

export interface LoadOptions {
  readonly size: MarketSize;
  /** Told once for each phase, in words. */
  readonly say: (line: string) => void;
  /** How many batches of a step are under way at once; with one the order is always the same. */
  readonly strands?: number;
  /** How much larger than usual a batch is. */
  readonly batchFactor?: number;
  /** Ends the load between two batches; a later one goes on there. */
  readonly signal?: AbortSignal;
}

const DAY_MS = 86_400_000;
const BATCH_MAX = 1_000;
const SEEN_EVERY = 3;
/** While the store works on one batch, we read another. */
const STRANDS = 2;
const CONFLICT_DELAY_MS = 20;
const TURN_DELAY_MS = 200;
/** Nobody waits for an answer yet, and dealers who come up in every batch are looked at less often. */
const BATCH_FACTOR = 4;

/**
 * Brings the demo market up to now. The first time it takes all days of it; a later start takes what was posted since; one
 * that was cut off goes on: whatever is stored already changes nothing. Two processes take turns.
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
  // What lies further back than the first load reached is in no cell any more, however long the demo was not started.
  const firstMs = toMs - options.size.days * DAY_MS;
  const known = await findDemoLoad(pool);
  const load = known ?? { from_ms: firstMs, until_ms: null, manifest_sha256: null };
  const isFirst = load.until_ms === null;
  if (known === undefined) {
    options.say(`loading a market of ${options.size.days} days, once …`);
    await saveDemoLoad(pool, load);
  } else if (isFirst) options.say("the last load was cut off; going on with it");
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
    // The server counts rows by itself, but only a minute later, and plans badly until then: marking took twenty seconds.
    await pool.execute(sql`analyze alert_match, listing, listing_model, canonical_message`);
    await markSomeSeen(context);
  }
  await saveDemoLoad(pool, { from_ms: load.from_ms, until_ms: toMs, manifest_sha256 });
}

/** Applies the demo's manifest unless it is what was applied last; gives its hash. */
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
  say(`declared what the house watches ${since(startedAtMs)}`);
  await saveDemoLoad(pool, { ...what.load, manifest_sha256 });
  return manifest_sha256;
}

/** What one step leaves to an earlier one, or a service beside us adds. */
async function drainSteps(context: StepContext, options: LoadOptions): Promise<void> {
  for (;;) {
    let count = 0;
    for (const step of STEPS) count += await runStep(context, step, options);
    if (count === 0) return;
  }
}

/**
 * Step by step, because a message that is whole is read once, and one that still grows again and again. Gives how many
 * were taken.
 */
async function runStep(context: StepContext, step: Step, options: LoadOptions): Promise<number> {
  const startedAtMs = performance.now();
  let count = 0;
  const strand = async (): Promise<void> => {
    while (options.signal?.aborted !== true) {
      try {
        const { takenCount } = await step.run(
          context,
          step.batchMax * (options.batchFactor ?? BATCH_FACTOR),
        );
        if (takenCount === 0) return;
        count += takenCount;
      } catch (error) {
        // The strands met; whoever lost tries again.
        if (!isConflict(error)) throw error;
        await sleep(CONFLICT_DELAY_MS);
      }
    }
  };
  await Promise.all(Array.from({ length: options.strands ?? STRANDS }, strand));
  // Only now, when nothing is under way any more.
  options.signal?.throwIfAborted();
  if (count > 0) options.say(`${step.name}: ${count} ${since(startedAtMs)}`);
  return count;
}

/** Somebody at the desk has looked at a part of them. */
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
  if (newCount > 0) say(`took in ${newCount} events of the gateway ${since(startedAtMs)}`);
}

function since(startedAtMs: number): string {
  return `(${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`;
}
