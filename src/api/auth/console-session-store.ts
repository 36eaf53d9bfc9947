import { assert } from "../../base/errors.ts";
import type { Database, DatabasePool } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import {
  CODE_MAX_AGE_MS,
  type ConsoleSession,
  createCode,
  SESSION_MAX_AGE_MS,
} from "./console-session.ts";
import { type ApiToken, createTokenText, tokenSha256 } from "./token.ts";
import { saveToken } from "./token-store.ts";

interface ConsoleSessionRow {
  readonly id: string;
  readonly token_id: string;
  readonly token_name: string;
  readonly is_read_only: boolean;
  readonly label: string;
  readonly created_at_ms: number;
  readonly last_used_at_ms: number;
  readonly expires_at_ms: number;
}

export interface NewConsoleSession {
  readonly secret: string;
  readonly label: string;
  readonly nowMs: number;
  /** The secret of the session that the browser had until now. It ends. */
  readonly formerSecret?: string;
}

/** Sessions that a link opens belong to this token unless another one is named. */
export const CONSOLE_TOKEN = "console";
/** The person who made that token would know its text, and could do what everyone with a link may do. */
export const RESERVED_NAME = `"${CONSOLE_TOKEN}" is kept for the links of \`assay console\`; choose another name`;

/** More browsers than one token has in use. The one that was used least recently is signed out. */
const SESSIONS_PER_TOKEN_MAX = 100;
const REMOVED_MAX = 1_000;
/** Far more than an office has; without it a list would have no bound. */
const LISTED_MAX = 1_000;

/**
 * Saves a new one-time code for the token with this name, and returns the code. Returns undefined if no active token has the
 * name; the token `console` is created if needed. Its text is thrown away: only links use it.
 */
export async function createConsoleCode(
  pool: DatabasePool,
  { tokenName, nowMs }: { readonly tokenName: string; readonly nowMs: number },
): Promise<string | undefined> {
  const code = createCode();
  const isSaved = await pool.transaction(async (tx) => {
    if (tokenName === CONSOLE_TOKEN) await ensureConsoleToken(tx, nowMs);
    return tx.execute(sql`
      insert into console_code (sha256, token_id, created_at_ms, expires_at_ms)
      select ${tokenSha256(code)}, id, ${nowMs}, ${nowMs + CODE_MAX_AGE_MS}
        from api_token
       where name = ${tokenName} and revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${nowMs})`);
  });
  return isSaved > 0 ? code : undefined;
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
  const sha256 = tokenSha256(code);
  // Few transactions can be under way, so a guess must not open one.
  const [known] = await pool.query(sql`
    select from console_code where sha256 = ${sha256} and expires_at_ms > ${session.nowMs}`);
  if (known === undefined) return undefined;
  return pool.transaction(async (tx) => {
    const [token] = await tx.query<ApiToken>(sql`
      with used as (
        delete from console_code
         where sha256 = ${sha256} and expires_at_ms > ${session.nowMs}
        returning token_id
      )
      select id, name, is_read_only as "isReadOnly", expires_at_ms as "expiresAtMs"
        from api_token
        join used on used.token_id = api_token.id
       where revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${session.nowMs})`);
    return token === undefined ? undefined : saveConsoleSession(tx, token, session);
  });
}

/** Opens a session of this token. It ends with its token, or after 30 days. */
export async function openConsoleSession(
  pool: DatabasePool,
  token: ApiToken,
  session: NewConsoleSession,
): Promise<ApiToken> {
  return pool.transaction((tx) => saveConsoleSession(tx, token, session));
}

/** The token of a session, if it is not revoked. The caller checks whether either has expired. */
export async function findSessionToken(
  db: Database,
  secret: string,
): Promise<ApiToken | undefined> {
  const [row] = await db.query<ApiToken & { sessionId: string; sessionExpiresAtMs: number }>(sql`
    select token.id, token.name, token.is_read_only as "isReadOnly", token.expires_at_ms as "expiresAtMs",
           session.id as "sessionId", session.expires_at_ms as "sessionExpiresAtMs"
      from console_session as session
      join api_token as token on token.id = session.token_id
     where session.sha256 = ${tokenSha256(secret)} and token.revoked_at_ms is null`);
  if (row === undefined) return undefined;
  const { sessionId: id, sessionExpiresAtMs: expiresAtMs, ...token } = row;
  return { ...token, session: { id, expiresAtMs } };
}

