import type { Database, DatabasePool } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { CODE_MAX_AGE_MS, createCode, secretSha256 } from "./console-session.ts";
import { createTokenText } from "./token.ts";
import { saveToken } from "./token-store.ts";

/** Sessions that a link opens belong to this token unless another one is named. */
export const CONSOLE_TOKEN = "console";
const REMOVED_MAX = 1_000;

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
      select ${secretSha256(code)}, id, ${nowMs}, ${nowMs + CODE_MAX_AGE_MS}
        from api_token
       where name = ${tokenName} and revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${nowMs})`);
  });
  return isSaved > 0 ? code : undefined;
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
