import type { Database } from "../db/database.ts";
import { dropNulls, type Present } from "../db/row.ts";

interface GroupPresetRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly group_ids: readonly string[];
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** A named set of groups to send to. */
export type GroupPreset = Present<GroupPresetRow>;

export async function listGroupPresets(db: Database): Promise<readonly GroupPreset[]> {
  const rows = await db<GroupPresetRow[]>`
    select id, name, description, group_ids, created_at_ms, updated_at_ms
      from group_preset
     order by name collate "C", id
     limit 10000`;
  return rows.map(dropNulls);
}

/** Gives false when there is no such preset. */
export async function deleteGroupPreset(db: Database, id: string): Promise<boolean> {
  const rows = await db`delete from group_preset where id = ${id} returning id`;
  return rows.length > 0;
}
