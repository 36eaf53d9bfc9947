import { DAY_MS } from "../base/clock.ts";
import { type Disk, findDisk } from "../base/disk.ts";
import type { GaugeValues } from "../base/metrics.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { findStandbys, type Standbys } from "../db/standbys.ts";
import { countQuarantined, isUnknownKind } from "../intake/quarantine-store.ts";
import { countFailedMessages } from "../listings/message-extraction-store.ts";
import { countDroppedEvents } from "../messages/privacy/erased-store.ts";
import { SESSION_HEALTHS, sessionState } from "../messages/session.ts";
import { listSessions } from "../messages/session-store.ts";
import { listSessionBackfills, type SessionBackfill } from "../messages/sync/backfill-store.ts";
import { countSetAsideItems } from "../pipeline/set-aside-store.ts";
import { sumStepCounts } from "../pipeline/step-store.ts";
import { STEPS } from "../pipeline/steps.ts";
import { countSuspectAsks, type SuspectCounts } from "../pricing/cells/suspect-asks.ts";
import { findPricingHealth } from "../pricing/configurations/configuration-store.ts";
import { findRateFetch, type RateFetch } from "../rates/rate-fetch-store.ts";
import {
  findMatchLag,
  listQueueStates,
  type MatchLag,
  type QueueState,
} from "./operations-store.ts";

interface OperationsOverview {
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

/** What the metrics say about the store. It is the same in each process that uses the store. */
export interface StoreFigures {
  readonly queues: readonly QueueState[];
  readonly lag: MatchLag;
  /** Sessions by health. */
  readonly sessions: GaugeValues;
  readonly quarantinedCount: number;
  /** When the first event was quarantined that `assay doctor` complains of; null if there is none. */
  readonly quarantinedSinceMs: number | null;
  readonly setAsideCount: number;
  /** Messages whose extraction failed. */
  readonly failedExtractionCount: number;
  /** Events of erased persons that came again. */
  readonly droppedCount: number;
  readonly configurationCount: number;
  readonly staleCount: number;
  readonly storeBytes: number;
  readonly standbys: Standbys;
  /** Of the embedded store; a server of your own has a disk that only it knows. */
  readonly disk: Disk | undefined;
}

/** Fewer than the API measures: it runs much more often. */
const METRIC_MATCHES_MAX = 1_000;

export async function findStoreFigures(
  db: Database,
  { nowMs, folder }: { readonly nowMs: number; readonly folder: string | undefined },
): Promise<StoreFigures> {
  const quarantined = await countQuarantined(db);
  const pricing = await findPricingHealth(db, nowMs);
  return {
    queues: await listQueueStates(db, nowMs),
    lag: await findMatchLag(db, { sinceMs: nowMs - DAY_MS, matchesMax: METRIC_MATCHES_MAX }),
    sessions: await countSessions(db, nowMs),
    quarantinedCount: sum(quarantined),
    quarantinedSinceMs: quarantined
      .filter(({ reason }) => !isUnknownKind(reason))
      .reduce<number | null>((first, { first_at_ms: atMs }) => Math.min(first ?? atMs, atMs), null),
    setAsideCount: sum(await countSetAsideItems(db)),
    failedExtractionCount: await countFailedMessages(db),
    droppedCount: await countDroppedEvents(db),
    configurationCount: pricing.configuration_count,
    staleCount: pricing.stale_count,
    storeBytes: await findStoreBytes(db),
    standbys: await findStandbys(db),
    disk: folder === undefined ? undefined : await findDisk(folder),
  };
}

async function countSessions(db: Database, nowMs: number): Promise<GaugeValues> {
  const counts = new Map<string, number>(SESSION_HEALTHS.map((health) => [health, 0]));
  for (const session of await listSessions(db, undefined)) {
    const { health_state: health } = sessionState(session, nowMs);
    counts.set(health, (counts.get(health) ?? 0) + 1);
  }
  return counts;
}

async function findStoreBytes(db: Database): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(sql`
    select pg_database_size(current_database()) as bytes`);
  return row?.bytes ?? 0;
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}
