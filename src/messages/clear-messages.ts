import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { carryEdits } from "./occurrences/reported-message-store.ts";
import { findFloor, queueKeptEvidence } from "./privacy/retention-store.ts";

/**
 * Deletes all that was made from raw events and keeps what is declared. The aliases stay, because ids that clients have
 * keep working; `removeVoidAliases` deletes those that lead nowhere after the replay.
 *
 * If events have left, groups, admins and sessions stay too: each column has its newest value, and the events that gave it
 * may be gone. What the left events said about senders is queued.
 */
export async function clearMessages(tx: Database): Promise<void> {
  await carryEdits(tx);
  await tx.execute(sql`
    truncate reported_message, contact, contact_identifier, contact_pair, identity_queue, occurrence,
             message_version, occurrence_rollup, message_queue, group_queue`);
  await tx.execute(sql`delete from canonical_message`);
  if ((await findFloor(tx)) !== undefined) {
    await queueKeptEvidence(tx);
    return;
  }
  await tx.execute(sql`truncate group_admin`);
  await clearSessions(tx);
  await clearGroups(tx);
}

/** Deletes the aliases whose message or contact does not exist, and those whose old id is in use again. */
export async function removeVoidAliases(tx: Database): Promise<void> {
  await tx.execute(sql`
    delete from message_alias as alias
     where not exists (select from canonical_message where id = alias.canonical_message_id)
        or exists (select from canonical_message where id = alias.old_id)`);
  await tx.execute(sql`
    delete from contact_alias as alias
     where not exists (select from contact where id = alias.contact_id)
        or exists (select from contact where id = alias.old_id)`);
}

async function clearSessions(tx: Database): Promise<void> {
  await tx.execute(sql`
    update messaging_session
       set engine = null, engine_at_ms = null, phone_number = null, label = null, account_at_ms = null,
           status = null, is_restricted = false, last_status_at_ms = null, last_down_at_ms = null,
           last_message_at_ms = null`);
  await tx.execute(sql`
    delete from messaging_session
     where num_nonnulls(declared_role, declared_engine, declared_label, declared_phone_number,
                        declared_connecting_user_id, declared_stale_after_ms) = 0`);
}

async function clearGroups(tx: Database): Promise<void> {
  await tx.execute(sql`update market_group set gateway_name = null, named_at_ms = null`);
  await tx.execute(sql`
    delete from market_group
     where num_nonnulls(declared_name, default_currency) = 0 and not is_ignored`);
}
