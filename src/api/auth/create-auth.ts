import type { FastifyRequest } from "fastify";
import type { Clock } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import type { Database } from "../../db/database.ts";
import { createClientAddress } from "../http/client-address.ts";
import { networkOf } from "../http/client-network.ts";
import type { Connections } from "../http/connections.ts";
import type { OverloadGuard } from "../http/overload.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import type { AuthOptions } from "./auth.ts";
import { toCookieName } from "./console-session.ts";
import { createGuessLimit } from "./guess-limit.ts";
import { ensureStoreId } from "./store-identity.ts";
import type { TokenCheck } from "./token-check.ts";

/** Enough for the programs of one office that have a wrong token; a guess needs 2^255 of them. */
const UNKNOWN_TOKENS_PER_MINUTE = 60;
/** Enough for people. Apart from unknown tokens, so that programs with a wrong one keep no person from signing in. */
const SIGN_INS_PER_MINUTE = 20;

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
    rateLimit: createRateLimit({ perMinute: config.rateLimitPerMinute, clock }),
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
    lookUps: guard.lookUps,
    readers: guard.readers,
    cookieName: toCookieName(await ensureStoreId(options.db)),
    publicUrl: config.publicUrl,
  };
}
