import type { Database } from "../db/database.ts";
import { joinSql, type Sql, sql } from "../db/sql.ts";
import type { Directory } from "../filters/language/attributes.ts";
import { type Filter, parseFilters } from "../filters/language/filter.ts";
import { type AppliedFilter, listSavedFilters } from "../filters/saved-filter-store.ts";
import { compileSql, loadDirectory } from "../filters/sql/compile-sql.ts";
import { MEMBERSHIP_COLUMNS, type SourceMarket, upsertMemberships } from "./membership-store.ts";

/** Configurations per statement: fewer round trips, and query plans that stay small. */
const BATCH = 20;

/**
 * Computes again which listings are members of these configurations, from the same saved filters and with the same meaning
 * as the matcher: a listing is a member if it matches the configuration and a source view, EU before HK. The caller holds the
 * pipeline lock.
 *
 * A listing that becomes an ask of a market in this way is not fresh any more: it did not arrive now, so it fires no alerts
 * on buys. A configuration without a saved filter is deleted, so it has no members.
 */
export async function rebuildMembers(
  tx: Database,
  configurationIds: readonly string[] | "all",
  onProgress: (count: number) => void = () => undefined,
): Promise<void> {
  const options = configurationIds === "all" ? {} : { ownerIds: configurationIds };
  const configurations = await listSavedFilters(tx, "configuration", options);
  if (configurationIds !== "all") {
    const known = new Set(configurations.map(({ owner_id }) => owner_id));
    await removeMembers(
      tx,
      configurationIds.filter((id) => !known.has(id)),
    );
  }
  const views = await loadViews(tx);
  // Each configuration names a reference, which has an index. A planner without statistics would not use it.
  await tx.execute(
    sql`select set_config('enable_seqscan', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`,
  );
  for (let at = 0; at < configurations.length; at += BATCH) {
    const batch = await prepare(tx, configurations.slice(at, at + BATCH));
    await rebuildBatch(tx, batch, views);
    onProgress(batch.length);
  }
  await tx.execute(sql`select set_config('enable_seqscan', 'on', true)`);
}

interface WouldBeMembers {
  /** A condition on `listing`. */
  readonly isMember: Sql;
  /** The market of such a listing. */
  readonly market: Sql;
}

/** Which listings would be members of a configuration with these filters and sets, if there was one. */
export async function findWouldBeMembers(
  db: Database,
  wanted: Pick<AppliedFilter, "filters" | "sets">,
): Promise<WouldBeMembers> {
  const saved = { owner_kind: "configuration", owner_id: "", ...wanted, reads_duplicates: true };
  const prepared = await prepare(db, [saved]);
  const market = marketOf(await loadViews(db));
  const conditions = prepared.map(({ filter, directory }) => compileSql(filter, directory));
  return { isMember: joinSql([...conditions, sql`${market} is not null`], " and "), market };
}

interface Selection {
  readonly listing_id: string;
  /** Null if no source view selects the listing. */
  readonly source_market: SourceMarket | null;
  /** Whether one of the configurations would have it, if it did not compare sets. */
  readonly is_selected: boolean;
}

/** What the source views and these configurations say about listings, whatever their sets. */
export async function findSelections(
  db: Database,
  listingIds: readonly string[],
  configurationIds: readonly string[],
): Promise<readonly Selection[]> {
  const saved = await listSavedFilters(db, "configuration", { ownerIds: configurationIds });
  const prepared = await prepare(
    db,
    saved.map((one) => ({ ...one, sets: null })),
  );
  const views = await loadViews(db);
  const statement = sql`
    select id as listing_id, ${marketOf(views)} as source_market, (${anyOf(prepared)}) as is_selected
      from listing
     where id = any(${listingIds}::uuid[])
     order by id`;
  return db.query<Selection>(statement, { isStatic: false });
}

async function loadViews(tx: Database): Promise<Views> {
  return {
    eu: await prepare(tx, await listSavedFilters(tx, "view_eu", {})),
    hk: await prepare(tx, await listSavedFilters(tx, "view_hk", {})),
  };
}

async function removeMembers(tx: Database, configurationIds: readonly string[]): Promise<void> {
  if (configurationIds.length === 0) return;
  await tx.execute(
    sql`delete from listing_model where configuration_id = any(${configurationIds}::uuid[])`,
  );
}

interface Prepared {
  readonly ownerId: string;
  readonly filter: Filter;
  readonly directory: Directory;
}

interface Views {
  readonly eu: readonly Prepared[];
  readonly hk: readonly Prepared[];
}

async function prepare(
  tx: Database,
  savedFilters: readonly AppliedFilter[],
): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (const saved of savedFilters) {
    const { reads_duplicates: readsDuplicates, sets } = saved;
    const filter = parseFilters(saved.filters, { readsDuplicates, sets });
    const directory = await loadDirectory(tx, filter);
    prepared.push({ ownerId: saved.owner_id, filter, directory });
  }
  return prepared;
}

async function rebuildBatch(tx: Database, batch: readonly Prepared[], views: Views): Promise<void> {
  const found = batch.map(
    ({ ownerId, filter, directory }) => sql`
      select id as listing_id, ${ownerId}::uuid as configuration_id, ${marketOf(views)} as source_market,
             year, lower(condition) as condition_bucket, price_eur_minor
        from listing
       where ${compileSql(filter, directory)}`,
  );
  // Writes only the difference: most listings stay members.
  const statement = sql`
    with wanted as materialized (
      select ${MEMBERSHIP_COLUMNS}
        from (${joinSql(found, " union all ")}) as found
       where source_market is not null
    ), moved as materialized (
      select distinct wanted.listing_id
        from wanted
       where not exists (
             select from listing_model as former
              where former.listing_id = wanted.listing_id and former.source_market = wanted.source_market)
    ), unfresh as (
      delete from fresh_listing using moved where fresh_listing.listing_id = moved.listing_id
    ), gone as (
      delete from listing_model as known
       where known.configuration_id = any(${batch.map(({ ownerId }) => ownerId)}::uuid[])
         and not exists (
             select from wanted
              where wanted.listing_id = known.listing_id
                and wanted.configuration_id = known.configuration_id)
    )
    ${upsertMemberships(sql`select ${MEMBERSHIP_COLUMNS} from wanted order by listing_id, configuration_id`)}`;
  await tx.execute(statement, { isStatic: false });
}

/** Null if the listing is in no source view. */
function marketOf({ eu, hk }: Views): Sql {
  return sql`(case when ${anyOf(eu)} then 'EU' when ${anyOf(hk)} then 'HK' end)`;
}

function anyOf(filters: readonly Prepared[]): Sql {
  const conditions = filters.map(
    ({ filter, directory }) => sql`(${compileSql(filter, directory)})`,
  );
  return joinSql([sql`false`, ...conditions], " or ");
}
