import type { AddressInfo } from "node:net";
import { channelOptionsOf } from "../alerts/deliveries/channels/channel.ts";
import {
  type Sender,
  type SenderOptions,
  startSender,
} from "../alerts/deliveries/send-deliveries.ts";
import { buildApp } from "../api/app.ts";
import { createLater, startMaking } from "../api/http/compile-schemas.ts";
import { describeListings } from "../api/v2/market/listing-body.ts";
import { isLoopback, toServiceUrl } from "../base/address.ts";
import { sleep, systemClock, withDeadline } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { OperatorError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { createMetrics, type Metrics } from "../base/metrics.ts";
import { openChangeFeed } from "../db/changes.ts";
import { migrate } from "../db/migrate.ts";
import { openServicePools, openStore, type ServicePools, type Store } from "../db/open-store.ts";
import { openReads, type Reads } from "../db/reads.ts";
import { loadDemo } from "../demo/load-demo.ts";
import { sizeOf } from "../demo/posts.ts";
import { startTrickle } from "../demo/trickle.ts";
import { createIntake, type Intake } from "../intake/receive-event.ts";
import { findUnsignedProblem } from "../intake/sender-rule.ts";
import { loadCatalogue } from "../listings/dealer-catalogue.ts";
import { readerOf } from "../listings/extract-listings.ts";
import { countOutdatedMessages } from "../listings/message-extraction-store.ts";
import { createWahaClient } from "../messages/gateways/waha-client.ts";
import { createAgeCheck } from "../messages/privacy/event-age.ts";
import { saveFirstMarks } from "../messages/sync/backfill-store.ts";
import { startGatewaySync } from "../messages/sync/sync-gateway.ts";
import { startFigures } from "../operations/watch-figures.ts";
import { changeRates, changeShippedRates } from "../pipeline/change-rates.ts";
import type { StepContext } from "../pipeline/step.ts";
import { openStepContext } from "../pipeline/step-context.ts";
import { startWorker } from "../pipeline/worker.ts";
import { startRemover } from "../privacy/remove-old-messages.ts";
import { startRateFetch } from "../rates/fetch-rates.ts";
import { checkPort, listen } from "./listen.ts";

export interface Service {
  readonly url: string;
  readonly store: Store;
  /**
   * Reports "not ready" but keeps serving for `lameDuckMs`, then finishes the requests and batches in progress. Returns
   * false if that took too long, as with a store that does not answer: then the caller must end the process.
   */
  stop(options: { readonly lameDuckMs: number }): Promise<boolean>;
}

type App = Awaited<ReturnType<typeof buildApp>>;

/** A stop closes connections whose requests take longer than this to finish. */
const DRAIN_TIMEOUT_MS = 10_000;
/** For all parts of the service together. A batch that is cut off is rolled back, and the next worker repeats it. */
const STOP_TIMEOUT_MS = DRAIN_TIMEOUT_MS + 5_000;

/** `api` answers requests. `worker` processes events; it also listens, for health checks and metrics. */
type Role = "all" | "api" | "worker";

interface ServiceOptions {
  /** The default is `all`. */
  readonly role?: Role;
  /** Receives the progress of the demo load, one line per phase. */
  readonly say?: (line: string) => void;
  /** Prepares all routes right after the start, in idle moments. It takes a second, which most tests need not spend. */
  readonly warmsUp?: boolean;
  /** Cancels the start. The first demo load can take a minute. */
  readonly signal?: AbortSignal;
}

export async function startService(
  config: Config,
  log: Logger,
  options: ServiceOptions = {},
): Promise<Service> {
  const role = options.role ?? "all";
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    checkSenders(config, log);
    await checkPort(config);
    const store = await openStore(config, log);
    closers.push(() => store.close());
    await migrate(store.pool, log);
    await changeShippedRates(store.pool);
    const state = { isStopping: false };
    const metrics = createMetrics();
    const pools = openServicePools(store, config);
    closers.push(() => pools.end());
    const reads = openServiceReads({ config, store, pools, log, metrics });
    closers.push(() => reads.close());
    const feed = openChangeFeed({ url: store.url, log, onPosition: reads.notePosition });
    closers.push(() => feed.close());
    const parts: Parts = { config, log, store, pools, feed, metrics, closers };
    // Steps and requests read with the catalogue; one that cannot be loaded is reported before anything starts.
    const catalogue = await loadCatalogue(config.catalogueFile);
    if (role !== "api") await startWork(parts, options);
    const intake = createIntake(pools.intake);
    const later = createLater();
    const app = await buildApp({
      config,
      db: pools.requests,
      checks: pools.checks,
      read: reads.read,
      readFigures: reads.readFigures,
      intake,
      // On the connections of the intake: events must not wait behind other requests.
      ages: createAgeCheck({ db: pools.intake, clock: systemClock, log }),
      feed,
      clock: systemClock,
      catalogue: async () => catalogue,
      log,
      metrics,
      isStopping: () => state.isStopping,
      later,
    });
    closers.push(() => drain(app, log));
    await listen(app, config);
    if (options.warmsUp === true) closers.push(startMaking(later, log));
    if (config.isDemo && config.isDemoTrickling && role !== "api") startDemoPosts(parts, intake);
    const url = toServiceUrl(config.host, (app.server.address() as AddressInfo).port);
    log.info({ url, store: store.kind }, "serving");
    return {
      url,
      store,
      stop: async ({ lameDuckMs }) => {
        state.isStopping = true;
        log.info({ lameDuckMs }, "stopping");
        await sleep(lameDuckMs);
        try {
          await withDeadline(closeAll(), STOP_TIMEOUT_MS);
        } catch (error) {
          log.error({ err: error }, "the service did not stop in time; cutting its connections");
          return false;
        }
        log.info("stopped");
        return true;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function startDemoPosts({ config, log, closers }: Parts, intake: Intake): void {
  const size = sizeOf(config.demoMessages);
  const trickle = startTrickle({ intake, clock: systemClock, log, size });
  closers.push(() => trickle.stop());
}

/** Ignores DATABASE_READ_URL for the demo and the embedded server: they have no replica. */
function openServiceReads(options: {
  readonly config: Config;
  readonly store: Store;
  readonly pools: ServicePools;
  readonly log: Logger;
  readonly metrics: Metrics;
}): Reads {
  const { config, store, pools, log, metrics } = options;
  const replicaUrl = store.kind === "server" ? config.databaseReadUrl : undefined;
  return openReads({
    primary: pools.requests,
    figures: pools.figures,
    connectionsMax: config.databaseConnectionsMax,
    log,
    metrics,
    ...(replicaUrl === undefined ? {} : { replicaUrl }),
  });
}

interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly store: Store;
  readonly pools: ServicePools;
  readonly feed: ReturnType<typeof openChangeFeed>;
  readonly metrics: Metrics;
  readonly closers: (() => Promise<unknown>)[];
}

/** Starts everything except the API: the demo load, the worker, retention, the webhook sender, the rates and the gateway sync. */
async function startWork(parts: Parts, { say, signal }: ServiceOptions): Promise<void> {
  const { config, log, store, feed, metrics, closers } = parts;
  const context = await openStepContext({
    pool: store.pool,
    clock: systemClock,
    feed,
    log,
    config,
  });
  closers.push(() => context.close());
  await reportOutdated(context);
  // The demo is loaded before the service listens, so that the first response is already complete.
  if (config.isDemo) {
    await loadDemo(context, {
      size: sizeOf(config.demoMessages),
      say: say ?? (() => undefined),
      ...(signal === undefined ? {} : { signal }),
    });
  }
  // Before the worker reads what a session reports when it comes back.
  if (config.wahaUrl !== undefined) {
    await saveFirstMarks(store.pool, { names: [], nowMs: systemClock.nowMs() });
  }
  const worker = startWorker({ ...context, feed, metrics });
  closers.push(() => worker.stop());
  const remover = startRemover({
    pool: store.pool,
    clock: systemClock,
    log,
    metrics,
    days: config.retentionDays,
  });
  closers.push(() => remover.stop());
  const sender = openSender(config, { db: store.pool, feed, log, metrics });
  closers.push(() => sender.stop());
  closers.push(startFigures({ ...parts, db: parts.pools.figures, clock: systemClock }).stop);
  if (config.ratesSource === "ecb") {
    const { ratesUrl: url } = config;
    const fetcher = startRateFetch({
      pool: store.pool,
      clock: systemClock,
      log,
      metrics,
      url,
      changeRates,
    });
    closers.push(() => fetcher.stop());
  }
  if (config.wahaUrl !== undefined) {
    const stopping = new AbortController();
    const client = createWahaClient({
      url: config.wahaUrl,
      signal: stopping.signal,
      ...(config.wahaApiKey === undefined ? {} : { apiKey: config.wahaApiKey }),
    });
    const parts = { pool: store.pool, client, clock: systemClock, feed, log, metrics };
    const sync = startGatewaySync(parts);
    closers.push(() => {
      stopping.abort();
      return sync.stop();
    });
  }
}

function openSender(
  config: Config,
  parts: Pick<SenderOptions, "db" | "feed" | "log" | "metrics">,
): Sender {
  const clock = systemClock;
  return startSender({ ...parts, ...channelOptionsOf(config), clock, describeListings });
}

/** Only warns about outdated listings. Extracting them again can take long, so the operator decides when. */
async function reportOutdated({ pool, log, catalogue }: StepContext): Promise<void> {
  const count = await countOutdatedMessages(pool, readerOf(catalogue));
  if (count > 0) {
    log.warn(
      { count },
      "messages were extracted with another version or catalogue; run: assay reextract",
    );
  }
}

/** Refuses to start if anyone on the network could send events, and warns if no event can be accepted. */
function checkSenders(config: Config, log: Logger): void {
  if (config.wahaHmacKey !== undefined) return;
  const problem = findUnsignedProblem(config);
  if (!isLoopback(config.host)) throw new OperatorError(problem ?? "set ASSAY_WAHA_HMAC_KEY");
  if (problem !== undefined) log.warn(`events of the gateway are refused; ${problem}`);
  else if (!config.isDemo) log.warn("events of the gateway are accepted without a signature");
}

async function drain(app: App, log: Logger): Promise<void> {
  try {
    await withDeadline(app.close(), DRAIN_TIMEOUT_MS);
  } catch (error) {
    log.warn({ err: error }, "some requests did not finish in time; closing their connections");
    app.server.closeAllConnections();
  }
}
