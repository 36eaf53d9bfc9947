import type { Database } from "../db/database.ts";
import { dropNulls, type Present } from "../db/row.ts";
import { sql } from "../db/sql.ts";

interface AlertRow {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly strategy: string;
  readonly is_system: boolean;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly view_id: string | null;
  readonly managed_by: string | null;
  readonly created_by: string | null;
  readonly updated_by: string | null;
}

/** Seed 2.1. */
export type Alert = Present<AlertRow>;

const ALERT_COLUMNS = sql`
  id, name, is_enabled as enabled, filters, strategy, is_system, created_at_ms, updated_at_ms, view_id, managed_by,
  created_by, updated_by`;

/** All alerts, newest first. The contract has no pages here. */
export async function listAlerts(db: Database): Promise<readonly Alert[]> {
  const rows = await db.query<AlertRow>(sql`
    select ${ALERT_COLUMNS}
      from alert
     order by created_at_ms desc, id`);
  return rows.map(dropNulls);
}

export async function findAlert(
  db: Database,
  id: string,
): Promise<{ readonly alert: Alert; readonly createdHash: string | null } | undefined> {
  const [row] = await db.query<AlertRow & { created_hash: string | null }>(sql`
    select ${ALERT_COLUMNS}, created_hash from alert where id = ${id}`);
  if (row === undefined) return undefined;
  const { created_hash, ...alert } = row;
  return { alert: dropNulls(alert), createdHash: created_hash };
}

/** By alert: listings that arrived before this number do not fire it. */
export async function findSinceSequences(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; since_sequence: number }>(sql`
    select id, since_sequence from alert where id = any(${[...new Set(ids)]}::uuid[]) order by id limit ${ids.length}`);
  return new Map(rows.map(({ id, since_sequence }) => [id, since_sequence]));
}

export async function hasAlert(db: Database, id: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from alert where id = ${id}`);
  return rows.length > 0;
}
