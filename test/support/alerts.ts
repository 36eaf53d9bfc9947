import type { TestContext } from "node:test";
import { HOUR_MS } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import type { Lane } from "../../src/db/queue.ts";
import { sql } from "../../src/db/sql.ts";
import { saveSavedFilters } from "../../src/filters/saved-filter-store.ts";
import { changeShippedRates } from "../../src/pipeline/change-rates.ts";
import { matchListings } from "../../src/pipeline/steps.ts";
import { stepContext } from "./drain.ts";
import { insertListings, type TestListing } from "./listings.ts";
import { anAlert } from "./rows.ts";
import { borrowTestDatabase } from "./shared-store.ts";

type Filters = Readonly<Record<string, unknown>>;

/** An enabled alert with its saved filter, as `apply` declares it. */
export async function aLiveAlert(
  db: Database,
  filters: Filters = { brand: ["Rolex"] },
  ownerKind: "alert" | "message_alert" | "price_alert" = "alert",
): Promise<string> {
  const strategy = ownerKind === "price_alert" ? "price_engine" : "market_filter";
  const id = await anAlert(db, { filters, strategy });
  await aSavedFilter(db, ownerKind, id, filters);
  return id;
}

export function aSavedFilter(
  db: Database,
  owner_kind: string,
  owner_id: string,
  filters: Filters = {},
): Promise<void> {
  const reads_duplicates = owner_kind === "configuration" || owner_kind.startsWith("view_");
  return saveSavedFilters(db, [{ owner_kind, owner_id, filters: [filters], reads_duplicates }]);
}

export async function queueMatches(
  db: Database,
  resource: "watch_listing" | "message",
  ids: readonly string[],
  alertMs: number | null = 24 * HOUR_MS,
): Promise<void> {
  await db.execute(sql`
    insert into match_queue as queued (resource, resource_id, alert_ms)
    select ${resource}, id, ${alertMs}::bigint from unnest(${[...ids]}::uuid[]) as id order by id
    on conflict (resource, resource_id) do update set alert_ms = greatest(queued.alert_ms, excluded.alert_ms)`);
}

/** Stores and queues a new listing in one transaction, as the listing step does. */
export async function arrive(
  pool: DatabasePool,
  listings: readonly TestListing[],
  alertMs: number | null = 24 * HOUR_MS,
): Promise<void> {
  await pool.transaction(async (tx) => {
    await insertListings(tx, listings);
    await queueMatches(
      tx,
      "watch_listing",
      listings.map(({ id }) => id),
      alertMs,
    );
  });
}

/** Runs the matching step until its queue is empty. */
export async function matchAll(
  pool: DatabasePool,
  batchMax = 100,
  lane: Lane = "backlog",
): Promise<void> {
  const context = await stepContext(pool);
  for (;;) {
    const { takenCount } = await matchListings(pool, { ...context, batchMax, lane });
    if (takenCount === 0) break;
  }
  await context.close();
}

interface StoredMatch {
  readonly alert_id: string;
  readonly resource: string;
  readonly resource_id: string;
  readonly listing_id: string | null;
  readonly canonical_message_id: string;
  readonly matched_at_ms: number;
  readonly seen_at_ms: number | null;
  readonly match_context: Filters;
  /** Null if it is the calculation of the context. */
  readonly headline: Filters | null;
  readonly is_outward: boolean;
  readonly sequence: number;
}

export async function listStoredMatches(db: Database): Promise<readonly StoredMatch[]> {
  const rows = await db.query<StoredMatch>(sql`
    select alert_id, resource, resource_id, listing_id, canonical_message_id, matched_at_ms, seen_at_ms, match_context,
           headline, is_outward, sequence
      from alert_match
     order by sequence`);
  return [...rows];
}

/** Returns the alerts whose counters differ from the number of their matches. */
export async function listMiscounted(db: Database): Promise<readonly object[]> {
  const rows = await db.query(sql`
    select alert.id, counted.total, counted.unseen, count(match.alert_id) as found_total,
           count(match.alert_id) filter (where match.seen_at_ms is null) as found_unseen
      from alert
      left join alert_match_count as counted on counted.alert_id = alert.id
      left join alert_match as match on match.alert_id = alert.id
     group by alert.id, counted.total, counted.unseen
    having counted.total is distinct from count(match.alert_id)
        or counted.unseen is distinct from count(match.alert_id) filter (where match.seen_at_ms is null)`);
  return [...rows];
}

/** A store with the shipped rates, and an alert on every Rolex. */
export async function openRatedMarket(
  t: TestContext,
  open: (t: TestContext) => Promise<{ readonly pool: DatabasePool }> = borrowTestDatabase,
): Promise<DatabasePool> {
  const { pool } = await open(t);
  await changeShippedRates(pool);
  await aLiveAlert(pool, { brand: ["Rolex"] });
  return pool;
}
