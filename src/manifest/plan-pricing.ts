import { HOUR_MS } from "../base/clock.ts";
import { foldWord, normalizeReference } from "../base/text.ts";
import { summarizeFilter } from "../filters/language/describe-filter.ts";
import type { ViewRow } from "../filters/view-store.ts";
import type { DeletedConfiguration } from "../pricing/configurations/configuration-write-store.ts";
import { LOOKBACK_DAYS_DEFAULT, type ProfileRow } from "../pricing/configurations/profile-store.ts";
import { checkFilters, toStorable } from "./declared-filters.ts";
import {
  type Identified,
  identify,
  identifyByName,
  keyOfConfiguration,
  madeIdOf,
  type Wanted,
} from "./identify.ts";
import type { Row } from "./parse-manifest.ts";
import { type Problem, withHint } from "./problem.ts";
import { LIMITS } from "./schema.ts";
import type { PlannedConfiguration } from "./stored-declarations.ts";

const PROFILE_DEFAULTS = {
  status: "shadow",
  lookback_days: LOOKBACK_DAYS_DEFAULT,
  minimum_listings: 3,
  minimum_profit_eur_minor: 50_000,
  implausible_below_bps: 5_000,
  implausible_above_bps: 30_000,
  stale_after_ms: 6 * HOUR_MS,
} as const;

const HK_MARKUP_DEFAULTS = { rate_bps: 500, fixed_eur_minor: 15_000 };

const CONSUMER_RANGE_DEFAULTS = {
  low_quantile_bps: 2_500,
  high_quantile_bps: 7_500,
  margin_bps: 1_000,
};

export function planProfiles(
  rows: readonly Row<"profiles">[],
  stored: readonly ProfileRow[],
): Wanted<ProfileRow> {
  const { identified, problems } = identifyByName(rows, "profile", stored);
  const backward = rows.flatMap((row) => {
    const range = { ...CONSUMER_RANGE_DEFAULTS, ...row.given.consumer_range };
    if (range.low_quantile_bps <= range.high_quantile_bps) return [];
    return [row.problemAt(["consumer_range"], "low_quantile_bps is above high_quantile_bps")];
  });
  const setsById = new Map(stored.map(({ id, sets }) => [id, sets]));
  return {
    wanted: identified.map((one) => ({
      ...toProfile(one),
      sets: one.row.given.sets ?? keptState(one, setsById) ?? "any",
    })),
    problems: [...problems, ...backward],
    notes: [],
  };
}

function toProfile({ row, id }: Identified<"profiles">): Omit<ProfileRow, "sets"> {
  const { hk_markup, consumer_range, id: _, sets: _sets, ...given } = row.given;
  const markup = { ...HK_MARKUP_DEFAULTS, ...hk_markup };
  const range = { ...CONSUMER_RANGE_DEFAULTS, ...consumer_range };
  return {
    id,
    ...PROFILE_DEFAULTS,
    ...given,
    hk_markup_rate_bps: markup.rate_bps,
    hk_markup_fixed_eur_minor: markup.fixed_eur_minor,
    consumer_low_quantile_bps: range.low_quantile_bps,
    consumer_high_quantile_bps: range.high_quantile_bps,
    consumer_margin_bps: range.margin_bps,
    managed_by: row.managedBy,
  };
}

export function planViews(
  rows: readonly Row<"views">[],
  stored: readonly ViewRow[],
): Wanted<ViewRow> {
  const { identified, problems } = identifyByName(rows, "view", stored);
  const findings = rows.map((row) => checkFilters(row, row.given.filters));
  return {
    wanted: identified.map(({ row, id }) => ({
      id,
      name: row.given.name,
      filters: toStorable(row.given.filters),
      source_market: row.given.source_market ?? null,
      sort: row.given.sort ?? null,
      columns: row.given.columns ?? null,
      managed_by: row.managedBy,
    })),
    problems: [...problems, ...findings.flatMap((found) => found.problems)],
    notes: findings.flatMap((found) => found.notes),
  };
}

