import type { Database } from "../../db/database.ts";
import { isNamed, type ManagedBy, type Naming, type Stamp, saveStamp } from "../../db/row.ts";
import { recordset, type Sql, sql } from "../../db/sql.ts";
import type { Sets } from "../../filters/language/sets.ts";
import type { MinimumProfitOverride } from "../cells/cell.ts";
import { saveCells } from "../cells/cell-store.ts";
import { specificityOf } from "./configuration.ts";

/** A configuration as declared, without the results of refreshes. */
export interface DeclaredConfiguration {
  readonly id: string;
  readonly configuration_key: string;
  readonly profile_id: string;
  readonly brand: string;
  readonly brand_lower: string;
  readonly reference: string;
  readonly reference_normalized: string;
  readonly market_reference_normalized: string;
  readonly market_reference: string | null;
  readonly label: string | null;
  readonly filters: Readonly<Record<string, unknown>>;
  readonly filter_summary: string;
  /** Which sets it compares; null for those of its profile. */
  readonly sets: Sets | null;
  readonly minimum_profit_overrides: readonly MinimumProfitOverride[];
  readonly exclude_outliers: boolean;
  readonly publish_enabled: boolean;
  readonly buy_signals_enabled: boolean;
  readonly image_url: string | null;
  readonly calculator_mapping_id: string | null;
  readonly imported_from_mapping_id: string | null;
  readonly managed_by: ManagedBy;
}

const CHUNK = 5_000;

export async function listDeclaredConfigurations(
  db: Database,
  naming?: Naming,
): Promise<readonly DeclaredConfiguration[]> {
  return db.query<DeclaredConfiguration>(sql`
    select id, configuration_key, profile_id, brand, brand_lower, reference, reference_normalized,
           market_reference_normalized, market_reference, label, filters, filter_summary, sets,
           minimum_profit_overrides, exclude_outliers, publish_enabled, buy_signals_enabled, image_url,
           calculator_mapping_id, imported_from_mapping_id, managed_by
      from price_configuration
     where deleted_at_ms is null and ${isNamed(naming, sql`configuration_key`)}
     order by id
     limit 1000000`);
}

/** Also revives deleted ones. */
export async function saveDeclaredConfigurations(
  tx: Database,
  rows: readonly DeclaredConfiguration[],
  stamp: Stamp,
): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) {
    await saveChunk(tx, rows.slice(at, at + CHUNK), stamp);
  }
}

async function saveChunk(
  tx: Database,
  rows: readonly DeclaredConfiguration[],
  stamp: Stamp,
): Promise<void> {
  const withSpecificity = rows.map((row) => ({ ...row, specificity: specificityOf(row.filters) }));
  await tx.execute(sql`
    insert into price_configuration
           (id, configuration_key, profile_id, brand, brand_lower, reference, reference_normalized,
            market_reference_normalized, market_reference, label, filters, filter_summary, sets, specificity,
            minimum_profit_overrides, exclude_outliers, publish_enabled, buy_signals_enabled, image_url,
            calculator_mapping_id, imported_from_mapping_id, managed_by, created_at_ms, updated_at_ms)
    select id, configuration_key, profile_id, brand, brand_lower, reference, reference_normalized,
           market_reference_normalized, market_reference, label, filters, filter_summary, sets, specificity,
           minimum_profit_overrides, exclude_outliers, publish_enabled, buy_signals_enabled, image_url,
           calculator_mapping_id, imported_from_mapping_id, managed_by, ${stamp.nowMs}, ${stamp.nowMs}
      from ${recordset(withSpecificity)} as declared
           (id uuid, configuration_key text, profile_id uuid, brand text, brand_lower text, reference text,
            reference_normalized text, market_reference_normalized text, market_reference text, label text,
            filters jsonb, filter_summary text, sets text, specificity smallint, minimum_profit_overrides jsonb, exclude_outliers boolean,
            publish_enabled boolean, buy_signals_enabled boolean, image_url text,
            calculator_mapping_id uuid, imported_from_mapping_id uuid, managed_by text)
     order by id
    on conflict (id) do update set
      configuration_key = excluded.configuration_key, profile_id = excluded.profile_id,
      brand = excluded.brand, brand_lower = excluded.brand_lower, reference = excluded.reference,
      reference_normalized = excluded.reference_normalized,
      market_reference_normalized = excluded.market_reference_normalized,
      market_reference = excluded.market_reference, label = excluded.label, filters = excluded.filters,
      filter_summary = excluded.filter_summary, sets = excluded.sets, specificity = excluded.specificity,
      minimum_profit_overrides = excluded.minimum_profit_overrides,
      exclude_outliers = excluded.exclude_outliers, publish_enabled = excluded.publish_enabled,
      buy_signals_enabled = excluded.buy_signals_enabled, image_url = excluded.image_url,
      calculator_mapping_id = excluded.calculator_mapping_id,
      imported_from_mapping_id = excluded.imported_from_mapping_id, managed_by = excluded.managed_by,
      deleted_at_ms = null,
      updated_at_ms = greatest(excluded.updated_at_ms, price_configuration.updated_at_ms + 1)`);
  await saveStamp(tx, sql`update price_configuration`, rows, stamp);
}

