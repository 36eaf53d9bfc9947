import type { FastifyRequest } from "fastify";
import { type Clock, MINUTE_MS } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import type { Logger } from "../../base/log.ts";
import { createMinuteBuckets } from "../../base/shares/bucket.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { removeExpiredCodes, removeExpiredSessions } from "../../people/console-session-store.ts";
import type { OverloadGuard } from "../limits/admission.ts";
import { createClientAddress, networkOf } from "../limits/client-address.ts";
import type { Connections } from "../limits/connections.ts";
import { createGuessLimit } from "../limits/guess-limit.ts";
import { createMachineLoad, createWorkBudget } from "../limits/work-budget.ts";
import type { AuthOptions } from "./auth.ts";
import { toCookieName } from "./console-session.ts";
import type { TokenCheck } from "./token-check.ts";

/** Enough for the programs of one office that have a wrong token; a guess needs 2^255 of them. */
const UNKNOWN_TOKENS_PER_MINUTE = 60;
/** Enough for people. Apart from unknown tokens, so that programs with a wrong one keep no person from signing in. */
const SIGN_INS_PER_MINUTE = 20;
/** New sessions, and links to them, of one token. A person has some devices, and a program needs no session. */
const SESSIONS_PER_MINUTE = 20;
const REMOVED_EVERY_MS = 10 * MINUTE_MS;

export async function createAuth(options: {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly tokens: TokenCheck;
  readonly connections: Connections;
  readonly guard: OverloadGuard;
}): Promise<AuthOptions> {
  const { config, clock, tokens, connections, guard } = options;
  const addressOf = createClientAddress(config.trustedProxies ?? []);
  const clients = { clock, networkOf: (request: FastifyRequest) => networkOf(addressOf(request)) };
  return {
    tokens,
    connections,
    rateLimit: createMinuteBuckets({ perMinute: config.rateLimitPerMinute, clock }),
    budget: createWorkBudget({ config, clock, runningCount: createMachineLoad(clock) }),
    sessionLimit: createMinuteBuckets({ perMinute: SESSIONS_PER_MINUTE, clock }),
    unknownTokens: createGuessLimit({
      ...clients,
      perMinute: UNKNOWN_TOKENS_PER_MINUTE,
      what: "unknown tokens",
    }),
    signIns: createGuessLimit({
      ...clients,
      perMinute: SIGN_INS_PER_MINUTE,
      what: "failed sign-ins",
    }),
    networkOf: clients.networkOf,
    lookUps: guard.lookUps,
    readers: guard.readers,
    cookieName: toCookieName(await ensureStoreId(options.db)),
    publicUrl: config.publicUrl,
  };
}

/**
 * Deletes expired codes and sessions, and those of revoked tokens, in the background: at the start and every ten minutes, a
 * bounded batch each time. They stopped working before, so nothing depends on when this happens.
 */
export function startRemovingExpired(options: {
  readonly db: Database;
  readonly clock: Pick<Clock, "nowMs">;
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { db, clock, log } = options;
  const remove = () =>
    removeExpired(db, clock.nowMs()).catch((error: unknown) => {
      log.warn({ err: error }, "cannot remove expired sessions of the console");
    });
  let running = remove();
  const timer = setInterval(() => {
    running = running.then(remove);
  }, REMOVED_EVERY_MS);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      return running;
    },
  };
}

/** Returns the id of this store, which stays the same for as long as the store exists. */
async function ensureStoreId(db: Database): Promise<string> {
  const find = () => db.query<{ id: string }>(sql`select id from store_identity limit 1`);
  const [stored] = await find();
  if (stored !== undefined) return stored.id;
  await db.execute(sql`insert into store_identity default values on conflict do nothing`);
  const [added] = await find();
  return added?.id ?? "";
}

async function removeExpired(db: Database, nowMs: number): Promise<void> {
  await removeExpiredCodes(db, nowMs);
  await removeExpiredSessions(db, nowMs);
}
