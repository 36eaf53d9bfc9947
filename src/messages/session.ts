export type SessionRole = "receiving" | "sending";
export const SESSION_HEALTHS = ["healthy", "stale", "connecting", "needs_auth", "down"] as const;
type SessionHealth = (typeof SESSION_HEALTHS)[number];

/** A session with declared values where there are any, else the gateway's. */
export interface SessionFacts {
  readonly role: SessionRole;
  readonly status: string | null;
  readonly is_restricted: boolean;
  readonly stale_after_ms: number;
  readonly last_status_at_ms: number | null;
  readonly last_message_at_ms: number | null;
}

interface SessionState {
  readonly can_receive: boolean;
  readonly can_send: boolean;
  readonly health_state: SessionHealth;
  readonly last_activity_at_ms: number | null;
}

/**
 * The gateway reports WORKING even for a session that receives nothing any more; only the age of its last message
 * shows it.
 */
export function sessionState(session: SessionFacts, nowMs: number): SessionState {
  const isWorking = statusOf(session) === "WORKING";
  return {
    can_receive: isWorking && session.role === "receiving",
    can_send: isWorking && session.role === "sending" && !session.is_restricted,
    health_state: healthOf(session, nowMs),
    last_activity_at_ms: latest(session.last_status_at_ms, session.last_message_at_ms),
  };
}

/** A session that delivers messages works, whatever was reported before, and even if no status ever was. */
function statusOf(session: SessionFacts): string | null {
  const { last_message_at_ms: messageAtMs, last_status_at_ms: statusAtMs } = session;
  return messageAtMs !== null && messageAtMs > (statusAtMs ?? -1) ? "WORKING" : session.status;
}

function healthOf(session: SessionFacts, nowMs: number): SessionHealth {
  const status = statusOf(session) ?? "";
  if (status === "STARTING") return "connecting";
  if (status === "SCAN_QR_CODE" || status.startsWith("PASSKEY_")) return "needs_auth";
  if (status !== "WORKING") return "down";
  if (session.role === "sending") return "healthy";
  return nowMs > staleAtMs(session) ? "stale" : "healthy";
}

/**
 * Returns when the session becomes stale if no message arrives. Before the first message, the time of its status
 * counts.
 */
export function staleAtMs(session: SessionFacts): number {
  const lastAtMs = session.last_message_at_ms ?? session.last_status_at_ms ?? 0;
  return lastAtMs + session.stale_after_ms;
}

function latest(left: number | null, right: number | null): number | null {
  if (left === null || right === null) return left ?? right;
  return Math.max(left, right);
}
