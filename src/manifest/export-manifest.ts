import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { listDeclaredAlerts } from "../alerts/alert-write-store.ts";
import { listWebhookTargets } from "../alerts/deliveries/target-store.ts";
import { type Database, type DatabasePool, LONG_WORK } from "../db/database.ts";
import { sql } from "../db/sql.ts";
import { listViews } from "../filters/view-store.ts";
import { listDeclaredGroups } from "../messages/group-store.ts";
import { listDeclaredSessions } from "../messages/session-store.ts";
import { listDeclaredPresets } from "../outbound/group-preset-store.ts";
import { listProfiles } from "../pricing/configurations/profile-store.ts";
import { listDeclaredRates, type NewFxRate } from "../rates/fx-store.ts";
import { undeclaredGroup, undeclaredSession } from "./plan-places.ts";
import { type Declared, KIND_NAMES, type KindName } from "./schema.ts";
import {
  listPlannedConfigurations,
  toAlertDeclaration,
  toConfigurationDeclaration,
  toGroupDeclaration,
  toPresetDeclaration,
  toProfileDeclaration,
  toSessionDeclaration,
  toViewDeclaration,
  toWebhookDeclaration,
} from "./stored-declarations.ts";

const FORMAT_BATCH = 20;
/** Some 6 MB of text. A larger manifest is formatted each time. */
const WRITTEN_MAX = 5_000;

interface ExportOptions {
  /** Whether the secrets of webhooks are written. */
  readonly hasSecrets: boolean;
  /** Whether the addresses of webhooks are cut, as for someone who is no owner. */
  readonly isCut?: boolean;
  /** What the caller's last export wrote, by item, so that only what has changed is formatted again. */
  readonly written?: Map<string, string>;
}

export interface ManifestExport {
  /** YAML that `apply` reads. */
  readonly text: string;
  readonly rowCount: number;
}

/**
 * Every declared object, as a manifest that `apply` brings to the same state in any store. It has every kind, empty ones
 * too, so that `apply --prune` removes what is not in it. All kinds are read at one moment.
 */
export async function exportManifest(
  pool: DatabasePool,
  options: ExportOptions,
): Promise<ManifestExport> {
  const declared = await pool.transaction(async (tx) => {
    await tx.execute(sql`set transaction isolation level repeatable read, read only`);
    return loadDeclared(tx, options);
  }, LONG_WORK);
  const rowCount = KIND_NAMES.reduce((sum, kind) => sum + declared[kind].length, 0);
  const parts = [header(options)];
  const { written = new Map<string, string>() } = options;
  const before = new Map(written);
  written.clear();
  for (const kind of KIND_NAMES) {
    parts.push(await formatKind(kind, declared[kind], { before, written }));
  }
  if (written.size > WRITTEN_MAX) written.clear();
  return { text: parts.join("\n"), rowCount };
}

type AllDeclared = { readonly [Kind in KindName]: readonly Declared<Kind>[] };

async function loadDeclared(tx: Database, options: ExportOptions): Promise<AllDeclared> {
  const profiles = await listProfiles(tx);
  const views = await listViews(tx);
  const configurations = await listPlannedConfigurations(tx);
  const alerts = await listDeclaredAlerts(tx);
  const webhooks = await listWebhookTargets(tx);
  const sessions = await listDeclaredSessions(tx);
  const groups = await listDeclaredGroups(tx);
  const presets = await listDeclaredPresets(tx);
  const rates = await listDeclaredRates(tx);
  const profileNames = namesById(profiles);
  const viewNames = namesById(views);
  return {
    profiles: byKey(profiles, ({ name }) => name).map(toProfileDeclaration),
    views: byKey(views, ({ name }) => name).map(toViewDeclaration),
    configurations: byKey(configurations, (one) => one.configuration_key).map((one) =>
      toConfigurationDeclaration(one, profileNames.get(one.profile_id) ?? ""),
    ),
    alerts: byKey(alerts, ({ name }) => name).map((one) => toAlertDeclaration(one, viewNames)),
    webhooks: byKey(webhooks, ({ name }) => name).map((one) =>
      toWebhookDeclaration(one, { hasSecret: options.hasSecrets, isCut: options.isCut === true }),
    ),
    sessions: byKey(sessions, (one) => one.gateway_name)
      .filter((one) => !isDeepStrictEqual({ ...one }, undeclaredSession(one)))
      .map(toSessionDeclaration),
    groups: byKey(groups, (one) => one.gateway_group_id)
      .filter((one) => !isDeepStrictEqual({ ...one }, undeclaredGroup(one)))
      .map(toGroupDeclaration),
    group_presets: byKey(presets, ({ name }) => name).map(toPresetDeclaration),
    fx_rates: rates.map(toRateDeclaration),
  };
}

function namesById(
  rows: readonly { readonly id: string; readonly name: string }[],
): ReadonlyMap<string, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** In the order of the natural key, so that two exports can be compared line by line. */
function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  return rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
}

function toRateDeclaration({ day, currency, per_eur }: NewFxRate): Declared<"fx_rates"> {
  return { date: day, currency, per_eur };
}

function header({ hasSecrets, isCut }: ExportOptions): string {
  const lines = [
    "# Written by assay export. Read by assay apply.",
    hasSecrets
      ? "# Contains the secrets of webhooks: keep it private."
      : "# Without secrets: apply keeps those that are stored. For another store, export with --with-secrets.",
    ...(isCut === true
      ? ["# Addresses of webhooks end in …: apply keeps those that are stored."]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

interface Written {
  readonly before: ReadonlyMap<string, string>;
  readonly written: Map<string, string>;
}

/** Item by item, because a document of all items would need a node in memory for each value. */
async function formatKind(
  kind: KindName,
  items: readonly object[],
  written: Written,
): Promise<string> {
  if (items.length === 0) return `${kind}: []\n`;
  const parts: string[] = [];
  for (const [index, item] of items.entries()) {
    // An item takes some 0.3 ms, so the service does other work in between.
    if (index % FORMAT_BATCH === FORMAT_BATCH - 1) await nextTurn();
    parts.push(kind === "fx_rates" ? formatOnOneLine(item) : formatItem(item, written));
  }
  return `${kind}:\n${parts.join("")}`;
}

function formatItem(item: object, { before, written }: Written): string {
  const key = JSON.stringify(item);
  const text = before.get(key) ?? toYaml(item);
  written.set(key, text);
  return text;
}

function toYaml(item: object): string {
  const text = stringify([item], {
    // Neither folds nor block texts: every text stays on one line, in quotes where it needs them.
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    aliasDuplicateObjects: false,
  });
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
}

function formatOnOneLine(item: object): string {
  const members = Object.entries(item).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `  - {${members.join(", ")}}\n`;
}
