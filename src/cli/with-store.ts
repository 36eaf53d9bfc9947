import { type Config, type Environment, parseConfig } from "../base/config.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { migrate } from "../db/migrate.ts";
import { openStore, type Store } from "../db/open-store.ts";

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
  // A signal must not leave the embedded server behind, not even one that comes while it is being started.
  const state = { isLeaving: false };
  const leave = () => {
    state.isLeaving = true;
    if (store !== undefined) void store.close().finally(() => process.exit(130));
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  let store: Store | undefined;
  try {
    store = await openStore(config, log);
    if (state.isLeaving) return await new Promise<never>(() => leave());
    const migrated = await migrate(store.pool, log);
    return await work({ store, config, log, migrated });
  } finally {
    for (const signal of SIGNALS) process.off(signal, leave);
    await store?.close();
  }
}
