import type { Clock } from "../../src/base/clock.ts";
import { createLogger } from "../../src/base/log.ts";
import type { DatabasePool } from "../../src/db/database.ts";
import {
  type Alerting,
  type NewRawEvent,
  saveRawEvents,
} from "../../src/intake/raw-event-store.ts";
import { type PassOptions, runPass } from "../../src/pipeline/finish-queued.ts";
import type { StepContext } from "../../src/pipeline/step.ts";
import { type OpenStepContext, openStepContext } from "../../src/pipeline/step-context.ts";
import { STEPS } from "../../src/pipeline/steps.ts";
import { createTestClock, NOW_MS } from "./test-app.ts";

/** Converts a gateway event to a raw event. */
export function rawEvent(body: unknown, options: Partial<NewRawEvent> = {}): NewRawEvent {
  return {
    gateway: "waha",
    origin: "webhook",
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    receivedAtMs: NOW_MS,
    ...options,
  };
}

/** The context of the steps, over a test's store. The steps read the log of changes themselves, so none is announced. */
export function stepContext(
  pool: DatabasePool,
  clock: Clock = createTestClock(),
): Promise<OpenStepContext> {
  return openStepContext({
    pool,
    clock,
    feed: { isLive: () => true, subscribe: () => undefined, close: async () => undefined },
    log: createLogger("silent"),
    config: { alertWindowHours: 24 },
  });
}

/** Runs the steps until none of them finds work. */
export async function drain(
  context: StepContext,
  { steps = STEPS, ...options }: Partial<PassOptions> = {},
): Promise<void> {
  while ((await runPass(context, { ...options, steps })) > 0);
}

/** Stores the events and processes everything that is queued. */
export async function process(
  pool: DatabasePool,
  bodies: readonly unknown[],
  options: {
    readonly batchMax?: number;
    readonly alerting?: Alerting;
    /** Runs only the steps up to listings, so that a test can see what they queue for the next step. */
    readonly steps?: "listings";
  } = {},
): Promise<void> {
  if (bodies.length > 0)
    await saveRawEvents(
      pool,
      bodies.map((body) => rawEvent(body)),
      options.alerting ?? "window",
    );
  const context = await stepContext(pool);
  const { steps, ...rest } = options;
  const last = STEPS.findIndex(({ name }) => name === "extract listings");
  await drain(context, steps === undefined ? rest : { ...rest, steps: STEPS.slice(0, last + 1) });
  await context.close();
}