export function planConfigurations(
  rows: readonly Row<"configurations">[],
  stored: {
    readonly configurations: readonly PlannedConfiguration[];
    /** A declared key without an id revives the one that was deleted last. */
    readonly deletedConfigurations: readonly DeletedConfiguration[];
  },
  profiles: readonly { readonly id: string; readonly name: string }[],
): Wanted<PlannedConfiguration> {
  const { configurations, deletedConfigurations: deleted } = stored;
  const deletedIdByKey = new Map(deleted.map((one) => [one.configuration_key, one.id]));
  const { identified, problems } = identify(rows, {
    keyMember: "configuration_key",
    keyOf: ({ given }) => keyOfConfiguration(given),
    makeId: (key) => deletedIdByKey.get(key) ?? madeIdOf("configuration")(key),
    stored: configurations,
    storedKeyOf: ({ configuration_key }) => configuration_key,
  });
  const storedById = new Map(
    [...deleted, ...configurations].map((known) => [known.id, known.configuration_key]),
  );
  const stateById = new Map(configurations.map((known) => [known.id, known.alert_enabled]));
  const setsById = new Map(configurations.map((known) => [known.id, known.sets]));
  const profileIds = new Map(profiles.map(({ id, name }) => [name, id]));
  const moved = identified.flatMap(({ row, id, key }) => {
    const known = storedById.get(id);
    if (known === undefined || known === key) return [];
    const text = `belongs to the configuration_key "${known}"; a configuration with another key needs another id`;
    return [row.problemAt(["id"], text)];
  });
  const wrong = rows.flatMap((row) => [
    ...checkKey(row),
    ...checkWords(row),
    ...checkOverrides(row),
    ...checkProfile(row, profileIds),
  ]);
  const findings = rows.map((row) => checkFilters(row, row.given.filters ?? {}));
  const all = [...problems, ...moved, ...wrong, ...findings.flatMap((found) => found.problems)];
  return {
    // If there is a problem, nothing is saved, and a wrong filter cannot be summarised.
    wanted: identified.map((one) => ({
      ...toConfiguration(one, profileIds.get(one.row.given.profile) ?? ""),
      filter_summary: all.length > 0 ? "" : summarizeFilter(one.row.given.filters ?? {}),
      alert_enabled: one.row.given.alert_enabled ?? keptState(one, stateById) ?? true,
      sets: one.row.given.sets ?? keptState(one, setsById) ?? null,
    })),
    problems: all,
    notes: findings.flatMap((found) => found.notes),
  };
}

/** A manifest that does not declare the state leaves it as it is stored. The API always sends all members. */
function keptState<State>(
  { row, id }: Identified<"configurations" | "profiles">,
  stateById: ReadonlyMap<string, State>,
): State | undefined {
  return row.managedBy === "manifest" ? stateById.get(id) : undefined;
}

/** An object of the API shows its key, so the key must fit. A longer key of a manifest is made again by each `apply`. */
function checkKey(row: Row<"configurations">): readonly Problem[] {
  if (row.managedBy !== "api" || [...keyOfConfiguration(row.given)].length <= LIMITS.keyLength) {
    return [];
  }
  const text = `the key made of brand, reference, dials and variants has more than ${LIMITS.keyLength} characters; choose one`;
  return [row.problemAt(["configuration_key"], text)];
}

function checkWords(row: Row<"configurations">): readonly Problem[] {
  const { given } = row;
  const words = [
    ["brand", foldWord(given.brand)],
    ["reference", normalizeReference(given.reference)],
    ["market_reference", normalizeReference(given.market_reference ?? given.reference)],
  ] as const;
  const empty = words
    .filter(([, folded]) => folded === "")
    .map(([member]) => row.problemAt([member], "must contain a letter or a digit"));
  const { image_url } = given;
  if (image_url === undefined || isHttpUrl(image_url)) return empty;
  return [...empty, row.problemAt(["image_url"], "must be an http or https address")];
}

function checkOverrides(row: Row<"configurations">): readonly Problem[] {
  const seen = new Set<string>();
  return (row.given.minimum_profit_overrides ?? []).flatMap(({ year, condition_bucket }, at) => {
    const cell = `${year} ${condition_bucket}`;
    if (!seen.has(cell)) {
      seen.add(cell);
      return [];
    }
    return [
      row.problemAt(["minimum_profit_overrides", at], `there is already an override for ${cell}`),
    ];
  });
}

function checkProfile(
  row: Row<"configurations">,
  profileIds: ReadonlyMap<string, string>,
): readonly Problem[] {
  const { profile } = row.given;
  if (profileIds.has(profile)) return [];
  const problem = row.problemAt(["profile"], `there is no profile "${profile}"`);
  return [withHint(problem, profile, profileIds)];
}

function toConfiguration(
  { row, id, key }: Identified<"configurations">,
  profileId: string,
): Omit<PlannedConfiguration, "filter_summary" | "alert_enabled" | "sets"> {
  const { given } = row;
  return {
    id,
    configuration_key: key,
    profile_id: profileId,
    brand: given.brand,
    brand_lower: given.brand.toLowerCase(),
    reference: given.reference,
    reference_normalized: normalizeReference(given.reference),
    market_reference_normalized: normalizeReference(given.market_reference ?? given.reference),
    market_reference: given.market_reference ?? null,
    label: given.label ?? null,
    filters: toStorable(given.filters ?? {}),
    minimum_profit_overrides: given.minimum_profit_overrides ?? [],
    exclude_outliers: given.exclude_outliers ?? false,
    publish_enabled: given.publish_enabled ?? false,
    buy_signals_enabled: given.buy_signals_enabled ?? true,
    image_url: given.image_url ?? null,
    calculator_mapping_id: given.calculator_mapping_id?.toLowerCase() ?? null,
    imported_from_mapping_id: given.imported_from_mapping_id?.toLowerCase() ?? null,
    managed_by: row.managedBy,
  };
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
}
