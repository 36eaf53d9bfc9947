import { DAY_MS, dayStartOf } from "../base/time.ts";
import type { Database } from "../db/database.ts";
import { recordset, sql } from "../db/sql.ts";
import type { PlainOccurrence } from "./occurrence-store.ts";

/** A message, a UTC day and a group. */
export interface RollupKey {
  readonly canonical_message_id: string;
  readonly day_start_ms: number;
  readonly group_id: string;
}

/** What new occurrences make of a roll-up, if they are all that it counts. */
export interface NewRollup extends RollupKey {
  readonly occurrence_count: number;
  readonly media_count: number;
  readonly own_count: number;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly session_ids: readonly string[];
}

export function rollupKeyOf(place: {
  readonly canonical_message_id: string;
  readonly group_id: string;
  readonly sent_at_ms: number;
}): RollupKey {
  return {
    canonical_message_id: place.canonical_message_id,
    day_start_ms: dayStartOf(place.sent_at_ms),
    group_id: place.group_id,
  };
}

export function rollupName(key: RollupKey): string {
  return `${key.canonical_message_id} ${key.day_start_ms} ${key.group_id}`;
}

/** Counts new occurrences. */
export function countOccurrences(occurrences: readonly PlainOccurrence[]): readonly NewRollup[] {
  const rollups = new Map<string, NewRollup>();
  for (const occurrence of occurrences) {
    const rollup = toRollup(occurrence);
    const name = rollupName(rollup);
    const last = rollups.get(name);
    rollups.set(name, last === undefined ? rollup : joinRollups(last, rollup));
  }
  return [...rollups.values()];
}

function toRollup(occurrence: PlainOccurrence): NewRollup {
  const { canonical_message_id, day_start_ms, group_id } = rollupKeyOf(occurrence);
  return {
    canonical_message_id,
    day_start_ms,
    group_id,
    occurrence_count: 1,
    media_count: occurrence.has_media ? 1 : 0,
    own_count: occurrence.is_own ? 1 : 0,
    first_seen_at_ms: occurrence.sent_at_ms,
    last_seen_at_ms: occurrence.sent_at_ms,
    session_ids: occurrence.session_ids,
  };
}

function joinRollups(left: NewRollup, right: NewRollup): NewRollup {
  return {
    ...left,
    occurrence_count: left.occurrence_count + right.occurrence_count,
    media_count: left.media_count + right.media_count,
    own_count: left.own_count + right.own_count,
    first_seen_at_ms: Math.min(left.first_seen_at_ms, right.first_seen_at_ms),
    last_seen_at_ms: Math.max(left.last_seen_at_ms, right.last_seen_at_ms),
    session_ids: [...new Set([...left.session_ids, ...right.session_ids])].sort(),
  };
}

/**
 * Stores roll-ups that are not there yet. There is one wherever an occurrence counts, so that what is new has no other
 * occurrences than those given. Gives the others, which are to be counted anew. The messages must be locked.
 */
export async function addRollups(
  tx: Database,
  rollups: readonly NewRollup[],
): Promise<readonly RollupKey[]> {
  return tx.query<RollupKey>(sql`
    with news as materialized (
      select *
        from ${recordset(rollups)} as news
             (canonical_message_id uuid, day_start_ms bigint, group_id uuid, occurrence_count integer,
              media_count integer, own_count integer, first_seen_at_ms bigint, last_seen_at_ms bigint,
              session_ids uuid[])
    ), added as (
      insert into occurrence_rollup
             (canonical_message_id, day_start_ms, group_id, occurrence_count, edited_count, revoked_count,
              media_count, own_count, first_seen_at_ms, last_seen_at_ms, live_first_seen_at_ms,
              live_last_seen_at_ms, session_ids)
      select canonical_message_id, day_start_ms, group_id, occurrence_count, 0, 0, media_count, own_count,
             first_seen_at_ms, last_seen_at_ms, first_seen_at_ms, last_seen_at_ms, session_ids
        from news
      on conflict (canonical_message_id, day_start_ms, group_id) do nothing
      returning canonical_message_id, day_start_ms, group_id
    )
    select canonical_message_id, day_start_ms, group_id from news
    except
    select canonical_message_id, day_start_ms, group_id from added`);
}

/** Removes those of the roll-ups that count nothing any more. The messages must be locked. */
export async function removeEmptyRollups(tx: Database, keys: readonly RollupKey[]): Promise<void> {
  const { touched, isIn } = fragmentsOf(keys);
  await tx.execute(sql`
    delete from occurrence_rollup as rollup
     using ${touched}
     where rollup.canonical_message_id = touched.canonical_message_id
       and rollup.day_start_ms = touched.day_start_ms
       and rollup.group_id = touched.group_id
       and not exists (select from occurrence where ${isIn})`);
}

/** Counts those roll-ups anew from their occurrences. The messages must be locked. */
export async function recountRollups(tx: Database, keys: readonly RollupKey[]): Promise<void> {
  const { touched, isIn } = fragmentsOf(keys);
  await tx.execute(sql`
    insert into occurrence_rollup
           (canonical_message_id, day_start_ms, group_id, occurrence_count, edited_count, revoked_count,
            media_count, own_count, first_seen_at_ms, last_seen_at_ms, live_first_seen_at_ms,
            live_last_seen_at_ms, session_ids)
    select touched.canonical_message_id, touched.day_start_ms, touched.group_id, counted.*,
           array(select distinct unnest(occurrence.session_ids) from occurrence where ${isIn} order by 1)
      from ${touched}
     cross join lateral (
        select count(*), count(*) filter (where is_edited), count(*) filter (where is_revoked),
               count(*) filter (where has_media), count(*) filter (where is_own),
               min(sent_at_ms), max(sent_at_ms),
               min(sent_at_ms) filter (where not is_revoked), max(sent_at_ms) filter (where not is_revoked)
          from occurrence
         where ${isIn}
        having count(*) > 0
      ) as counted
    on conflict (canonical_message_id, day_start_ms, group_id) do update set
      occurrence_count = excluded.occurrence_count, edited_count = excluded.edited_count,
      revoked_count = excluded.revoked_count, media_count = excluded.media_count,
      own_count = excluded.own_count, first_seen_at_ms = excluded.first_seen_at_ms,
      last_seen_at_ms = excluded.last_seen_at_ms, live_first_seen_at_ms = excluded.live_first_seen_at_ms,
      live_last_seen_at_ms = excluded.live_last_seen_at_ms, session_ids = excluded.session_ids`);
}

function fragmentsOf(keys: readonly RollupKey[]) {
  const touched = sql`${recordset(keys)}
    as touched (canonical_message_id uuid, day_start_ms bigint, group_id uuid)`;
  const isIn = sql`
    occurrence.canonical_message_id = touched.canonical_message_id
    and occurrence.group_id = touched.group_id
    and occurrence.sent_at_ms >= touched.day_start_ms
    and occurrence.sent_at_ms < touched.day_start_ms + ${DAY_MS}`;
  return { touched, isIn };
}