/** The sessions that still work, last used first. */
export async function listConsoleSessions(
  db: Database,
  nowMs: number,
): Promise<readonly ConsoleSessionRow[]> {
  return db.query<ConsoleSessionRow>(sql`
    select session.id, session.token_id, token.name as token_name, token.is_read_only, session.label,
           session.created_at_ms, session.last_used_at_ms, session.expires_at_ms
      from console_session as session
      join api_token as token on token.id = session.token_id
     where token.revoked_at_ms is null
       and session.expires_at_ms > ${nowMs} and (token.expires_at_ms is null or token.expires_at_ms > ${nowMs})
     order by session.last_used_at_ms desc, session.id
     limit ${LISTED_MAX}`);
}

/** Returns false if there is no such session. */
export async function endConsoleSession(db: Database, id: string): Promise<boolean> {
  return (await db.execute(sql`delete from console_session where id = ${id}`)) > 0;
}

export async function saveSessionUses(
  db: Database,
  uses: readonly { readonly id: string; readonly atMs: number }[],
): Promise<void> {
  await db.execute(sql`
    update console_session
       set last_used_at_ms = greatest(last_used_at_ms, used.at_ms)
      from unnest(${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ atMs }) => atMs)}::bigint[])
           as used (id, at_ms)
     where console_session.id = used.id`);
}

/** Deletes one batch of codes that have expired, or whose token is revoked. */
export async function removeExpiredCodes(db: Database, nowMs: number): Promise<void> {
  await db.execute(sql`
    with expired as materialized (
      select code.sha256
        from console_code as code
        join api_token as token on token.id = code.token_id
       where code.expires_at_ms <= ${nowMs} or token.revoked_at_ms is not null
       order by code.expires_at_ms, code.sha256
       limit ${REMOVED_MAX}
         for update of code skip locked
    )
    delete from console_code using expired where console_code.sha256 = expired.sha256`);
}

/** Deletes one batch of sessions that have expired, or whose token is revoked. */
export async function removeExpiredSessions(db: Database, nowMs: number): Promise<void> {
  await db.execute(sql`
    with expired as materialized (
      select session.id
        from console_session as session
        join api_token as token on token.id = session.token_id
       where session.expires_at_ms <= ${nowMs} or token.revoked_at_ms is not null
       order by session.expires_at_ms, session.id
       limit ${REMOVED_MAX}
         for update of session skip locked
    )
    delete from console_session using expired where console_session.id = expired.id`);
}

async function ensureConsoleToken(tx: Database, nowMs: number): Promise<void> {
  // An expired token keeps its name until it is revoked.
  await tx.execute(sql`
    update api_token
       set revoked_at_ms = ${nowMs}
     where name = ${CONSOLE_TOKEN} and revoked_at_ms is null and expires_at_ms <= ${nowMs}`);
  await saveToken(tx, {
    text: createTokenText(),
    name: CONSOLE_TOKEN,
    isReadOnly: false,
    createdAtMs: nowMs,
  });
}

async function saveConsoleSession(
  tx: Database,
  token: ApiToken,
  { secret, label, nowMs, formerSecret }: NewConsoleSession,
): Promise<ApiToken> {
  const expiresAtMs = Math.min(
    nowMs + SESSION_MAX_AGE_MS,
    token.expiresAtMs ?? Number.MAX_SAFE_INTEGER,
  );
  // Sign-ins of one token wait for each other here, so that together they keep to the bound.
  await tx.execute(sql`select from api_token where id = ${token.id} for update`);
  await tx.execute(sql`
    delete from console_session
     where id in (
       select id from console_session
        where token_id = ${token.id}
        order by last_used_at_ms desc, id
       offset ${SESSIONS_PER_TOKEN_MAX - 1})
        or sha256 = ${formerSecret === undefined ? null : tokenSha256(formerSecret)}`);
  const [session] = await tx.query<ConsoleSession>(sql`
    insert into console_session (token_id, sha256, label, created_at_ms, last_used_at_ms, expires_at_ms)
    values (${token.id}, ${tokenSha256(secret)}, ${label}, ${nowMs}, ${nowMs}, ${expiresAtMs})
    returning id, expires_at_ms as "expiresAtMs"`);
  assert(session !== undefined, "an inserted row is returned");
  return { ...token, session };
}
