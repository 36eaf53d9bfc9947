import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../base/errors.ts";
import { STATUS, toErrorBody } from "./errors.ts";
import { newRequestId } from "./request-id.ts";

/** Answers what Node's HTTP parser refuses, in the form of every other error, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(rawAnswer(toFailure(error.code)));
}

/** What Node would answer by itself, without our error body. */
export function answerOddRequests(app: FastifyInstance): void {
  app.server.on("checkExpectation", (_request, response) => {
    const failure = new AppError("invalid_payload", "Expect knows only 100-continue");
    response.socket?.end(rawAnswer(failure));
  });
  app.server.on("connect", (_request, socket) => {
    socket.end(rawAnswer(new AppError("method_not_allowed", "this is not a proxy")));
  });
}

function rawAnswer(failure: AppError): string {
  const requestId = newRequestId();
  const body = JSON.stringify(toErrorBody(failure, requestId));
  const head = [
    `HTTP/1.1 ${STATUS[failure.code]} ${REASONS[STATUS[failure.code]]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    "x-content-type-options: nosniff",
    "cache-control: private, no-cache",
    "connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  405: "Method Not Allowed",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

function toFailure(code: string | undefined): AppError {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new AppError("headers_too_large", "the request's head is too large");
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new AppError("request_timeout", "the request did not arrive in time");
  }
  return new AppError("invalid_payload", "the request is not valid HTTP");
}
