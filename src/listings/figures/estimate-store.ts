import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";

/** What the planner expects of reading the listings that a condition selects. */
export interface Estimate {
  readonly rowCount: number;
  /** In the planner's unit: about one page read in order, or 100 rows looked at. */
  readonly cost: number;
}

interface PlanRow {
  readonly "QUERY PLAN": readonly [
    { readonly Plan: { readonly "Plan Rows": number; readonly "Total Cost": number } },
  ];
}

/** Takes about a millisecond, however many listings there are: nothing is read. */
export async function estimateListings(db: Database, where: Sql): Promise<Estimate> {
  const statement = sql`explain (format json) select id from listing where ${where}`;
  const [row] = await db.query<PlanRow>(statement, { isStatic: false });
  const plan = row?.["QUERY PLAN"][0].Plan;
  return { rowCount: plan?.["Plan Rows"] ?? 0, cost: plan?.["Total Cost"] ?? 0 };
}
