import { assert } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Role } from "./role.ts";
import { type ApiToken, type ConsoleSession, SESSION_MAX_AGE_MS, tokenSha256 } from "./token.ts";

interface ConsoleSessionRow {
  readonly id: string;
  readonly token_id: string;
  readonly token_name: string;
  readonly role: Role;
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
  /** Of the request that opens it. */
  readonly requestId?: string;
}

/** More browsers than one token has in use. The one that was used least recently is signed out. */
const SESSIONS_PER_TOKEN_MAX = 100;
/** More links than one person needs at a time. The oldest stops working. */
const CODES_PER_TOKEN_MAX = 20;
const REMOVED_MAX = 1_000;
/** Far more than an office has; without it a list would have no bound. */
const LISTED_MAX = 1_000;

/** A token that works, locked: sign-ins of one token, and its revocation and rotation, wait for each other here. */
export async function lockToken(
  tx: Database,
  which: { readonly id: string } | { readonly name: string } | { readonly sha256: Buffer },
  nowMs: number,
): Promise<ApiToken | undefined> {
  const isWanted =
    "id" in which
      ? sql`id = ${which.id}`
      : "name" in which
        ? sql`name = ${which.name}`
        : sql`sha256 = ${which.sha256}`;
  const [token] = await tx.query<ApiToken>(sql`
    select id, name, role, expires_at_ms as "expiresAtMs"
      from api_token
     where ${isWanted} and revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${nowMs})
       for update`);
  return token;
}

/** The caller has locked the token. */
export async function saveCode(
  tx: Database,
  tokenId: string,
  code: { readonly text: string; readonly nowMs: number; readonly expiresAtMs: number },
): Promise<void> {
  await tx.execute(sql`
    delete from console_code
     where sha256 in (
       select sha256 from console_code
        where token_id = ${tokenId}
        order by created_at_ms desc, sha256
       offset ${CODES_PER_TOKEN_MAX - 1})`);
  await tx.execute(sql`
    insert into console_code (sha256, token_id, created_at_ms, expires_at_ms)
    values (${tokenSha256(code.text)}, ${tokenId}, ${code.nowMs}, ${code.expiresAtMs})`);
}

/** The id of the token that an unused code is for. */
export async function findCode(
  db: Database,
  code: string,
  nowMs: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ token_id: string }>(sql`
    select token_id from console_code where sha256 = ${tokenSha256(code)} and expires_at_ms > ${nowMs}`);
  return row?.token_id;
}

/** Uses a code up. Returns false if it is used already. The caller has locked the token. */
export async function useCode(tx: Database, code: string): Promise<boolean> {
  return (await tx.execute(sql`delete from console_code where sha256 = ${tokenSha256(code)}`)) > 0;
}

/** Ends the sessions of a token and its unused links. The caller has locked the token. */
export async function endSessionsOf(
  tx: Database,
  tokenId: string,
  { exceptId }: { readonly exceptId?: string | undefined },
): Promise<void> {
  await tx.execute(sql`delete from console_code where token_id = ${tokenId}`);
  await tx.execute(sql`
    delete from console_session
     where token_id = ${tokenId} and id is distinct from ${exceptId ?? null}::uuid`);
}

/** The token of a session, if it is not revoked. The caller checks whether either has expired. */
export async function findSessionToken(
  db: Database,
  secret: string,
): Promise<ApiToken | undefined> {
  const [row] = await db.query<ApiToken & { sessionId: string; sessionExpiresAtMs: number }>(sql`
    select token.id, token.name, token.role, token.expires_at_ms as "expiresAtMs",
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
    select session.id, session.token_id, token.name as token_name, token.role,
           token.role = 'market' as is_read_only, session.label, session.created_at_ms, session.last_used_at_ms, session.expires_at_ms
      from console_session as session
      join api_token as token on token.id = session.token_id
     where token.revoked_at_ms is null
       and session.expires_at_ms > ${nowMs} and (token.expires_at_ms is null or token.expires_at_ms > ${nowMs})
     order by session.last_used_at_ms desc, session.id
     limit ${LISTED_MAX}`);
}

/** Returns the label of the session and its token; undefined if there is no such session. */
export async function deleteConsoleSession(
  tx: Database,
  id: string,
): Promise<{ readonly label: string; readonly token_id: string } | undefined> {
  const [row] = await tx.query<{ label: string; token_id: string }>(
    sql`delete from console_session where id = ${id} returning label, token_id`,
  );
  return row;
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

/** The caller has locked the token. */
export async function saveConsoleSession(
  tx: Database,
  token: ApiToken,
  { secret, label, nowMs, formerSecret }: NewConsoleSession,
): Promise<ApiToken> {
  const expiresAtMs = Math.min(
    nowMs + SESSION_MAX_AGE_MS,
    token.expiresAtMs ?? Number.MAX_SAFE_INTEGER,
  );
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
