import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const SANE_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** The caller's id when it is harmless in headers and logs, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, "headers">): string {
  return toRequestId(request.headers["x-request-id"]);
}

export function toRequestId(given: string | readonly string[] | undefined): string {
  return typeof given === "string" && SANE_ID.test(given) ? given : newRequestId();
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
