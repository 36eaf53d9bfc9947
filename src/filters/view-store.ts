import type { Database } from "../db/database.ts";
import { byName, type NamePage } from "../db/page.ts";
import {
  dropNulls,
  freeNames,
  isNamed,
  type ManagedBy,
  type Naming,
  type Present,
  type Stamp,
  saveStamp,
} from "../db/row.ts";
import { recordset, sql } from "../db/sql.ts";

/** A declared, named filter. With `source_market` it is a source view: it selects the listings of that market. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly source_market: "EU" | "HK" | null;
  /** How a table of its listings is sorted, and which of its columns are shown. */
  readonly sort: string | null;
  readonly columns: readonly string[] | null;
  readonly managed_by: ManagedBy;
}

export async function listViews(db: Database, naming?: Naming): Promise<readonly ViewRow[]> {
  return db.query<ViewRow>(sql`
    select id, name, filters, source_market, sort, columns, managed_by
      from market_view
     where ${isNamed(naming, sql`name`)}
     order by id
     limit 1000000`);
}

/** A view as the API shows it. */
export type View = Present<ViewObjectRow>;

interface ViewObjectRow extends ViewRow {
  readonly created_by: string | null;
  readonly updated_by: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

export async function findView(
  db: Database,
  id: string,
): Promise<{ readonly view: View; readonly createdHash: string | null } | undefined> {
  const [row] = await db.query<ViewObjectRow & { created_hash: string | null }>(sql`
    select ${VIEW_COLUMNS}, created_hash from market_view where id = ${id}`);
  if (row === undefined) return undefined;
  const { created_hash, ...view } = row;
  return { view: dropNulls(view), createdHash: created_hash };
}

export async function listViewObjects(db: Database, page: NamePage): Promise<readonly View[]> {
  const rows = await db.query<ViewObjectRow>(
    sql`select ${VIEW_COLUMNS} from market_view ${byName(page)}`,
  );
  return rows.map(dropNulls);
}

const VIEW_COLUMNS = sql`
  id, name, filters, source_market, sort, columns, managed_by, created_by, updated_by, created_at_ms,
  updated_at_ms`;

export async function saveViews(
  tx: Database,
  rows: readonly ViewRow[],
  stamp: Stamp,
): Promise<void> {
  await freeNames(tx, sql`update market_view`, rows);
  await tx.execute(sql`
    insert into market_view (id, name, filters, source_market, sort, columns, managed_by, created_at_ms,
                             updated_at_ms)
    select id, name, filters, source_market, sort,
           case when columns is not null then array(select jsonb_array_elements_text(columns)) end, managed_by,
           ${stamp.nowMs}, ${stamp.nowMs}
      from ${recordset(rows)}
           as declared (id uuid, name text, filters jsonb, source_market text, sort text, columns jsonb,
                        managed_by text)
     order by id
    on conflict (id) do update set
      name = excluded.name, filters = excluded.filters, source_market = excluded.source_market,
      sort = excluded.sort, columns = excluded.columns, managed_by = excluded.managed_by,
      updated_at_ms = excluded.updated_at_ms`);
  await saveStamp(tx, sql`update market_view`, rows, stamp);
}

export async function deleteViews(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from market_view where id = any(${ids}::uuid[])`);
}
