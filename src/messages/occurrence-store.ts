import type { Database } from "../db/database.ts";
import type { OccurrenceRollup } from "./occurrence-summary.ts";

/**
 * A message's roll-ups, newest day first, within a day the group with the most occurrences first, ties by name and id.
 * Undefined: there is no such message. The cost follows the number of days and groups, not of occurrences.
 */
export async function findOccurrenceRollups(
  db: Database,
  canonicalMessageId: string,
): Promise<readonly OccurrenceRollup[] | undefined> {
  const rows = await db<(OccurrenceRollup | { readonly day_start_ms: null })[]>`
    select rollup.day_start_ms, rollup.group_id, market_group.name as group_name,
           rollup.occurrence_count, rollup.first_seen_at_ms, rollup.last_seen_at_ms,
           rollup.session_ids, rollup.edited_count, rollup.revoked_count, rollup.media_count,
           array(select distinct coalesce(label, gateway_name) collate "C"
                   from messaging_session
                  where id = any(rollup.session_ids)
                  order by 1) as session_labels
      from canonical_message
      left join occurrence_rollup as rollup on rollup.canonical_message_id = canonical_message.id
      left join market_group on market_group.id = rollup.group_id
     where canonical_message.id = ${canonicalMessageId}
     order by rollup.day_start_ms desc, rollup.occurrence_count desc, market_group.name, rollup.group_id`;
  if (rows.length === 0) return undefined;
  return rows.filter((row): row is OccurrenceRollup => row.day_start_ms !== null);
}
