/**
 * Short texts to people. All that is due for a target goes into one message, at most one in ten seconds, and not in its quiet
 * hours. A test by hand goes out at once, to a target of any kind.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { assert } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { Database } from "../../db/database.ts";
import { hasAnchors } from "../../matching/anchor-store.ts";
import { type DescribeListings, isComplete, toMatchEvents } from "../describe-matches.ts";
import { matchKeyOf, toMatchKey } from "../match.ts";
import { findMatches } from "../match-store.ts";
import type { Attempt } from "./channels/channel.ts";
import { postSigned } from "./channels/standard.ts";
import {
  type Bundle,
  type BundledDelivery,
  type BundledEnd,
  claimBundle,
  findMoved,
  finishBundle,
  keepQuiet,
  listDueTargets,
  retireTarget,
  takeSilenced,
} from "./claim-store.ts";
import {
  judge,
  judgeIncomplete,
  MATCH_DELETED,
  type PostResult,
  RETRY_AFTER_MAX_MS,
  toResultText,
  type Verdict,
} from "./delivery.ts";
import { type Notification, toNotification, toTestNotification } from "./notification.ts";
import { quietUntilMs } from "./quiet-hours.ts";
import { channelOf, helpFor, type TargetAddress } from "./target.ts";

/** A person gets at most one message in this time. Matches that come meanwhile go into the next one. */
const PACE_MS = 10_000;
/** How many attempts wait just as long as the target says. */
const OBEYED_MAX = 3;

interface BundleSender extends Attempt {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "deliveries">;
  readonly describeListings: DescribeListings;
  /** Stores the end of an attempt, later if the store is down. */
  save(write: () => Promise<void>): Promise<void>;
}

/** Claims the bundles that are due, at most `max`. Targets in their quiet hours, of any kind, wait until these end. */
export async function claimBundles(
  { db }: Pick<BundleSender, "db">,
  { max, nowMs, leaseMs }: Readonly<Record<"max" | "nowMs" | "leaseMs", number>>,
): Promise<readonly Bundle[]> {
  const bundles: Bundle[] = [];
  for (const target of await listDueTargets(db, nowMs)) {
    const { quiet_hours } = target;
    const untilMs = quiet_hours === null ? undefined : quietUntilMs(quiet_hours, nowMs);
    if (untilMs !== undefined) await keepQuiet(db, target, { nowMs, untilMs });
    else if (target.kind !== "standard" && bundles.length < max) {
      const bundle = await claimBundle(db, target, { nowMs, leaseMs });
      if (bundle !== undefined) bundles.push(bundle);
    }
  }
  return bundles;
}

/** One attempt for all deliveries of a bundle. Those whose match was deleted are dead. */
export async function deliverBundle(sender: BundleSender, claimed: Bundle): Promise<void> {
  const startedAtMs = sender.clock.nowMs();
  const silenced = await takeSilenced(sender.db, claimed.deliveries);
  const bundle = {
    ...claimed,
    deliveries: claimed.deliveries.filter(({ id }) => !silenced.has(id)),
  };
  const matches = await findMatches(sender.db, bundle.deliveries.map(toMatchKey));
  const events = await toMatchEvents(sender.db, matches, {
    describeListings: sender.describeListings,
    nowMs: startedAtMs,
  });
  const complete = events.filter(isComplete);
  const found = new Set(matches.map(matchKeyOf));
  const sent = new Set(complete.map(({ data }) => matchKeyOf(data.match)));
  const lost = bundle.deliveries.filter((delivery) => !found.has(matchKeyOf(delivery)));
  const moved = await findMoved(sender.db, lost);
  const kept = bundle.deliveries.filter((delivery) => sent.has(matchKeyOf(delivery)));
  const incomplete = bundle.deliveries.filter(
    (delivery) => found.has(matchKeyOf(delivery)) && !sent.has(matchKeyOf(delivery)),
  );
  const isReplaying = incomplete.length > 0 && (await hasAnchors(sender.db));
  const result =
    complete.length === 0
      ? undefined
      : await sendNotification(bundle.target, toNotification(complete, sender.publicUrl), sender);
  const nowMs = sender.clock.nowMs();
  const verdicts = judgeAll(kept, result);
  const gone = [...verdicts.values()].find(({ kind }) => kind === "gone");
  report(sender, bundle, verdicts);
  const end = {
    deliveries: [
      ...kept.map((delivery) => toEnd(delivery, verdicts.get(delivery.attempt_count), nowMs)),
      ...incomplete.map((delivery) =>
        toEnd(delivery, judgeIncomplete(isReplaying, delivery.attempt_count), nowMs),
      ),
      ...lost.map((delivery) =>
        toEnd(delivery, moved.has(delivery.id) ? undefined : MATCH_DELETED, nowMs),
      ),
    ],
    nowMs,
    nextSendAtMs: nextSendAtMs(result, { startedAtMs, nowMs }),
  };
  await sender.save(async () => {
    if (gone?.kind === "gone") await retireTarget(sender.db, bundle.target, { ...gone, nowMs });
    await finishBundle(sender.db, bundle, end);
  });
}

