/**
 * Amounts of money that are typed. The service reads them, with the reader of dealers' messages, so there is one reader.
 *
 * An amount counts when it is settled: when its field is left, for a filter, and before a form is saved. A form awaits
 * `settleAmounts` first. It throws if an amount was not understood, or is far from the ask and nobody said that it is right, so
 * nothing is saved then.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ParseAmountRequest, ParsedAmount } from "../../client/assay-client.ts";
import { api } from "../api.ts";
import { words } from "../words/words.ts";
import { type ComparedWith, isFar, type ReadAmount, showBare, showRead } from "./read-amounts.ts";

/** What an amount is of. */
export interface AmountOf {
  /** As it stands now. */
  readonly amount: ReadAmount | undefined;
  /** Of an amount that names none. */
  readonly currency: string;
  /** Costs and profits leave no unit out. */
  readonly kind?: ParseAmountRequest["kind"];
  /** The watch that it is compared with. */
  readonly listingId?: string | undefined;
  readonly comparedWith?: ComparedWith;
  /** It may be in no other currency. */
  readonly isFixed?: boolean;
  /** The currency stands beside the field. */
  readonly isBare?: boolean;
  /** Only a proposal: it is asked about like an amount that is typed. */
  readonly isProposed?: boolean;
  /** Called when it is settled; undefined if the field is empty. It may throw. */
  readonly onAmount: (amount: ReadAmount | undefined) => void;
}

interface Reading {
  readonly text: string;
  readonly currency: string;
  readonly found: ParsedAmount;
}

export interface TypedAmount {
  readonly input: RefObject<HTMLInputElement | null>;
  /** The box that says that an amount far from the ask is right. */
  readonly sure: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly isTyped: boolean;
  readonly isSure: Signal<boolean>;
  /** What the text means; undefined until it is read. */
  readonly found: ParsedAmount | undefined;
  readonly type: (text: string) => void;
  /** Reads what is typed, to show it. */
  readonly look: (signal: AbortSignal) => Promise<void>;
  readonly settle: () => Promise<void>;
}

const fields = new Set<{
  readonly input: RefObject<HTMLInputElement | null>;
  readonly settle: () => Promise<void>;
}>();

/** All amounts in a form, one after the other. */
export async function settleAmounts(within: Element | null): Promise<void> {
  for (const { input, settle } of [...fields]) {
    if (within?.contains(input.current) === true) await settle();
  }
}

export function useAmount(of: AmountOf): TypedAmount {
  const typed = useSignal<string | undefined>(undefined);
  const reading = useSignal<Reading | undefined>(undefined);
  const isSure = useSignal(false);
  const [input, sure] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const latest = useRef(of);
  latest.current = of;
  const { amount, currency, isBare = false } = of;
  const shown = amount === undefined ? "" : (isBare ? showBare : showRead)(amount);
  const textNow = (): string => (typed.peek() ?? shown).trim();
  const read = async (text: string, signal?: AbortSignal): Promise<ParsedAmount> => {
    const { currency, kind, listingId } = latest.current;
    const known = reading.peek();
    if (known?.text === text && known.currency === currency) return known.found;
    const found = await api.parseAmount(
      {
        text,
        currency,
        ...(kind === undefined ? {} : { kind }),
        ...(listingId === undefined ? {} : { listing_id: listingId }),
      },
      signal === undefined ? {} : { signal },
    );
    reading.value = { text, currency, found };
    return found;
  };
  const settle = async (): Promise<void> => {
    if (typed.peek() === undefined && latest.current.isProposed !== true) return;
    const text = textNow();
    const found: ParsedAmount = text === "" ? {} : await read(text);
    if (text !== "") check(found, latest.current, isSure.peek(), sure.current);
    latest.current.onAmount(found.amount);
    typed.value = undefined;
  };
  useEffect(() => {
    const field = { input, settle: () => settling.current() };
    fields.add(field);
    return () => void fields.delete(field);
  }, []);
  const settling = useRef(settle);
  settling.current = settle;
  const text = typed.value ?? shown;
  const isRead = reading.value?.text === text.trim() && reading.value.currency === currency;
  return {
    input,
    sure,
    text,
    isTyped: typed.value !== undefined,
    isSure,
    found: isRead ? reading.value?.found : undefined,
    type: (text) => {
      typed.value = text;
      isSure.value = false;
    },
    look: async (signal) => {
      if (textNow() !== "") await read(textNow(), signal);
    },
    settle,
  };
}

/** Throws what the reader must know before the amount can be saved. */
function check(
  { amount, problem, ...distances }: ParsedAmount,
  { comparedWith = "ask", currency, isFixed }: AmountOf,
  isSure: boolean,
  sure: HTMLInputElement | null,
): void {
  if (amount === undefined) throw new Error(words.amounts.problems[problem ?? "no_amount"]);
  if (isFixed === true && amount.currency !== currency) {
    throw new Error(words.amounts.only(currency));
  }
  if (isSure || !isFar(distances, comparedWith)) return;
  sure?.focus();
  throw new Error(words.amounts.notSure(showRead(amount)));
}
