/**
 * A budget of work for each token: the milliseconds that the store and this process work for its requests. A token that has
 * used it up gets 429 until enough has come back. Requests are very different, so their number alone bounds nothing.
 *
 * What a request takes is known afterwards, so the request that empties the bucket is finished, and the next one is refused. How
 * much one token gets at the same moment is not bounded here but by the lines before the store (`src/db/caller-line.ts`).
 *
 * Example: 300 ms a second come back, and 10 s fit. A token of role `market` asks 200 searches of a second each: about ten are
 * answered, the others get 429, and after that it gets one search every three seconds.
 */
import { availableParallelism, loadavg } from "node:os";
import type { FastifyInstance } from "fastify";
import { type Clock, SECOND_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { createBuckets } from "../../base/shares/bucket.ts";
import type { Caller } from "../../base/shares/caller.ts";
import { inTick } from "../../base/shares/turns.ts";
import type { Role } from "../../people/role.ts";
import type { ApiToken } from "../../people/token.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** For whom the handler runs; absent without a token. */
    caller?: Caller;
  }
}

export interface WorkBudget {
  callerOf(token: Pick<ApiToken, "id" | "role">, untilMs: number): Caller;
  /** Returns the seconds to wait if the token has used up its budget. */
  findWait(token: Pick<ApiToken, "id">): number | undefined;
}

/** An empty bucket is full again after this time: 300 ms a second make 10 s. */
const FULL_AFTER_S = 100 / 3;
/** How much of what others pay a role pays for the same work. */
const SHARE_OF_COST: Readonly<Record<Role, number>> = { market: 1, desk: 0.5, owner: 0.5 };
/**
 * The store is on this machine or a larger one. If more pieces of work run than it has cores, each has a part of a core, so it has had
 * less work than time.
 */
const CORES = availableParallelism();
/** Parsing, checks and the frame of the answer, which are not measured. */
const REQUEST_MS = 1;

export function createWorkBudget(options: {
  readonly config: Pick<Config, "workMsPerSecond" | "rateLimitPerMinute">;
  readonly clock: Pick<Clock, "elapsedMs">;
  /** How many programs of the machine want a core at a time. */
  readonly runningCount?: () => number;
}): WorkBudget {
  const { config, clock, runningCount = () => 1 } = options;
  // Whoever allows any number of requests, as a benchmark does, wants no other bound either.
  const perSecond = config.rateLimitPerMinute === 0 ? 0 : config.workMsPerSecond;
  const buckets = createBuckets({ size: perSecond * FULL_AFTER_S, perSecond, clock });
  return {
    callerOf: ({ id: key, role }, untilMs) => ({
      key,
      untilMs,
      waitingCount: 0,
      // Otherwise a caller would pay for its neighbours.
      spend: (workMs, besideCount = 1) => {
        const crowd = Math.max(1, besideCount / CORES, runningCount() / CORES);
        buckets.spend(key, (workMs / crowd) * SHARE_OF_COST[role]);
      },
      findWait: () => buckets.findWait(key),
    }),
    findWait: ({ id }) => buckets.findWait(id),
  };
}

/** The load of the machine in the last minute, 0 where the system does not tell. It is read once a second, from a file. */
export function createMachineLoad(clock: Pick<Clock, "elapsedMs">): () => number {
  let load = 0;
  let readAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock.elapsedMs();
    if (nowMs - readAtMs >= SECOND_MS) {
      readAtMs = nowMs;
      [load = 0] = loadavg();
    }
    return load;
  };
}

/**
 * Runs the handlers of requests with a token for their token. Call this before the routes are added.
 */
export function addCallers(
  app: FastifyInstance,
  { budget, timeoutMs }: { readonly budget: WorkBudget; readonly timeoutMs: number },
): void {
  app.decorateRequest("caller");
  app.addHook("onRoute", (route) => {
    const { handler } = route;
    route.handler = function handle(request, reply) {
      const { apiToken: token } = request;
      if (token === null || token === undefined) return handler.call(this, request, reply);
      const untilMs = performance.now() + (route.handlerTimeout ?? timeoutMs);
      const caller = budget.callerOf(token, untilMs);
      request.caller = caller;
      return inTick(token.id, () => {
        const startedAtMs = performance.now();
        try {
          return handler.call(this, request, reply);
        } finally {
          // Up to the first await of the handler. What comes after it is the store's work, or is counted where it is done.
          caller.spend(performance.now() - startedAtMs + REQUEST_MS);
        }
      });
    };
  });
}