/** What a test message met. */
interface TestResult {
  readonly is_delivered: boolean;
  /** As in the list of deliveries. */
  readonly result: string;
  /** What to do about it, if that is known. */
  readonly help?: string;
}

/** Sends one message that is no match. It ignores quiet hours and changes nothing. */
export async function sendTest(
  target: TargetAddress & { readonly id: string; readonly name: string },
  attempt: Attempt & { readonly nowMs: number },
): Promise<TestResult> {
  const result =
    target.kind === "standard"
      ? await postTest(target, attempt)
      : await sendNotification(target, toTestNotification(target.name, attempt.publicUrl), attempt);
  if (result.kind === "stopped") return { is_delivered: false, result: "stopped" };
  const text = toResultText(result);
  const help = helpFor(text);
  return {
    is_delivered: result.kind === "answered" && result.status >= 200 && result.status < 300,
    result: text,
    ...(help === undefined ? {} : { help }),
  };
}

function postTest(
  { id, name, url, secret }: TargetAddress & { readonly id: string; readonly name: string },
  attempt: Attempt & { readonly nowMs: number },
): Promise<PostResult> {
  const { nowMs } = attempt;
  const body = JSON.stringify({
    type: "target.test",
    timestamp: new Date(nowMs).toISOString(),
    data: { target: { id, name } },
  });
  const signed = { id: randomUUID(), url: url ?? "", secret: secret ?? "", body, nowMs };
  return postSigned(signed, attempt);
}

function sendNotification(
  target: TargetAddress,
  notification: Notification,
  attempt: Attempt,
): Promise<PostResult> {
  const { send } = channelOf(target.kind);
  assert(send !== undefined, "a standard target gets webhooks, not notifications");
  return send(target, notification, attempt);
}

/** By the number of attempts: the deliveries of a bundle can have different ones. Equal ones are due together again. */
function judgeAll(
  deliveries: readonly BundledDelivery[],
  result: PostResult | undefined,
): ReadonlyMap<number, Verdict> {
  const random = Math.random();
  const counts = new Set(deliveries.map(({ attempt_count }) => attempt_count));
  return new Map(
    result === undefined
      ? []
      : [...counts].map((count) => [count, obeyWait(judge(result, count, random), result, count)]),
  );
}

/**
 * A target that says how long to wait (429) works, so it is tried again after exactly that time. If that did not help a few
 * times, the usual delays follow: a target that always says one second would use up all attempts within minutes.
 */
function obeyWait(verdict: Verdict, result: PostResult, attemptCount: number): Verdict {
  const waitMs = toldWaitMs(result);
  return verdict.kind === "retry" && waitMs !== undefined && attemptCount <= OBEYED_MAX
    ? { ...verdict, delayMs: waitMs }
    : verdict;
}

function toldWaitMs(result: PostResult | undefined): number | undefined {
  if (result?.kind !== "answered" || result.status !== 429) return undefined;
  return result.retryAfterMs === undefined
    ? undefined
    : Math.min(result.retryAfterMs, RETRY_AFTER_MAX_MS);
}

function nextSendAtMs(
  result: PostResult | undefined,
  { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
): number {
  // Nothing was sent, or the service stops and another process goes on.
  if (result === undefined || result.kind === "stopped") return nowMs;
  return Math.max(startedAtMs + PACE_MS, nowMs + (toldWaitMs(result) ?? 0));
}

function toEnd(
  { id, attempt_count }: BundledDelivery,
  verdict: Verdict | undefined,
  nowMs: number,
): BundledEnd {
  if (verdict === undefined || verdict.kind === "released") {
    return {
      id,
      status: "pending",
      attempt_count: attempt_count - 1,
      next_attempt_at_ms: nowMs + (verdict?.delayMs ?? 0),
      last_result: null,
    };
  }
  const isPending = verdict.kind === "retry";
  return {
    id,
    status: isPending ? "pending" : verdict.kind === "delivered" ? "delivered" : "dead",
    attempt_count,
    next_attempt_at_ms: isPending ? nowMs + verdict.delayMs : nowMs,
    last_result: verdict.result,
  };
}

function report(
  { log, metrics }: BundleSender,
  { target, deliveries }: Bundle,
  verdicts: ReadonlyMap<number, Verdict>,
): void {
  for (const verdict of verdicts.values()) {
    if (verdict.kind === "released") continue;
    metrics.deliveries.inc({ result: verdict.kind });
    const facts = {
      target: target.id,
      kind: target.kind,
      matches: deliveries.length,
      result: verdict.result,
      help: helpFor(verdict.result),
    };
    if (verdict.kind === "delivered") log.debug(facts, "notified");
    else if (verdict.kind === "retry") log.warn(facts, "a notification failed; retrying later");
    else if (verdict.kind === "gone") log.warn(facts, "a target is gone; sending to it stops");
    else log.warn(facts, "a notification failed for the last time");
  }
}
