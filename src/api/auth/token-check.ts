import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { type ApiToken, isExpired, isTokenText, tokenKey, tokenSha256 } from "./token.ts";
import { findToken, saveTokenUses } from "./token-store.ts";

/**
 * Finds the token of a request. It keeps the tokens that it has seen, and forgets all of them when the change feed
 * announces a change of any token. While the feed is interrupted, a revocation could go unnoticed, so then every request
 * queries the store.
 */
export interface TokenCheck {
  /** Returns undefined if the token is unknown, revoked or expired. */
  find(text: string): Promise<ApiToken | undefined>;
  /** Like `find`, without a query. Returns undefined if only `find` can decide. */
  findKept(text: string): ApiToken | undefined;
  /** Returns true if the token was valid when this process last looked it up. */
  isFamiliar(text: string): boolean;
  close(): Promise<void>;
}

export interface TokenCheckOptions {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly log: Logger;
}

const TOKENS_KEPT_MAX = 10_000;
const USES_SAVED_EVERY_MS = 30_000;

export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const kept = new Map<string, ApiToken>();
  const usedAtMsById = new Map<string, number>();
  const familiar = new Set<string>();
  let generation = 0;
  options.feed.subscribe("api_token", () => {
    generation += 1;
    kept.clear();
  });

  const saveUses = async (): Promise<void> => {
    if (usedAtMsById.size === 0) return;
    const batch = [...usedAtMsById].map(([id, atMs]) => ({ id, atMs }));
    usedAtMsById.clear();
    try {
      await saveTokenUses(options.db, batch);
    } catch (error) {
      options.log.warn({ err: error }, "cannot save when tokens were last used");
    }
  };
  const timer = setInterval(() => void saveUses(), USES_SAVED_EVERY_MS);
  timer.unref();

  const lookUp = async (sha256: Buffer, key: string): Promise<ApiToken | undefined> => {
    const startGeneration = generation;
    const token = await findToken(options.db, sha256);
    if (token === undefined) familiar.delete(key);
    else if (familiar.size < TOKENS_KEPT_MAX) familiar.add(key);
    // A change that was announced during the query may be newer than its result.
    if (token !== undefined && generation === startGeneration && kept.size < TOKENS_KEPT_MAX) {
      kept.set(key, token);
    }
    return token;
  };

  const recordUse = (token: ApiToken | undefined): ApiToken | undefined => {
    const nowMs = options.clock.nowMs();
    if (token === undefined || isExpired(token, nowMs)) return undefined;
    usedAtMsById.set(token.id, nowMs);
    return token;
  };

  return {
    find: async (text) => {
      if (!isTokenText(text)) return undefined;
      return recordUse(await lookUp(tokenSha256(text), tokenKey(text)));
    },
    findKept: (text) => {
      if (kept.size === 0 || !options.feed.isLive()) return undefined;
      return recordUse(kept.get(tokenKey(text)));
    },
    isFamiliar: (text) => familiar.has(tokenKey(text)),
    close: async () => {
      clearInterval(timer);
      await saveUses();
    },
  };
}
