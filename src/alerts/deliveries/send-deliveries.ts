import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { sleep } from "../../base/sleep.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { type DescribeListings, findMatches, toMatchEvents } from "../match-event-store.ts";
import { judge, type PostResult, toWebhookHeaders, type Verdict } from "./delivery.ts";
import {
  type ClaimedDelivery,
  claimDeliveries,
  finishDelivery,
  postponeDelivery,
  pruneDeliveries,
  releaseDelivery,
  retireTarget,
  saveDeliveryBody,
} from "./delivery-store.ts";
import { postWebhook } from "./post-webhook.ts";

export interface Sender {
  /** Breaks off what is under way; it is sent again later, under the same id. */
  stop(): Promise<void>;
}

export interface SenderOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly feed: ChangeFeed;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "deliveries">;
  readonly describeListings: DescribeListings;
  readonly isPrivateAllowed: boolean;
  /** The longest that an attempt may take. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** What is added to an attempt's time before others may take it for lost. */
const LEASE_MARGIN_MS = 45_000;
/** When retries become due nobody announces it. */
const POLL_MS = 1_000;
const IN_FLIGHT_MAX = 32;
const PER_TARGET_MAX = 4;
const PRUNE_EVERY_MS = HOUR_MS;
const KEPT_MS = 30 * DAY_MS;

/** Sends what is due, in as many processes as there are: each delivery is claimed by one of them. */
export function startSender(options: SenderOptions): Sender {
  const stop = new AbortController();
  const state: State = {
    ...options,
    signal: stop.signal,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    underWay: new Map(),
  };
  let wake = new AbortController();
  let prunedAtMs = Number.NEGATIVE_INFINITY;
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
        const claimed = await claim(state);
        for (const delivery of claimed) start(state, delivery, () => wake.abort());
        if (claimed.length === 0) await sleep(POLL_MS, wake.signal);
      } catch (error) {
        options.log.error({ err: error }, "deliveries could not be read");
        await sleep(POLL_MS, stop.signal);
      }
    }
    await Promise.all(state.underWay.keys());
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
  /** The attempts, each with its target. */
  readonly underWay: Map<Promise<void>, string>;
}

async function claim(state: State): Promise<readonly ClaimedDelivery[]> {
  const freeCount = IN_FLIGHT_MAX - state.underWay.size;
  if (freeCount <= 0) return [];
  const counts = new Map<string, number>();
  for (const targetId of state.underWay.values()) {
    counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  }
  return claimDeliveries(state.db, {
    nowMs: state.clock.nowMs(),
    leaseMs: state.timeoutMs + LEASE_MARGIN_MS,
    batchMax: freeCount,
    perTargetMax: PER_TARGET_MAX,
    underWay: [...counts].map(([target_id, count]) => ({ target_id, count })),
  });
}

function start(state: State, delivery: ClaimedDelivery, onEnd: () => void): void {
  const attempt = deliver(state, delivery)
    // The lease runs out, and it is tried again.
    .catch((error: unknown) => {
      state.log.error({ err: error, delivery: delivery.id }, "a delivery could not be worked on");
    })
    .then(() => {
      state.underWay.delete(attempt);
      onEnd();
    });
  state.underWay.set(attempt, delivery.target_id);
}

async function deliver(state: State, delivery: ClaimedDelivery): Promise<void> {
  const body = delivery.body ?? (await makeBody(state, delivery));
  if (body === undefined) {
    await finish(state, delivery, { kind: "dead", result: "the match is no more" });
    return;
  }
  const result = await attempt(state, delivery, body);
  await finish(state, delivery, judge(result, delivery.attempt_count, Math.random()));
}

async function makeBody(state: State, delivery: ClaimedDelivery): Promise<string | undefined> {
  const { alert_id, resource, resource_id } = delivery;
  const matches = await findMatches(state.db, [{ alert_id, resource, resource_id }]);
  const [event] = await toMatchEvents(state.db, matches, state.describeListings);
  if (event === undefined) return undefined;
  return saveDeliveryBody(state.db, delivery.id, JSON.stringify(event));
}

async function attempt(
  state: State,
  { id, url, secret }: ClaimedDelivery,
  body: string,
): Promise<PostResult> {
  const headers = toWebhookHeaders({ id, secret, body, nowMs: state.clock.nowMs() });
  if (headers === undefined) return { kind: "failed", reason: "the secret is not whsec_…" };
  const { timeoutMs, isPrivateAllowed, signal } = state;
  return postWebhook({ url, headers, body, timeoutMs, isPrivateAllowed, signal });
}

async function finish(state: State, delivery: ClaimedDelivery, verdict: Verdict): Promise<void> {
  const { db, log, metrics } = state;
  const nowMs = state.clock.nowMs();
  if (verdict.kind === "released") return releaseDelivery(db, delivery.id, nowMs);
  metrics.deliveries.inc({ result: verdict.kind });
  const facts = {
    delivery: delivery.id,
    target: delivery.target_id,
    attempt: delivery.attempt_count,
    result: verdict.result,
  };
  if (verdict.kind === "delivered") {
    log.debug(facts, "delivered");
    return finishDelivery(db, delivery.id, { ...verdict, status: "delivered", nowMs });
  }
  if (verdict.kind === "retry") {
    log.info({ ...facts, delayMs: verdict.delayMs }, "a delivery failed and is tried again");
    return postponeDelivery(db, delivery.id, { ...verdict, atMs: nowMs + verdict.delayMs });
  }
  if (verdict.kind === "gone") {
    log.warn(facts, "a webhook target is gone: nothing more is sent to it");
    return retireTarget(db, delivery, { ...verdict, nowMs });
  }
  log.warn(facts, "a delivery was given up");
  return finishDelivery(db, delivery.id, { ...verdict, status: "dead", nowMs });
}
