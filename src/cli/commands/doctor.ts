import { parseArgs } from "node:util";
import { systemClock } from "../../base/clock.ts";
import type { Database } from "../../db/database.ts";
import { countQuarantined, countQueuedEvents } from "../../intake/raw-event-store.ts";
import { readerOf } from "../../listings/extract-listings.ts";
import type { Catalogue } from "../../listings/extraction/catalogue/catalogue.ts";
import { loadCatalogue } from "../../listings/load-catalogue.ts";
import {
  countFailedMessages,
  countOutdatedMessages,
} from "../../listings/message-extraction-store.ts";
import { sessionState } from "../../messages/sessions/session.ts";
import { listSessions } from "../../messages/sessions/session-store.ts";
import { countSetAsideItems } from "../../pipeline/set-aside-store.ts";
import type { Command } from "../command.ts";
import { examineCatalogue } from "../examine-catalogue.ts";
import { examineCorrections } from "../examine-corrections.ts";
import { examineBackfills, examineRefusals } from "../examine-gateway.ts";
import {
  examineDeliveries,
  examineGateway,
  examinePricing,
  examineSenders,
  examineSuspects,
} from "../examine-market.ts";
import { examineRates } from "../examine-rates.ts";
import { withStore } from "../with-store.ts";

const HELP = `Checks the database and the gateway. Prints one line per check: "ok", or "BAD" with what to do. The exit code is 1 if
any check fails.

Usage: assay doctor [--demo]

  --demo   uses the demo database

Example:
  assay doctor
`;

interface Finding {
  readonly isFine: boolean;
  readonly text: string;
}

export const doctorCommand: Command = {
  summary: "checks the installation and says how to fix problems",
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: { demo: { type: "boolean", default: false } },
    });
    const findings = await withStore(
      terminal,
      { isDemo: values.demo },
      async ({ store, config, migrated }) => {
        const catalogue = await loadCatalogue(config.catalogueFile);
        return [
          {
            isFine: true,
            text: `database: ${store.kind}, schema up to date (${migrated.length} migrations run now)`,
          },
          ...(await examineQueue(store.pool)),
          ...(await examineQuarantine(store.pool)),
          ...(await examineSetAside(store.pool)),
          ...(await examineExtraction(store.pool, catalogue)),
          ...(await examineCatalogue(store.pool, catalogue, systemClock.nowMs())),
          ...(await examineCorrections(store.pool)),
          ...examineSenders(config),
          ...(await examineGateway(config)),
          ...(await examineRefusals(store.pool, systemClock.nowMs())),
          ...(await examineBackfills(store.pool)),
          ...(await examineSessions(store.pool)),
          ...(await examineRates(store.pool)),
          ...(await examinePricing(store.pool, systemClock.nowMs())),
          ...(await examineSuspects(store.pool, systemClock.nowMs())),
          ...(await examineDeliveries(store.pool)),
        ];
      },
    );
    for (const { isFine, text } of findings)
      terminal.out.write(`${isFine ? "ok  " : "BAD "} ${text}\n`);
    return findings.every(({ isFine }) => isFine) ? 0 : 1;
  },
};

async function examineQueue(db: Database): Promise<readonly Finding[]> {
  const count = await countQueuedEvents(db);
  return [
    count === 0
      ? { isFine: true, text: "queue: all events are processed" }
      : {
          isFine: false,
          text: `queue: ${count} events are waiting; start \`assay serve\` with a worker, or check its log if it is running`,
        },
  ];
}

async function examineQuarantine(db: Database): Promise<readonly Finding[]> {
  const counts = await countQuarantined(db);
  if (counts.length === 0) return [{ isFine: true, text: "quarantine: empty" }];
  return counts.map(({ reason, count, latest_at_ms }) => ({
    isFine: reason === "unknown_event",
    text:
      `quarantine: ${count} events (${reason}), the latest at ${new Date(latest_at_ms).toISOString()}; ` +
      "see `assay quarantine list`, then `assay quarantine retry --all`, or drop them",
  }));
}

async function examineSetAside(db: Database): Promise<readonly Finding[]> {
  const counts = await countSetAsideItems(db);
  if (counts.length === 0) return [{ isFine: true, text: "pipeline: no item is set aside" }];
  return counts.map(({ step, reason, count, latest_at_ms }) => ({
    isFine: false,
    text:
      `pipeline: ${count} items of "${step}" failed (${reason}), the latest at ${new Date(latest_at_ms).toISOString()}; ` +
      "a worker tries them again by itself; see `assay quarantine list`",
  }));
}

async function examineExtraction(db: Database, catalogue: Catalogue): Promise<readonly Finding[]> {
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
        },
  ];
}

async function examineSessions(db: Database): Promise<readonly Finding[]> {
  const sessions = await listSessions(db, undefined);
  if (sessions.length === 0) {
    return [
      {
        isFine: true,
        text: "sessions: no events received yet; set the gateway's webhook to POST /v2/webhooks/waha",
      },
    ];
  }
  const nowMs = systemClock.nowMs();
  return sessions.map((session) => {
    const { health_state } = sessionState(session, nowMs);
    return {
      isFine: health_state === "healthy" || health_state === "connecting",
      text: `session ${session.gateway_name}: ${health_state} (status at the gateway: ${session.status ?? "unknown"})`,
    };
  });
}
