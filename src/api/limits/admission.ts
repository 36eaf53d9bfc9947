/**
 * Refuses requests with 503 while too many are in progress or the event loop is too slow. A quick refusal that the client
 * can retry is better than an answer that comes too late.
 *
 * Requests with a token, requests that need none, sign-ins, token look-ups and events have slots of their own. So whatever a
 * client without a token does, it cannot take the place of one with a token. Nor can it keep out others without one: while
 * a stranger's body has not arrived, or its answer is not read, its slot goes to the next request. Streams take no slot,
 * because they stay open for hours, and neither do the console's own files, which are in memory and answered at once. Health and
 * metrics are always admitted.
 */
import type { Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type {
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
  preValidationHookHandler,
} from "fastify";
import { type Clock, sleep } from "../../base/clock.ts";
import { AppError } from "../../base/errors.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createBuckets } from "../../base/shares/bucket.ts";
import { createSlots, type Slot, type Slots } from "../../base/shares/slots.ts";
import { logAbort } from "../http/request-frame.ts";
import { needsToken } from "../http/request-path.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** True for a route that admits its requests itself, or always answers at once. */
    readonly isSelfAdmitted?: boolean;
  }
}

export interface OverloadGuard {
  /** Requests with a valid token, by token. */
  readonly readers: Slots;
  /** Requests that need no token: the documentation, and paths that do not exist. */
  readonly visitors: Slots;
  readonly signIns: Slots;
  /** Look-ups of tokens that were never valid here. */
  readonly lookUps: Slots;
  /** Events of the gateway. */
  readonly events: Slots;
  isLoopSlow(): boolean;
  inFlightCount(): number;
  close(): void;
}

export interface Admission {
  /**
   * Takes a slot for the request, under the id of its token, until its response is sent or its connection closes. Returns the error
   * if it must be refused.
   */
  admit(request: FastifyRequest, slots: Slots): Slot | AppError;
}

interface Stay {
  readonly slots: Slots;
  readonly slot: Slot;
}

export interface AdmissionHooks {
  readonly onRequest: onRequestHookHandler;
  readonly preValidation: preValidationHookHandler;
  readonly onSend: onSendHookHandler;
}

/** If the event loop delays every request by this much, the process is overloaded, however few requests are in progress. */
const LOOP_DELAY_MAX_MS = 1_000;
const SAMPLE_MS = 500;
const NANOSECONDS_PER_MS = 1e6;
/** A page of the documentation loads about ten files. */
const VISITORS_MAX = 100;
/** The console loads about thirty files, once. So twenty people of an office may open it at once. */
const VISITS_MAX = 600;
const VISITS_PER_SECOND = 10;
const REFUSAL_PAUSE_MS = 1_000;
/** Many more than people sign in at once. Only those that the store is being asked about keep their slots. */
const SIGN_INS_MAX = 100;
/** Four bodies of the largest size. */
const EVENT_BYTES_MAX = 64 * 1024 * 1024;
/** How long a stop waits for the requests in progress. */
const DRAIN_TIMEOUT_MS = 8_000;

export function createOverloadGuard(options: {
  readonly inFlightMax: number;
  readonly slotMs: number;
}): OverloadGuard {
  const { inFlightMax: countMax, slotMs: ageMaxMs } = options;
  const shared = { countMax, ageMaxMs, things: "requests" };
  const readers = createSlots({ ...shared, isFair: true });
  const visitors = createSlots({ ...shared, countMax: VISITORS_MAX });
  const signIns = createSlots({ ...shared, countMax: SIGN_INS_MAX });
  const lookUps = createSlots(shared);
  const events = createSlots({ ...shared, bytesMax: EVENT_BYTES_MAX });
  const all = [readers, visitors, signIns, lookUps, events];
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const state = { wasLoopSlow: false, isLoopSlow: false };
  const timer = setInterval(
    () => {
      const isSlow = delay.mean / NANOSECONDS_PER_MS > LOOP_DELAY_MAX_MS;
      // One slow sample is a start or a short pause that is already over. Two in a row are overload.
      state.isLoopSlow = isSlow && state.wasLoopSlow;
      state.wasLoopSlow = isSlow;
      delay.reset();
      for (const slots of all) slots.expireOld();
    },
    Math.min(SAMPLE_MS, ageMaxMs),
  );
  timer.unref();
  return {
    readers,
    visitors,
    signIns,
    lookUps,
    events,
    isLoopSlow: () => state.isLoopSlow,
    inFlightCount: () => all.reduce((count, slots) => count + slots.count(), 0),
    close: () => {
      clearInterval(timer);
      delay.disable();
    },
  };
}

/** Refuses requests that arrive while a stop waits for those in progress. */
export function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onRequest", (_request, _reply, done) =>
    done(isClosing ? new AppError("overloaded", "the service stops; try again") : undefined),
  );
}

