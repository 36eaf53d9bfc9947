import { assert } from "../../base/errors.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { createCellCalculator, type SuspectAsk } from "./calculate-cells.ts";
import {
  type RefreshedConfiguration,
  readMembers,
  SELECT_CONFIGURATIONS,
} from "./refresh-store.ts";

interface ListedSuspect extends SuspectAsk {
  readonly configuration_key: string;
}

/**
 * The first suspect asks, each listing once, by the key of its configuration. Calculates the cells again, so it shows the
 * asks as they are now, and reads the members of at most `limit` configurations. Needs a transaction.
 */
export async function listSuspectAsks(
  tx: Database,
  { limit, nowMs }: { readonly limit: number; readonly nowMs: number },
): Promise<readonly ListedSuspect[]> {
  const configurations = await listSuspectConfigurations(tx, limit);
  const calculations = new Map(
    configurations.map((configuration) => [
      configuration.id,
      {
        configuration_key: configuration.configuration_key,
        calculator: createCellCalculator(configuration, nowMs),
      },
    ]),
  );
  await readMembers(tx, configurations, {
    nowMs,
    onMember: (member) => calculations.get(member.configuration_id)?.calculator.add(member),
  });
  const found = new Map<string, ListedSuspect>();
  for (const { configuration_key, calculator } of calculations.values()) {
    for (const ask of calculator.listSuspects()) {
      if (!found.has(ask.listing_id)) found.set(ask.listing_id, { ...ask, configuration_key });
    }
  }
  return [...found.values()].slice(0, limit);
}

/** Some of the configurations whose latest snapshot has a suspect ask, by key. */
async function listSuspectConfigurations(
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
