import { type Config, type Environment, parseConfig } from "../base/config.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { migrate } from "../db/migrate.ts";
import { openStore, type Store } from "../db/open-store.ts";
import { saveShippedRates } from "../rates/fx-store.ts";

export interface StoreCall {
  readonly store: Store;
  readonly config: Config;
  readonly log: Logger;
  /** The migrations that this call ran. */
  readonly migrated: readonly string[];
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Opens the store for one command, beside a running service or alone, and closes it whatever happens. */
export async function withStore<Result>(
  environment: Environment,
  options: { readonly isDemo: boolean },
  work: (call: StoreCall) => Promise<Result>,
): Promise<Result> {
  const config = parseConfig({
    LOG_LEVEL: "warn",
    ...environment,
    ...(options.isDemo ? { ASSAY_DEMO: "true" } : {}),
  });
  const log = createLogger(config.logLevel);
  // A signal must not leave the embedded server behind, not even one that comes while it is being started. Once it came,
  // only the closing counts: what it makes of the work under way is no error to report.
  const state: { store?: Store; isLeaving: boolean } = { isLeaving: false };
  const leave = () => {
    state.isLeaving = true;
    void state.store?.close().finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  try {
    const store = await openStore(config, log);
    state.store = store;
    if (state.isLeaving) leave();
    const migrated = await migrate(store.pool, log);
    await saveShippedRates(store.pool);
    return await work({ store, config, log, migrated });
  } catch (error) {
    if (state.isLeaving && state.store !== undefined) await new Promise(() => undefined);
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave);
    await state.store?.close();
  }
}
