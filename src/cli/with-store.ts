import { type Config, parseConfig } from "../base/config.ts";
import { createLogger, type Logger } from "../base/log.ts";
import type { Environment } from "../base/setting.ts";
import { migrate } from "../db/migrate.ts";
import { openStore, type Store } from "../db/open-store.ts";
import { changeShippedRates } from "../pipeline/change-rates.ts";

export interface StoreCall {
  readonly store: Store;
  readonly config: Config;
  readonly log: Logger;
  /** Names of the migrations that this call ran. */
  readonly migrated: readonly string[];
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Opens the database for one command and always closes it. A service may run at the same time. */
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
  // A signal must not leave the embedded server running, even if it arrives while the server starts. After a signal,
  // errors of the interrupted work are not reported.
  const state: { store?: Store; isStopping: boolean } = { isStopping: false };
  const stop = () => {
    state.isStopping = true;
    void state.store?.close().finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const store = await openStore(config, log);
    state.store = store;
    if (state.isStopping) stop();
    const migrated = await migrate(store.pool, log);
    await changeShippedRates(store.pool);
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
