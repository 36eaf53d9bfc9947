import type { Database } from "../../db/database.ts";
import { recordset, sql } from "../../db/sql.ts";

/** What the manifest declares about a session. It takes precedence over what the gateway reports. */
export interface DeclaredSession {
  readonly id: string;
  readonly gateway_name: string;
  readonly role: "receiving" | "sending" | null;
  readonly engine: string | null;
  readonly label: string | null;
  readonly phone_number: string | null;
  readonly connecting_user_id: string | null;
  readonly stale_after_ms: number | null;
}

/** Returns all sessions, including those that are not declared. */
export async function listDeclaredSessions(db: Database): Promise<readonly DeclaredSession[]> {
  return db.query<DeclaredSession>(sql`
    select id, gateway_name, declared_role as role, declared_engine as engine, declared_label as label,
           declared_phone_number as phone_number, declared_connecting_user_id as connecting_user_id,
           declared_stale_after_ms as stale_after_ms
      from messaging_session
     order by id
     limit 1000000`);
}

export async function saveDeclaredSessions(
  tx: Database,
  rows: readonly DeclaredSession[],
): Promise<void> {
  await tx.execute(sql`
    insert into messaging_session
           (id, gateway_name, declared_role, declared_engine, declared_label, declared_phone_number,
            declared_connecting_user_id, declared_stale_after_ms)
    select id, gateway_name, role, engine, label, phone_number, connecting_user_id, stale_after_ms
      from ${recordset(rows)} as declared
           (id uuid, gateway_name text, role text, engine text, label text, phone_number text,
            connecting_user_id text, stale_after_ms bigint)
     order by id
    on conflict (id) do update set
      declared_role = excluded.declared_role, declared_engine = excluded.declared_engine,
      declared_label = excluded.declared_label, declared_phone_number = excluded.declared_phone_number,
      declared_connecting_user_id = excluded.declared_connecting_user_id,
      declared_stale_after_ms = excluded.declared_stale_after_ms`);
}
