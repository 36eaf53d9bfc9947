import type { Database, DatabasePool } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { type ApiToken, tokenPrefix, tokenSha256 } from "./token.ts";

export interface ApiTokenRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly is_read_only: boolean;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly last_used_at_ms: number | null;
}

export interface NewApiToken {
  readonly text: string;
  readonly name: string;
  readonly isReadOnly: boolean;
  readonly createdAtMs: number;
  readonly expiresAtMs?: number;
}

/**
 * What a restore leaves empty, because a backup has it as it was: sessions that have ended and codes that are used would work again.
 * Tokens that were revoked meanwhile would too, but without its tokens a store lets no program in, so the operator chooses.
 */
export const SIGN_IN_TABLES: readonly string[] = ["console_code", "console_session"];
export const TOKEN_TABLE = "api_token";

const COLUMNS = sql`id, name, prefix, is_read_only, created_at_ms, expires_at_ms, revoked_at_ms, last_used_at_ms`;

/**
 * Returns the token as it is stored; undefined if a live token already has that name. Saving the same token twice changes
 * nothing.
 */
export async function saveToken(
  db: Database,
  token: NewApiToken,
): Promise<ApiTokenRow | undefined> {
  const [row] = await db.query<ApiTokenRow>(sql`
    insert into api_token (name, prefix, sha256, is_read_only, created_at_ms, expires_at_ms)
    values (${token.name}, ${tokenPrefix(token.text)}, ${tokenSha256(token.text)},
            ${token.isReadOnly}, ${token.createdAtMs}, ${token.expiresAtMs ?? null})
    on conflict do nothing
    returning ${COLUMNS}`);
  return row;
}

/** A token that is not revoked. The caller checks whether it has expired, because that depends on the time. */
export async function findToken(db: Database, sha256: Buffer): Promise<ApiToken | undefined> {
  const [token] = await db.query<ApiToken>(sql`
    select id, name, is_read_only as "isReadOnly", expires_at_ms as "expiresAtMs"
      from api_token
     where sha256 = ${sha256} and revoked_at_ms is null`);
  return token;
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

/**
 * Revokes one token. Refuses the last one that can write: after that, only the command line could make another. The tokens
 * are locked, so that two requests cannot revoke each other's.
 */
export async function revokeToken(
  pool: DatabasePool,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): Promise<"revoked" | "not_found" | "last_to_write"> {
  return pool.transaction(async (tx) => {
    const live = await tx.query<Pick<ApiTokenRow, "id" | "is_read_only" | "expires_at_ms">>(sql`
      select id, is_read_only, expires_at_ms
        from api_token
       where revoked_at_ms is null and (id = ${id} or not is_read_only)
       order by id
         for update`);
    const token = live.find((row) => row.id === id.toLowerCase());
    if (token === undefined) return "not_found";
    const writers = live.filter(
      ({ is_read_only, expires_at_ms }) =>
        !is_read_only && (expires_at_ms === null || expires_at_ms > nowMs),
    );
    if (writers.length === 1 && writers[0] === token) return "last_to_write";
    await tx.execute(sql`update api_token set revoked_at_ms = ${nowMs} where id = ${id}`);
    return "revoked";
  });
}

/** Revokes the live tokens with that id, name or prefix, and returns them. */
export async function revokeTokens(
  db: Database,
  revocation: { readonly which: string; readonly nowMs: number },
): Promise<readonly Pick<ApiTokenRow, "id" | "name" | "prefix">[]> {
  return db.query<Pick<ApiTokenRow, "id" | "name" | "prefix">>(sql`
    update api_token
       set revoked_at_ms = ${revocation.nowMs}
     where revoked_at_ms is null
       and ${revocation.which} in (id::text, name, prefix)
    returning id, name, prefix`);
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
