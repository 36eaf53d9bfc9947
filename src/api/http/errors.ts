import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError, type ErrorCode } from "../../base/errors.ts";
import { type Logger, logSeries } from "../../base/log.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { isConflict, isStoreDown, isTimeout } from "../../db/store-error.ts";

/** The only place that knows status codes. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_payload: 400,
  too_many_rows: 400,
  unauthorized: 401,
  forbidden: 403,
  route_not_found: 404,
  alert_not_found: 404,
  match_not_found: 404,
  listing_not_found: 404,
  configuration_not_found: 404,
  message_not_found: 404,
  group_preset_not_found: 404,
  view_not_found: 404,
  profile_not_found: 404,
  webhook_target_not_found: 404,
  delivery_not_found: 404,
  contact_not_found: 404,
  group_not_found: 404,
  deal_not_found: 404,
  media_not_found: 404,
  token_not_found: 404,
  console_session_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  already_exists: 409,
  managed_elsewhere: 409,
  in_use: 409,
  not_configured: 409,
  media_gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unknown_host: 421,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  overloaded: 503,
  read_too_slow: 503,
  store_unavailable: 503,
};

const FASTIFY_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ["invalid_payload", "the path is not a valid URL"],
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "the body is too large"],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported_media_type",
    "the body must be JSON, with Content-Type: application/json",
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    "invalid_payload",
    "the body's size differs from Content-Length",
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: ["invalid_payload", "the body is not valid JSON"],
  FST_ERR_HANDLER_TIMEOUT: ["store_unavailable", "the store did not answer in time; try again"],
};

/** The reads of the contract have nothing to narrow, and keep the code that they always had. */
const CONTRACT_READS: ReadonlySet<string> = new Set([
  "/v2/alerts",
  "/v2/alerts/:alert_id/matches",
  "/v2/market/listings/:listing_id/price-engine",
  "/v2/market/price-engine/configurations/:id/cells",
  "/v2/messages/:canonical_message_id/occurrences/summary",
  "/v2/sessions",
]);

const REFUSED = "a request failed because of the store";

/** Of `withDeadline` and of Fastify: our own patience ended, which does not tell whether the store works. */
const DEADLINE_CODES: ReadonlySet<unknown> = new Set(["ETIMEDOUT", "FST_ERR_HANDLER_TIMEOUT"]);

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: "Machine-readable; a closed list, see docs/api.md." }),
      message: Type.String({ description: "Human-readable." }),
      request_id: Type.String({ description: "Equals the X-Request-Id response header." }),
    }),
  },
  { $id: "Error", description: "Every error has this body." },
);

/** Sends the error body, and logs errors that are our own fault. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const isBodyMissing = lacksBody(request);
  const failure = toAppError(error, { isBodyMissing });
  const status = STATUS[failure.code];
  // Overload has a metric. A log line per refusal would hide everything else at that moment.
  if (status >= 500 && failure.code !== "overloaded") {
    const fields = { reqId: request.id, err: error, code: failure.code };
    if (failure.code === "store_unavailable") logSeries(request.log as Logger, fields, REFUSED);
    else request.log.error(fields, "a request failed");
  }
  const waitSeconds = failure.waitSeconds ?? retryAfterSeconds(failure.code);
  if (waitSeconds !== undefined && !reply.hasHeader("retry-after")) {
    reply.header("retry-after", waitSeconds);
  }
  if (isBodyMissing) reply.header("connection", "close");
  return reply
    .code(status)
    .header("x-request-id", request.id)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(toErrorBody(failure, request.id));
}

export function toErrorBody(error: AppError, requestId: string) {
  return { error: { code: error.code, message: error.message, request_id: requestId } };
}

/**
 * Returns `read_too_slow` if the error means that a read took too long while the store works, otherwise the error itself. The
 * store works if it ended the statement itself, or if the change feed has heard from it within the last second.
 */
export function nameSlowRead(
  error: unknown,
  request: FastifyRequest,
  feed: Pick<ChangeFeed, "isLive">,
): unknown {
  // Without its body, a request has not begun to read: the client is slow, not the store.
  if (!isExtensionRead(request) || lacksBody(request)) return error;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const isSlow = isTimeout(error) || (DEADLINE_CODES.has(code) && feed.isLive());
  if (!isSlow) return error;
  return new AppError(
    "read_too_slow",
    "the read took too long; ask for less, such as narrower filters or a shorter time",
    error,
  );
}

/** Converts anything that was thrown into an error that is safe to show to the caller. */
function toAppError(error: unknown, request: { readonly isBodyMissing: boolean }): AppError {
  if (error instanceof AppError) return error;
  if (request.isBodyMissing && isHandlerTimeout(error)) {
    return new AppError("request_timeout", "the request's body did not arrive in time", error);
  }
  if (isStoreDown(error))
    return new AppError("store_unavailable", "the store cannot be reached; try again", error);
  if (isConflict(error))
    return new AppError("overloaded", "others changed the same at this moment; try again", error);
  const code = (error as { code?: unknown } | undefined)?.code;
  const known = typeof code === "string" ? FASTIFY_ERRORS[code] : undefined;
  if (known !== undefined) return new AppError(known[0], known[1], error);
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new AppError("invalid_payload", "the request is not valid", error);
  }
  return new AppError("internal_error", "something went wrong on our side", error);
}

/** Returns true if the request has a body that has not arrived. */
function lacksBody({ headers, body }: FastifyRequest): boolean {
  const hasBody =
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return hasBody && body === undefined;
}

function isHandlerTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === "FST_ERR_HANDLER_TIMEOUT";
}

/** Default for `Retry-After` in seconds, if the code that refused the request has not set the header. */
function retryAfterSeconds(code: ErrorCode): number | undefined {
  if (code === "rate_limited") return 10;
  if (code === "read_too_slow") return 5;
  return code === "overloaded" || code === "store_unavailable" ? 1 : undefined;
}

function isExtensionRead({ method, routeOptions }: FastifyRequest): boolean {
  const { url = "", config } = routeOptions;
  const isRead = method === "GET" || method === "HEAD" || config.isRead === true;
  return isRead && url.startsWith("/v2/") && !CONTRACT_READS.has(url);
}
