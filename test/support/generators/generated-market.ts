import fc from "fast-check";
import { DAY_MS } from "../../../src/base/clock.ts";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { NUMBERS } from "../../../src/filters/language/attributes.ts";
import { parseFilter } from "../../../src/filters/language/filter.ts";
import { holds } from "../../../src/filters/language/predicate.ts";
import { insertListings, type TestListing } from "../listings.ts";
import { insertRows } from "../rows.ts";
import { NOW_MS } from "../test-app.ts";
import { anyListing, CONTEXT, FORMER, GROUPS, RATES } from "./filter-arbitraries.ts";

type Clause = ReturnType<typeof parseFilter>["clauses"][number];

/** Figures leave out what was last seen before this, unless the filter bounds a time. */
const WINDOW_START_MS = NOW_MS - 30 * DAY_MS;

/**
 * Generated listings in the store, with the groups, rates and merged ids that generated filters name. Some were last seen
 * before the window of figures.
 */
export async function insertGeneratedMarket(
  db: Database,
  count: number,
): Promise<readonly TestListing[]> {
  const generated = new Map(fc.sample(anyListing, count).map((listing) => [listing.id, listing]));
  const listings = [...generated.values()].map((listing, at) =>
    at % 8 === 0 ? { ...listing, last_seen_at_ms: WINDOW_START_MS - (at % 3) } : listing,
  );
  await insertListings(db, listings);
  const groups = GROUPS.map(({ id, name }) => ({ id, gateway_group_id: id, gateway_name: name }));
  await db.execute(insertRows("market_group", groups));
  for (const { currency, day_number, kind, per_eur } of RATES) {
    await db.execute(sql`
      insert into fx_rate (currency, day, kind, per_eur)
      values (${currency}, date '1970-01-01' + ${day_number}::integer, ${kind}::fx_rate_kind, ${per_eur})`);
  }
  for (const [oldId, id] of Object.entries(FORMER)) {
    await db.execute(
      sql`insert into contact_alias (old_id, contact_id) values (${oldId}, ${id}) on conflict do nothing`,
    );
    await db.execute(
      sql`insert into message_alias (old_id, canonical_message_id) values (${oldId}, ${id}) on conflict do nothing`,
    );
  }
  return listings;
}

/** The listings that figures of a filter are about, by the predicate, without the clauses that `isLeftOut` names. */
export function selectForFigures(
  listings: readonly TestListing[],
  filters: unknown,
  isLeftOut: (clause: Clause) => boolean = () => false,
): readonly TestListing[] {
  const { clauses } = parseFilter(filters);
  const boundsTime = clauses.some(
    (clause) => clause.kind === "between" && NUMBERS[clause.attribute].isTime,
  );
  return listings.filter(
    (listing) =>
      !listing.is_not_offered &&
      (boundsTime || listing.last_seen_at_ms >= WINDOW_START_MS) &&
      clauses.every((clause) => isLeftOut(clause) || holds(clause, listing, CONTEXT)),
  );
}
