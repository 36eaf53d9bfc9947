import { foldWord } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";

/** A brand and a reference as listings have them. */
export interface ReferenceName {
  readonly brand_folded: string;
  readonly reference_normalized: string;
}

const CONFIGURATIONS_MAX = 10_000;

/** Returns a look-up of the configurations whose population is the listings of a reference, in the order of their keys. */
export async function findConfigurationsOf(
  db: Database,
  references: readonly ReferenceName[],
): Promise<(reference: ReferenceName) => readonly string[]> {
  const names = [...new Set(references.map((reference) => reference.reference_normalized))];
  if (names.length === 0) return () => [];
  const rows = await db.query<{ id: string; brand: string; reference: string }>(sql`
    select id, brand, market_reference_normalized as reference
      from price_configuration
     where market_reference_normalized = any(${names}) and deleted_at_ms is null
     order by configuration_key, id
     limit ${CONFIGURATIONS_MAX}`);
  return ({ brand_folded, reference_normalized }) =>
    rows
      .filter(
        ({ brand, reference }) =>
          reference === reference_normalized && foldWord(brand) === brand_folded,
      )
      .map(({ id }) => id);
}
