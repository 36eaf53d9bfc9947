import { type DatabasePool, LONG_WORK } from "../db/database.ts";
import { takeLock } from "../db/locks.ts";
import { sql } from "../db/sql.ts";
import type { Alerting } from "../intake/raw-event-store.ts";
import { beginRebuild } from "../pricing/cells/rebuild-store.ts";

/**
 * Queues raw events again. Without a time it first empties everything that is made of them, and keeps what is declared;
 * with one, only what was received since then is read again on top of what is there, which changes nothing unless the
 * reading has changed. Gives how many were queued.
 */
export function requestReplay(
  pool: DatabasePool,
  options: { readonly fromMs?: number; readonly alerting: Alerting },
): Promise<number> {
  return pool.transaction(async (tx) => {
    await takeLock(tx, "pipeline");
    if (options.fromMs === undefined) {
      await beginRebuild(tx);
      await tx.execute(sql`
        truncate quarantined_event, contact, contact_identifier, contact_pair, identity_queue,
                 occurrence, message_version, occurrence_rollup`);
      // Not the aliases of contacts, messages and listings: ids that were handed out stay readable.
      // And nothing is news any more: what is calculated while the market fills up again must not be taken for a buy.
      await tx.execute(sql`
        truncate message_queue, group_queue, message_extraction, match_queue, listing, listing_model,
                 fresh_listing`);
      await tx.execute(sql`delete from canonical_message`);
      await tx.execute(sql`
        update messaging_session
           set engine = null, engine_at_ms = null, phone_number = null, label = null, account_at_ms = null,
               status = null, is_restricted = false, last_status_at_ms = null, last_message_at_ms = null`);
      await tx.execute(sql`
        delete from messaging_session
         where num_nonnulls(declared_role, declared_engine, declared_label, declared_phone_number,
                            declared_connecting_user_id, declared_stale_after_ms) = 0`);
      await tx.execute(sql`update market_group set gateway_name = null, named_at_ms = null`);
      await tx.execute(sql`
        delete from market_group
         where num_nonnulls(declared_name, default_currency) = 0 and not is_ignored`);
    }
    return tx.execute(sql`
      insert into raw_event_queue (raw_event_id, alerting)
      select id, ${options.alerting} from raw_event where received_at_ms >= ${options.fromMs ?? 0} and body is not null
      on conflict do nothing`);
  }, LONG_WORK);
}
