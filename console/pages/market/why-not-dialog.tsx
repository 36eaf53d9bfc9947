import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Listing } from "../../../client/assay-client.ts";
import { isAbort, toFailure } from "../../api.ts";
import { describeMember, memberLabel, nameValue } from "../../filters/clauses.ts";
import type { MemberName } from "../../filters/filter.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { countryOf } from "../../words/countries.ts";
import { formatAmount, formatTime } from "../../words/formats.ts";
import { marketWords } from "../../words/market.ts";
import { words } from "../../words/words.ts";
import { changeFilter, market } from "./market-state.ts";
import { explainAbsence, findListingId, type Miss, type Verdict } from "./why-not.ts";

/** Names the parts of the current filter that keep a listing out. */
export function WhyNotDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useSignal("");
  const problem = useSignal<string | undefined>(undefined);
  const verdict = useSignal<Verdict | undefined>(undefined);
  const running = useRef(new AbortController());
  const id = useId();
  useEffect(() => () => running.current.abort(), []);
  const look = async (): Promise<void> => {
    const listingId = findListingId(text.value);
    problem.value = listingId === undefined ? marketWords.whyNotBad : undefined;
    verdict.value = undefined;
    if (listingId === undefined) return;
    running.current.abort();
    running.current = new AbortController();
    try {
      verdict.value = await explainAbsence(market.value.filter, listingId, running.current.signal);
    } catch (error) {
      if (isAbort(error)) return;
      const failure = toFailure(error);
      problem.value = failure.kind === "missing" ? marketWords.whyNotMissing : failure.message;
    }
  };
  return (
    <Dialog label={marketWords.whyNotTitle} onClose={onClose}>
      <form
        class="name-form"
        onSubmit={(event) => {
          event.preventDefault();
          look().catch(reportError);
        }}
      >
        <h2>{marketWords.whyNotTitle}</h2>
        <p class="soft">{marketWords.whyNotHint}</p>
        <label for={id}>{marketWords.whyNotLabel}</label>
        <input
          id={id}
          class="field"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        {problem.value === undefined ? null : (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <div role="status">
          {verdict.value === undefined ? null : (
            <VerdictText verdict={verdict.value} onClose={onClose} />
          )}
        </div>
        <div class="row">
          <Button isMain isSubmit>
            {marketWords.whyNotAsk}
          </Button>
          <Button onPress={onClose}>{words.keys.close}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function VerdictText(props: { readonly verdict: Verdict; readonly onClose: () => void }) {
  const { verdict, onClose } = props;
  if (verdict.kind === "in") return <p>{marketWords.isIn}</p>;
  if (verdict.kind === "unclear") return <p>{marketWords.unclear}</p>;
  return (
    <>
      <p>{marketWords.misses(verdict.misses.length)}</p>
      <ul class="misses">
        {verdict.misses.map((miss) => (
          <li key={miss.member}>
            <MissText miss={miss} listing={verdict.listing} />
            <Button
              onPress={() => {
                changeFilter(miss.rest);
                onClose();
              }}
            >
              {miss.member in MARK_WORDS
                ? marketWords.includeIt
                : marketWords.dropPart(memberLabel(miss.member))}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

const MARK_WORDS: Readonly<Record<string, string>> = {
  include_duplicates: marketWords.isRepeated,
  include_hidden: marketWords.isHidden,
  include_revoked: marketWords.isDeleted,
} satisfies Readonly<Partial<Record<MemberName, string>>>;

function MissText({ miss, listing }: { readonly miss: Miss; readonly listing: Listing }) {
  const mark = MARK_WORDS[miss.member];
  if (mark !== undefined) return <span>{mark}</span>;
  const actual = actualOf(miss.member, listing);
  return (
    <span>
      <b>{memberLabel(miss.member)}</b> {marketWords.asked}{" "}
      <b>{describeMember(market.value.filter, miss.member)}</b>
      {actual === undefined ? null : (
        <>
          ; {marketWords.has} <b>{actual}</b>
        </>
      )}
    </span>
  );
}

/** What the listing has where this member looks; undefined where that is a text or a list too long to show. */
function actualOf(member: string, listing: Listing): string | undefined {
  const { sender, source, price, price_eur_minor } = listing;
  const none = marketWords.hasNone;
  const read: Readonly<Record<string, () => string>> = {
    side: () => nameValue("side", listing.side),
    brand: () => listing.brand ?? none,
    model: () => listing.model ?? none,
    reference: () => listing.reference ?? none,
    year: () => String(listing.year ?? none),
    condition: () => nameValue("condition", listing.condition ?? none),
    full_set_status: () =>
      listing.full_set_status.map((value) => nameValue("set", value)).join(", ") || none,
    dial_type: () => listing.dial_type ?? none,
    variant: () => listing.variant ?? none,
    country_codes: () =>
      sender.country_prefix === undefined ? none : countryOf(sender.country_prefix),
    group_ids: () => source.group_names.slice(0, 3).join(", ") || none,
    group_names: () => source.group_names.slice(0, 3).join(", ") || none,
    last_seen_at_ms: () => formatTime(source.last_seen_at_ms),
    message_timestamp_ms: () => formatTime(source.message_timestamp_ms),
    from_ms: () => formatTime(source.message_timestamp_ms),
    to_ms: () => formatTime(source.message_timestamp_ms),
    price: () => {
      if (price === undefined) return none;
      const ask = formatAmount({ minor: price.amount_minor, currency: price.currency });
      if (price.currency === "EUR" || price_eur_minor === undefined) return ask;
      return `${ask} (${formatAmount({ minor: price_eur_minor, currency: "EUR" })})`;
    },
  } satisfies Readonly<Partial<Record<MemberName, () => string>>>;
  const twins: Readonly<Record<string, string>> = {
    years: "year",
    conditions: "condition",
    full_set_options: "full_set_status",
    dial_types: "dial_type",
    variants: "variant",
  } satisfies Readonly<Partial<Record<MemberName, MemberName>>>;
  return read[twins[member] ?? member]?.();
}
