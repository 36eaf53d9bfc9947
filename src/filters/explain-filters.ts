import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import type { ListingFacts } from "../listings/listing.ts";
import { type Failure, listFailures } from "./language/describe-filter.ts";
import { type Filter, type ParseOptions, parseFilter } from "./language/filter.ts";
import type { FilterContext } from "./language/predicate.ts";

/** Why a listing does or does not belong to a view, a configuration or an alert. */
export interface Explained {
  readonly id: string;
  readonly name: string;
  readonly is_match: boolean;
  /** Empty if it is a match. */
  readonly failures: Failure[];
}

/** How much work an explanation may be. */
export interface ExplainBounds {
  /** The most that it shows of each kind. */
  readonly shownMax: number;
  /** So many configurations that contain the listing, of its reference, and of its brand are evaluated. */
  readonly candidatesMax: number;
  /** So many filters of alerts are parsed that the memo does not have. */
  readonly parsedMax: number;
}

/** What an explanation is made with. */
export interface ExplainContext extends FilterContext {
  readonly memo: FilterMemo;
  readonly bounds: ExplainBounds;
}

export interface ExplainedView extends Explained {
  /** Null unless it is a source view. */
  readonly source_market: string | null;
}

/** Source views come first, so they are evaluated however many others there are. */
const VIEWS_MAX = 500;

/** The views that select the listing, and those that nearly do. */
export async function explainViews(
  db: Database,
  listing: ListingFacts,
  context: ExplainContext,
): Promise<ExplainedView[]> {
  const views = await db.query<{
    readonly id: string;
    readonly name: string;
    readonly filters: string;
    readonly source_market: string | null;
  }>(sql`
    select id, name, filters::text as filters, source_market
      from market_view
     order by source_market is null, name, id
     limit ${VIEWS_MAX}`);
  return nearest(
    views.map(({ id, name, filters, source_market }) => {
      const filter = context.memo.parse(filters, { readsDuplicates: source_market !== null });
      const failures = [...listFailures(filter, listing, context)];
      return { id, name, is_match: failures.length === 0, failures, source_market };
    }),
    context.bounds,
  );
}

/** First the matches, then those that miss by the fewest clauses; otherwise in the given order. */
export function nearest<Item extends Explained>(
  items: readonly Item[],
  { shownMax }: ExplainBounds,
): Item[] {
  const rankOf = ({ is_match, failures }: Item): number => (is_match ? -1 : failures.length);
  return items.toSorted((left, right) => rankOf(left) - rankOf(right)).slice(0, shownMax);
}

/**
 * Parsed filters by their JSON text. To parse a filter takes ten times as long as to evaluate it, and filters rarely
 * change, so a request that evaluates thousands of them parses only those that it has not seen.
 *
 * Invariant: a text always gives the same filter, so an entry is never wrong, only unused. Entries that were not used since
 * half of the others were added are dropped.
 */
export interface FilterMemo {
  /** `text` is the JSON of a stored filter. */
  parse(text: string, options?: ParseOptions): Filter;
  /** Returns true if `parse` is quick for this text and no options. */
  has(text: string): boolean;
}

/** Twice 10,000 texts of usual filters are about 30 MB. */
const HALF_MAX = 10_000;
/** A filter that names hundreds of groups is parsed anew each time. */
const TEXT_MAX = 4_000;

export function createFilterMemo(): FilterMemo {
  let newer = new Map<string, Filter>();
  let older = new Map<string, Filter>();
  return {
    parse: (text, options = {}) => {
      if (text.length > TEXT_MAX) return parseFilter(JSON.parse(text), options);
      const key = options.readsDuplicates === true ? `+${text}` : text;
      const known = newer.get(key);
      if (known !== undefined) return known;
      const filter = older.get(key) ?? parseFilter(JSON.parse(text), options);
      if (newer.size >= HALF_MAX) {
        older = newer;
        newer = new Map();
      }
      newer.set(key, filter);
      return filter;
    },
    has: (text) => newer.has(text) || older.has(text),
  };
}
