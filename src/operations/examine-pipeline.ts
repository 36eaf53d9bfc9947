import { MINUTE_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import type { Catalogue } from "../extraction/catalogue/catalogue.ts";
import { countQuarantined, countQueuedEvents } from "../intake/raw-event-store.ts";
import { readerOf } from "../listings/extract-listings.ts";
import {
  countFailedMessages,
  countOutdatedMessages,
} from "../listings/message-extraction-store.ts";
import { countSetAsideItems } from "../pipeline/set-aside-store.ts";
import type { Finding } from "./finding.ts";
import { listQueueStates } from "./queue-store.ts";

/** A worker takes an event within a second; one that has waited longer than this waits in vain. */
const WAITING_MAX_MS = MINUTE_MS;

/** Reports events that no worker takes. Those that just came are fine: in a busy market there is always one. */
export async function examineQueue(db: Database, nowMs: number): Promise<readonly Finding[]> {
  const count = await countQueuedEvents(db);
  const queues = count === 0 ? [] : await listQueueStates(db, nowMs);
  const { oldest_age_ms: oldestMs } = queues[0] ?? { oldest_age_ms: 0 };
  if (count > 0 && (oldestMs ?? 0) < WAITING_MAX_MS) {
    return [{ isFine: true, text: `queue: ${count} events are being processed` }];
  }
  return [
    count === 0
      ? { isFine: true, text: "queue: all events are processed" }
      : {
          isFine: false,
          text: `queue: ${count} events are waiting; start \`assay serve\` with a worker, or check its log if it is running`,
          command: "assay serve",
        },
  ];
}

export async function examineQuarantine(db: Database): Promise<readonly Finding[]> {
  const counts = await countQuarantined(db);
  if (counts.length === 0) return [{ isFine: true, text: "quarantine: empty" }];
  return counts.map(({ reason, count, latest_at_ms }) => ({
    isFine: reason === "unknown_event",
    text:
      `quarantine: ${count} events (${reason}), the latest at ${new Date(latest_at_ms).toISOString()}; ` +
      "see `assay quarantine list`, then `assay quarantine retry --all`, or drop them",
    command: "assay quarantine retry --all",
  }));
}

export async function examineSetAside(db: Database): Promise<readonly Finding[]> {
  const counts = await countSetAsideItems(db);
  if (counts.length === 0) return [{ isFine: true, text: "pipeline: no item is set aside" }];
  return counts.map(({ step, reason, count, latest_at_ms }) => ({
    isFine: false,
    text:
      `pipeline: ${count} items of "${step}" failed (${reason}), the latest at ${new Date(latest_at_ms).toISOString()}; ` +
      "a worker tries them again by itself; see `assay quarantine list`",
    command: "assay quarantine list",
  }));
}

export async function examineExtraction(
  db: Database,
  catalogue: Catalogue,
): Promise<readonly Finding[]> {
  const failed = await countFailedMessages(db);
  const outdated = await countOutdatedMessages(db, readerOf(catalogue));
  return [
    failed === 0
      ? { isFine: true, text: "listings: extraction worked for every message" }
      : {
          isFine: false,
          text: `listings: extraction failed for ${failed} messages; the log of the worker has their ids`,
        },
    outdated === 0
      ? { isFine: true, text: "listings: all extracted with this version and catalogue" }
      : {
          isFine: false,
          text: `listings: ${outdated} messages were extracted with another version or catalogue; run \`assay reextract\``,
          command: "assay reextract",
        },
  ];
}
