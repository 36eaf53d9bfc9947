import { assert } from "../../base/errors.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { type RefreshedConfiguration, SELECT_CONFIGURATIONS } from "./refresh-store.ts";

export interface SuspectCounts {
  /** A listing in two configurations counts in the cells of both. */
  readonly suspect_count: number;
  readonly cell_count: number;
}

/** How many suspect asks the latest snapshots have. */
export async function countSuspectAsks(db: Database): Promise<SuspectCounts> {
  const [row] = await db.query<SuspectCounts>(sql`
    select coalesce(sum(suspect_count), 0)::bigint as suspect_count, count(*) as cell_count
      from price_cell
     where suspect_count > 0`);
  assert(row !== undefined, "an aggregate must return one row");
  return row;
}

/** Some of the configurations whose latest snapshot has a suspect ask, by key. */
export async function listSuspectConfigurations(
  db: Database,
  limit: number,
): Promise<readonly RefreshedConfiguration[]> {
  return db.query<RefreshedConfiguration>(sql`
    ${SELECT_CONFIGURATIONS}
     where exists (select from price_cell as cell
                    where cell.configuration_id = configuration.id and cell.suspect_count > 0)
     order by configuration.configuration_key
     limit ${limit}`);
}
