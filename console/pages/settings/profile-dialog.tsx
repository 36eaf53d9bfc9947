import { type Signal, signal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import type {
  ChangeProfileRequest,
  CreateProfileRequest,
  Profile,
} from "../../../client/assay-client.ts";
import { api, readTagged, toIfMatch } from "../../api.ts";
import { isSameJson } from "../../filters/filter.ts";
import { AmountField } from "../../parts/amount-field.tsx";
import { ConfirmDialog } from "../../parts/dialog.tsx";
import { Field, SelectField } from "../../parts/form.tsx";
import { showToast } from "../../state/toasts.ts";
import { HOUR_MS } from "../../words/formats.ts";
import { settingsWords } from "../../words/settings.ts";

type RuleId = keyof typeof settingsWords.fields;

/** A rule as a number in the unit of the form: hundredths of a euro, per cent, days, hours. */
interface Rule {
  readonly id: RuleId;
  /** What one unit of the form is in the member of the service. */
  readonly factor: number;
  /** In the unit of the form. */
  readonly min: number;
  readonly max: number;
  readonly step: string;
  /** Money is typed as amounts are. */
  readonly isAmount?: boolean;
  readonly read: (profile: Partial<Profile>) => number | undefined;
  /** What a new profile starts with, as the service has it. */
  readonly initial: number;
}

const NAME_LENGTH_MAX = 120;
const EUR = { factor: 1, min: 0, max: 1_000_000_000, step: "1", isAmount: true };
const PERCENT = { factor: 100, min: 0, max: 100, step: "0.01" };
const WHOLE = { factor: 1, min: 1, step: "1" };

const RULES: readonly Rule[] = [
  {
    ...EUR,
    id: "minimum_profit",
    read: (profile) => profile.minimum_profit_eur_minor,
    initial: 50_000,
  },
  { ...WHOLE, id: "lookback", max: 3650, read: (profile) => profile.lookback_days, initial: 30 },
  {
    ...WHOLE,
    id: "minimum_listings",
    max: 10_000,
    read: (profile) => profile.minimum_listings,
    initial: 3,
  },
  {
    ...PERCENT,
    id: "markup_rate",
    max: 1_000,
    read: (profile) => profile.hk_markup?.rate_bps,
    initial: 500,
  },
  {
    ...EUR,
    id: "markup_fixed",
    read: (profile) => profile.hk_markup?.fixed_eur_minor,
    initial: 15_000,
  },
  {
    ...PERCENT,
    id: "low_quantile",
    read: (profile) => profile.consumer_range?.low_quantile_bps,
    initial: 2_500,
  },
  {
    ...PERCENT,
    id: "high_quantile",
    read: (profile) => profile.consumer_range?.high_quantile_bps,
    initial: 7_500,
  },
  {
    ...PERCENT,
    id: "margin",
    max: 10_000,
    read: (profile) => profile.consumer_range?.margin_bps,
    initial: 1_000,
  },
  { ...PERCENT, id: "below", read: (profile) => profile.implausible_below_bps, initial: 5_000 },
  {
    ...PERCENT,
    id: "above",
    min: 100,
    max: 10_000,
    read: (profile) => profile.implausible_above_bps,
    initial: 30_000,
  },
  {
    id: "stale_after",
    factor: HOUR_MS,
    min: 0.1,
    max: 87_600,
    step: "any",
    read: (profile) => profile.stale_after_ms,
    initial: 6 * HOUR_MS,
  },
];

type Sets = keyof typeof settingsWords.setsOf;

const SETS = Object.entries(settingsWords.setsOf).map(([value, label]) => ({ value, label }));

/**
 * The rules of a profile, or of a new one, which starts in shadow. They are saved on what the reader saw: if someone changed them
 * meanwhile, the dialog says so and stays, and saving again replaces that.
 */
export function ProfileDialog(props: {
  readonly profile?: Profile;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const { profile } = props;
  const form = useMemo(() => createForm(profile), []);
  const seen = useRef(profile);
  const change = async (id: string, body: ChangeProfileRequest): Promise<void> => {
    const { value: now, etag } = await readTagged((options) => api.getProfile({ id }, options));
    const isSame = isSameJson(toTexts(now), toTexts(seen.current));
    seen.current = now;
    if (!isSame) {
      props.onSaved();
      throw new Error(settingsWords.profileConflict);
    }
    await api.changeProfile({ ...body, id, ...toIfMatch(etag) });
  };
  const save = async (): Promise<void> => {
    const name = form.name.value.trim();
    const sets = form.sets.value as Sets;
    const body = { name, sets, ...toRuleBody((id) => form.rules[id]?.value ?? "") };
    if (profile === undefined) await api.createProfile(body as CreateProfileRequest);
    else await change(profile.id, body);
    showToast(settingsWords.profileSaved(name));
    props.onSaved();
  };
  return (
    <ConfirmDialog
      title={
        profile === undefined ? settingsWords.newProfile : settingsWords.editProfile(profile.name)
      }
      action={profile === undefined ? settingsWords.createProfile : settingsWords.saveProfile}
      class="profile-dialog"
      onConfirm={save}
      onClose={props.onClose}
    >
      <Field of={form.name} label={settingsWords.profileName} lengthMax={NAME_LENGTH_MAX} />
      <SelectField of={form.sets} label={settingsWords.sets} options={SETS} />
      <div class="form-grid">
        {RULES.map(({ id, min, max, step, isAmount }) => {
          const of = form.rules[id] ?? form.name;
          const words = settingsWords.fields[id];
          return isAmount === true ? (
            <EuroField key={id} of={of} {...words} />
          ) : (
            <Field key={id} of={of} {...words} range={{ min, max, step }} />
          );
        })}
      </div>
    </ConfirmDialog>
  );
}

function EuroField(props: {
  readonly of: Signal<string>;
  readonly label: string;
  readonly hint?: string;
}) {
  const { of, ...words } = props;
  return (
    <AmountField
      amount={{ amount_minor: Number(of.value), currency: "EUR" }}
      {...words}
      kind="other"
      currency="EUR"
      isFixed
      onAmount={(read) => {
        of.value = String(read?.amount_minor ?? 0);
      }}
    />
  );
}

function createForm(profile: Profile | undefined) {
  const { name, sets, rules } = toTexts(profile);
  return {
    name: signal(name),
    sets: signal<string>(sets),
    rules: Object.fromEntries(
      Object.entries(rules).map(([id, text]) => [id, signal(text)] as const),
    ),
  };
}

/** What the form shows of a profile. */
function toTexts(profile: Profile | undefined) {
  return {
    name: profile?.name ?? "",
    // A watch without papers costs less, so a new profile leaves it out.
    sets: profile === undefined ? "papers" : (profile.sets ?? "any"),
    rules: Object.fromEntries(RULES.map((rule) => [rule.id, toText(rule, profile ?? {})] as const)),
  };
}

/** The text of the form for a rule of a profile, or of a new one. */
function toText(rule: Rule, profile: Partial<Profile>): string {
  return String((rule.read(profile) ?? rule.initial) / rule.factor);
}

/** All rules in the members of the service. A member with parts is replaced whole, so all its parts are sent. */
function toRuleBody(textOf: (id: RuleId) => string): Omit<ChangeProfileRequest, "name" | "status"> {
  const valueFor = (id: RuleId): number => {
    const factor = RULES.find((rule) => rule.id === id)?.factor ?? 1;
    return Math.round(Number(textOf(id)) * factor);
  };
  return {
    minimum_profit_eur_minor: valueFor("minimum_profit"),
    lookback_days: valueFor("lookback"),
    minimum_listings: valueFor("minimum_listings"),
    hk_markup: { rate_bps: valueFor("markup_rate"), fixed_eur_minor: valueFor("markup_fixed") },
    consumer_range: {
      low_quantile_bps: valueFor("low_quantile"),
      high_quantile_bps: valueFor("high_quantile"),
      margin_bps: valueFor("margin"),
    },
    implausible_below_bps: valueFor("below"),
    implausible_above_bps: valueFor("above"),
    stale_after_ms: valueFor("stale_after"),
  };
}
