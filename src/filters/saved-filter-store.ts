import type { Database } from "../db/database.ts";

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

/** Written in the transaction that saves the owner. The filters must have passed `parseFilter`. */
export async function saveSavedFilter(tx: Database, filter: SavedFilter): Promise<void> {
  await tx`
    insert into saved_filter (owner_kind, owner_id, filters, reads_duplicates)
    values (${filter.owner_kind}, ${filter.owner_id}, ${tx.json(filter.filters as never)},
            ${filter.reads_duplicates})
    on conflict (owner_kind, owner_id) do update
       set filters = excluded.filters, reads_duplicates = excluded.reads_duplicates
     where (saved_filter.filters, saved_filter.reads_duplicates)
           is distinct from (excluded.filters, excluded.reads_duplicates)`;
}

export async function deleteSavedFilter(tx: Database, owner: FilterOwner): Promise<boolean> {
  const deleted = await tx`
    delete from saved_filter
     where owner_kind = ${owner.owner_kind} and owner_id = ${owner.owner_id}
    returning 1`;
  return deleted.length > 0;
}

/**
 * The changes after a number, oldest first. Of several changes of one owner only the latest is there. Numbers are
 * given under a lock that is held until the commit, so no smaller one can appear later.
 */
export async function listFilterChanges(
  db: Database,
  page: { readonly afterSequence: number; readonly limit: number },
): Promise<readonly FilterChange[]> {
  return db<FilterChange[]>`
    select change.owner_kind, change.owner_id, change.sequence, saved.filters, saved.reads_duplicates
      from saved_filter_change as change
      left join saved_filter as saved using (owner_kind, owner_id)
     where change.sequence > ${page.afterSequence}
     order by change.sequence
     limit ${page.limit}`;
}
