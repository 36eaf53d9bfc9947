import { createHash } from "node:crypto";
import { markPairsSeen } from "../alerts/seen-store.ts";
import { sleep } from "../base/sleep.ts";
import { isConflict } from "../db/database.ts";
import { type Alerting, saveRawEvents } from "../intake/raw-event-store.ts";
import { applyManifest } from "../manifest/apply-manifest.ts";
import { parseManifest } from "../manifest/parse-manifest.ts";
import { STEPS, type Step, type StepContext } from "../pipeline/steps.ts";
import { drain } from "../pipeline/worker.ts";
import { findDemoLoad, listMatchPairs, saveDemoLoad } from "./demo-load-store.ts";
import { toDemoManifest } from "./demo-manifest.ts";
import { listMarketEvents } from "./market-events.ts";
import { createMarket, type MarketSize } from "./posts.ts";

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
/** Nobody waits for an answer yet, and dealers who come up in every batch are looked at less often. */
const BATCH_FACTOR = 4;

/**
 * Brings the demo market up to now. The first time it takes all days of it; a later start takes what was posted since; one
 * that was cut off goes on: whatever is stored already changes nothing.
 */
export async function loadDemo(context: StepContext, options: LoadOptions): Promise<void> {
  const { pool, clock } = context;
  const market = createMarket(options.size);
  const toMs = clock.nowMs();
  const known = await findDemoLoad(pool);
  const fromMs = known?.from_ms ?? toMs - options.size.days * DAY_MS;
  const isFirst = known?.until_ms == null;
  if (known === undefined) {
    await saveDemoLoad(pool, { from_ms: fromMs, until_ms: null, manifest_sha256: null });
  }
  const text = JSON.stringify(toDemoManifest(market, { fromMs, toMs }));
  const manifest_sha256 = createHash("sha256").update(text).digest("hex");
  if (known?.manifest_sha256 !== manifest_sha256) {
    const startedAtMs = performance.now();
    const manifest = parseManifest([{ name: "the demo's manifest", text }]);
    await applyManifest(pool, manifest, { clock });
    options.say(`declared what the house watches ${since(startedAtMs)}`);
    await saveDemoLoad(pool, {
      from_ms: fromMs,
      until_ms: known?.until_ms ?? null,
      manifest_sha256,
    });
  }
  await saveEvents(context, options, {
    bodies: listMarketEvents(market, { fromMs: known?.until_ms ?? fromMs, toMs }),
    alerting: isFirst ? "always" : "window",
  });
  for (const step of STEPS) await runStep(context, step, options);
  // What one step leaves to an earlier one, if anything.
  await drain(context);
  if (isFirst) await markSomeSeen(context);
  await saveDemoLoad(pool, { from_ms: fromMs, until_ms: toMs, manifest_sha256 });
}

/** Step by step, because a message that is whole is read once, and one that still grows again and again. */
async function runStep(context: StepContext, step: Step, options: LoadOptions): Promise<void> {
  const startedAtMs = performance.now();
  let count = 0;
  const strand = async (): Promise<void> => {
    for (;;) {
      options.signal?.throwIfAborted();
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
  if (count > 0) options.say(`${step.name}: ${count} ${since(startedAtMs)}`);
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
