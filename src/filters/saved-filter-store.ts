import type { Database } from "../db/database.ts";
import { recordset, sql } from "../db/sql.ts";
import type { Sets } from "./language/sets.ts";

/** The alert, configuration or view that a filter belongs to. */
export interface FilterOwner {
  readonly owner_kind: string;
  readonly owner_id: string;
}

/** The filters of one owner. All of them must match. */
export interface SavedFilter extends FilterOwner {
  readonly filters: readonly Readonly<Record<string, unknown>>[];
  /** True for populations and source views: duplicates match too, whatever the filters say. */
  readonly reads_duplicates: boolean;
}

/** The filters of one owner, as the matcher applies them. */
export interface AppliedFilter extends SavedFilter {
  /** Which sets the prices of a configuration compare; null for any, and for other owners. */
  readonly sets: Sets | null;
}

/** The filters of an owner after a change; `filters` is null if they were deleted. */
export interface FilterChange extends FilterOwner {
  readonly sequence: number;
  readonly filters: SavedFilter["filters"] | null;
  readonly reads_duplicates: boolean | null;
  readonly sets: Sets | null;
}

/**
 * The changes after a sequence number, oldest first. Only the latest change of each owner is stored. Numbers are assigned
 * under a lock that is held until the commit, so no smaller number can appear later.
 */
export async function listFilterChanges(
  db: Database,
  page: { readonly afterSequence: number; readonly limit: number },
): Promise<readonly FilterChange[]> {
  return db.query<FilterChange>(sql`
    select change.owner_kind, change.owner_id, change.sequence, saved.filters, saved.reads_duplicates,
           saved.sets
      from saved_filter_change as change
      left join saved_filter as saved using (owner_kind, owner_id)
     where change.sequence > ${page.afterSequence}
     order by change.sequence
     limit ${page.limit}`);
}

/** Returns true if an owner of this kind has a filter. */
export async function hasSavedFilters(db: Database, kind: string): Promise<boolean> {
  const rows = await db.query(sql`select from saved_filter where owner_kind = ${kind} limit 1`);
  return rows.length > 0;
}

const CHUNK = 5_000;

/** Call it in the transaction that saves the owners, with filters that `parseFilter` accepts. Leaves the sets as they are. */
export async function saveSavedFilters(
  tx: Database,
  filters: readonly SavedFilter[],
): Promise<void> {
  for (let at = 0; at < filters.length; at += CHUNK) {
    await tx.execute(sql`
      insert into saved_filter (owner_kind, owner_id, filters, reads_duplicates)
      select owner_kind, owner_id, filters, reads_duplicates
        from ${recordset(filters.slice(at, at + CHUNK))} as saved
             (owner_kind text, owner_id uuid, filters jsonb, reads_duplicates boolean)
       order by owner_kind collate "C", owner_id
      on conflict (owner_kind, owner_id) do update
         set filters = excluded.filters, reads_duplicates = excluded.reads_duplicates
       where (saved_filter.filters, saved_filter.reads_duplicates)
             is distinct from (excluded.filters, excluded.reads_duplicates)`);
  }
}

/** Saves which sets configurations compare. Writes only what changes. */
export async function saveComparedSets(
  tx: Database,
  compared: readonly { readonly id: string; readonly sets: Sets }[],
): Promise<void> {
  if (compared.length === 0) return;
  await tx.execute(sql`
    update saved_filter as saved
       set sets = nullif(compared.sets, 'any')
      from ${recordset(compared)} as compared (id uuid, sets text)
     where saved.owner_kind = 'configuration' and saved.owner_id = compared.id
       and saved.sets is distinct from nullif(compared.sets, 'any')`);
}

export async function deleteSavedFilters(
  tx: Database,
  owners: readonly FilterOwner[],
): Promise<void> {
  if (owners.length === 0) return;
  await tx.execute(sql`
    delete from saved_filter
     using ${recordset(owners)} as deleted (owner_kind text, owner_id uuid)
     where saved_filter.owner_kind = deleted.owner_kind and saved_filter.owner_id = deleted.owner_id`);
}

/** The filters of one kind of owner; with `ownerIds` only those of these owners. */
export async function listSavedFilters(
  db: Database,
  ownerKind: string,
  options: { readonly ownerIds?: readonly string[] },
): Promise<readonly AppliedFilter[]> {
  const { ownerIds } = options;
  return db.query<AppliedFilter>(sql`
    select owner_kind, owner_id, filters, reads_duplicates, sets
      from saved_filter
     where owner_kind = ${ownerKind}
       and ${ownerIds === undefined ? sql`true` : sql`owner_id = any(${ownerIds}::uuid[])`}
     order by owner_id
     limit 1000000`);
}

/** Owners whose filters use group names, and so may select other listings when a group is renamed. */
export async function listOwnersByGroupName(db: Database): Promise<readonly FilterOwner[]> {
  return db.query<FilterOwner>(sql`
    select owner_kind, owner_id
      from saved_filter
     where filters @? '$[*].group_names'
     order by owner_kind, owner_id
     limit 1000000`);
}

/** The filters of alerts on listings that ask for words. */
export async function listWordFilters(
  db: Database,
  limit: number,
): Promise<readonly AppliedFilter[]> {
  return db.query<AppliedFilter>(sql`
    select owner_kind, owner_id, filters, reads_duplicates, sets
      from saved_filter
     where owner_kind in ('alert', 'price_alert') and (filters @? '$[*].q' or filters @? '$[*].text_search')
     order by owner_kind, owner_id
     limit ${limit}`);
}

/** Of the currencies, those in which a filter limits the price. */
export async function listPriceCurrencies(
  db: Database,
  currencies: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ currency: string }>(sql`
    select distinct upper(price #>> '{currency}') as currency
      from saved_filter
     cross join lateral jsonb_path_query(filters, '$[*].price') as price
     where upper(price #>> '{currency}') = any(${currencies})
     order by 1
     limit ${currencies.length}`);
  return rows.map(({ currency }) => currency);
}

/** How many alerts, views and configurations have a filter that names one of these numbers or ids. */
export async function countFiltersNaming(db: Database, words: readonly string[]): Promise<number> {
  const patterns = words.map((word) => `%"${word}"%`);
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from saved_filter where filters::text like any(${patterns}::text[])`);
  return row?.count ?? 0;
}
