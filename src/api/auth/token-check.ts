import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { type ApiToken, isExpired, isTokenText, tokenKey, tokenSha256 } from "./token.ts";
import { findToken, saveTokenUses } from "./token-store.ts";

/** Says whose request it is. */
export interface TokenCheck {
  /** Undefined: unknown, revoked or expired. */
  find(text: string): Promise<ApiToken | undefined>;
  /** Undefined: only `find` knows. */
  findKept(text: string): ApiToken | undefined;
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

/**
 * Keeps the tokens that it has seen, and forgets all of them when any token changes. While the change feed is cut a
 * revocation could pass unheard, so then every request asks the store.
 */
export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const kept = new Map<string, ApiToken>();
  const uses = new Map<string, number>();
  let generation = 0;
  options.feed.subscribe("api_token", () => {
    generation += 1;
    kept.clear();
  });

  const saveUses = async (): Promise<void> => {
    if (uses.size === 0) return;
    const batch = [...uses].map(([id, atMs]) => ({ id, atMs }));
    uses.clear();
    try {
      await saveTokenUses(options.db, batch);
    } catch (error) {
      options.log.warn({ err: error }, "when tokens were last used could not be saved");
    }
  };
  const timer = setInterval(() => void saveUses(), USES_SAVED_EVERY_MS);
  timer.unref();

  const lookUp = async (sha256: Buffer, key: string): Promise<ApiToken | undefined> => {
    const askedAt = generation;
    const token = await findToken(options.db, sha256);
    // A change that came while we asked may be newer than the answer.
    if (token !== undefined && generation === askedAt && kept.size < TOKENS_KEPT_MAX) {
      kept.set(key, token);
    }
    return token;
  };

  const use = (token: ApiToken | undefined): ApiToken | undefined => {
    const nowMs = options.clock.nowMs();
    if (token === undefined || isExpired(token, nowMs)) return undefined;
    uses.set(token.id, nowMs);
    return token;
  };

  return {
    find: async (text) => {
      if (!isTokenText(text)) return undefined;
      return use(await lookUp(tokenSha256(text), tokenKey(text)));
    },
    findKept: (text) => {
      if (kept.size === 0 || !options.feed.isLive()) return undefined;
      return use(kept.get(tokenKey(text)));
    },
    close: async () => {
      clearInterval(timer);
      await saveUses();
    },
  };
}
