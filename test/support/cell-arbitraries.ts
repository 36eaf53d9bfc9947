import fc from "fast-check";
import { DAY_MS } from "../../src/base/clock.ts";
import type { Member } from "../../src/pricing/cells/calculate-cells.ts";
import { rulesWith } from "./cells.ts";
import { NOW_MS } from "./test-app.ts";

const anyMember: fc.Arbitrary<Member> = fc.record({
  listing_id: fc.uuid(),
  contact_id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
  year: fc.constantFrom(2022, 2023),
  condition_bucket: fc.constantFrom("new" as const, "used" as const),
  source_market: fc.constantFrom("EU" as const, "HK" as const),
  price_eur_minor: fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((step) => step * 25_000),
    fc.integer({ min: 0, max: 9 }),
  ),
  last_seen_at_ms: fc.constantFrom(
    NOW_MS,
    NOW_MS - 1,
    NOW_MS - 30 * DAY_MS,
    NOW_MS - 30 * DAY_MS - 1,
  ),
});
export const anyMembers = fc.uniqueArray(anyMember, {
  selector: ({ listing_id }) => listing_id,
  maxLength: 40,
  size: "max",
});
export const anyRules = fc
  .record({
    minimum_listings: fc.constantFrom(1, 2, 4),
    implausible_below_bps: fc.constantFrom(0, 3_333, 5_000, 10_000),
    implausible_above_bps: fc.constantFrom(10_000, 12_345, 30_000, 1_000_000),
    excludes_outliers: fc.boolean(),
    hk_markup_fixed_eur_minor: fc.constantFrom(0, 15_000),
  })
  .map(rulesWith);
