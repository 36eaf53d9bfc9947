import type { Clock } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { correctListing } from "../../src/listings/corrections/correct-listing.ts";
import type {
  CorrectionField,
  CorrectionValue,
} from "../../src/listings/corrections/correction.ts";
import { loadCatalogue } from "../../src/listings/dealer-catalogue.ts";
import { createTestClock } from "./test-app.ts";

type Fields = Readonly<Partial<Record<CorrectionField, CorrectionValue>>>;

/** Corrects a listing with the built-in catalogue. Nothing is processed. */
export async function correct(
  pool: DatabasePool,
  listingId: string,
  set: Fields,
  options: { readonly undo?: readonly CorrectionField[]; readonly clock?: Clock } = {},
) {
  const wanted = {
    listingId,
    set: new Map(Object.entries(set) as [CorrectionField, CorrectionValue][]),
    undo: new Set(options.undo ?? []),
  };
  const clock = options.clock ?? createTestClock();
  return correctListing(pool, wanted, { catalogue: await loadCatalogue(undefined), clock });
}

/** The reasons why corrections are set aside, in the order of their listings. */
export async function listSetAside(db: Database): Promise<readonly string[]> {
  const rows = await db.query<{ reason: string }>(sql`
    select entry.reason
      from corrected_message, jsonb_each_text(set_aside) as entry (id, reason)
     order by canonical_message_id, entry.reason`);
  return rows.map(({ reason }) => reason);
}
