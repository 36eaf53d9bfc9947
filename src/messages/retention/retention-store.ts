import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** What the store knows about retention. There is no row until a floor was set. */
export interface Retention {
  /** The start of the first UTC day whose messages are kept. It only rises. */
  readonly floor_ms: number;
  readonly raised_at_ms: number;
  /** Events that were older when they arrived, and were not stored. */
  readonly too_old_count: number;
  readonly last_too_old_at_ms: number | null;
}

export async function findRetention(db: Database): Promise<Retention | undefined> {
  const [row] = await db.query<Retention>(sql`
    select floor_ms, raised_at_ms, too_old_count, last_too_old_at_ms from retention limit 1`);
  return row;
}

/** Returns the floor; undefined if nothing ever leaves. */
export async function findFloor(db: Database): Promise<number | undefined> {
  return (await findRetention(db))?.floor_ms;
}

/** Raises the floor. A lower one changes nothing. Returns true if it rose. */
export async function raiseFloor(
  db: Database,
  { floorMs, nowMs }: { readonly floorMs: number; readonly nowMs: number },
): Promise<boolean> {
  const count = await db.execute(sql`
    insert into retention as stored (floor_ms, raised_at_ms)
    values (${floorMs}, ${nowMs})
    on conflict (is_only) do update set floor_ms = excluded.floor_ms, raised_at_ms = excluded.raised_at_ms
     where stored.floor_ms < excluded.floor_ms`);
  return count > 0;
}

/** Adds to the count of events that were too old on arrival. */
export async function addTooOld(
  db: Database,
  { count, nowMs }: { readonly count: number; readonly nowMs: number },
): Promise<void> {
  await db.execute(sql`
    update retention
       set too_old_count = too_old_count + ${count},
           last_too_old_at_ms = greatest(last_too_old_at_ms, ${nowMs})`);
}
