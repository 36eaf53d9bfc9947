import type { Database } from "../db/database.ts";
import { recordset, sql } from "../db/sql.ts";

/** Whose filter it is: an alert, a configuration, a view. */
export interface FilterOwner {
  readonly owner_kind: string;
  readonly owner_id: string;
}

/** What the matcher reads for one owner: filter objects that must all hold. */
export interface SavedFilter extends FilterOwner {
  readonly filters: readonly Readonly<Record<string, unknown>>[];
  /** Populations and source views read every filter as if it included duplicates. */
  readonly reads_duplicates: boolean;
}

/** The state of an owner as of a change; without `filters` it has none any more. */
export interface FilterChange extends FilterOwner {
  readonly sequence: number;
  readonly filters: SavedFilter["filters"] | null;
  readonly reads_duplicates: boolean | null;
}

/**
 * The changes after a number, oldest first. Of several changes of one owner only the latest is there. Numbers are
 * given under a lock that is held until the commit, so no smaller one can appear later.
 */
export async function listFilterChanges(
  db: Database,
  page: { readonly afterSequence: number; readonly limit: number },
): Promise<readonly FilterChange[]> {
  return db.query<FilterChange>(sql`
    select change.owner_kind, change.owner_id, change.sequence, saved.filters, saved.reads_duplicates
      from saved_filter_change as change
      left join saved_filter as saved using (owner_kind, owner_id)
     where change.sequence > ${page.afterSequence}
     order by change.sequence
     limit ${page.limit}`);
}

const CHUNK = 5_000;

/** Runs in the transaction that saves the owners. The filters must have passed `parseFilter`. */
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

export async function deleteSavedFilters(
  tx: Database,
  owners: readonly FilterOwner[],
): Promise<void> {
  if (owners.length === 0) return;
  await tx.execute(sql`
    delete from saved_filter
     using ${recordset(owners)} as gone (owner_kind text, owner_id uuid)
     where saved_filter.owner_kind = gone.owner_kind and saved_filter.owner_id = gone.owner_id`);
}

/** The filters of a kind of owner, all of them or those of some. */
export async function listSavedFilters(
  db: Database,
  ownerKind: string,
  options: { readonly ownerIds?: readonly string[] },
): Promise<readonly SavedFilter[]> {
  const { ownerIds } = options;
  return db.query<SavedFilter>(sql`
    select owner_kind, owner_id, filters, reads_duplicates
      from saved_filter
     where owner_kind = ${ownerKind}
       and ${ownerIds === undefined ? sql`true` : sql`owner_id = any(${ownerIds}::uuid[])`}
     order by owner_id
     limit 1000000`);
}

/** Owners whose filters read the names of groups: what they select changes with a name. */
export async function listOwnersByGroupName(db: Database): Promise<readonly FilterOwner[]> {
  return db.query<FilterOwner>(sql`
    select owner_kind, owner_id
      from saved_filter
     where filters @? '$[*].group_names'
     order by owner_kind, owner_id
     limit 1000000`);
}
