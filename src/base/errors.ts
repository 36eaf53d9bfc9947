/** Part of the API: a code that is retired is never used again for something else. */
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
  | "request_timeout"
  | "payload_too_large"
  | "unsupported_media_type"
  | "headers_too_large"
  | "rate_limited"
  | "overloaded"
  | "store_unavailable"
  | "internal_error";

/** A failure to report to whoever asked: its message may be shown, its cause may not. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "AppError";
    this.code = code;
  }
}

/** Something that the person who runs Assay must put right; the message says what to do. */
export class OperatorError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "OperatorError";
  }
}
