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
  const store = await openStore(config, log);
  // Ctrl-C must not leave the embedded server behind.
  const leave = () => void store.close().finally(() => process.exit(130));
  process.once("SIGINT", leave).once("SIGTERM", leave);
  try {
    const migrated = await migrate(store.pool, log);
    return await work({ store, config, log, migrated });
  } finally {
    process.off("SIGINT", leave).off("SIGTERM", leave);
    await store.close();
  }
}
