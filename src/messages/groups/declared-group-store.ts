import type { Database } from "../../db/database.ts";
import { isNamed, type ManagedBy, type Naming, type Stamp } from "../../db/declared-row.ts";
import { dropNulls, type Present } from "../../db/row.ts";
import { recordset, sql } from "../../db/sql.ts";

/** What is declared about a group, by a manifest or through the API. */
export interface DeclaredGroup {
  readonly id: string;
  readonly gateway_group_id: string;
  /** Used until the gateway reports a name. */
  readonly name: string | null;
  readonly default_currency: string | null;
  readonly is_ignored: boolean;
  /** Null if nothing is declared. */
  readonly managed_by: ManagedBy | null;
}

/** Returns all groups, including those that are not declared. */
export async function listDeclaredGroups(
  db: Database,
  naming?: Naming,
): Promise<readonly DeclaredGroup[]> {
  return db.query<DeclaredGroup>(sql`
    select id, gateway_group_id, declared_name as name, default_currency, is_ignored, managed_by
      from market_group
     where ${isNamed(naming, sql`gateway_group_id`)}
     order by id
     limit 1000000`);
}

/** A group with what is declared about it, as the API shows it. */
export type GroupSettings = Present<{
  readonly id: string;
  readonly gateway_group_id: string;
  readonly name: string | null;
  readonly default_currency: string | null;
  readonly is_ignored: boolean;
  readonly managed_by: ManagedBy | null;
  readonly updated_by: string | null;
}>;

/** `declaredName` is the name until the gateway reports one. */
export async function findGroupSettings(
  db: Database,
  id: string,
): Promise<{ readonly group: GroupSettings; readonly declaredName: string | null } | undefined> {
  const [row] = await db.query<
    DeclaredGroup & { updated_by: string | null; declared_name: string | null }
  >(sql`
    select id, gateway_group_id, name, default_currency, is_ignored, managed_by, updated_by, declared_name
      from market_group
     where id = ${id}`);
  if (row === undefined) return undefined;
  const { declared_name, ...group } = row;
  return { group: dropNulls(group), declaredName: declared_name };
}

/** Returns the gateway's ids of the declared groups with this name. */
export async function listGroupsNamed(db: Database, name: string): Promise<readonly string[]> {
  const rows = await db.query<{ gateway_group_id: string }>(sql`
    select gateway_group_id
      from market_group
     where declared_name = ${name}
     order by gateway_group_id
     limit 100`);
  return rows.map((row) => row.gateway_group_id);
}

export async function saveDeclaredGroups(
  tx: Database,
  rows: readonly DeclaredGroup[],
  stamp: Stamp,
): Promise<void> {
  await tx.execute(sql`
    insert into market_group (id, gateway_group_id, declared_name, default_currency, is_ignored, managed_by, updated_by)
    select id, gateway_group_id, name, default_currency, is_ignored, managed_by, ${stamp.by}
      from ${recordset(rows)} as declared
           (id uuid, gateway_group_id text, name text, default_currency text, is_ignored boolean, managed_by text)
     order by id
    on conflict (id) do update set
      declared_name = excluded.declared_name, default_currency = excluded.default_currency,
      is_ignored = excluded.is_ignored, managed_by = excluded.managed_by, updated_by = excluded.updated_by`);
}
