import { systemClock } from "../base/clock.ts";
import { type Config, parseConfig } from "../base/config.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { openChangeFeed } from "../db/changes.ts";
import { migrate } from "../db/migrate.ts";
import { openStore, type Store } from "../db/open-store.ts";
import type { Author } from "../people/activity.ts";
import { changeShippedRates } from "../pipeline/change-rates.ts";
import type { StepContext } from "../pipeline/step.ts";
import { openStepContext } from "../pipeline/step-context.ts";
import type { Terminal } from "./command.ts";

/** They end a command. */
export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface StoreCall {
  readonly store: Store;
  readonly config: Config;
  readonly log: Logger;
  /** Names of the migrations that this call ran. */
  readonly migrated: readonly string[];
}

interface StoreOptions {
  readonly isDemo: boolean;
  /** Only commands that bring data create a store. The others would answer from an empty one. The default is false. */
  readonly mayCreate?: boolean;
  /** True for a command that migrates by itself. The default is false. */
  readonly isAsItIs?: boolean;
}

/** Opens the database for one command, says which it is, and always closes it. A service may run at the same time. */
export async function withStore<Result>(
  { environment, err }: Pick<Terminal, "environment" | "err">,
  options: StoreOptions,
  work: (call: StoreCall) => Promise<Result>,
): Promise<Result> {
  const config = parseConfig({
    LOG_LEVEL: "warn",
    ...environment,
    ...(options.isDemo ? { ASSAY_DEMO: "true" } : {}),
  });
  const log = createLogger(config.logLevel);
  // A signal must not leave the embedded server running, even if it arrives while the server starts. After a signal,
  // errors of the interrupted work are not reported.
  const state: { store?: Store; isStopping: boolean } = { isStopping: false };
  const stop = () => {
    state.isStopping = true;
    void state.store?.close().finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const store = await openStore(config, log, { mayCreate: options.mayCreate ?? false });
    state.store = store;
    if (state.isStopping) stop();
    err.write(`${describeStore(store)}\n`);
    const migrated = options.isAsItIs === true ? [] : await migrate(store.pool, log);
    if (options.isAsItIs !== true) await changeShippedRates(store.pool);
    return await work({ store, config, log, migrated });
  } catch (error) {
    // `stop` ends the process when the store is closed.
    if (state.isStopping && state.store !== undefined) await new Promise(() => undefined);
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    await state.store?.close();
  }
}

/** Who a command is in the activity. */
export function cliAuthor(): Author {
  return { name: "cli", nowMs: systemClock.nowMs() };
}

export function describeStore({ place, isNew }: Pick<Store, "place" | "isNew">): string {
  return `store: ${place}${isNew ? ", which is new" : ""}`;
}

/** What to add to a message about something that was not found. */
export function demoHint({ config }: StoreCall): string {
  return config.isDemo ? "" : "; to search the demo database, add --demo";
}

/** Runs `work` with all that the steps of the pipeline need. A service may run at the same time. */
export async function withSteps<Result>(
  call: StoreCall,
  work: (context: StepContext) => Promise<Result>,
): Promise<Result> {
  const { store, log, config } = call;
  const feed = openChangeFeed({ url: store.hosts, log });
  try {
    const context = await openStepContext({
      pool: store.pool,
      clock: systemClock,
      feed,
      log,
      config,
    });
    try {
      return await work(context);
    } finally {
      await context.close();
    }
  } finally {
    await feed.close();
  }
}
