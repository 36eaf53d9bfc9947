/**
 * Alerts as they are declared, and their writes: those of users, by a manifest or the API, and the system alert that every
 * configuration has.
 */
import { toStableId } from "../base/ids.ts";
import type { Database, DatabasePool } from "../db/database.ts";
import { limitLockWait, takeLock } from "../db/locks.ts";
import { isNamed, type ManagedBy, type Naming, type Stamp } from "../db/row.ts";
import { recordset, sql } from "../db/sql.ts";
import type { Author } from "../people/activity.ts";
import { recordActivity } from "../people/activity-store.ts";
import { beginMatches } from "./match-write-store.ts";

/** A user's alert, as declared by a manifest or through the API. */
export interface DeclaredAlert {
  readonly id: string;
  readonly name: string;
  readonly is_enabled: boolean;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly strategy: "market_filter" | "price_engine";
  readonly view_id: string | null;
  readonly created_by: string;
  readonly updated_by: string;
  readonly managed_by: ManagedBy;
}

const CHUNK = 5_000;

/** Of alerts also those that use one of these views. */
interface AlertNaming extends Naming {
  readonly viewIds?: readonly string[];
}

export async function listDeclaredAlerts(
  db: Database,
  naming?: AlertNaming,
): Promise<readonly DeclaredAlert[]> {
  const ofViews = sql`view_id = any(${naming?.viewIds ?? []}::uuid[])`;
  return db.query<DeclaredAlert>(sql`
    select id, name, is_enabled, filters, strategy, view_id, coalesce(created_by, 'apply') as created_by,
           coalesce(updated_by, 'apply') as updated_by,
           managed_by
      from alert
     where managed_by in ('manifest', 'api') and not is_system
       and (${isNamed(naming, sql`name`)} or ${ofViews})
     order by id
     limit 1000000`);
}

/** Of the ids, those of alerts that are not declared, such as system alerts, and must not be overwritten. */
export async function listForeignAlertIds(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(sql`
    select id
      from alert
     where id = any(${ids}::uuid[]) and (is_system or coalesce(managed_by not in ('manifest', 'api'), true))`);
  return new Set(rows.map(({ id }) => id));
}

export async function saveDeclaredAlerts(
  tx: Database,
  rows: readonly DeclaredAlert[],
  { nowMs, createdHash }: Stamp,
): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) {
    await tx.execute(sql`
      insert into alert (id, name, is_enabled, filters, strategy, is_system, view_id, managed_by, created_by,
                         updated_by, created_hash, created_at_ms, updated_at_ms)
      select id, name, is_enabled, filters, strategy, false, view_id, managed_by, created_by, updated_by,
             ${createdHash ?? null}, ${nowMs}, ${nowMs}
        from ${recordset(rows.slice(at, at + CHUNK))} as declared
             (id uuid, name text, is_enabled boolean, filters jsonb, strategy text, view_id uuid,
              managed_by text, created_by text, updated_by text)
       order by id
      on conflict (id) do update set
        name = excluded.name, is_enabled = excluded.is_enabled, filters = excluded.filters,
        strategy = excluded.strategy, view_id = excluded.view_id, managed_by = excluded.managed_by, created_by = excluded.created_by,
        updated_by = excluded.updated_by, updated_at_ms = excluded.updated_at_ms`);
  }
}

