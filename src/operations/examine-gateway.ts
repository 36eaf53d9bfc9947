import { HOUR_MS } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import { REFUSAL_ADVICE } from "../intake/note-refusals.ts";
import { listRefusals } from "../intake/refused-event-store.ts";
import { listSessionBackfills } from "../messages/backfill/backfill-store.ts";
import { sessionState } from "../messages/sessions/session.ts";
import { listSessions } from "../messages/sessions/session-store.ts";
import type { Finding } from "./finding.ts";

/** A wrong key refuses every event, so the last refusal is recent while the gateway is in use. */
const RECENT_MS = HOUR_MS;

/** Reports events that were refused because of their signature. Old refusals are mentioned, and fine. */
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
    return {
      isFine: health_state === "healthy" || health_state === "connecting",
      text: `session ${session.gateway_name}: ${health_state} (status at the gateway: ${session.status ?? "unknown"})`,
    };
  });
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
