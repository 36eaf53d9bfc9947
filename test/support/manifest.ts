import type { Clock } from "../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../src/db/database.ts";
import { rawSql, type Sql, sql } from "../../src/db/sql.ts";
import { type ApplyReport, applyManifest } from "../../src/manifest/apply-declarations.ts";
import type { Judges } from "../../src/manifest/find-doubts.ts";
import { parseManifest } from "../../src/manifest/parse-manifest.ts";
import { ManifestError } from "../../src/manifest/problem.ts";
import { createTestClock } from "./test-app.ts";

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

interface Options {
  readonly clock?: Clock;
  readonly isDryRun?: boolean;
  readonly isPruning?: boolean;
  readonly isStrict?: boolean;
  readonly judges?: Judges;
}

/** Applies texts as if they were the files a.yaml, b.yaml and so on. */
export function applyTexts(
  pool: DatabasePool,
  texts: string | readonly string[],
  options: Options = {},
): Promise<ApplyReport> {
  const files = [texts].flat().map((text, at) => ({ name: `${"abcdef"[at]}.yaml`, text }));
  return applyManifest(pool, parseManifest(files), { clock: createTestClock(), ...options });
}

/** Returns the problems of the texts as `file:line: member: text`, or an empty list if they were applied. */
export async function problemsOf(
  pool: DatabasePool,
  texts: string | readonly string[],
): Promise<readonly string[]> {
  try {
    await applyTexts(pool, texts);
    return [];
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    return error.message.split("\n").slice(1);
  }
}

/** Returns `created/changed/unchanged/pruned` for each kind that the files name. */
export function counts(report: ApplyReport): Readonly<Record<string, string>> {
  return Object.fromEntries(
    report.kinds.map(({ kind, created, changed, unchangedCount, pruned }) => [
      kind,
      [created.length, changed.length, unchangedCount, pruned.length].join("/"),
    ]),
  );
}

/** Has every kind and most members. */
export const WHOLE_MARKET = `
profiles:
  - name: default
    lookback_days: 21
    hk_markup: {rate_bps: 400}
views:
  - {name: EU, source_market: EU, filters: {country_codes: {exclude: ["852"]}}}
  - {name: HK, source_market: HK, filters: {country_codes: {include: ["852"]}}}
  - {name: mine, filters: {group_names: [EU Dealers]}}
configurations:
  - {profile: default, brand: Rolex, reference: 126610LN}
  - profile: default
    brand: Rolex
    reference: 126500LN
    market_reference: 126500 LN
    label: Daytona white
    filters: {dial_type: [White], year: {gte: 2023}}
    minimum_profit_overrides:
      - {year: 2023, condition_bucket: new, amount_eur_minor: 100000}
    exclude_outliers: true
    image_url: https://example.org/daytona.jpg
    calculator_mapping_id: 00000000-0000-4000-8000-00000000000A
alerts:
  - {name: cheap, view: mine, filters: {brand: [Rolex], price: {lte: 900000}}}
  - {name: all buys, strategy: price_engine}
  - {name: some buys, strategy: price_engine, configurations: ["rolex:126610LN"]}
  - name: new buys
    strategy: price_engine
    configurations: ["rolex:126500LN:white"]
    filters: {condition: [NEW]}
    created_by: lena
  - {name: wanted, filters: {resource: messages, q: wtb}}
  - {name: off, enabled: false, filters: {brand: [Omega]}}
webhooks:
  - name: desk
    url: https://example.org/hook
    secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=
    alerts: [cheap, Daytona white, "rolex:126610LN"]
sessions:
  - {gateway_name: main, label: Desk, phone_number: +31 6 1234-5678, stale_after_ms: 60000}
groups:
  - {gateway_group_id: 120363@g.us, name: EU Dealers, default_currency: EUR}
group_presets:
  - {name: everybody, description: all of them, group_ids: [120363@g.us]}
fx_rates:
  - {date: 2026-11-13, currency: CHF, per_eur: 0.93330}
`;

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
