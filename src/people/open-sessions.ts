/**
 * How a browser signs in: a one-time code of a link, or the text of a token, opens a session of its own. The code is stored as
 * its hash, works once and for minutes.
 *
 * A transaction locks the token first, as a rotation and a revocation do. So a session that is opened with an old text or code
 * is either refused or ended by the rotation.
 */
import type { Database, DatabasePool } from "../db/database.ts";
import type { Author } from "./activity.ts";
import { recordActivity } from "./activity-store.ts";
import { saveNewToken } from "./change-tokens.ts";
import {
  deleteConsoleSession,
  findCode,
  lockToken,
  type NewConsoleSession,
  saveCode,
  saveConsoleSession,
  useCode,
} from "./console-session-store.ts";
import { type ApiToken, createCode, createTokenText, tokenSha256 } from "./token.ts";
import { revokeExpired } from "./token-store.ts";

/** Sessions that a link opens belong to this token unless another one is named. */
export const CONSOLE_TOKEN = "console";
/** The person who made that token would know its text, and could do what everyone with a link may do. */
export const RESERVED_NAME = `"${CONSOLE_TOKEN}" is kept for the links of \`assay console\`; choose another name`;

interface CodeRequest {
  readonly token: { readonly id: string } | { readonly name: string };
  readonly maxAgeMs: number;
}

/**
 * Saves a new one-time code for a token, and returns it. Returns undefined if there is no such token that works; the token
 * `console` is created if needed. Its text is thrown away: only links use it.
 */
export async function createConsoleCode(
  pool: DatabasePool,
  { token: which, maxAgeMs }: CodeRequest,
  author: Author,
): Promise<{ readonly text: string; readonly expiresAtMs: number } | undefined> {
  const { nowMs } = author;
  const code = { text: createCode(), nowMs, expiresAtMs: nowMs + maxAgeMs };
  return pool.transaction(async (tx) => {
    if ("name" in which && which.name === CONSOLE_TOKEN) await ensureConsoleToken(tx, author);
    const token = await lockToken(tx, which, nowMs);
    if (token === undefined) return undefined;
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
  const tokenId = await findCode(pool, code, session.nowMs);
  if (tokenId === undefined) return undefined;
  return pool.transaction(async (tx) => {
    const token = await lockToken(tx, { id: tokenId }, session.nowMs);
    if (token === undefined || !(await useCode(tx, code))) return undefined;
    return openSession(tx, token, session);
  });
}

/** Opens a session of the token with this text. It ends with its token, or after 30 days. */
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

/** Signs a browser out. Returns false if there is no such session. */
export async function endConsoleSession(
  pool: DatabasePool,
  id: string,
  author: Author,
): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const ended = await deleteConsoleSession(tx, id);
    if (ended === undefined) return false;
    const object = { kind: "browser_session", id, name: ended.label } as const;
    await recordActivity(tx, author, [{ action: "signed_out", object }]);
    return true;
  });
}

async function openSession(
  tx: Database,
  token: ApiToken,
  session: NewConsoleSession,
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
