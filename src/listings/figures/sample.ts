import type { Database } from "../../db/database.ts";
import { rawSql, type Sql, sql } from "../../db/sql.ts";

/**
 * A sample for figures that would take too long over all listings: those whose id is in the lowest part of all ids. Ids
 * are hashes, so the sample is fair for any filter, and it is the same one each time, so figures do not jump between two
 * requests. Every index that ends in the id finds the sample without reading the other listings.
 *
 * Example: a share of 1/4 is `id < '40000000-0000-0000-0000-000000000000'`. If 7 listings of the sample are of 2020, about
 * 28 of all listings are.
 */
export type Share = number;

/** Fewer would be a sample of a market that no store of ours holds. */
const SHARE_MIN = 2 ** -16;

/** The largest share, a power of two, of `rowCount` rows that has at most `rowsMax` rows. */
export function shareOf(rowCount: number, rowsMax: number): Share {
  let share = 1;
  while (rowCount * share > rowsMax && share > SHARE_MIN) share /= 2;
  return share;
}

export function isShare(value: unknown): value is Share {
  return (
    typeof value === "number" &&
    value >= SHARE_MIN &&
    value <= 1 &&
    Number.isInteger(Math.log2(value))
  );
}

/** The condition on a column of ids. To count distinct contacts, sample contacts; a sample of their listings has too many. */
export function inSample(
  share: Share,
  column: "id" | "contact_id" | "canonical_message_id" = "id",
): Sql {
  if (share === 1) return sql`true`;
  const end = (2 ** 32 * share).toString(16).padStart(8, "0");
  return sql`(${rawSql(column)} < ${`${end}-0000-0000-0000-000000000000`}::uuid)`;
}

/** A count of all, from the count in a sample. */
export function scaleCount(count: number, share: Share): number {
  return Math.round(count / share);
}

/** What the planner expects of reading the listings that a condition selects. */
interface Estimate {
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
