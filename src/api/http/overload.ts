/**
 * Refuses requests with 503 while too many are in progress or the event loop is too slow. A quick refusal that the client
 * can retry is better than an answer that comes too late.
 *
 * Invariant: each admitted request leaves exactly once: when its response is sent, or when its connection closes without
 * one. Streams leave at once, because they stay open for hours. Health and metrics are always admitted.
 *
 * Example: at most 2 requests may be in progress. A and B enter, and C gets 503. The client of A disconnects: the
 * connection's `close` event counts A out, although A gets no response. D enters.
 */
import type { Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import type { Metrics } from "../../base/metrics.ts";
import { sleep } from "../../base/sleep.ts";
import { logAbort } from "./request-frame.ts";

export interface OverloadGuard {
  /** Returns false if the request must be refused with 503. After true, call `leave` exactly once. */
  tryEnter(): boolean;
  leave(): void;
  inFlightCount(): number;
  /** Returns what `tryEnter` would return, and counts nothing. */
  isOpen(): boolean;
  close(): void;
}

/** If the event loop delays every request by this much, the process is overloaded, however few requests are in progress. */
const LOOP_DELAY_MAX_MS = 1_000;
const SAMPLE_MS = 500;
const NANOSECONDS_PER_MS = 1e6;

export function createOverloadGuard(options: { readonly inFlightMax: number }): OverloadGuard {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const state = { inFlightCount: 0, wasLoopSlow: false, isLoopSlow: false };
  const timer = setInterval(() => {
    const isSlow = delay.mean / NANOSECONDS_PER_MS > LOOP_DELAY_MAX_MS;
    // One slow sample is a start or a short pause that is already over. Two in a row are overload.
    state.isLoopSlow = isSlow && state.wasLoopSlow;
    state.wasLoopSlow = isSlow;
    delay.reset();
  }, SAMPLE_MS);
  timer.unref();
  const isOpen = () => state.inFlightCount < options.inFlightMax && !state.isLoopSlow;
  return {
    isOpen,
    tryEnter: () => {
      if (!isOpen()) return false;
      state.inFlightCount += 1;
      return true;
    },
    leave: () => {
      state.inFlightCount -= 1;
    },
    inFlightCount: () => state.inFlightCount,
    close: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}

/** How long a stop waits for the requests in progress. */
const DRAIN_TIMEOUT_MS = 8_000;

export function addOverloadGuard(
  app: FastifyInstance,
  guard: OverloadGuard,
  metrics: Metrics,
): void {
  const admitted = new WeakMap<Socket, Set<FastifyRequest>>();
  // A request whose client has disconnected gets no response, and a pipelined request behind it gets no event at all.
  // So all requests of a connection leave when the connection closes.
  const requestsOn = (socket: Socket): Set<FastifyRequest> => {
    const existing = admitted.get(socket);
    if (existing !== undefined) return existing;
    const requests = new Set<FastifyRequest>();
    admitted.set(socket, requests);
    socket.once("close", () => {
      for (const request of requests) {
        guard.leave();
        logAbort(request);
      }
      requests.clear();
    });
    return requests;
  };
  metrics.addGauge("assay_http_requests_in_flight", "Requests in progress.", guard.inFlightCount);
  app.addHook("onRequest", (request, _reply, done) => {
    // A load balancer must get an answer even when everything else is refused.
    if (request.url.startsWith("/health/") || request.url === "/metrics") return done();
    if (request.raw.socket.destroyed) return done();
    if (!guard.tryEnter()) {
      metrics.requestsShed.inc();
      return done(new AppError("overloaded", "too many requests are in progress; try again"));
    }
    if (request.routeOptions.config.isStream === true) guard.leave();
    else requestsOn(request.raw.socket).add(request);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    if (admitted.get(request.raw.socket)?.delete(request) === true) guard.leave();
    done();
  });
  // Without this, idle connections would delay the stop.
  app.addHook("preClose", async () => {
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS;
    while (guard.inFlightCount() > 0 && performance.now() < deadlineMs) await sleep(10);
    app.server.closeAllConnections();
  });
}
