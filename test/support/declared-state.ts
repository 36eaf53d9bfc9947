import type { Database } from "../../src/db/database.ts";
import { rawSql, type Sql, sql } from "../../src/db/sql.ts";

/** The declared columns of each table, and those rows that are declared. Times, owners and secrets are left out. */
const DECLARED: readonly (readonly [table: string, selection: Sql])[] = [
  ["price_profile", withoutMarks("price_profile")],
  ["market_view", withoutMarks("market_view")],
  ["price_configuration", sql`${withoutMarks("price_configuration")} where deleted_at_ms is null`],
  [
    "alert",
    sql`select to_jsonb(row) - '{created_at_ms,updated_at_ms,managed_by,since_sequence,created_hash,muted_until_ms}'::text[] from alert as row
         where not is_system`,
  ],
  [
    "system alert",
    sql`select jsonb_build_array(alert.id, alert.name, alert.configuration_id, alert.is_enabled)
          from alert
          join price_configuration as configuration on configuration.id = alert.configuration_id
         where configuration.deleted_at_ms is null`,
  ],
  ["webhook_target", withoutMarks("webhook_target")],
  [
    "messaging_session",
    sql`select jsonb_build_array(gateway_name, declared_role, declared_engine, declared_label, declared_phone_number,
                                 declared_connecting_user_id, declared_stale_after_ms)
          from messaging_session
         where num_nonnulls(declared_role, declared_engine, declared_label, declared_phone_number,
                            declared_connecting_user_id, declared_stale_after_ms) > 0`,
  ],
  [
    "market_group",
    sql`select jsonb_build_array(gateway_group_id, declared_name, default_currency, is_ignored) from market_group
         where managed_by is not null`,
  ],
  ["group_preset", withoutMarks("group_preset")],
  ["fx_rate", sql`select to_jsonb(row) from fx_rate as row where kind = 'declared'`],
  ["saved_filter", sql`select to_jsonb(row) from saved_filter as row`],
];

/** What is declared in a store, as sorted lines of each table: two stores with the same declarations return the same. */
export async function dumpDeclared(
  db: Database,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const entries: [string, readonly string[]][] = [];
  for (const [table, selection] of DECLARED) {
    const rows = await db.query<{ line: string }>(sql`
      select declared::text as line from (${selection}) as found (declared) order by 1`);
    entries.push([table, rows.map(({ line }) => line)]);
  }
  return Object.fromEntries(entries);
}

/** Deletes everything that is declared. */
export async function clearDeclared(db: Database): Promise<void> {
  // Faster than to truncate, because few rows are declared.
  await db.script(`
    delete from alert; delete from price_configuration; delete from price_profile; delete from market_view;
    delete from webhook_target; delete from messaging_session; delete from market_group; delete from group_preset;
    delete from saved_filter; delete from fx_rate where kind <> 'built_in'`);
}

function withoutMarks(table: string): Sql {
  return sql`
    select to_jsonb(row) - '{created_at_ms,updated_at_ms,managed_by,created_by,updated_by,created_hash,secret,revision,since_sequence,
                             last_attempt_at_ms,last_success_at_ms,last_refresh_error}'::text[]
      from ${rawSql(table)} as row`;
}
