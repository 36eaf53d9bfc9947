import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { buildApp } from "../api/app.ts";
import { createLater, startMaking } from "../api/http/compile-schemas.ts";
import { isLoopback, toServiceUrl } from "../base/address.ts";
import { sleep, systemClock, withDeadline } from "../base/clock.ts";
import type { Config } from "../base/config.ts";
import { OperatorError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { createMetrics, type Metrics } from "../base/metrics.ts";
import { findNodeProblem } from "../base/node-age.ts";
import { openChangeFeed } from "../db/changes.ts";
import { migrate } from "../db/migrate.ts";
import { openServicePools, openStore, type ServicePools, type Store } from "../db/open-store.ts";
import { openReads, type Reads } from "../db/reads.ts";
import { describeUpdate, findServerAge } from "../db/server-age.ts";
import { describeStandbyProblem, findStandbys } from "../db/standbys.ts";
import { createIntake, type Intake } from "../intake/receive-event.ts";
import { findKeyProblem, findUnsignedProblem } from "../intake/sender-rule.ts";
import { loadCatalogue } from "../listings/dealer-catalogue.ts";
import { createAgeCheck } from "../messages/privacy/event-age.ts";
import { changeShippedRates } from "../pipeline/change-rates.ts";
import { type Parts, startDemoPosts, startWork, type WorkOptions } from "./start-work.ts";

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

interface ServiceOptions extends WorkOptions {
  /** The default is `all`. */
  readonly role?: Role;
  /** Prepares all routes right after the start, in idle moments. It takes a second, which most tests need not spend. */
  readonly warmsUp?: boolean;
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
    const versions = await prepareStore(store, log);
    const state = { isStopping: false };
    const metrics = openMetrics(store);
    const pools = openServicePools(store, config);
    closers.push(() => pools.end());
    const reads = openServiceReads({ config, store, pools, log, metrics });
    closers.push(() => reads.close());
    const feed = openChangeFeed({ url: store.hosts, log, onPosition: reads.notePosition });
    closers.push(() => feed.close());
    const parts: Parts = { config, log, store, pools, feed, metrics, closers };
    // Steps and requests read with the catalogue; one that cannot be loaded is reported before anything starts.
    const catalogue = await loadCatalogue(config.catalogueFile);
    if (role !== "api") await startWork(parts, options);
    const intake = openIntake(pools, metrics);
    const later = createLater();
    const app = await buildApp({
      config,
      db: pools.requests,
      access: pools.access,
      checks: pools.checks,
      hosts: store.hosts,
      ...reads,
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
    log.info({ url, store: store.kind, ...versions }, "serving");
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

function openIntake(pools: ServicePools, { intakeSeconds }: Metrics): Intake {
  const onCommit = (tookMs: number) => intakeSeconds.observe(tookMs / 1000);
  return createIntake(pools.intake, { onCommit });
}

async function prepareStore(store: Store, log: Logger): Promise<object> {
  const { pool, hosts } = store;
  const expected = { hostCount: hosts.urls.length, hadStandby: false };
  const problem = describeStandbyProblem(await findStandbys(pool), expected);
  if (problem !== undefined) log.warn(problem);
  const versions = await checkVersions(store, log);
  await migrate(pool, log);
  await changeShippedRates(pool);
  return versions;
}

/** Warns of versions that get no fixes any more, or lack some. */
async function checkVersions({ pool, kind }: Store, log: Logger) {
  const node = process.versions.node;
  const nodeProblem = findNodeProblem(node);
  if (nodeProblem !== undefined) log.warn(nodeProblem);
  const { version, problem } = await findServerAge(pool);
  if (problem !== undefined) log.warn(`${problem}; ${describeUpdate(kind === "embedded")}`);
  return { postgres: version, node };
}

/** Refuses to start if anyone on the network could send events, and warns if no event can be accepted, or a key is weak. */
function checkSenders(config: Config, log: Logger): void {
  const keyProblem = findKeyProblem(config);
  if (keyProblem !== undefined && !isLoopback(config.host)) throw new OperatorError(keyProblem);
  if (keyProblem !== undefined) log.warn(keyProblem);
  if (config.wahaHmacKey !== undefined) return;
  const problem = findUnsignedProblem(config);
  if (!isLoopback(config.host)) throw new OperatorError(problem ?? "set ASSAY_WAHA_HMAC_KEY");
  if (problem !== undefined) log.warn(`events of the gateway are refused; ${problem}`);
  else if (!config.isDemo) log.warn("events of the gateway are accepted without a signature");
}

/** Runs before the database is opened and the demo is loaded, so that a port in use is reported at once. */
async function checkPort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ port, host });
    await once(probe, "listening");
  } catch (error) {
    throw explainListen(error, { port, host });
  } finally {
    probe.close();
  }
}

function openMetrics({ hosts: { state } }: Store): Metrics {
  const metrics = createMetrics();
  metrics.addGaugeBy(
    "assay_store_host",
    "host",
    "The server that writes go to: 1.",
    () => new Map([[state().host, 1]]),
  );
  metrics.addGauge(
    "assay_store_timeline",
    "The highest timeline that a host of the store has shown; it grows with each fail-over.",
    () => state().timeline,
  );
  metrics.addGauge(
    "assay_store_timeline_refused",
    "Whether the only primary is refused because another server has shown a higher timeline: 1 or 0.",
    () => (state().isRefusing ? 1 : 0),
  );
  metrics.addCounter(
    "assay_store_fail_overs_total",
    "How often this process went over to another server or timeline.",
    () => state().failOverCount,
  );
  return metrics;
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

async function listen(app: App, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host, listenTextResolver: (address) => `listening on ${address}` });
  } catch (error) {
    throw explainListen(error, { port, host });
  }
}

function explainListen(error: unknown, { port, host }: Pick<Config, "port" | "host">): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const place = `${host}:${port}`;
  if (code === "EADDRINUSE") {
    return new OperatorError(
      `${place} is in use by another program, or Assay is already running; set PORT to another port`,
    );
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new OperatorError(`cannot listen on ${place} (${code}); check HOST and PORT`);
  }
  return error;
}

async function drain(app: App, log: Logger): Promise<void> {
  try {
    await withDeadline(app.close(), DRAIN_TIMEOUT_MS);
  } catch (error) {
    log.warn({ err: error }, "some requests did not finish in time; closing their connections");
    app.server.closeAllConnections();
  }
}