/** Alerts whose view changed do not look back: they fire for listings that arrive from now on. */
export async function renewAlertsOfViews(tx: Database, viewIds: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update alert set since_sequence = nextval('arrival_sequence') where view_id = any(${viewIds}::uuid[])`);
}

/**
 * Also deletes their matches and deliveries. Takes the lock of matches first, because a transaction that writes a match
 * holds it and then waits for the row of the alert.
 */
export async function deleteAlerts(tx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await takeLock(tx, "matches");
  await tx.execute(sql`delete from alert where id = any(${ids}::uuid[])`);
}

/** The alert that belongs to a configuration. */
interface SystemAlert {
  readonly id: string;
  readonly name: string;
  readonly configuration_id: string;
}

export function systemAlertIdOf(configurationId: string): string {
  return toStableId("system alert", configurationId);
}

/** Creates missing alerts, enabled. Of an existing one only the name is updated. */
export async function saveSystemAlerts(
  tx: Database,
  alerts: readonly Omit<SystemAlert, "id">[],
  nowMs: number,
): Promise<void> {
  const rows = alerts.map((alert) => ({ id: systemAlertIdOf(alert.configuration_id), ...alert }));
  for (let at = 0; at < rows.length; at += CHUNK) {
    await tx.execute(sql`
      insert into alert (id, name, is_enabled, filters, strategy, is_system, configuration_id, managed_by,
                         created_by, updated_by, created_at_ms, updated_at_ms)
      select id, name, true, jsonb_build_object('configuration_ids', jsonb_build_array(configuration_id)),
             'price_engine', true, configuration_id, 'price_engine', 'price_engine', 'price_engine',
             ${nowMs}, ${nowMs}
        from ${recordset(rows.slice(at, at + CHUNK))} as made
             (id uuid, name text, configuration_id uuid)
       order by id
      on conflict (configuration_id) do update
         set name = excluded.name, updated_at_ms = excluded.updated_at_ms
       where alert.name <> excluded.name`);
  }
}

/** Of the ids, those of system alerts: the configurations that they belong to. */
export async function listConfigurationIdsOf(
  db: Database,
  alertIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await db.query<{ configuration_id: string }>(sql`
    select configuration_id
      from alert
     where id = any(${[...alertIds]}::uuid[]) and is_system and configuration_id is not null
     order by configuration_id
     limit ${alertIds.length}`);
  return rows.map(({ configuration_id }) => configuration_id);
}

/** Of the configurations, those whose system alert is disabled. */
export async function listDisabledConfigurationIds(
  db: Database,
  configurationIds: readonly string[] | "all",
): Promise<ReadonlySet<string>> {
  const isWanted =
    configurationIds === "all"
      ? sql`true`
      : sql`configuration_id = any(${configurationIds}::uuid[])`;
  const rows = await db.query<{ configuration_id: string }>(sql`
    select configuration_id
      from alert
     where is_system and not is_enabled and ${isWanted}
     order by configuration_id
     limit 1000000`);
  return new Set(rows.map(({ configuration_id }) => configuration_id));
}

/**
 * Enables or disables the system alerts of these configurations: a deleted configuration keeps its alert with the matches,
 * disabled.
 */
export async function switchSystemAlerts(
  tx: Database,
  change: { readonly configurationIds: readonly string[]; readonly isEnabled: boolean },
  nowMs: number,
): Promise<void> {
  if (change.configurationIds.length === 0) return;
  await tx.execute(sql`
    update alert
       set is_enabled = ${change.isEnabled}, updated_at_ms = ${nowMs}
     where configuration_id = any(${change.configurationIds}::uuid[]) and is_enabled <> ${change.isEnabled}`);
}

/** Enables or disables the alert of a configuration. */
export async function saveSystemAlertState(
  tx: Database,
  alert: { readonly id: string; readonly isEnabled: boolean },
  { nowMs, by }: Stamp,
): Promise<void> {
  await tx.execute(sql`
    update alert set is_enabled = ${alert.isEnabled}, updated_by = ${by}, updated_at_ms = ${nowMs}
     where id = ${alert.id} and is_system and is_enabled <> ${alert.isEnabled}`);
}

/** The last millisecond of the year 9999: an alert that is muted without an end. */
export const MUTED_FOREVER_MS = 253_402_300_799_999;

/**
 * Mutes an alert until a time; null ends it. Returns false if there is no such alert. Under the lock of matches, so that
 * every match that commits after this was decided by it, and no match before.
 */
export async function muteAlert(
  pool: DatabasePool,
  { id, untilMs }: { readonly id: string; readonly untilMs: number | null },
  author: Author,
): Promise<boolean> {
  return pool.transaction(async (tx) => {
    await limitLockWait(tx);
    await beginMatches(tx);
    const [before] = await tx.query<{ name: string; muted_until_ms: number | null }>(sql`
      select name, muted_until_ms from alert where id = ${id} for update`);
    if (before === undefined) return false;
    const { name, muted_until_ms } = before;
    if (muted_until_ms === untilMs) return true;
    await tx.execute(sql`update alert set muted_until_ms = ${untilMs} where id = ${id}`);
    await recordActivity(tx, author, [
      {
        action: untilMs === null ? "unmuted" : "muted",
        object: { kind: "alert", id: id.toLowerCase(), name },
        before: { muted_until_ms },
        after: { muted_until_ms: untilMs },
      },
    ]);
    return true;
  });
}
