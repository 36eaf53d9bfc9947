/**
 * How a browser signs in: a one-time code of a link, or the text of a token, opens a session of its own. The code is stored as
 * its hash, works once and for minutes.
 *
 * A transaction locks the token first, as a rotation and a revocation do. So a session that is opened with an old text or code
 * is either refused or ended by the rotation.
 *
 * Invariant: a link works no longer than the session that made it, and a session that it opens lasts no longer. So whoever took a
 * cookie cannot keep what it made, and when the session ends, all signed in from it can end with it.
 */
import type { Database, DatabasePool } from "../db/database.ts";
import type { Author } from "./activity.ts";
import { recordActivity } from "./activity-store.ts";
import { saveNewToken } from "./change-tokens.ts";
import {
  deleteConsoleSession,
  type EndedSession,
  endLinksOf,
  endSessionsOf,
  findCode,
  findMaker,
  hasSessions,
  lockToken,
  lockTokenOfSession,
  type NewConsoleSession,
  saveCode,
  saveConsoleSession,
  useCode,
} from "./console-session-store.ts";
import { type ApiToken, createCode, createTokenText, tokenSha256 } from "./token.ts";
import { CONSOLE_TOKEN } from "./token-name.ts";
import { revokeExpired } from "./token-store.ts";

interface CodeRequest {
  readonly token: { readonly id: string } | { readonly name: string };
  readonly maxAgeMs: number;
  /** The session that asks for it. Absent for a token's text and for a command. */
  readonly sessionId?: string | undefined;
}

/**
 * Saves a new one-time code for a token, and returns it. Returns undefined if there is no such token or session that works; the token
 * `console` is created if needed. Its text is thrown away: only links use it.
 */
export async function createConsoleCode(
  pool: DatabasePool,
  { token: which, maxAgeMs, sessionId: madeBySessionId }: CodeRequest,
  author: Author,
): Promise<{ readonly text: string; readonly expiresAtMs: number } | undefined> {
  const { nowMs } = author;
  const code = { text: createCode(), nowMs, expiresAtMs: nowMs + maxAgeMs, madeBySessionId };
  return pool.transaction(async (tx) => {
    if ("name" in which && which.name === CONSOLE_TOKEN) await ensureConsoleToken(tx, author);
    const token = await lockToken(tx, which, nowMs);
    if (token === undefined) return undefined;
    if (
      madeBySessionId !== undefined &&
      (await findMaker(tx, madeBySessionId, nowMs)) === undefined
    ) {
      return undefined;
    }
    const { id, name } = token;
    await saveCode(tx, id, code);
    const object = { kind: "token", id, name } as const;
    await recordActivity(tx, author, [{ action: "linked", object }]);
    return code;
  });
}

/**
 * Opens a session of the token that the code is for, and uses the code up. Returns undefined if the code is unknown, used or
 * expired, or its token no longer works. Of two requests with one code, the second finds none.
 */
export async function redeemCode(
  pool: DatabasePool,
  code: string,
  session: NewConsoleSession,
): Promise<ApiToken | undefined> {
  // Few transactions can be under way, so a guess must not open one.
  const found = await findCode(pool, code, session.nowMs);
  if (found === undefined) return undefined;
  return pool.transaction(async (tx) => {
    const token = await lockToken(tx, { id: found.id }, session.nowMs);
    if (token === undefined) return undefined;
    const used = await useCode(tx, code);
    if (used === undefined) return undefined;
    const { made_by_session_id: makerId } = used;
    const maker = makerId === null ? undefined : await findMaker(tx, makerId, session.nowMs);
    if (makerId !== null && maker === undefined) return undefined;
    return openSession(tx, token, { ...session, maker });
  });
}

/** Opens a session of the token with this text. It ends with its token, or at its age. */
export async function openConsoleSession(
  pool: DatabasePool,
  text: string,
  session: NewConsoleSession,
): Promise<ApiToken | undefined> {
  return pool.transaction(async (tx) => {
    const token = await lockToken(tx, { sha256: tokenSha256(text) }, session.nowMs);
    return token === undefined ? undefined : openSession(tx, token, session);
  });
}

/**
 * Signs a browser out, with its links; `isWithMade`: also those that were signed in from it. Returns false if there is no such session.
 * With the last session of a token its other links end too: whoever ends them all means all.
 */
export async function endConsoleSession(
  pool: DatabasePool,
  which: { readonly id: string; readonly isWithMade: boolean },
  author: Author,
): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const tokenId = await lockTokenOfSession(tx, which.id);
    if (tokenId === undefined) return false;
    const ended = await deleteConsoleSession(tx, tokenId, which);
    if (!(await hasSessions(tx, tokenId))) await endLinksOf(tx, tokenId);
    await recordEnd(tx, author, ended);
    return ended.length > 0;
  });
}

/** Signs all browsers of a token out but one, and ends its links. */
export async function endAllSessions(
  pool: DatabasePool,
  which: { readonly tokenId: string; readonly exceptId?: string | undefined },
  author: Author,
): Promise<void> {
  await pool.transaction(async (tx) => {
    const token = await lockToken(tx, { id: which.tokenId }, author.nowMs);
    if (token !== undefined) await recordEnd(tx, author, await endSessionsOf(tx, token.id, which));
  });
}

function recordEnd(tx: Database, author: Author, ended: readonly EndedSession[]): Promise<void> {
  const entries = ended.map(({ id, label: name }) => {
    return { action: "signed_out", object: { kind: "browser_session", id, name } } as const;
  });
  return recordActivity(tx, author, entries);
}

async function openSession(
  tx: Database,
  token: ApiToken,
  session: Parameters<typeof saveConsoleSession>[2],
): Promise<ApiToken> {
  const opened = await saveConsoleSession(tx, token, session);
  const { id = "", expiresAtMs } = opened.session ?? {};
  const { nowMs, requestId, label: name } = session;
  const author = { tokenId: token.id, name: token.name, nowMs };
  const object = { kind: "browser_session", id, name } as const;
  const after = { expires_at_ms: expiresAtMs };
  await recordActivity(tx, requestId === undefined ? author : { ...author, requestId }, [
    { action: "signed_in", object, after },
  ]);
  return opened;
}

async function ensureConsoleToken(tx: Database, author: Author): Promise<void> {
  await revokeExpired(tx, CONSOLE_TOKEN, author.nowMs);
  const text = createTokenText();
  await saveNewToken(tx, { text, name: CONSOLE_TOKEN, role: "owner" }, author);
}
