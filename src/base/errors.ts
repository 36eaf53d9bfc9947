/** Part of the API. A retired code is never reused with another meaning. */
export type ErrorCode =
  | "invalid_payload"
  | "unauthorized"
  | "forbidden"
  | "route_not_found"
  | "method_not_allowed"
  | "alert_not_found"
  | "match_not_found"
  | "listing_not_found"
  | "configuration_not_found"
  | "message_not_found"
  | "group_preset_not_found"
  | "view_not_found"
  | "profile_not_found"
  | "webhook_target_not_found"
  | "delivery_not_found"
  | "contact_not_found"
  | "group_not_found"
  | "deal_not_found"
  | "media_not_found"
  | "media_gone"
  | "token_not_found"
  | "console_session_not_found"
  | "already_exists"
  | "managed_elsewhere"
  | "in_use"
  | "not_configured"
  | "precondition_failed"
  | "too_many_rows"
  | "request_timeout"
  | "payload_too_large"
  | "unsupported_media_type"
  | "unknown_host"
  | "headers_too_large"
  | "rate_limited"
  | "overloaded"
  | "read_too_slow"
  | "store_unavailable"
  | "internal_error";

/** A failure to report to the caller. The caller sees the message, never the cause. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** When to try again. Absent: as is usual for the code. */
  readonly waitSeconds?: number;

  constructor(code: ErrorCode, message: string, cause?: unknown, waitSeconds?: number) {
    super(message, { cause });
    this.name = "AppError";
    this.code = code;
    if (waitSeconds !== undefined) this.waitSeconds = waitSeconds;
  }
}

/** A problem that the operator of Assay must fix. The message says how. */
export class OperatorError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OperatorError";
  }
}

const REASON_LENGTH_MAX = 300;

/** The message and code of an error, as it is stored for the operator. */
export function toReason(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  const message = error instanceof Error ? error.message : String(error);
  const reason = typeof code === "string" ? `${message} (${code})` : message;
  return reason.slice(0, REASON_LENGTH_MAX);
}

/** Throws if something that our own code guarantees does not hold. The batch or the request then fails. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Ends a switch that must handle every kind. A new kind does not compile until the switch handles it. */
export function assertNever(value: never): never {
  throw new Error(`assertion failed: unhandled ${JSON.stringify(value)}`);
}
