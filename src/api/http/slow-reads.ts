import type { FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import { isTimeout } from "../../db/store-error.ts";
import { lacksBody } from "./errors.ts";

/** The reads of the contract have nothing to narrow, and keep the code that they always had. */
const CONTRACT_READS: ReadonlySet<string> = new Set([
  "/v2/alerts",
  "/v2/alerts/:alert_id/matches",
  "/v2/market/listings/:listing_id/price-engine",
  "/v2/market/price-engine/configurations/:id/cells",
  "/v2/messages/:canonical_message_id/occurrences/summary",
  "/v2/sessions",
]);

/** Of `withDeadline` and of Fastify: our own patience ended, which does not tell whether the store works. */
const DEADLINE_CODES: ReadonlySet<unknown> = new Set(["ETIMEDOUT", "FST_ERR_HANDLER_TIMEOUT"]);

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

function isExtensionRead({ method, routeOptions }: FastifyRequest): boolean {
  const { url = "", config } = routeOptions;
  const isRead = method === "GET" || method === "HEAD" || config.isRead === true;
  return isRead && url.startsWith("/v2/") && !CONTRACT_READS.has(url);
}
