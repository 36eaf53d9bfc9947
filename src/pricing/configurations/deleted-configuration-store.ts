import type { Database } from "../../db/database.ts";
import { isNamed, type Naming } from "../../db/row.ts";
import { sql } from "../../db/sql.ts";
import { saveCells } from "../cells/cell-store.ts";

/**
 * A deleted configuration keeps its row, its history and its system alert; its cells and its snapshot are deleted. A
 * configuration that is declared with the same key and no other id takes the row again, with all of its history.
 *
 * Invariant: every statement on configurations that exist asks for `deleted_at_ms is null`.
 *
 * Example: `rolex:126610LN` is deleted in May. Its history ends with a point `gone` for each cell. In June the same key is
 * declared again: the row is the one of May, so its history goes on and its alert has the matches of April.
 */
export interface DeletedConfiguration {
  readonly id: string;
  readonly configuration_key: string;
}

/** Those that were deleted last come last. */
export async function listDeletedConfigurations(
  db: Database,
  naming?: Naming,
): Promise<readonly DeletedConfiguration[]> {
  return db.query<DeletedConfiguration>(sql`
    select id, configuration_key
      from price_configuration
     where deleted_at_ms is not null and ${isNamed(naming, sql`configuration_key`)}
     order by deleted_at_ms, id
     limit 1000000`);
}

/** Marks configurations as deleted, and forgets which request created them: the next one revives them. The caller holds their rows of the refresh queue, or the pipeline lock. */
export async function deleteConfigurations(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  // Locks the rows in the order in which calculations lock them. A calculation in progress is waited for.
  await tx.execute(sql`
    update price_configuration
       set deleted_at_ms = ${nowMs}, updated_at_ms = greatest(${nowMs}, updated_at_ms + 1),
           last_attempt_at_ms = null, last_success_at_ms = null, last_refresh_error = null,
           created_by = null, created_hash = null
     where id in (select id from price_configuration where id = any(${ids}::uuid[]) and deleted_at_ms is null
                   order by id for no key update)`);
  const emptied = ids.map((configuration_id) => ({ configuration_id, cells: [] }));
  await saveCells(tx, emptied, nowMs);
  await tx.execute(sql`delete from price_snapshot where configuration_id = any(${ids}::uuid[])`);
}
