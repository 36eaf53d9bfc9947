import type { Database } from "../db/database.ts";
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

interface GroupPresetRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly group_ids: readonly string[];
  readonly managed_by: ManagedBy;
  readonly created_by: string | null;
  readonly updated_by: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** A named set of groups to send to. */
export type GroupPreset = Present<GroupPresetRow>;

export async function listGroupPresets(db: Database): Promise<readonly GroupPreset[]> {
  const rows = await db.query<GroupPresetRow>(sql`
    select ${PRESET_COLUMNS}
      from group_preset
     order by name collate "C", id
     limit 10000`);
  return rows.map(dropNulls);
}

const PRESET_COLUMNS = sql`
  id, name, description, group_ids, managed_by, created_by, updated_by, created_at_ms, updated_at_ms`;

export async function findGroupPreset(
  db: Database,
  id: string,
): Promise<{ readonly preset: GroupPreset; readonly createdHash: string | null } | undefined> {
  const [row] = await db.query<GroupPresetRow & { created_hash: string | null }>(sql`
    select ${PRESET_COLUMNS}, created_hash from group_preset where id = ${id}`);
  if (row === undefined) return undefined;
  const { created_hash, ...preset } = row;
  return { preset: dropNulls(preset), createdHash: created_hash };
}

/** Keeps the preset from being deleted until the transaction ends. */
export async function lockGroupPreset(tx: Database, id: string): Promise<void> {
  await tx.execute(sql`select from group_preset where id = ${id} for update`);
}

export interface DeclaredPreset {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly group_ids: readonly string[];
  readonly managed_by: ManagedBy;
}

export async function listDeclaredPresets(
  db: Database,
  naming?: Naming,
): Promise<readonly DeclaredPreset[]> {
  return db.query<DeclaredPreset>(sql`
    select id, name, description, group_ids, managed_by
      from group_preset
     where ${isNamed(naming, sql`name`)}
     order by id
     limit 1000000`);
}

export async function saveGroupPresets(
  tx: Database,
  rows: readonly DeclaredPreset[],
  stamp: Stamp,
): Promise<void> {
  await freeNames(tx, sql`update group_preset`, rows);
  await tx.execute(sql`
    insert into group_preset (id, name, description, group_ids, managed_by, created_at_ms, updated_at_ms)
    select id, name, description, array(select jsonb_array_elements_text(group_ids)::uuid), managed_by,
           ${stamp.nowMs}, ${stamp.nowMs}
      from ${recordset(rows)}
           as declared (id uuid, name text, description text, group_ids jsonb, managed_by text)
     order by id
    on conflict (id) do update set
      name = excluded.name, description = excluded.description, group_ids = excluded.group_ids,
      managed_by = excluded.managed_by, updated_at_ms = excluded.updated_at_ms`);
  await saveStamp(tx, sql`update group_preset`, rows, stamp);
}

export async function deleteGroupPresets(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from group_preset where id = any(${ids}::uuid[])`);
}
