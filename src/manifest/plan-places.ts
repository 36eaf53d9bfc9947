import { isUuid } from "../base/ids.ts";
import { toDigits } from "../base/text.ts";
import type { DeclaredGroup } from "../messages/group-store.ts";
import { groupIdOf, sessionIdOf } from "../messages/message.ts";
import type { DeclaredSession } from "../messages/session-store.ts";
import type { DeclaredPreset } from "../outbound/group-preset-store.ts";
import type { NewFxRate } from "../rates/fx-store.ts";
import { identify, identifyByName, type Wanted } from "./identify.ts";
import type { Row } from "./parse-manifest.ts";
import { formatPlace, type Problem } from "./problem.ts";

export function planSessions(
  rows: readonly Row<"sessions">[],
  stored: readonly DeclaredSession[],
): Wanted<DeclaredSession> {
  const { identified, problems } = identify(rows, {
    keyMember: "gateway_name",
    keyOf: ({ given }) => given.gateway_name,
    makeId: sessionIdOf,
    stored,
    storedKeyOf: ({ gateway_name }) => gateway_name,
  });
  return {
    wanted: identified.map(({ row: { given }, id }) => ({
      ...undeclaredSession({ id, gateway_name: given.gateway_name }),
      role: given.role ?? null,
      engine: given.engine ?? null,
      label: given.label ?? null,
      phone_number: given.phone_number === undefined ? null : toDigits(given.phone_number),
      connecting_user_id: given.connecting_user_id ?? null,
      stale_after_ms: given.stale_after_ms ?? null,
    })),
    problems: [
      ...problems,
      ...rows.flatMap((row) => checkFixedId(row, sessionIdOf(row.given.gateway_name))),
    ],
    notes: [],
  };
}

/** A session that is known from the gateway only. */
export function undeclaredSession(
  session: Pick<DeclaredSession, "id" | "gateway_name">,
): DeclaredSession {
  return {
    id: session.id,
    gateway_name: session.gateway_name,
    role: null,
    engine: null,
    label: null,
    phone_number: null,
    connecting_user_id: null,
    stale_after_ms: null,
  };
}

export function planGroups(
  rows: readonly Row<"groups">[],
  stored: readonly DeclaredGroup[],
): Wanted<DeclaredGroup> {
  const { identified, problems } = identify(rows, {
    keyMember: "gateway_group_id",
    keyOf: ({ given }) => given.gateway_group_id,
    makeId: groupIdOf,
    stored,
    storedKeyOf: ({ gateway_group_id }) => gateway_group_id,
  });
  return {
    wanted: identified.map(({ row: { given, managedBy }, id }) => ({
      ...undeclaredGroup({ id, gateway_group_id: given.gateway_group_id }),
      name: given.name ?? null,
      default_currency: given.default_currency ?? null,
      is_ignored: given.is_ignored ?? false,
      managed_by: managedBy,
    })),
    problems: [
      ...problems,
      ...rows.flatMap((row) => checkFixedId(row, groupIdOf(row.given.gateway_group_id))),
    ],
    notes: [],
  };
}

/** A group that is known from the gateway only. */
export function undeclaredGroup(
  group: Pick<DeclaredGroup, "id" | "gateway_group_id">,
): DeclaredGroup {
  return {
    id: group.id,
    gateway_group_id: group.gateway_group_id,
    name: null,
    default_currency: null,
    is_ignored: false,
    managed_by: null,
  };
}

/** The id must be the one derived from the name at the gateway, because messages refer to it. */
function checkFixedId(row: Row<"sessions" | "groups">, id: string): readonly Problem[] {
  const given = row.given.id?.toLowerCase();
  if (given === undefined || given === id) return [];
  return [row.problemAt(["id"], `must be ${id}, which is derived from the name; leave the id out`)];
}

export function planPresets(
  rows: readonly Row<"group_presets">[],
  stored: readonly DeclaredPreset[],
): Wanted<DeclaredPreset> {
  const { identified, problems } = identifyByName(rows, "group preset", stored);
  const unreadable = rows.flatMap((row) =>
    (row.given.group_ids ?? []).flatMap((group, at) =>
      isUuid(group) || group.includes("@")
        ? []
        : [
            row.problemAt(
              ["group_ids", at],
              "must be the UUID of a group or its id at the gateway",
            ),
          ],
    ),
  );
  return {
    wanted: identified.map(({ row: { given, managedBy }, id }) => ({
      id,
      name: given.name,
      description: given.description ?? null,
      group_ids: [...new Set((given.group_ids ?? []).map(toGroupId))],
      managed_by: managedBy,
    })),
    problems: [...problems, ...unreadable],
    notes: [],
  };
}

function toGroupId(group: string): string {
  return isUuid(group) ? group.toLowerCase() : groupIdOf(group);
}

const DECIMAL = /^\d{1,11}(\.\d{1,20})?$/;

export function planFxRates(rows: readonly Row<"fx_rates">[]): Wanted<NewFxRate> {
  const seen = new Map<string, Row<"fx_rates">>();
  const problems: Problem[] = [];
  const wanted = rows.map((row): NewFxRate => {
    const { date, currency, per_eur } = row.given;
    const written = typeof per_eur === "string" ? per_eur : (row.writtenAt(["per_eur"]) ?? "");
    if (!DECIMAL.test(written) || !/[1-9]/.test(written)) {
      problems.push(
        row.problemAt(["per_eur"], "must be a decimal number above 0, without sign or exponent"),
      );
    }
    if (currency === "EUR") {
      problems.push(row.problemAt(["currency"], "must not be EUR, because rates are per euro"));
    }
    const key = `${date} ${currency}`;
    const duplicate = seen.get(key);
    if (duplicate !== undefined) {
      const where = formatPlace(duplicate.problemAt([], ""));
      problems.push(row.problemAt([], `the rate of ${key} is already declared at ${where}`));
    }
    seen.set(key, row);
    return { day: date, currency, per_eur: written };
  });
  return { wanted, problems, notes: [] };
}