export async function listConfigurationsOf(
  tx: Database,
  profileIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id
      from price_configuration
     where profile_id = any(${profileIds}::uuid[]) and deleted_at_ms is null
     order by id
     limit 1000000`);
  return rows.map(({ id }) => id);
}

/** What the configurations of these profiles declare about sets. */
export async function listDeclaredSets(
  tx: Database,
  profileIds: readonly string[],
): Promise<readonly Pick<DeclaredConfiguration, "id" | "profile_id" | "filters" | "sets">[]> {
  return tx.query<Pick<DeclaredConfiguration, "id" | "profile_id" | "filters" | "sets">>(sql`
    select id, profile_id, filters, sets
      from price_configuration
     where profile_id = any(${profileIds}::uuid[]) and deleted_at_ms is null
     order by id
     limit 1000000`);
}

/** Which sets a configuration compares. */
export interface ComparedSets {
  readonly id: string;
  readonly sets: Sets;
}

/**
 * Notes for charts when the sets of a configuration change. What a new configuration begins with is noted without a value
 * before. One that has calculated prices and has no mark compared any sets until then.
 */
export async function saveSetsMarks(
  tx: Database,
  compared: readonly ComparedSets[],
  nowMs: number,
): Promise<void> {
  if (compared.length === 0) return;
  await tx.execute(sql`
    insert into price_configuration_mark (configuration_id, kind, at_ms, before, after)
    select compared.id, 'sets', greatest(${nowMs}, last.at_ms + 1),
           coalesce(last.after, case when exists (
             select from price_cell_history as point where point.configuration_id = compared.id) then 'any' end),
           compared.sets
      from ${recordset(compared)} as compared (id uuid, sets text)
      left join lateral (
           select at_ms, after from price_configuration_mark as mark
            where mark.configuration_id = compared.id and mark.kind = 'sets'
            order by at_ms desc limit 1) as last on true
     where coalesce(last.after, 'any') <> compared.sets
     order by compared.id`);
}

/** Marks configurations as changed, because what they are calculated from has changed. They are stale until then. */
export async function touchConfigurations(
  tx: Database,
  ids: readonly string[] | "all",
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    update price_configuration
       set updated_at_ms = greatest(${nowMs}, updated_at_ms + 1)
     where id in (${lockConfigurations(ids)})`);
}

/** Configurations that changed do not look back: they fire alerts for listings that arrive from now on. */
export async function renewConfigurations(tx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    update price_configuration set since_sequence = nextval('arrival_sequence')
     where id in (${lockConfigurations(ids)})`);
}

/** Locks the rows in the order in which calculations lock them, so that the two cannot wait for each other. */
function lockConfigurations(ids: readonly string[] | "all"): Sql {
  const isWanted = ids === "all" ? sql`deleted_at_ms is null` : sql`id = any(${ids}::uuid[])`;
  return sql`select id from price_configuration where ${isWanted} order by id for no key update`;
}

/**
 * A deleted configuration keeps its row, its history and its system alert; its cells and its snapshot are deleted. A
 * configuration that is declared with the same key and no other id takes the row again, with all of its history.
 *
 * Invariant: every statement on configurations that exist asks for `deleted_at_ms is null`.
 *
 * Example: `rolex:126610LN` is deleted in May. Its history ends with a point `gone` for each cell. In June the same key is
 * declared again: the row is the one of May, so its history goes on and its alert has the matches of April.
 */
export interface DeletedConfiguration {
  readonly id: string;
  readonly configuration_key: string;
}

/** Those that were deleted last come last. */
export async function listDeletedConfigurations(
  db: Database,
  naming?: Naming,
): Promise<readonly DeletedConfiguration[]> {
  return db.query<DeletedConfiguration>(sql`
    select id, configuration_key
      from price_configuration
     where deleted_at_ms is not null and ${isNamed(naming, sql`configuration_key`)}
     order by deleted_at_ms, id
     limit 1000000`);
}

/** Marks configurations as deleted, and forgets which request created them: the next one revives them. The caller holds their rows of the refresh queue, or the pipeline lock. */
export async function deleteConfigurations(
  tx: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  // Locks the rows in the order in which calculations lock them. A calculation in progress is waited for.
  await tx.execute(sql`
    update price_configuration
       set deleted_at_ms = ${nowMs}, updated_at_ms = greatest(${nowMs}, updated_at_ms + 1),
           last_attempt_at_ms = null, last_success_at_ms = null, last_refresh_error = null,
           created_by = null, created_hash = null
     where id in (select id from price_configuration where id = any(${ids}::uuid[]) and deleted_at_ms is null
                   order by id for no key update)`);
  const emptied = ids.map((configuration_id) => ({ configuration_id, cells: [] }));
  await saveCells(tx, emptied, nowMs);
  await tx.execute(sql`delete from price_snapshot where configuration_id = any(${ids}::uuid[])`);
}
