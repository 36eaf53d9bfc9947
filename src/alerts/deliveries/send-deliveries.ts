import { setMaxListeners } from "node:events";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, sleep } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { hasAnchors } from "../../matching/anchor-store.ts";
import { type DescribeListings, isComplete, toMatchEvents } from "../describe-matches.ts";
import { toMatchKey } from "../match.ts";
import { findMatches } from "../match-store.ts";
import type { ChannelOptions } from "./channels/channel.ts";
import { postSigned } from "./channels/standard.ts";
import {
  type Bundle,
  type ClaimedDelivery,
  claimDeliveries,
  finishDelivery,
  listQuietHours,
  postponeDelivery,
  pullDeliveriesForward,
  releaseDelivery,
  retireTarget,
  saveDeliveryBody,
  takeSilenced,
} from "./claim-store.ts";
import { DELAY_MAX_MS, judge, judgeIncomplete, MATCH_DELETED, type Verdict } from "./delivery.ts";
import { pruneDeliveries } from "./delivery-store.ts";
import { quietUntilMs } from "./quiet-hours.ts";
import { claimBundles, deliverBundle } from "./send-bundle.ts";
import { helpFor } from "./target.ts";

export interface Sender {
  /** Aborts the attempts in progress. They are repeated later with the same ids. */
  stop(): Promise<void>;
}

export interface SenderOptions extends ChannelOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly feed: ChangeFeed;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "deliveries">;
  readonly describeListings: DescribeListings;
  /** How long an attempt may take. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** Added to the time of an attempt before another process may claim the delivery. */
const LEASE_MARGIN_MS = 45_000;
/** There is no notification when a retry becomes due. */
const POLL_MS = 1_000;
const IN_FLIGHT_MAX = 32;
const PER_TARGET_MAX = 4;
/** Fresh matches are sent first, but every so many claims take the oldest deliveries, so that these move too. */
const OLDEST_FIRST_EVERY = 4;
const PRUNE_EVERY_MS = HOUR_MS;
const REPAIR_EVERY_MS = MINUTE_MS;
const KEPT_MS = 30 * DAY_MS;
/** Of the attempts, in the metrics. */
const RESULTS: readonly Verdict["kind"][] = ["delivered", "retry", "dead", "gone"];

/** Sends due deliveries. Any number of processes can run it; each delivery is claimed by one of them. */
export function startSender(options: SenderOptions): Sender {
  const stop = new AbortController();
  // Each attempt listens to it, besides the sender itself. Node would take more than ten for a leak.
  setMaxListeners(IN_FLIGHT_MAX + 2, stop.signal);
  const state: State = {
    ...options,
    signal: stop.signal,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    inProgress: new Map(),
    claimCount: 0,
  };
  for (const result of RESULTS) options.metrics.deliveries.inc({ result }, 0);
  let wake = new AbortController();
  let prunedAtMs = Number.NEGATIVE_INFINITY;
  let repairedAtMs = Number.NEGATIVE_INFINITY;
  options.feed.subscribe("webhook_delivery", () => wake.abort());
  stop.signal.addEventListener("abort", () => wake.abort());

  const work = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      wake = new AbortController();
      try {
        if (performance.now() - prunedAtMs > PRUNE_EVERY_MS) {
          prunedAtMs = performance.now();
          await pruneDeliveries(options.db, options.clock.nowMs() - KEPT_MS);
        }
        if (performance.now() - repairedAtMs > REPAIR_EVERY_MS) {
          repairedAtMs = performance.now();
          const nowMs = options.clock.nowMs();
          await pullDeliveriesForward(options.db, { nowMs, aheadMaxMs: DELAY_MAX_MS });
        }
        const onEnd = () => wake.abort();
        // First, because it also postpones what is due for the targets that are quiet now.
        const bundles = await claimDueBundles(state);
        for (const bundle of bundles) startBundle(state, bundle, onEnd);
        const claimed = await claim(state);
        for (const delivery of claimed) startDelivery(state, delivery, onEnd);
        if (claimed.length + bundles.length === 0) await sleep(POLL_MS, wake.signal);
      } catch (error) {
        options.log.error({ err: error }, "deliveries could not be read; retrying");
        await sleep(POLL_MS, stop.signal);
      }
    }
    await Promise.all(state.inProgress.keys());
  };
  const working = work();

  return {
    stop: async () => {
      stop.abort();
      await working;
    },
  };
}

interface State extends SenderOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The attempts in progress, each with its target. */
  readonly inProgress: Map<Promise<void>, string>;
  claimCount: number;
}

async function claimDueBundles(state: State): Promise<readonly Bundle[]> {
  const freeCount = IN_FLIGHT_MAX - state.inProgress.size;
  return claimBundles(state, { max: freeCount, leaseMs: state.timeoutMs + LEASE_MARGIN_MS });
}

