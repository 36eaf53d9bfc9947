import type { Database } from "../db/database.ts";
import { sql } from "../db/sql.ts";

export interface WatchWords {
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
