import { DAY_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import { countQuarantined } from "../intake/raw-event-store.ts";
import { listSessionBackfills, type SessionBackfill } from "../messages/backfill/backfill-store.ts";
import { countSetAsideItems } from "../pipeline/set-aside-store.ts";
import { sumStepCounts } from "../pipeline/step-count-store.ts";
import { STEPS } from "../pipeline/steps.ts";
import { countSuspectAsks, type SuspectCounts } from "../pricing/cells/suspect-ask-store.ts";
import { findRateFetch, type RateFetch } from "../rates/rate-fetch-store.ts";
import { findMatchLag, type MatchLag } from "./match-lag-store.ts";
import { listQueueStates, type QueueState } from "./queue-store.ts";

export interface OperationsOverview {
  readonly queues: readonly QueueState[];
  readonly lag: MatchLag;
  readonly steps: readonly { readonly step: string; readonly item_count: number }[];
  readonly backfills: readonly SessionBackfill[];
  readonly rateFetch: RateFetch;
  readonly suspectAsks: SuspectCounts;
  readonly quarantine: { readonly event_count: number; readonly item_count: number };
}

/** Matches that are measured at most. */
export const MATCHES_MAX = 5_000;

/** What is going on, from events to matches. Bounded: it reads no table whole but small ones. */
export async function findOperationsOverview(
  db: Database,
  nowMs: number,
): Promise<OperationsOverview> {
  const sinceMs = nowMs - DAY_MS;
  const counts = await sumStepCounts(db, sinceMs);
  const lag = await findMatchLag(db, { sinceMs, matchesMax: MATCHES_MAX });
  const queues = await listQueueStates(db, nowMs);
  // The way from event to match. Other steps have no queue there.
  const shown = STEPS.filter(({ name }) => queues.some(({ step }) => step === name));
  return {
    queues,
    lag,
    steps: [
      ...shown.map(({ name }) => ({ step: name, item_count: counts.get(name) ?? 0 })),
      { step: "record matches", item_count: lag.match_count },
    ],
    backfills: await listSessionBackfills(db),
    rateFetch: await findRateFetch(db),
    suspectAsks: await countSuspectAsks(db),
    quarantine: {
      event_count: sum(await countQuarantined(db)),
      item_count: sum(await countSetAsideItems(db)),
    },
  };
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
