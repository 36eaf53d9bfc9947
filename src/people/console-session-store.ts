import { assert } from "../base/errors.ts";
import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Role } from "./role.ts";
import { type ApiToken, type ConsoleSession, tokenSha256 } from "./token.ts";

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
  /** How many others were signed in from it, also by way of each other. */
  readonly made_count: number;
}

export interface NewConsoleSession {
  readonly secret: string;
  readonly label: string;
  readonly nowMs: number;
  readonly maxAgeMs: number;
  /** The secret of the session that the browser had until now. It ends, if it is of the same token. */
  readonly formerSecret?: string;
  /** True if the person said that a session of another token ends too. */
  readonly isReplacing?: boolean;
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

/** Locks the token of a session. Returns its id; undefined if there is no such session. */
export async function lockTokenOfSession(tx: Database, id: string): Promise<string | undefined> {
  const [token] = await tx.query<{ id: string }>(sql`
    select id from api_token where id = (select token_id from console_session where id = ${id}) for update`);
  return token?.id;
}

/** The session that makes a link. */
interface Maker {
  readonly id: string;
  readonly expires_at_ms: number;
  /** Those that it was signed in from. */
  readonly made_by_session_ids: readonly string[];
}

/** A session that has not expired. Until the end of the transaction it is not deleted. */
export async function findMaker(
  tx: Database,
  id: string,
  nowMs: number,
): Promise<Maker | undefined> {
  const [maker] = await tx.query<Maker>(sql`
    select id, expires_at_ms, made_by_session_ids
      from console_session
     where id = ${id} and expires_at_ms > ${nowMs}
       for key share`);
  return maker;
}

/** The caller has locked the token. */
export async function saveCode(
  tx: Database,
  tokenId: string,
  code: {
    readonly text: string;
    readonly nowMs: number;
    readonly expiresAtMs: number;
    /** The code ends with it. */
    readonly madeBySessionId?: string | undefined;
  },
): Promise<void> {
  await tx.execute(sql`
    delete from console_code
     where sha256 in (
       select sha256 from console_code
        where token_id = ${tokenId}
        order by created_at_ms desc, sha256
       offset ${CODES_PER_TOKEN_MAX - 1})`);
  await tx.execute(sql`
    insert into console_code (sha256, token_id, created_at_ms, expires_at_ms, made_by_session_id)
    values (${tokenSha256(code.text)}, ${tokenId}, ${code.nowMs}, ${code.expiresAtMs}, ${code.madeBySessionId ?? null}::uuid)`);
}

/** The token that an unused code is for. */
export async function findCode(
  db: Database,
  code: string,
  nowMs: number,
): Promise<Pick<ApiToken, "id" | "name" | "role"> | undefined> {
  const [token] = await db.query<Pick<ApiToken, "id" | "name" | "role">>(sql`
    select token.id, token.name, token.role
      from console_code as code
      join api_token as token on token.id = code.token_id
     where code.sha256 = ${tokenSha256(code)} and code.expires_at_ms > ${nowMs} and token.revoked_at_ms is null`);
  return token;
}

/** Uses a code up. Returns undefined if it is used already. The caller has locked the token. */
export async function useCode(
  tx: Database,
  code: string,
): Promise<{ readonly made_by_session_id: string | null } | undefined> {
  const [used] = await tx.query<{ made_by_session_id: string | null }>(sql`
    delete from console_code where sha256 = ${tokenSha256(code)} returning made_by_session_id`);
  return used;
}

/** A session that was ended. */
export interface EndedSession {
  readonly id: string;
  readonly label: string;
}

/** Ends the sessions of a token and its unused links. The caller has locked the token. */
export async function endSessionsOf(
  tx: Database,
  tokenId: string,
  { exceptId }: { readonly exceptId?: string | undefined },
): Promise<readonly EndedSession[]> {
  await endLinksOf(tx, tokenId);
  return tx.query<EndedSession>(sql`
    delete from console_session
     where token_id = ${tokenId} and id is distinct from ${exceptId ?? null}::uuid
    returning id, label`);
}

/** The caller has locked the token. */
export async function endLinksOf(tx: Database, tokenId: string): Promise<void> {
  await tx.execute(sql`delete from console_code where token_id = ${tokenId}`);
}

export async function hasSessions(tx: Database, tokenId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select id from console_session where token_id = ${tokenId} limit 1`);
  return rows.length > 0;
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

/** The sessions that still work, last used first: of one token, or of all. */
export async function listConsoleSessions(
  db: Database,
  nowMs: number,
  { tokenId }: { readonly tokenId?: string },
): Promise<readonly ConsoleSessionRow[]> {
  return db.query<ConsoleSessionRow>(sql`
    select session.id, session.token_id, token.name as token_name, token.role,
           token.role = 'market' as is_read_only, session.label, session.created_at_ms, session.last_used_at_ms, session.expires_at_ms,
           (select count(*) from console_session as made
             where made.token_id = session.token_id and session.id = any(made.made_by_session_ids)
               and made.expires_at_ms > ${nowMs}) as made_count
      from console_session as session
      join api_token as token on token.id = session.token_id
     where token.revoked_at_ms is null
       and ${tokenId === undefined ? sql`true` : sql`token.id = ${tokenId}`}
       and session.expires_at_ms > ${nowMs} and (token.expires_at_ms is null or token.expires_at_ms > ${nowMs})
     order by session.last_used_at_ms desc, session.id
     limit ${LISTED_MAX}`);
}

/** The id of the token of a session. */
export async function findTokenOfSession(db: Database, id: string): Promise<string | undefined> {
  const [session] = await db.query<{ token_id: string }>(sql`
    select token_id from console_session where id = ${id}`);
  return session?.token_id;
}

/** Deletes a session and its links; `isWithMade`: also the sessions that were signed in from it. The caller has locked the token. */
export async function deleteConsoleSession(
  tx: Database,
  tokenId: string,
  { id, isWithMade }: { readonly id: string; readonly isWithMade: boolean },
): Promise<readonly EndedSession[]> {
  const made = isWithMade ? sql`or ${id}::uuid = any(made_by_session_ids)` : sql``;
  return tx.query<EndedSession>(sql`
    delete from console_session where token_id = ${tokenId} and (id = ${id} ${made}) returning id, label`);
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

/** The caller has locked the token. One that a link opens expires no later than `maker`, so no session prolongs itself. */
export async function saveConsoleSession(
  tx: Database,
  token: ApiToken,
  session: NewConsoleSession & { readonly maker?: Maker | undefined },
): Promise<ApiToken> {
  const { secret, label, nowMs, maxAgeMs, formerSecret, isReplacing = false, maker } = session;
  const expiresAtMs = Math.min(
    nowMs + maxAgeMs,
    token.expiresAtMs ?? Number.MAX_SAFE_INTEGER,
    maker?.expires_at_ms ?? Number.MAX_SAFE_INTEGER,
  );
  const makerIds = maker === undefined ? [] : [maker.id, ...maker.made_by_session_ids];
  await tx.execute(sql`
    delete from console_session
     where id in (
       select id from console_session
        where token_id = ${token.id}
        order by last_used_at_ms desc, id
       offset ${SESSIONS_PER_TOKEN_MAX - 1})
        or (sha256 = ${formerSecret === undefined ? null : tokenSha256(formerSecret)}
            and (token_id = ${token.id} or ${isReplacing}))`);
  const [opened] = await tx.query<ConsoleSession>(sql`
    insert into console_session
           (token_id, sha256, label, created_at_ms, last_used_at_ms, expires_at_ms, made_by_session_ids)
    values (${token.id}, ${tokenSha256(secret)}, ${label}, ${nowMs}, ${nowMs}, ${expiresAtMs},
            array(select id from console_session where id = any(${makerIds}::uuid[]) order by id))
    returning id, expires_at_ms as "expiresAtMs"`);
  assert(opened !== undefined, "an inserted row is returned");
  return { ...token, session: opened };
}
