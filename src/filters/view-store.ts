import type { Database } from "../db/database.ts";
import { freeNames } from "../db/row.ts";
import { recordset, sql } from "../db/sql.ts";

/** A declared, named filter. With `source_market` it is a source view: it selects the listings of that market. */
export interface ViewRow {
  readonly id: string;
  readonly name: string;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly source_market: "EU" | "HK" | null;
}

export async function listViews(db: Database): Promise<readonly ViewRow[]> {
  return db.query<ViewRow>(sql`
    select id, name, filters, source_market from market_view order by id limit 1000000`);
}

export async function saveViews(
  tx: Database,
  rows: readonly ViewRow[],
  nowMs: number,
): Promise<void> {
  await freeNames(tx, sql`update market_view`, rows);
  await tx.execute(sql`
    insert into market_view (id, name, filters, source_market, created_at_ms, updated_at_ms)
    select id, name, filters, source_market, ${nowMs}, ${nowMs}
      from ${recordset(rows)} as declared (id uuid, name text, filters jsonb, source_market text)
     order by id
    on conflict (id) do update set
      name = excluded.name, filters = excluded.filters, source_market = excluded.source_market,
      updated_at_ms = excluded.updated_at_ms`);
}

export async function deleteViews(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from market_view where id = any(${ids}::uuid[])`);
}
