import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const SAFE_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns the caller's id if it is safe in headers and logs, otherwise a new one. */
export function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  return toRequestId(request.headers["x-request-id"]);
}

export function toRequestId(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && SAFE_ID.test(header) ? header : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