async function claim(state: State): Promise<readonly ClaimedDelivery[]> {
  const freeCount = IN_FLIGHT_MAX - state.inProgress.size;
  if (freeCount <= 0) return [];
  const counts = new Map<string, number>();
  for (const targetId of state.inProgress.values()) {
    counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  }
  const nowMs = state.clock.nowMs();
  const quietHours = await listQuietHours(state.db);
  const options = {
    nowMs,
    awake: quietHours.filter((hours) => quietUntilMs(hours, nowMs) === undefined),
    leaseMs: state.timeoutMs + LEASE_MARGIN_MS,
    batchMax: freeCount,
    perTargetMax: PER_TARGET_MAX,
    inProgress: [...counts].map(([target_id, count]) => ({ target_id, count })),
  };
  state.claimCount += 1;
  if (state.claimCount % OLDEST_FIRST_EVERY !== 0) {
    const fresh = await claimDeliveries(state.db, { ...options, lane: "fresh" });
    if (fresh.length > 0) return fresh;
  }
  return claimDeliveries(state.db, options);
}

function startDelivery(state: State, delivery: ClaimedDelivery, onEnd: () => void): void {
  const { id, target_id } = delivery;
  start(state, { targetId: target_id, attempt: deliver(state, delivery), onEnd, delivery: id });
}

function startBundle(state: State, bundle: Bundle, onEnd: () => void): void {
  start(state, { targetId: bundle.target.id, attempt: deliverBundle(state, bundle), onEnd });
}

function start(
  state: State,
  {
    targetId,
    attempt,
    onEnd,
    delivery,
  }: {
    readonly targetId: string;
    readonly attempt: Promise<void>;
    readonly onEnd: () => void;
    readonly delivery?: string;
  },
): void {
  const watched = attempt
    // Another attempt follows when the lease expires.
    .catch((error: unknown) => {
      state.log.error(
        { err: error, target: targetId, delivery },
        "a delivery attempt could not be made or saved",
      );
    })
    .then(() => {
      state.inProgress.delete(watched);
      onEnd();
    });
  state.inProgress.set(watched, targetId);
}

async function deliver(state: State, delivery: ClaimedDelivery): Promise<void> {
  if ((await takeSilenced(state.db, [delivery])).size > 0) return;
  const body = delivery.body ?? (await makeBody(state, delivery));
  if (typeof body !== "string") return finish(state, delivery, body);
  const { id, url, secret } = delivery;
  const result = await postSigned({ id, url, secret, body, nowMs: state.clock.nowMs() }, state);
  await finish(state, delivery, judge(result, delivery.attempt_count, Math.random()));
}

/** Returns the body, or what becomes of a delivery without one. */
async function makeBody(state: State, delivery: ClaimedDelivery): Promise<string | Verdict> {
  const matches = await findMatches(state.db, [toMatchKey(delivery)]);
  const [event] = await toMatchEvents(state.db, matches, {
    describeListings: state.describeListings,
    nowMs: state.clock.nowMs(),
  });
  if (event === undefined) return MATCH_DELETED;
  if (!isComplete(event)) {
    return judgeIncomplete(await hasAnchors(state.db), delivery.attempt_count);
  }
  return saveDeliveryBody(state.db, delivery.id, JSON.stringify(event));
}

async function finish(state: State, delivery: ClaimedDelivery, verdict: Verdict): Promise<void> {
  const { db, log, metrics } = state;
  const nowMs = state.clock.nowMs();
  if (verdict.kind === "released") {
    return releaseDelivery(db, delivery.id, nowMs + (verdict.delayMs ?? 0));
  }
  metrics.deliveries.inc({ result: verdict.kind });
  const facts = {
    delivery: delivery.id,
    target: delivery.target_id,
    attempt: delivery.attempt_count,
    result: verdict.result,
    help: helpFor(verdict.result),
  };
  if (verdict.kind === "delivered") {
    log.debug(facts, "delivered");
    return finishDelivery(db, delivery.id, { ...verdict, status: "delivered", nowMs });
  }
  if (verdict.kind === "retry") {
    log.warn({ ...facts, delayMs: verdict.delayMs }, "a delivery failed; retrying later");
    return postponeDelivery(db, delivery.id, { ...verdict, atMs: nowMs + verdict.delayMs });
  }
  if (verdict.kind === "gone") {
    log.warn(facts, "a webhook target responded 410; sending to it stops");
    const { target_id: id, url, secret } = delivery;
    return retireTarget(db, { id, url, secret, recipient: null }, { ...verdict, nowMs });
  }
  log.warn(facts, "a delivery failed for the last time");
  return finishDelivery(db, delivery.id, { ...verdict, status: "dead", nowMs });
}
