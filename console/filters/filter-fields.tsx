/** Controls for what is typed into a filter: ranges, times, words. */
import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { AmountInput } from "../parts/amount-field.tsx";
import { Chip } from "../parts/choice.tsx";
import { useTyped } from "../parts/search-field.tsx";
import { controlWords } from "../words/filters.ts";
import { DAY_MS } from "../words/formats.ts";
import { words } from "../words/words.ts";
import { useEditedFilter } from "./edited-filter.ts";
import {
  askedDays,
  type Bound,
  boundOf,
  currencyOf,
  daysAgo,
  type RangeMember,
  WORDS,
  withInner,
  withMember,
  without,
  wordsOf,
} from "./filter.ts";

const SEEN: RangeMember = "last_seen_at_ms";
const SPANS = [
  { days: 1, label: controlWords.day },
  { days: 7, label: controlWords.week },
  { days: 30, label: controlWords.month },
] as const;

/** Two bounds of a member. They hold when the field is left or Enter is pressed. */
export function RangeFields(props: { readonly member: RangeMember; readonly label: string }) {
  return (
    <div class="range">
      <RangeField {...props} bound="gte" />
      <span aria-hidden="true">–</span>
      <RangeField {...props} bound="lte" />
    </div>
  );
}

/** Two bounds of the ask, as a person writes amounts. One that names a currency sets that of the filter. */
export function PriceFields(props: {
  readonly label: string;
  readonly placeholders: { readonly gte?: string; readonly lte?: string };
}) {
  return (
    <div class="range">
      <PriceField {...props} bound="gte" />
      <span aria-hidden="true">–</span>
      <PriceField {...props} bound="lte" />
    </div>
  );
}

function PriceField(props: {
  readonly label: string;
  readonly bound: Bound;
  readonly placeholders: { readonly gte?: string; readonly lte?: string };
}) {
  const { label, bound, placeholders } = props;
  const { filter, change } = useEditedFilter();
  const given = boundOf(filter, "price", bound);
  const other = boundOf(filter, "price", bound === "gte" ? "lte" : "gte");
  const currency = currencyOf(filter);
  return (
    <AmountInput
      amount={given === undefined ? undefined : { amount_minor: given, currency }}
      currency={currency}
      label={boundLabel(label, bound)}
      placeholder={placeholders[bound] ?? BOUND_WORDS[bound]}
      onAmount={(read) => {
        if (read?.amount_minor === given && (read?.currency ?? currency) === currency) return;
        if (read !== undefined && read.currency !== currency && other !== undefined) {
          throw new Error(words.amounts.otherCurrency(currency));
        }
        const rest =
          read === undefined && other === undefined ? without(filter, ["price"]) : filter;
        const named =
          read === undefined || read.currency === currency
            ? rest
            : withInner(rest, ["price", "currency"], read.currency);
        change(withInner(named, ["price", bound], read?.amount_minor));
      }}
    />
  );
}

const BOUND_WORDS = { gte: controlWords.from, lte: controlWords.to } as const;

function boundLabel(label: string, bound: Bound): string {
  return `${label} ${BOUND_WORDS[bound].toLowerCase()}`;
}

/** When a listing was last seen: the last days at a press, or two dates. */
export function TimeFields() {
  const { filter, change } = useEditedFilter();
  const from = boundOf(filter, SEEN, "gte");
  return (
    <>
      <div class="row">
        {SPANS.map(({ days, label }) => {
          const since = daysAgo(days);
          const isAsked = from !== undefined && askedDays(from) === days;
          const isOn = isAsked && boundOf(filter, SEEN, "lte") === undefined;
          return (
            <Chip
              key={days}
              isOn={isOn}
              onToggle={() => change(withMember(filter, SEEN, isOn ? undefined : { gte: since }))}
            >
              {label}
            </Chip>
          );
        })}
      </div>
      <div class="dates">
        <DateField bound="gte" />
        <DateField bound="lte" />
      </div>
    </>
  );
}

/** The words that a listing must have, as the search field of the market. */
export function WordsField(props: { readonly label: string; readonly hint: string }) {
  const { filter, change } = useEditedFilter();
  const id = useId();
  const { input } = useTyped(wordsOf(filter), (text) => {
    if (text !== (filter[WORDS] ?? "")) {
      change(withMember(filter, WORDS, text === "" ? undefined : text));
    }
  });
  return (
    <div class="form-field">
      <label for={id}>{props.label}</label>
      <input id={id} type="search" placeholder={props.hint} {...input} />
    </div>
  );
}

function RangeField(props: {
  readonly member: RangeMember;
  readonly label: string;
  readonly bound: Bound;
}) {
  const { member, label, bound } = props;
  const { filter, change } = useEditedFilter();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  // What is being typed stays, whatever arrives meanwhile.
  const typed = useSignal<string | undefined>(undefined);
  const given = boundOf(filter, member, bound);
  const apply = (): void => {
    const text = field.current?.value ?? "";
    const value = toNumber(text);
    field.current?.setCustomValidity(Number.isNaN(value) ? controlWords.notANumber : "");
    field.current?.reportValidity();
    if (Number.isNaN(value)) return;
    typed.value = undefined;
    if (value === given) return;
    change(withInner(filter, [member, bound], value));
  };
  return (
    <input
      ref={field}
      id={id}
      class="field"
      inputMode="numeric"
      aria-label={boundLabel(label, bound)}
      placeholder={BOUND_WORDS[bound]}
      value={typed.value ?? String(given ?? "")}
      onInput={(event) => {
        typed.value = event.currentTarget.value;
      }}
      onChange={apply}
    />
  );
}

/** Undefined if the field is empty, NaN if it is no whole number. */
function toNumber(text: string): number | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

function DateField({ bound }: { readonly bound: Bound }) {
  const { filter, change } = useEditedFilter();
  const given = boundOf(filter, SEEN, bound);
  const label = bound === "gte" ? controlWords.from : controlWords.to;
  return (
    <label>
      <span class="sub">{label}</span>
      <input
        class="field"
        type="date"
        aria-label={`${controlWords.seen} ${label.toLowerCase()}`}
        value={given === undefined ? "" : toDate(given)}
        onChange={(event) => {
          const start = new Date(`${event.currentTarget.value}T00:00:00`).getTime();
          const value = bound === "gte" ? start : start + DAY_MS - 1;
          change(withInner(filter, [SEEN, bound], Number.isNaN(value) ? undefined : value));
        }}
      />
    </label>
  );
}

/** In the time zone of the reader, as the field shows it. */
function toDate(atMs: number): string {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return "";
  const month = String(at.getMonth() + 1).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${month}-${String(at.getDate()).padStart(2, "0")}`;
}