/** Lets requests leave their slots, and a stop wait for them. Call this before any hook that admits. */
export function addAdmission(
  app: FastifyInstance,
  guard: OverloadGuard,
  metrics: Metrics,
): Admission {
  const admitted = new WeakMap<Socket, Map<FastifyRequest, Stay>>();
  // A request whose client has disconnected gets no response, and a pipelined request behind it gets no event at all.
  // So all requests of a connection leave when the connection closes.
  const staysOn = (socket: Socket): Map<FastifyRequest, Stay> => {
    const existing = admitted.get(socket);
    if (existing !== undefined) return existing;
    const stays = new Map<FastifyRequest, Stay>();
    admitted.set(socket, stays);
    socket.once("close", () => {
      for (const [request, { slots, slot }] of stays) {
        slots.leave(slot);
        logAbort(request);
      }
      stays.clear();
    });
    return stays;
  };
  metrics.addGauge("assay_http_requests_in_flight", "Requests in progress.", guard.inFlightCount);
  app.addHook("onResponse", (request, _reply, done) => {
    const stays = admitted.get(request.raw.socket);
    const stay = stays?.get(request);
    if (stay !== undefined) {
      stays?.delete(request);
      stay.slots.leave(stay.slot);
    }
    done();
  });
  // Without this, idle connections would delay the stop.
  app.addHook("preClose", async () => {
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS;
    while (guard.inFlightCount() > 0 && performance.now() < deadlineMs) await sleep(10);
    app.server.closeAllConnections();
  });
  return {
    admit: (request, slots) => {
      const { socket } = request.raw;
      const key = request.apiToken?.id ?? "";
      const entry = { key, expire: () => void socket.destroy() };
      const slot = guard.isLoopSlow() ? undefined : slots.tryEnter(entry);
      if (slot === undefined) {
        metrics.requestsShed.inc();
        return guard.isLoopSlow() ? overloaded() : slots.refusalOf(key);
      }
      // No event follows for a connection that has closed already.
      if (socket.destroyed) slots.leave(slot);
      else staysOn(socket).set(request, { slots, slot });
      return slot;
    },
  };
}

/**
 * Limits how often a network may ask for what needs no token: the documentation, the console's files, paths that do not exist. What
 * is over the limit is answered after a pause, because a refusal at once would only be asked for again. Whoever sends a valid token or
 * session is no visitor, and health checks, events and sign-ins have rules of their own.
 */
export function addVisitorLimit(
  app: FastifyInstance,
  options: {
    readonly clock: Clock;
    readonly guard: OverloadGuard;
    readonly networkOf: (request: FastifyRequest) => string;
    /** True if the request has a credential that was valid a moment ago. */
    readonly isKnown: (request: FastifyRequest) => boolean;
  },
): void {
  const { clock, guard, networkOf, isKnown } = options;
  const limit = createBuckets({ size: VISITS_MAX, perSecond: VISITS_PER_SECOND, clock });
  app.addHook("onRequest", (request, reply, done) => {
    if (request.apiToken !== null || isOpenToAll(request)) return done();
    const waitSeconds = limit.take(networkOf(request));
    if (waitSeconds === undefined || isKnown(request)) return done();
    const { socket } = request.raw;
    const slot = guard.visitors.tryEnter();
    if (slot !== undefined) slot.giveWay = () => socket.destroy();
    const timer = setTimeout(
      () => {
        if (slot !== undefined) guard.visitors.leave(slot);
        reply.header("connection", "close");
        const message = `too many requests without a token from this address; try again in ${waitSeconds} s`;
        done(new AppError("rate_limited", message, undefined, waitSeconds));
      },
      slot === undefined ? 0 : REFUSAL_PAUSE_MS,
    );
    socket.once("close", () => {
      clearTimeout(timer);
      if (slot !== undefined) guard.visitors.leave(slot);
    });
  });
}

/** Load balancers, gateways and sign-ins. */
function isOpenToAll({ url, method, routeOptions }: FastifyRequest): boolean {
  if (url.startsWith("/health/") || url === "/metrics") return true;
  return method === "POST" && routeOptions.config.isSelfAdmitted === true;
}

/** Admits all requests but those of routes that do it themselves. Runs after the token check. */
export function addOverloadGuard(
  app: FastifyInstance,
  guard: OverloadGuard,
  admission: Admission,
): void {
  const { readers, visitors } = guard;
  app.addHook("onRequest", (request, _reply, done) => {
    // A load balancer must get an answer even when everything else is refused.
    if (request.url.startsWith("/health/") || request.url === "/metrics") return done();
    const { config, url = "" } = request.routeOptions;
    if (config.isSelfAdmitted === true) return done();
    if (config.isStream === true) {
      return done(guard.isLoopSlow() || !readers.isOpen() ? overloaded() : undefined);
    }
    const hasToken = needsToken(url) || needsToken(request.url);
    const slot = admission.admit(request, hasToken ? readers : visitors);
    if (slot instanceof AppError) return done(slot);
    // No visitor waits for its body or for the store. One that is still here has not read its answer.
    if (!hasToken) slot.giveWay = () => request.raw.socket.destroy();
    done();
  });
}

/**
 * Returns the hooks of a route that anyone may call and that has a body. A request keeps its slot only while it is worked
 * on: before that its body arrives, and after that its answer waits to be read, both as slowly as the client likes. So then
 * it gives way to newer ones.
 */
export function admitStrangers(admission: Admission, slots: Slots): AdmissionHooks {
  const slotsByRequest = new WeakMap<FastifyRequest, Slot>();
  const setGiveWay = (request: FastifyRequest, giveWay?: () => void): void => {
    const slot = slotsByRequest.get(request);
    if (slot !== undefined) slot.giveWay = giveWay;
  };
  return {
    onRequest: (request, reply, done) => {
      const slot = admission.admit(request, slots);
      if (slot instanceof AppError) return done(slot);
      slotsByRequest.set(request, slot);
      setGiveWay(request, () => void reply.send(overloaded()));
      done();
    },
    preValidation: (request, _reply, done) => {
      setGiveWay(request);
      done();
    },
    onSend: (request, _reply, payload, done) => {
      setGiveWay(request, () => request.raw.socket.destroy());
      done(null, payload);
    },
  };
}

export function overloaded(): AppError {
  return new AppError("overloaded", "too many requests are in progress; try again");
}
