import { HOUR_MS } from "../base/clock.ts";
import { type Config, canFetchMedia, isMediaOn } from "../base/config.ts";
import { findDisk } from "../base/disk.ts";
import type { Database } from "../db/database.ts";
import { listRefusals, REFUSAL_ADVICE } from "../intake/refused-events.ts";
import { findUnsignedProblem } from "../intake/sender-rule.ts";
import { findMediaFigures } from "../media/media-store.ts";
import { DISK_RESERVE_BYTES } from "../media/picture.ts";
import { createWahaClient } from "../messages/gateways/waha-client.ts";
import { sessionState } from "../messages/session.ts";
import { listSessions } from "../messages/session-store.ts";
import { listSessionBackfills } from "../messages/sync/backfill-store.ts";
import type { Finding } from "./check.ts";

/** Reports whether the gateway's events can be accepted. */
export function examineSenders(config: Config): readonly Finding[] {
  if (config.wahaHmacKey !== undefined) {
    return [{ isFine: true, text: "events: must be signed with ASSAY_WAHA_HMAC_KEY" }];
  }
  const problem = findUnsignedProblem(config);
  return [
    problem === undefined
      ? { isFine: true, text: "events: accepted unsigned, from programs on this machine only" }
      : { isFine: false, text: `events: all are refused; ${problem}` },
  ];
}

/** Checks that the gateway answers, if its address is set. */
export async function examineGateway(config: Config): Promise<readonly Finding[]> {
  if (config.wahaUrl === undefined) {
    return [
      {
        isFine: true,
        text: "gateway: ASSAY_WAHA_URL is not set; Assay knows only what the gateway posts",
      },
    ];
  }
  const client = createWahaClient({
    url: config.wahaUrl,
    timeoutMs: 5_000,
    retryDelayMs: 200,
    ...(config.wahaApiKey === undefined ? {} : { apiKey: config.wahaApiKey }),
  });
  try {
    const sessions = await client.listSessions();
    const count = Array.isArray(sessions) ? sessions.length : 0;
    return [{ isFine: true, text: `gateway: answers, with ${count} sessions` }];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      {
        isFine: false,
        text: `gateway: does not answer (${reason}); check ASSAY_WAHA_URL and ASSAY_WAHA_API_KEY`,
      },
    ];
  }
}

/** A wrong key refuses every event, so the last refusal is recent while the gateway is in use. */
const RECENT_MS = HOUR_MS;

/** Reports events that were refused because of their signature or their size. Old refusals are mentioned, and fine. */
export async function examineRefusals(db: Database, nowMs: number): Promise<readonly Finding[]> {
  const refusals = await listRefusals(db);
  return refusals.map(({ reason, refused_count: count, last_at_ms: lastAtMs }) => {
    const isFine = nowMs - lastAtMs > RECENT_MS;
    const text = `refused events: ${count} (${reason}), the last at ${toTime(lastAtMs)}`;
    return { isFine, text: isFine ? text : `${text}; ${REFUSAL_ADVICE[reason]}` };
  });
}

/** Reports sessions whose missed messages could not be fetched. */
export async function examineBackfills(db: Database): Promise<readonly Finding[]> {
  const sessions = await listSessionBackfills(db);
  return sessions.map((session) => {
    const name = `missed messages of session ${session.session_name}`;
    if (session.failing_since_ms === null) {
      const at = session.fetched_at_ms === null ? "not yet" : `at ${toTime(session.fetched_at_ms)}`;
      return { isFine: true, text: `${name}: last fetched ${at}` };
    }
    return {
      isFine: false,
      text:
        `${name}: not fetched since ${toTime(session.failing_since_ms)} (${session.last_error}; chats concerned: ` +
        `${session.failing_count}); check the gateway and its log. The worker tries again by itself`,
    };
  });
}

/** Reports the health of each session. */
export async function examineSessions(db: Database, nowMs: number): Promise<readonly Finding[]> {
  const sessions = await listSessions(db, undefined);
  if (sessions.length === 0) {
    return [
      {
        isFine: true,
        text: "sessions: no events received yet; set the gateway's webhook to POST /v2/webhooks/waha",
      },
    ];
  }
  return sessions.map((session) => {
    const { health_state } = sessionState(session, nowMs);
    // The word that people see everywhere.
    const word = health_state === "stale" ? "silent" : health_state;
    return {
      isFine: health_state === "healthy" || health_state === "connecting",
      text: `session ${session.gateway_name}: ${word} (status at the gateway: ${session.status ?? "unknown"})`,
    };
  });
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

const GB = 1_000_000_000;
/** A few pictures are always gone: dealers delete posts, and phones lose their connection. */
const GONE_MIN = 20;

/** Whether pictures can be fetched, and how much space they take. */
export async function examineMedia(
  db: Database,
  config: Pick<Config, "media" | "isDemo" | "wahaUrl" | "mediaGbMax" | "databaseUrl" | "dataDir">,
): Promise<readonly Finding[]> {
  if (!isMediaOn(config)) return [];
  if (!canFetchMedia(config)) {
    const text = "photos: ASSAY_MEDIA is on, but ASSAY_WAHA_URL is not set, so none can be fetched";
    return [{ isFine: false, text }];
  }
  const { queued, stored, gone, bytes, reasons } = await findMediaFigures(db);
  const why = reasons.map(({ reason, count }) => `${reason} ${count}`).join(", ");
  const size = `${(bytes / GB).toFixed(1)} of ${config.mediaGbMax} GB`;
  const figures = `photos: ${stored} are stored (${size}), ${queued} wait, ${gone} could not be had${why === "" ? "" : ` (${why})`}`;
  const isEmbedded = config.databaseUrl === undefined || config.isDemo;
  if (isEmbedded && (await findDisk(config.dataDir)).freeBytes < DISK_RESERVE_BYTES) {
    const text = `${figures}; none is fetched until the disk has ${DISK_RESERVE_BYTES / GB} GB free`;
    return [{ isFine: false, text }];
  }
  if (gone > GONE_MIN && gone > stored) {
    const text = `${figures}; does the gateway download pictures (WHATSAPP_DOWNLOAD_MEDIA, WHATSAPP_FILES_MIMETYPES)?`;
    return [{ isFine: false, text }];
  }
  return [{ isFine: true, text: figures }];
}
