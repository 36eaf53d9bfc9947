import { setMaxListeners } from "node:events";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS, sleep } from "../../base/clock.ts";
import { type Logger, logSeries } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { isConflict, isStoreDown } from "../../db/store-error.ts";
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
  findMoved,
  finishDelivery,
  listQuietHours,
  postponeDelivery,
  pullDeliveriesForward,
  releaseClaims,
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
/** By so many different milliseconds leases are longer. */
const LEASE_NUMBERS = 1_000;
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
    leaseNumber: Math.floor(Math.random() * LEASE_NUMBERS),
    unsaved: new Set(),
    save: (write) => saveOrKeep(state, write),
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
        await saveUnsaved(state);
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
        logSeries(options.log, { err: error }, "deliveries could not be read");
        await sleep(POLL_MS, stop.signal);
      }
    }
    await Promise.all(state.inProgress.keys());
    await saveUnsaved(state).catch((error: unknown) => {
      options.log.warn({ err: error }, "ends of deliveries could not be saved; they are repeated");
    });
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
  leaseNumber: number;
  /** What the store could not be told: ends of attempts, and claims to release. It is told when it is back. */
  readonly unsaved: Set<() => Promise<void>>;
  save(write: () => Promise<void>): Promise<void>;
}

/** Without this, what was sent would be sent again when its lease ends. */
async function saveOrKeep(state: State, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!isStoreDown(error) && !isConflict(error)) throw error;
    state.unsaved.add(write);
    logSeries(state.log, { err: error }, "the end of a delivery could not be saved");
  }
}

/** Each write may have taken effect already, with a lost answer, so all of them can be repeated. */
async function saveUnsaved({ unsaved }: State): Promise<void> {
  for (const write of unsaved) {
    await write();
    unsaved.delete(write);
  }
}

type Times = Readonly<Record<"nowMs" | "leaseMs", number>>;

/** Makes claims. If the store is lost meanwhile, it may have made them: then they are released when it is back. */
async function leasing<Claimed>(
  state: State,
  claimWith: (times: Times) => Promise<Claimed>,
): Promise<Claimed> {
  // Claims are found again by the time at which they end, so no two have the same.
  state.leaseNumber = (state.leaseNumber + 1) % LEASE_NUMBERS;
  const nowMs = state.clock.nowMs();
  const leaseMs = state.timeoutMs + LEASE_MARGIN_MS + state.leaseNumber;
  try {
    return await claimWith({ nowMs, leaseMs });
  } catch (error) {
    const lost = { leasedUntilMs: nowMs + leaseMs };
    state.unsaved.add(() => releaseClaims(state.db, lost, state.clock.nowMs()));
    throw error;
  }
}

function claimDueBundles(state: State): Promise<readonly Bundle[]> {
  const max = IN_FLIGHT_MAX - state.inProgress.size;
  return leasing(state, (times) => claimBundles(state, { ...times, max }));
}

async function claim(state: State): Promise<readonly ClaimedDelivery[]> {
  const freeCount = IN_FLIGHT_MAX - state.inProgress.size;
  if (freeCount <= 0) return [];
  const counts = new Map<string, number>();
  for (const targetId of state.inProgress.values()) {
    counts.set(targetId, (counts.get(targetId) ?? 0) + 1);
  }
  const quietHours = await listQuietHours(state.db);
  state.claimCount += 1;
  return leasing(state, async (times) => {
    const options = {
      ...times,
      awake: quietHours.filter((hours) => quietUntilMs(hours, times.nowMs) === undefined),
      batchMax: freeCount,
      perTargetMax: PER_TARGET_MAX,
      inProgress: [...counts].map(([target_id, count]) => ({ target_id, count })),
    };
    if (state.claimCount % OLDEST_FIRST_EVERY !== 0) {
      const fresh = await claimDeliveries(state.db, { ...options, lane: "fresh" });
      if (fresh.length > 0) return fresh;
    }
    return claimDeliveries(state.db, options);
  });
}

function startDelivery(state: State, delivery: ClaimedDelivery, onEnd: () => void): void {
  const { id, target_id: targetId, leased_until_ms: leasedUntilMs } = delivery;
  start(state, { targetId, ids: [id], leasedUntilMs, attempt: deliver(state, delivery), onEnd });
}

function startBundle(state: State, bundle: Bundle, onEnd: () => void): void {
  const { target, deliveries, leasedUntilMs } = bundle;
  const ids = deliveries.map(({ id }) => id);
  const attempt = deliverBundle(state, bundle);
  start(state, { targetId: target.id, ids, leasedUntilMs, attempt, onEnd });
}

interface Started {
  readonly targetId: string;
  readonly ids: readonly string[];
  readonly leasedUntilMs: number;
  readonly attempt: Promise<void>;
  readonly onEnd: () => void;
}

function start(state: State, { targetId, ids, leasedUntilMs, attempt, onEnd }: Started): void {
  const watched = attempt
    .catch((error: unknown) => {
      if (isStoreDown(error) || isConflict(error)) {
        // The ends of attempts are saved in any case, so nothing was sent.
        const release = () => releaseClaims(state.db, { leasedUntilMs, ids }, state.clock.nowMs());
        state.unsaved.add(release);
        logSeries(state.log, { err: error, target: targetId }, "a delivery could not be made");
        return;
      }
      // Another attempt follows when the lease expires.
      const facts = { err: error, target: targetId, deliveries: ids };
      state.log.error(facts, "a delivery attempt could not be made or saved");
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
  if (event === undefined) {
    const moved = await findMoved(state.db, [delivery]);
    return moved.has(delivery.id) ? { kind: "released" } : MATCH_DELETED;
  }
  if (!isComplete(event)) {
    return judgeIncomplete(await hasAnchors(state.db), delivery.attempt_count);
  }
  return saveDeliveryBody(state.db, delivery.id, JSON.stringify(event));
}

async function finish(state: State, delivery: ClaimedDelivery, verdict: Verdict): Promise<void> {
  const { db, log, metrics, save } = state;
  const { id, target_id, url, secret } = delivery;
  const nowMs = state.clock.nowMs();
  if (verdict.kind === "released") {
    const claims = { leasedUntilMs: delivery.leased_until_ms, ids: [id] };
    return save(() => releaseClaims(db, claims, nowMs + (verdict.delayMs ?? 0)));
  }
  metrics.deliveries.inc({ result: verdict.kind });
  const facts = {
    delivery: id,
    target: target_id,
    attempt: delivery.attempt_count,
    result: verdict.result,
    help: helpFor(verdict.result),
  };
  if (verdict.kind === "delivered") {
    log.debug(facts, "delivered");
    return save(() => finishDelivery(db, id, { ...verdict, status: "delivered", nowMs }));
  }
  if (verdict.kind === "retry") {
    log.warn({ ...facts, delayMs: verdict.delayMs }, "a delivery failed; retrying later");
    return save(() => postponeDelivery(db, id, { ...verdict, atMs: nowMs + verdict.delayMs }));
  }
  if (verdict.kind === "gone") {
    log.warn(facts, "a webhook target responded 410; sending to it stops");
    const target = { id: target_id, url, secret, recipient: null };
    return save(() => retireTarget(db, target, { ...verdict, nowMs }));
  }
  log.warn(facts, "a delivery failed for the last time");
  return save(() => finishDelivery(db, id, { ...verdict, status: "dead", nowMs }));
}
