import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** What visible listings call a watch, and in how many messages. */
export interface NamedWatch {
  /** `brand`: all watches of the brand. */
  readonly kind: "reference" | "model" | "brand";
  readonly brand: string | null;
  readonly reference: string | null;
  readonly reference_normalized: string | null;
  readonly model: string | null;
  readonly message_count: number;
}

interface NamedWatchQuery {
  readonly sinceMs: number;
  /** Only the listings that were seen last are read, so a larger market makes the query no slower. */
  readonly listingsMax: number;
}

/** The built-in catalogue has some 4,000 references, so there is room for those that it lacks. The rarest are left out. */
const WATCHES_MAX = 20_000;

/**
 * Returns the names of the watches, most frequent first: each reference with its brand, each model of listings without a
 * reference, and each brand. A listing that is no longer found is hidden, so it does not count. Of several spellings it
 * returns the first in the order of bytes, which is one with separators: "5711/1A" rather than "57111A".
 */
export async function listNamedWatches(
  db: Database,
  { sinceMs, listingsMax }: NamedWatchQuery,
): Promise<readonly NamedWatch[]> {
  return db.query<NamedWatch>(sql`
    select case when grouping(reference_normalized) = 1 then 'brand'
                when reference_normalized is not null then 'reference'
                else 'model' end as kind,
           min(brand collate "C") as brand, min(reference collate "C") as reference,
           reference_normalized, min(model collate "C") as model,
           count(distinct canonical_message_id)::integer as message_count
      from (select canonical_message_id, brand, brand_folded, reference, reference_normalized, model,
                   case when reference_normalized is null then model_folded end as model_folded
              from listing
             where last_seen_at_ms >= ${sinceMs} and not is_hidden and not is_revoked
             order by last_seen_at_ms desc, id
             limit ${listingsMax}) as seen
     group by grouping sets ((brand_folded, reference_normalized, model_folded), (brand_folded))
     order by message_count desc, brand_folded, reference_normalized, model_folded, kind
     limit ${WATCHES_MAX}`);
}

interface WatchWords {
  /** Folded. */
  readonly brands: readonly string[];
  /** Normalized. */
  readonly references: readonly string[];
}

/** Of the words, those that a listing has. Each costs one look-up in an index. */
export async function findKnownWords(db: Database, words: WatchWords): Promise<WatchWords> {
  const rows = await db.query<{ kind: "brands" | "references"; word: string }>(sql`
    select 'brands' as kind, word
      from unnest(${words.brands}::text[]) as word
     where exists (select from listing where brand_folded = word)
    union all
    select 'references', word
      from unnest(${words.references}::text[]) as word
     where exists (select from listing where reference_normalized = word)`);
  const ofKind = (kind: string) => rows.filter((row) => row.kind === kind).map(({ word }) => word);
  return { brands: ofKind("brands"), references: ofKind("references") };
}

interface StartedReference {
  readonly start: string;
  readonly reference_normalized: string;
}

/**
 * The references of listings that begin with one of the starts, in order, at most `perStartMax` each. Every one costs one step
 * through the index, however many listings it has. Starts and references are normalized.
 */
export async function listReferencesFrom(
  db: Database,
  starts: readonly string[],
  perStartMax: number,
): Promise<readonly StartedReference[]> {
  return db.query<StartedReference>(sql`
    with recursive found (start, reference_normalized, number) as (
      select start, (select reference_normalized
                       from listing
                      where reference_normalized >= start and reference_normalized < start || chr(1114111)
                      order by reference_normalized
                      limit 1), 1
        from unnest(${[...starts]}::text[]) as asked (start)
      union all
      select start, (select reference_normalized
                       from listing
                      where reference_normalized > found.reference_normalized
                        and reference_normalized < start || chr(1114111)
                      order by reference_normalized
                      limit 1), number + 1
        from found
       where reference_normalized is not null and number < ${perStartMax}
    )
    select start, reference_normalized
      from found
     where reference_normalized is not null
     order by start, reference_normalized`);
}
