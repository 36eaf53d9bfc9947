import type { Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../base/errors.ts";
import type { Metrics } from "../../base/metrics.ts";
import { sleep } from "../../base/sleep.ts";
import { logAbort } from "./request-frame.ts";

/** Turns requests away while they could only wait: a quick 503 is worth more than a late answer. */
export interface OverloadGuard {
  /** False: answer 503. True: work on it, and call `leave` once when it is done. */
  tryEnter(): boolean;
  leave(): void;
  inFlightCount(): number;
  /** Whether `tryEnter` would say yes. */
  isOpen(): boolean;
  close(): void;
}

/** Work on the event loop that delays everybody this long is overload, however few requests are under way. */
const LOOP_DELAY_MAX_MS = 1_000;
const SAMPLE_MS = 500;
const NANOSECONDS_PER_MS = 1e6;

export function createOverloadGuard(options: { readonly inFlightMax: number }): OverloadGuard {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const state = { inFlightCount: 0, wasLoopSlow: false, isLoopSlow: false };
  const timer = setInterval(() => {
    const isSlow = delay.mean / NANOSECONDS_PER_MS > LOOP_DELAY_MAX_MS;
    // Once is a start or a hiccup, and over by the time that we know of it.
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

/** How long a stop waits for requests that are under way. */
const DRAIN_TIMEOUT_MS = 8_000;

export function addOverloadGuard(
  app: FastifyInstance,
  guard: OverloadGuard,
  metrics: Metrics,
): void {
  const admitted = new WeakMap<Socket, Set<FastifyRequest>>();
  // A request whose client is gone gets no response, and one that waits behind it on the same connection not even an
  // event of its own; the end of the connection is the end of all of them.
  const requestsOn = (socket: Socket): Set<FastifyRequest> => {
    const known = admitted.get(socket);
    if (known !== undefined) return known;
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
  metrics.addGauge("assay_http_requests_in_flight", "Requests under way.", guard.inFlightCount);
  app.addHook("onRequest", (request, _reply, done) => {
    // Whether we are alive must be heard even when nothing else gets through.
    if (request.url.startsWith("/health/") || request.url === "/metrics") return done();
    if (request.raw.socket.destroyed) return done();
    if (!guard.tryEnter()) {
      metrics.requestsShed.inc();
      return done(new AppError("overloaded", "too many requests are under way; try again"));
    }
    if (request.routeOptions.config.isStream === true) guard.leave();
    else requestsOn(request.raw.socket).add(request);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    if (admitted.get(request.raw.socket)?.delete(request) === true) guard.leave();
    done();
  });
  // Connections that were opened and never used would otherwise hold up the stop.
  app.addHook("preClose", async () => {
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS;
    while (guard.inFlightCount() > 0 && performance.now() < deadlineMs) await sleep(10);
    app.server.closeAllConnections();
  });
}
