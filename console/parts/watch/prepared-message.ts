/**
 * A message to the dealer of a watch, ready to be sent: in the dealer's language, with what tells this watch from the others
 * of the dealer.
 *
 * Example: "Hi Mei, is your Rolex 126710BLNR, 2025, new, full set, HK$122,000 still available? I can do HK$118,000."
 */
import type { Listing } from "../../../client/assay-client.ts";
import { regionOf } from "../../words/countries.ts";
import { LANGUAGES, type Language, MESSAGES, type MessageWords } from "../../words/messages.ts";

export type Addressed = Pick<
  Listing,
  | "side"
  | "brand"
  | "model"
  | "reference"
  | "year"
  | "condition"
  | "full_set_status"
  | "dial_type"
  | "price"
  | "sender"
>;

interface Money {
  readonly amount_minor: number;
  readonly currency: string;
}

/** What people call themselves. Firms, numbers and decorated names are not greeted by name. */
const NAME = /^\p{L}[\p{L}\p{M}'’.-]*(?: [\p{L}\p{M}'’.-]+){0,2}$/u;
const NAME_MAX = 30;
const FACT_MAX = 60;
/** Marks of direction, broken characters and the like. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** The address that opens a chat with the message typed in. Undefined without a number. */
export function toChatUrl(listing: Addressed, offer: Money | undefined): string | undefined {
  const digits = listing.sender.phone_number?.replace(/\D/g, "") ?? "";
  if (digits === "") return undefined;
  return `https://wa.me/${digits}?text=${encodeURIComponent(prepareMessage(listing, offer))}`;
}

/** A chat with a dealer about nothing in particular: it begins with the greeting. */
export function toDealerChatUrl(sender: Listing["sender"]): string | undefined {
  const digits = sender.phone_number?.replace(/\D/g, "") ?? "";
  if (digits === "") return undefined;
  const greeting = MESSAGES[languageOf({ sender })].greeting(nameOf({ sender }));
  return `https://wa.me/${digits}?text=${encodeURIComponent(`${greeting} `)}`;
}

/** `offer` is what was offered already: what a watch is worth to the desk is never in it. */
export function prepareMessage(listing: Addressed, offer: Money | undefined): string {
  const words = MESSAGES[languageOf(listing)];
  const watch = describe(listing, words);
  const isWanted = listing.side === "want_to_buy";
  const question = isWanted ? words.isLookedFor(watch) : words.isAvailable(watch);
  const said = [words.greeting(nameOf(listing)), question];
  if (offer !== undefined) said.push(words.isOffered(formatMoney(offer, words)));
  const isSpaced = !words.greeting(undefined).endsWith("，");
  return said.join(isSpaced ? " " : "");
}

function languageOf({ sender: { country_prefix } }: Pick<Addressed, "sender">): Language {
  const region = country_prefix === undefined ? undefined : regionOf(country_prefix);
  return LANGUAGES[region ?? ""] ?? "en";
}

function nameOf({ sender: { display_name } }: Pick<Addressed, "sender">): string | undefined {
  const name = display_name?.normalize("NFC").trim() ?? "";
  return name.length <= NAME_MAX && NAME.test(name) ? name : undefined;
}

/** In the order of all lists: year, condition, set, dial. */
function describe(listing: Addressed, { comma, values, ...words }: MessageWords): string {
  const { brand, model, reference, year, condition, full_set_status, dial_type, price } = listing;
  const named = [brand, reference ?? model].filter((part) => part !== undefined).join(" ");
  const facts = [
    named === "" ? values["watch"] : named,
    year === undefined ? undefined : String(year),
    condition === undefined ? undefined : values[condition],
    ...full_set_status.map((status) => values[status]),
    dial_type,
    price === undefined ? undefined : formatMoney(price, words),
  ];
  return facts
    .map((fact) => toPlain(fact ?? ""))
    .filter((fact) => fact !== "")
    .join(comma);
}

function toPlain(text: string): string {
  return [...text.replace(INVISIBLE, " ").trim()].slice(0, FACT_MAX).join("");
}

/** In whole units, unless the ask has hundredths. What is no currency to `Intl`, such as USDT, stands before the amount. */
function formatMoney(
  { amount_minor, currency }: Money,
  { locale }: Pick<MessageWords, "locale">,
): string {
  const digits = amount_minor % 100 === 0 ? 0 : 2;
  const isCode = /^[A-Z]{3}$/.test(currency);
  const amount = new Intl.NumberFormat(locale, {
    ...(isCode ? { style: "currency", currency } : {}),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount_minor / 100);
  // The space that keeps an amount on one line is a plain one in a chat.
  return (isCode ? amount : `${currency} ${amount}`).replaceAll(/[\u00a0\u202f]/g, " ");
}
