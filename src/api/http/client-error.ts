/**
 * Errors that occur before a request reaches Fastify: Node's HTTP parser refuses the bytes, or Node itself would answer.
 * They get the same JSON body as all other errors, written to the socket directly.
 *
 * Example: a client sends 20 KB of headers. The parser fails with `HPE_HEADER_OVERFLOW`, and the client gets 431 with
 * `{"error":{"code":"headers_too_large",…}}`. Then the connection closes.
 */
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../base/errors.ts";
import { STATUS, toErrorBody } from "./errors.ts";
import { DATA_HEADERS, newRequestId } from "./request-frame.ts";

/** How long the server waits for its clients. Tests pass shorter ones. */
export interface Timeouts {
  /** From the start of a connection or request until its head is complete. */
  readonly headersMs: number;
  /** From the start of a request until its body is complete. */
  readonly requestMs: number;
  /** How often Node checks the two above; its default is 30 seconds. */
  readonly checkMs: number;
  /** From the head of a request until its response is sent. Longer than a body and a handler may take together. */
  readonly slotMs: number;
  /** How long the client has to read a last error and close its side. */
  readonly closeMs: number;
}

export const TIMEOUTS: Timeouts = {
  headersMs: 5_000,
  requestMs: 10_000,
  checkMs: 1_000,
  slotMs: 15_000,
  closeMs: 1_000,
};

/** Returns a function that answers requests which Node's HTTP parser refuses, and closes the connection. */
export function createClientErrorHandler({ closeMs }: Timeouts) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === "ECONNRESET" || !socket.writable) socket.destroy();
    else endWith(socket, toAppError(error.code), closeMs);
  };
}

/** Answers unsupported `Expect` headers and `CONNECT` requests, which Node would answer without our error body. */
export function answerUnsupportedRequests(app: FastifyInstance, { closeMs }: Timeouts): void {
  app.server.on("checkExpectation", (_request, response) => {
    const failure = new AppError("invalid_payload", "the Expect header may only be 100-continue");
    if (response.socket !== null) endWith(response.socket, failure, closeMs);
  });
  app.server.on("connect", (_request, socket) => {
    const failure = new AppError(
      "method_not_allowed",
      "CONNECT is not supported: this service is not a proxy",
    );
    endWith(socket, failure, closeMs);
  });
}

/**
 * Sends the error and closes the connection, also if the client never closes its side. It gets a moment to read the error
 * first: bytes that arrive at a closed connection would make it lose what it has not read yet.
 */
function endWith(socket: Duplex, failure: AppError, closeMs: number): void {
  socket.end(toRawResponse(failure));
  const timer = setTimeout(() => socket.destroy(), closeMs);
  socket.once("close", () => clearTimeout(timer));
}

function toRawResponse(failure: AppError): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toErrorBody(failure, requestId));
  const head = [
    `HTTP/1.1 ${STATUS[failure.code]} ${REASON_PHRASES[STATUS[failure.code]]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries(DATA_HEADERS).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const REASON_PHRASES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

function toAppError(code: string | undefined): AppError {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new AppError("headers_too_large", "the request's headers are too large");
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new AppError("request_timeout", "the request did not arrive in time");
  }
  return new AppError("invalid_payload", "the request is not valid HTTP");
}
