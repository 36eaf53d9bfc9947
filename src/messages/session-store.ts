import type { Database } from "../db/database.ts";
import type { SessionFacts, SessionRole } from "./session.ts";

export interface SessionRow extends SessionFacts {
  readonly id: string;
  readonly gateway_name: string;
  readonly engine: string | null;
  readonly label: string | null;
  readonly phone_number: string | null;
  readonly connecting_user_id: string | null;
}

/** The sessions of a role, or of both, by their name at the gateway. */
export async function listSessions(
  db: Database,
  role: SessionRole | undefined,
): Promise<readonly SessionRow[]> {
  return db<SessionRow[]>`
    select id, gateway_name, role, engine, status, is_restricted, label, phone_number,
           connecting_user_id, stale_after_ms, last_status_at_ms, last_message_at_ms
      from messaging_session
     where ${role ?? null}::text is null or role = ${role ?? null}
     order by gateway_name, id
     limit 10000`;
}
