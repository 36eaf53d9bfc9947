import type { Database } from "../../db/database.ts";
import { sql } from "../../db/sql.ts";
import { inSample, scaleCount } from "../../listings/figures/sample.ts";
import {
  countContacts,
  countMarket,
  countMessages,
  type ListingCounts,
} from "../../listings/figures/summary-store.ts";
import type { Clause } from "../language/clause.ts";
import { type Filter, joinFilters, parseFilter } from "../language/filter.ts";
import { compileSql } from "./compile-sql.ts";
import { loadDirectory } from "./directory-store.ts";
import {
  chooseShare,
  divideBudget,
  findWindowStart,
  type ScanBudget,
  seenSince,
} from "./figure-scan.ts";

export interface SummaryQuestion {
  readonly filters: unknown;
  /** Bounds on `last_seen_at_ms`, both inclusive. */
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly nowMs: number;
  readonly budget: ScanBudget;
}

export interface MarketSummary extends ListingCounts {
  readonly isExact: boolean;
}

/** Counts the listings that a filter selects. A large market is sampled: listings, contacts and messages, each by itself. */
export async function summarizeMarket(
  db: Database,
  question: SummaryQuestion,
): Promise<MarketSummary> {
  const filter = boundSummary(question);
  const directory = await loadDirectory(db, filter);
  const where = compileSql(filter, directory);
  const whole = await chooseShare(db, { filter, directory }, question.budget);
  if (whole === 1) return { ...(await countMarket(db, where)), isExact: true };
  const share = await chooseShare(db, { filter, directory }, divideBudget(question.budget, 3));
  const [counts, contactCount, messageCount] = await Promise.all([
    countMarket(db, sql`${where} and ${inSample(share)}`),
    countContacts(db, sql`${where} and ${inSample(share, "contact_id")}`),
    countMessages(db, sql`${where} and ${inSample(share, "canonical_message_id")}`),
  ]);
  return {
    listing_count: scaleCount(counts.listing_count, share),
    for_sale_count: scaleCount(counts.for_sale_count, share),
    want_to_buy_count: scaleCount(counts.want_to_buy_count, share),
    contact_count: scaleCount(contactCount, share),
    // Groups are few and large, so a sample of their listings has nearly all of them.
    group_count: counts.group_count,
    message_count: scaleCount(messageCount, share),
    days: counts.days.map(({ day_start_ms, listing_count }) => ({
      day_start_ms,
      listing_count: scaleCount(listing_count, share),
    })),
    isExact: false,
  };
}

function boundSummary({ filters, fromMs, toMs, nowMs }: SummaryQuestion): Filter {
  const given = parseFilter(filters);
  if (fromMs === undefined && toMs === undefined) {
    return seenSince(given, findWindowStart(given, nowMs));
  }
  const bounds: Clause = {
    member: "from_ms",
    kind: "between",
    attribute: "last_seen_at_ms",
    ...(fromMs === undefined ? {} : { gte: fromMs }),
    ...(toMs === undefined ? {} : { lte: toMs }),
  };
  const bounded = joinFilters([given, { clauses: [bounds] }]);
  // Without a start, the window ends at `to_ms`.
  const start = fromMs === undefined ? findWindowStart(given, toMs ?? nowMs) : undefined;
  return seenSince(bounded, start);
}
