/**
 * Activity: who changed what, and from what to what. Every write of an object adds a row in its own transaction, through
 * `recordActivity`.
 *
 * Invariant: a row has no secret and no number of a person. Values come from a list of members for each kind; of other members
 * only the name is kept, or nothing. A row is at most 8 kB: if its values are longer, the longest leave, and their members stay.
 *
 * Example: someone changes the name and the token of a target. The row has `{member: "name", before: "phone", after: "my phone"}`
 * and `{member: "token"}`.
 */
import { isDeepStrictEqual } from "node:util";

/** Who writes, and when. */
export interface Author {
  /** Absent for a command. */
  readonly tokenId?: string;
  /** The token's name, `cli` for a command, `demo` for the demo itself, `assay` for what follows from events. */
  readonly name: string;
  readonly requestId?: string;
  readonly nowMs: number;
}

interface ShownMembers {
  /** With their values. */
  readonly shown: readonly string[];
  /** Without them: secrets, and addresses that may have a key in them. */
  readonly named?: readonly string[];
}

/** By kind of object. A member that is in neither list leaves no trace. */
export const ACTIVITY_MEMBERS = {
  alert: {
    shown: [
      "name",
      "enabled",
      "strategy",
      "filters",
      "configurations",
      "view",
      "view_id",
      "muted_until_ms",
    ],
  },
  view: { shown: ["name", "filters", "source_market", "sort", "columns"] },
  profile: {
    shown: [
      "name",
      "status",
      "lookback_days",
      "minimum_listings",
      "minimum_profit_eur_minor",
      "implausible_below_bps",
      "implausible_above_bps",
      "hk_markup",
      "consumer_range",
      "stale_after_ms",
      "sets",
    ],
  },
  configuration: {
    shown: [
      "configuration_key",
      "profile",
      "brand",
      "reference",
      "market_reference",
      "label",
      "filters",
      "sets",
      "minimum_profit_overrides",
      "exclude_outliers",
      "publish_enabled",
      "buy_signals_enabled",
      "alert_enabled",
      "calculator_mapping_id",
      "imported_from_mapping_id",
    ],
    named: ["image_url"],
  },
  webhook_target: {
    shown: ["name", "kind", "quiet_hours", "alerts", "is_delivered"],
    named: ["url", "secret", "token", "bot_token", "chat_id", "to"],
  },
  group: { shown: ["name", "default_currency", "is_ignored"] },
  group_preset: { shown: ["name", "description", "group_ids"] },
  token: { shown: ["name", "role", "expires_at_ms", "revoked_at_ms"], named: ["token"] },
  browser_session: { shown: ["expires_at_ms"] },
  delivery: { shown: ["status", "count"] },
  listing: {
    shown: [
      "side",
      "brand",
      "model",
      "reference",
      "dial_type",
      "variant",
      "year",
      "card_month",
      "condition",
      "full_set_status",
      "price",
      "alternative_price",
      "status",
      "is_listing",
    ],
  },
  deal: {
    shown: ["state", "reason", "offer", "note", "assignee_name", "paid", "sold", "cost_eur_minor"],
  },
  contact: { shown: ["note", "is_blocked"] },
  /** One that is undone by its id. */
  correction: { shown: ["field"] },
  manifest: {
    shown: [
      "profiles",
      "views",
      "configurations",
      "alerts",
      "webhooks",
      "sessions",
      "groups",
      "group_presets",
      "fx_rates",
    ],
  },
  fx_rates: { shown: ["count", "currencies", "first_day", "last_day"] },
  /** One that is erased. Nothing says who it was. */
  person: { shown: [] },
} as const satisfies Readonly<Record<string, ShownMembers>>;

export type ActivityKind = keyof typeof ACTIVITY_MEMBERS;
export const ACTIVITY_KINDS = Object.keys(ACTIVITY_MEMBERS) as readonly ActivityKind[];

export const ACTIONS = [
  "created",
  "changed",
  "deleted",
  "replaced",
  "muted",
  "unmuted",
  "corrected",
  "undone",
  "tested",
  "retried",
  "revoked",
  "rotated",
  "linked",
  "signed_in",
  "signed_out",
  "applied",
  "imported",
  "erased",
] as const;

type Members = Readonly<Record<string, unknown>>;

/** One object that was written, or one bulk of them. */
export interface ActivityEntry {
  readonly action: (typeof ACTIONS)[number];
  readonly object: {
    readonly kind: ActivityKind;
    readonly id: string;
    readonly name?: string | undefined;
  };
  /** Absent if there was no such object. */
  readonly before?: Members;
  /** Absent if there is none any more. */
  readonly after?: Members;
  /** The person whose data this is about. */
  readonly contactId?: string | undefined;
}

export interface Change {
  readonly member: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

export const NAME_LENGTH_MAX = 200;
/** The rest of the 8 kB is for the other columns. */
export const CHANGES_BYTES_MAX = 7_000;
/** Members of a filter that name a person. */
const PERSON_MEMBER = /^(?:phone_number|contact_id)/;

/** What a row shows of the difference. */
export function toChanges({ object, before, after }: ActivityEntry): readonly Change[] {
  const { shown, named = [] }: ShownMembers = ACTIVITY_MEMBERS[object.kind];
  // A row has null where a body has nothing.
  const beforeOf = (member: string) => before?.[member] ?? undefined;
  const afterOf = (member: string) => after?.[member] ?? undefined;
  const isChanged = (member: string) => !isDeepStrictEqual(beforeOf(member), afterOf(member));
  const changes = shown.filter(isChanged).map((member) => ({
    member,
    ...toValue("before", beforeOf(member)),
    ...toValue("after", afterOf(member)),
  }));
  return cutValues([...changes, ...named.filter(isChanged).map((member) => ({ member }))]);
}

function toValue(name: "before" | "after", value: unknown): Partial<Change> {
  if (value === undefined) return {};
  return { [name]: withoutPersons(value) };
}

function withoutPersons(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !PERSON_MEMBER.test(name)));
}

function cutValues(changes: readonly Change[]): readonly Change[] {
  const kept = [...changes];
  let byteCount = bytesOf(kept);
  while (byteCount > CHANGES_BYTES_MAX) {
    const sizes = kept.map((change) => bytesOf(change) - bytesOf({ member: change.member }));
    const longest = Math.max(...sizes);
    const at = sizes.indexOf(longest);
    const member = kept[at]?.member ?? "";
    kept[at] = { member };
    byteCount -= longest;
  }
  return kept;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
