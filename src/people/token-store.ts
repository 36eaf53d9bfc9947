import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { Role } from "./role.ts";
import { type ApiToken, tokenPrefix, tokenSha256 } from "./token.ts";

export interface ApiTokenRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly role: Role;
  /** True for the role `market` only. */
  readonly is_read_only: boolean;
  readonly created_at_ms: number;
  /** Null if a command made it. */
  readonly created_by_token_id: string | null;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly last_used_at_ms: number | null;
}

export interface NewApiToken {
  readonly text: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAtMs: number;
  readonly expiresAtMs?: number | undefined;
  readonly createdByTokenId?: string | undefined;
}

/** The token of a request, as its holder sees it. */
export interface OwnToken {
  readonly token_id: string;
  readonly name: string;
  readonly role: Role;
  readonly last_looked_at_ms: number | null;
}

/**
 * What a restore leaves empty, because a backup has it as it was: sessions that have ended and codes that are used would work again.
 * Tokens that were revoked meanwhile would too, but without its tokens a store lets no program in, so the operator chooses.
 */
export const SIGN_IN_TABLES: readonly string[] = ["console_code", "console_session"];
export const TOKEN_TABLE = "api_token";

const COLUMNS = sql`
  id, name, prefix, role, role = 'market' as is_read_only, created_at_ms, created_by_token_id, expires_at_ms, revoked_at_ms,
  last_used_at_ms`;

/**
 * Returns the token as it is stored; undefined if a live token already has that name. Saving the same token twice changes
 * nothing.
 */
export async function saveToken(
  db: Database,
  token: NewApiToken,
): Promise<ApiTokenRow | undefined> {
  const [row] = await db.query<ApiTokenRow>(sql`
    insert into api_token (name, prefix, sha256, role, created_at_ms, expires_at_ms, created_by_token_id)
    values (${token.name}, ${tokenPrefix(token.text)}, ${tokenSha256(token.text)}, ${token.role}, ${token.createdAtMs},
            ${token.expiresAtMs ?? null}, ${token.createdByTokenId ?? null})
    on conflict do nothing
    returning ${COLUMNS}`);
  return row;
}

/** A token that is not revoked. The caller checks whether it has expired, because that depends on the time. */
export async function findToken(db: Database, sha256: Buffer): Promise<ApiToken | undefined> {
  const [token] = await db.query<ApiToken>(sql`
    select id, name, role, expires_at_ms as "expiresAtMs"
      from api_token
     where sha256 = ${sha256} and revoked_at_ms is null`);
  return token;
}

/** Also one that is revoked. */
export async function findTokenRow(db: Database, id: string): Promise<ApiTokenRow | undefined> {
  const [row] = await db.query<ApiTokenRow>(sql`select ${COLUMNS} from api_token where id = ${id}`);
  return row;
}

/** The name of a token that is valid now; undefined if there is none with this id. */
export async function findTokenName(
  db: Database,
  id: string,
  nowMs: number,
): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(sql`
    select name from api_token
     where id = ${id} and revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${nowMs})`);
  return row?.name;
}

export async function listTokens(db: Database): Promise<readonly ApiTokenRow[]> {
  return db.query<ApiTokenRow>(sql`
    select ${COLUMNS} from api_token order by created_at_ms desc, id limit 10000`);
}

export interface TokenPosition {
  readonly createdAtMs: number;
  readonly id: string;
}

/** One page of all tokens, also revoked ones, newest first. Their number is small, so no index is needed. */
export async function listTokenPage(
  db: Database,
  page: { readonly after?: TokenPosition; readonly limit: number },
): Promise<readonly ApiTokenRow[]> {
  const { after } = page;
  return db.query<ApiTokenRow>(sql`
    select ${COLUMNS}
      from api_token
     where ${
       after === undefined
         ? sql`true`
         : sql`(created_at_ms < ${after.createdAtMs} or (created_at_ms = ${after.createdAtMs} and id > ${after.id}))`
     }
     order by created_at_ms desc, id
     limit ${page.limit}`);
}

/** Locks all tokens that are not revoked, and returns them. So two writers cannot take each other's right to write. */
export async function lockLiveTokens(tx: Database): Promise<readonly ApiTokenRow[]> {
  const lock = () =>
    tx.query<ApiTokenRow>(sql`
      select ${COLUMNS} from api_token where revoked_at_ms is null order by id limit 100000 for update`);
  await lock();
  // The first statement may have waited for a writer that made a token. The second one finds it.
  return lock();
}

/** Returns the tokens that one of these made, and those that they made, also by way of a revoked one. */
export async function listTokensMadeBy(
  tx: Database,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    with recursive made as (
      select id from api_token where created_by_token_id = any(${[...ids]}::uuid[])
       union
      select api_token.id from api_token join made on api_token.created_by_token_id = made.id
    )
    select id from made order by id limit 100000`);
  return rows.map(({ id }) => id);
}

/** Returns those that it revoked. */
export async function saveRevocation(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<readonly Pick<ApiTokenRow, "id" | "name">[]> {
  return tx.query(sql`
    update api_token set revoked_at_ms = ${nowMs} where id = any(${[...ids]}::uuid[]) and revoked_at_ms is null
    returning id, name`);
}

/** An expired token keeps its name until it is revoked. */
export async function revokeExpired(tx: Database, name: string, nowMs: number): Promise<void> {
  await tx.execute(sql`
    update api_token
       set revoked_at_ms = ${nowMs}
     where name = ${name} and revoked_at_ms is null and expires_at_ms <= ${nowMs}`);
}

export async function saveRole(tx: Database, id: string, role: Role): Promise<void> {
  await tx.execute(sql`update api_token set role = ${role} where id = ${id}`);
}

/** The old text stops working. */
export async function saveTokenText(tx: Database, id: string, text: string): Promise<void> {
  await tx.execute(sql`
    update api_token set prefix = ${tokenPrefix(text)}, sha256 = ${tokenSha256(text)} where id = ${id}`);
}

export async function findOwnToken(db: Database, id: string): Promise<OwnToken | undefined> {
  const [row] = await db.query<OwnToken>(sql`
    select id as token_id, name, role, last_looked_at_ms from api_token where id = ${id}`);
  return row;
}

/** Never backwards. */
export async function saveLastLooked(
  db: Database,
  id: string,
  atMs: number,
): Promise<OwnToken | undefined> {
  const [row] = await db.query<OwnToken>(sql`
    update api_token
       set last_looked_at_ms = greatest(last_looked_at_ms, ${atMs})
     where id = ${id}
    returning id as token_id, name, role, last_looked_at_ms`);
  return row;
}

export async function saveTokenUses(
  db: Database,
  uses: readonly { readonly id: string; readonly atMs: number }[],
): Promise<void> {
  await db.execute(sql`
    update api_token
       set last_used_at_ms = greatest(last_used_at_ms, used.at_ms)
      from unnest(${uses.map(({ id }) => id)}::uuid[], ${uses.map(({ atMs }) => atMs)}::bigint[])
           as used (id, at_ms)
     where api_token.id = used.id`);
}
