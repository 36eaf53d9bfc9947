import {
  type Static,
  type TInteger,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from "typebox";
import { TARGET_KINDS, TARGET_MEMBERS, type TargetMember } from "../alerts/deliveries/target.ts";
import { DAY_MS } from "../base/clock.ts";
import { SETS } from "../filters/language/sets.ts";

/** Large enough for the longest lists of a dealer, and a bound on the work that one file can cause. */
export const LIMITS = {
  fileBytes: 32 * 1024 * 1024,
  files: 100,
  rows: 250_000,
  nameLength: 120,
  keyLength: 200,
  textLength: 500,
  overrides: 1_000,
  groupsOfPreset: 100,
  alertsOfWebhook: 1_000,
  configurationsOfAlert: 10_000,
  columns: 100,
} as const;

/** Ten million euros, more than any watch in a dealer group costs. */
const AMOUNT_MINOR_MAX = 1_000_000_000;

const Name = Type.String({ minLength: 1, maxLength: LIMITS.nameLength, pattern: "\\S" });
const Text = Type.String({ minLength: 1, maxLength: LIMITS.textLength, pattern: "\\S" });
const Id = Type.String({ format: "uuid" });
const Filters = Type.Record(Type.String(), Type.Unknown());
const Amount = Type.Integer({ minimum: 0, maximum: AMOUNT_MINOR_MAX });
const Bps = Type.Integer({ minimum: 0, maximum: 10_000 });
const DurationMs = Type.Integer({ minimum: 1, maximum: 3650 * DAY_MS });
const Currency = Type.String({
  pattern: "^[A-Z]{3,5}$",
  title: "a currency in capital letters, such as USD",
});
const Phone = Type.String({
  pattern: "^\\+?[0-9]([ ().-]*[0-9]){4,30}[ ().-]*$",
  maxLength: 40,
  title: "a phone number in quotes",
});

const Sets = Type.Enum([...SETS], {
  description:
    "Which sets are compared. `papers` leaves out asks that state a set without papers, `complete` all that state another one " +
    "than a full set. Asks that state none stay. The value of a configuration goes before that of its profile, and neither " +
    "counts if the configuration's own filter asks for sets.",
});

const Profile = strict({
  id: Type.Optional(Id),
  name: Name,
  status: Type.Optional(Type.Enum(["shadow", "live"])),
  lookback_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  minimum_listings: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  minimum_profit_eur_minor: Type.Optional(Amount),
  implausible_below_bps: Type.Optional(Bps),
  implausible_above_bps: Type.Optional(Type.Integer({ minimum: 10_000, maximum: 1_000_000 })),
  hk_markup: Type.Optional(
    strict({
      rate_bps: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
      fixed_eur_minor: Type.Optional(Amount),
    }),
  ),
  consumer_range: Type.Optional(
    strict({
      low_quantile_bps: Type.Optional(Bps),
      high_quantile_bps: Type.Optional(Bps),
      margin_bps: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    }),
  ),
  stale_after_ms: Type.Optional(DurationMs),
  sets: Type.Optional(Sets),
});

/** Dotted, as in `price.amount_minor`. */
const Column = Type.String({
  pattern: "^[a-z_]{1,60}(\\.[a-z_]{1,60}){0,3}$",
  title: "the name of a column",
});

const View = strict({
  id: Type.Optional(Id),
  name: Name,
  filters: Filters,
  source_market: Type.Optional(Type.Enum(["EU", "HK"])),
  sort: Type.Optional(
    Type.String({ pattern: "^[a-z_]{1,60}$", title: "the name of a sort order" }),
  ),
  columns: Type.Optional(Type.Array(Column, { minItems: 1, maxItems: LIMITS.columns })),
});

const Override = strict({
  year: Type.Integer({ minimum: 1, maximum: 9999 }),
  condition_bucket: Type.Enum(["new", "like_new", "used"]),
  amount_eur_minor: Amount,
});

const Configuration = strict({
  id: Type.Optional(Id),
  configuration_key: Type.Optional(
    Type.String({
      pattern: `^[^\\s]{1,${LIMITS.keyLength}}$`,
      title: `1 to ${LIMITS.keyLength} characters without spaces`,
    }),
  ),
  profile: Name,
  brand: Name,
  reference: Name,
  market_reference: Type.Optional(Name),
  label: Type.Optional(Text),
  filters: Type.Optional(Filters),
  sets: Type.Optional(Sets),
  minimum_profit_overrides: Type.Optional(Type.Array(Override, { maxItems: LIMITS.overrides })),
  exclude_outliers: Type.Optional(Type.Boolean()),
  publish_enabled: Type.Optional(Type.Boolean()),
  buy_signals_enabled: Type.Optional(Type.Boolean()),
  alert_enabled: Type.Optional(
    Type.Boolean({ description: "Whether the configuration's own alert is enabled." }),
  ),
  image_url: Type.Optional(Type.String({ maxLength: 2000 })),
  calculator_mapping_id: Type.Optional(Id),
  imported_from_mapping_id: Type.Optional(Id),
});

const Alert = strict({
  id: Type.Optional(Id),
  name: Name,
  enabled: Type.Optional(Type.Boolean()),
  strategy: Type.Optional(Type.Enum(["market_filter", "price_engine"])),
  filters: Type.Optional(Filters),
  configurations: Type.Optional(
    Type.Array(Text, { minItems: 1, maxItems: LIMITS.configurationsOfAlert }),
  ),
  view: Type.Optional(Name),
  view_id: Type.Optional(Id),
  created_by: Type.Optional(Name),
  updated_by: Type.Optional(Name),
});

const QuietHours = strict({
  from: Type.String({ maxLength: 5 }),
  to: Type.String({ maxLength: 5 }),
  time_zone: Type.String({ maxLength: 100 }),
});

/** Of all kinds. Only some members of some kinds may be numbers; the type does not say which. */
const TargetAddress = Object.fromEntries(
  Object.entries(TARGET_MEMBERS).map(([name, { lengthMax, numberTitle }]) => {
    const text = Type.String({ maxLength: lengthMax });
    const member =
      numberTitle === undefined ? text : Type.Union([Type.Integer(), text], { title: numberTitle });
    return [name, Type.Optional(member)];
  }),
) as { readonly [Member in TargetMember]: TOptional<TUnion<[TInteger, TString]>> };

/** Which members a kind needs is checked by `findTargetProblems`. A target that is stored keeps its secret. */
const Webhook = strict({
  id: Type.Optional(Id),
  name: Name,
  kind: Type.Optional(Type.Enum([...TARGET_KINDS])),
  ...TargetAddress,
  quiet_hours: Type.Optional(QuietHours),
  alerts: Type.Optional(Type.Array(Text, { minItems: 1, maxItems: LIMITS.alertsOfWebhook })),
});

const Session = strict({
  id: Type.Optional(Id),
  gateway_name: Name,
  role: Type.Optional(Type.Enum(["receiving", "sending"])),
  engine: Type.Optional(Name),
  label: Type.Optional(Name),
  phone_number: Type.Optional(Phone),
  stale_after_ms: Type.Optional(DurationMs),
  connecting_user_id: Type.Optional(Name),
});

const Group = strict({
  id: Type.Optional(Id),
  gateway_group_id: Text,
  name: Type.Optional(Text),
  default_currency: Type.Optional(Currency),
  is_ignored: Type.Optional(Type.Boolean()),
});

const GroupPreset = strict({
  id: Type.Optional(Id),
  name: Name,
  description: Type.Optional(Text),
  group_ids: Type.Optional(Type.Array(Text, { maxItems: LIMITS.groupsOfPreset })),
});

const FxRate = strict({
  date: Type.String({ format: "date", title: "a date such as 2026-08-20" }),
  currency: Currency,
  // A YAML number is allowed. Its text is used, so that no digits are lost.
  per_eur: Type.Union([Type.Number(), Type.String()]),
});

/** All kinds and their members, in the order of their references. */
export const KINDS = {
  profiles: Profile,
  views: View,
  configurations: Configuration,
  alerts: Alert,
  webhooks: Webhook,
  sessions: Session,
  groups: Group,
  group_presets: GroupPreset,
  fx_rates: FxRate,
} as const satisfies Readonly<Record<string, TObject>>;

export type KindName = keyof typeof KINDS;
export type Declared<Kind extends KindName> = Static<(typeof KINDS)[Kind]>;

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

function strict<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/** Returns the members of an object schema, and an empty object for other schemas. */
export function membersOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  return (schema as { properties?: Record<string, TSchema> }).properties ?? {};
}
