/** Starts everything except the API: the demo load, the worker, retention, the webhook sender, the rates and the gateway sync. */
import { channelOptionsOf } from "../alerts/deliveries/channels/channel.ts";
import {
  type Sender,
  type SenderOptions,
  startSender,
} from "../alerts/deliveries/send-deliveries.ts";
import { describeListings } from "../api/v2/market/listing-body.ts";
import { systemClock } from "../base/clock.ts";
import { type Config, isMediaOn } from "../base/config.ts";
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { openChangeFeed } from "../db/changes.ts";
import type { ServicePools, Store } from "../db/open-store.ts";
import { loadDemo } from "../demo/load-demo.ts";
import { createDrawingSource, queueFirstPhotos } from "../demo/photos/draw-photos.ts";
import { sizeOf } from "../demo/posts.ts";
import { startTrickle } from "../demo/trickle.ts";
import type { Intake } from "../intake/receive-event.ts";
import { readerOf } from "../listings/extract-listings.ts";
import { countOutdatedMessages } from "../listings/message-extraction-store.ts";
import { type FetchOptions, startFetcher } from "../media/fetch-pictures.ts";
import { createGatewaySource } from "../media/gateway-source.ts";
import { createShrinker } from "../media/shrink-pictures.ts";
import { foldStoredNames } from "../messages/contacts/contact-write-store.ts";
import { createWahaClient } from "../messages/gateways/waha-client.ts";
import { saveFirstMarks } from "../messages/sync/backfill-store.ts";
import { startGatewaySync } from "../messages/sync/sync-gateway.ts";
import { startFigures } from "../operations/watch-figures.ts";
import { changeRates } from "../pipeline/change-rates.ts";
import type { StepContext } from "../pipeline/step.ts";
import { openStepContext } from "../pipeline/step-context.ts";
import { startWorker } from "../pipeline/worker.ts";
import { startRemover } from "../privacy/remove-old-messages.ts";
import { startRateFetch } from "../rates/fetch-rates.ts";

const GB = 1_000_000_000;

/** What the parts of a service share. Each part that starts adds what closes it. */
export interface Parts {
  readonly config: Config;
  readonly log: Logger;
  readonly store: Store;
  readonly pools: ServicePools;
  readonly feed: ReturnType<typeof openChangeFeed>;
  readonly metrics: Metrics;
  readonly closers: (() => Promise<unknown>)[];
}

export interface WorkOptions {
  /** Receives the progress of the demo load, one line per phase. */
  readonly say?: (line: string) => void;
  /** Cancels the start. The first demo load can take a minute. */
  readonly signal?: AbortSignal;
}

export async function startWork(parts: Parts, { say, signal }: WorkOptions): Promise<void> {
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
  await foldStoredNames(store.pool);
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
  if (config.isDemo && isMediaOn(config)) await openDemoPhotos(parts);
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
    const sync = startGatewaySync({
      pool: store.pool,
      client,
      clock: systemClock,
      feed,
      log,
      metrics,
    });
    if (isMediaOn(config) && !config.isDemo) {
      const source = createGatewaySource(client, stopping.signal);
      openFetcher(parts, { source, shrinker: createShrinker() });
    }
    closers.push(() => {
      stopping.abort();
      return sync.stop();
    });
  }
}

/** The demo draws its photos. */
async function openDemoPhotos(parts: Parts): Promise<void> {
  const { pool } = parts.store;
  await queueFirstPhotos(pool, systemClock.nowMs());
  const shrinker = createShrinker();
  openFetcher(parts, { source: createDrawingSource(pool, shrinker), shrinker, askedMax: null });
}

function openFetcher(
  { config, store, feed, log, metrics, closers }: Parts,
  from: Pick<FetchOptions, "source" | "shrinker" | "askedMax">,
): void {
  const fetcher = startFetcher({
    pool: store.pool,
    clock: systemClock,
    ...from,
    bytesMax: config.mediaGbMax * GB,
    ...(store.folder === undefined ? {} : { folder: store.folder }),
    feed,
    log,
    metrics,
  });
  closers.push(() => fetcher.stop());
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
      "messages were extracted with another version, catalogue or words; run: assay reextract",
    );
  }
}

/** New messages of the demo, while it runs. */
export function startDemoPosts({ config, log, closers }: Parts, intake: Intake): void {
  const size = sizeOf(config.demoMessages);
  const trickle = startTrickle({ intake, clock: systemClock, log, size });
  closers.push(() => trickle.stop());
}
