import { type Clock, withDeadline } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database } from "../../db/database.ts";
import { createKept } from "../../db/kept.ts";
import { findSessionToken, saveSessionUses } from "../../people/console-session-store.ts";
import {
  type ApiToken,
  isExpired,
  isWellFormed,
  sessionSecretOf,
  tokenKey,
  tokenSha256,
} from "../../people/token.ts";
import { findToken, saveTokenUses } from "../../people/token-store.ts";

/**
 * Finds the token of a request by its credential: the token's text, or that of a console session. It keeps the tokens that it
 * has seen, and forgets all of them when the change feed announces a change of any token or the end of a session. While the
 * feed is interrupted, a revocation could go unnoticed, so then every request queries the store.
 */
export interface TokenCheck {
  /** Returns undefined if the token or session is unknown, revoked or expired. */
  find(credential: string): Promise<ApiToken | undefined>;
  /** Like `find`, without a query. Returns undefined if only `find` can decide. */
  findKept(credential: string): ApiToken | undefined;
  /** Returns true if the credential was valid when this process last looked it up. */
  isFamiliar(credential: string): boolean;
  /** Call this for a credential that was just issued, so that its first use is not that of a stranger. */
  makeFamiliar(credential: string): void;
  close(): Promise<void>;
}

interface TokenCheckOptions {
  readonly db: Database;
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly log: Logger;
}

const TOKENS_KEPT_MAX = 10_000;
const USES_SAVED_EVERY_MS = 30_000;
/** Together with what a handler may take, less than the time after which a connection without an answer is closed. */
const LOOK_UP_TIMEOUT_MS = 4_000;

export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const kept = createKept<ApiToken | undefined>({
    changes: { feed: options.feed, topic: "api_token", isForAll: true },
    sizeMax: TOKENS_KEPT_MAX,
  });
  const tokenUses = new Map<string, number>();
  const sessionUses = new Map<string, number>();
  const familiar = new Set<string>();

  const saveUses = async (): Promise<void> => {
    const [tokens, sessions] = [takeUses(tokenUses), takeUses(sessionUses)];
    try {
      if (tokens.length > 0) await saveTokenUses(options.db, tokens);
      if (sessions.length > 0) await saveSessionUses(options.db, sessions);
    } catch (error) {
      options.log.warn({ err: error }, "cannot save when tokens were last used");
    }
  };
  const timer = setInterval(() => void saveUses(), USES_SAVED_EVERY_MS);
  timer.unref();

  const makeFamiliar = (key: string): void => {
    if (familiar.size < TOKENS_KEPT_MAX) familiar.add(key);
  };

  const lookUp = async (credential: string, key: string): Promise<ApiToken | undefined> => {
    const secret = sessionSecretOf(credential);
    const token = await (secret === undefined
      ? findToken(options.db, tokenSha256(credential))
      : findSessionToken(options.db, secret));
    if (token === undefined) familiar.delete(key);
    else makeFamiliar(key);
    return token;
  };

  const recordUse = (token: ApiToken | undefined): ApiToken | undefined => {
    const nowMs = options.clock.nowMs();
    if (token === undefined || isExpired(token, nowMs)) return undefined;
    tokenUses.set(token.id, nowMs);
    if (token.session !== undefined) sessionUses.set(token.session.id, nowMs);
    return token;
  };

  return {
    find: async (credential) => {
      if (!isWellFormed(credential)) return undefined;
      const key = tokenKey(credential);
      const found = kept.renew(key, () => lookUp(credential, key));
      return recordUse(await withDeadline(found, LOOK_UP_TIMEOUT_MS));
    },
    findKept: (credential) => recordUse(kept.find(tokenKey(credential))),
    isFamiliar: (credential) => familiar.has(tokenKey(credential)),
    makeFamiliar: (credential) => makeFamiliar(tokenKey(credential)),
    close: async () => {
      clearInterval(timer);
      await saveUses();
    },
  };
}

function takeUses(atMsById: Map<string, number>): { readonly id: string; readonly atMs: number }[] {
  const uses = [...atMsById].map(([id, atMs]) => ({ id, atMs }));
  atMsById.clear();
  return uses;
}
