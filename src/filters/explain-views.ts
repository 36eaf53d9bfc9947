import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { type Explained, nearest } from "./explained.ts";
import type { FilterMemo } from "./filter-memo.ts";
import { listFailures } from "./language/describe-clause.ts";
import type { FilterContext } from "./language/predicate.ts";

/** What an explanation is made with. */
export interface ExplainContext extends FilterContext {
  readonly memo: FilterMemo;
}

/** Source views come first, so they are evaluated however many others there are. */
const VIEWS_MAX = 500;

/** The views that select the listing, and those that nearly do. */
export async function explainViews(
  db: Database,
  listing: ListingFacts,
  context: ExplainContext,
): Promise<Explained[]> {
  const views = await db.query<{
    readonly id: string;
    readonly name: string;
    readonly filters: string;
    readonly is_source: boolean;
  }>(sql`
    select id, name, filters::text as filters, source_market is not null as is_source
      from market_view
     order by source_market is null, name, id
     limit ${VIEWS_MAX}`);
  return nearest(
    views.map(({ id, name, filters, is_source }) => {
      const filter = context.memo.parse(filters, { readsDuplicates: is_source });
      const failures = [...listFailures(filter, listing, context)];
      return { id, name, is_match: failures.length === 0, failures };
    }),
  );
}
