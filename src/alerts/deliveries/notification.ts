/**
 * The text that a person gets about one or several matches. It is plain text, short, and safe whatever a group wrote:
 * no control characters, no line breaks within a line, nothing that an app turns into a link or a mention, except our own
 * link. A watch that several alerts matched appears once.
 *
 * Example:
 *   Rolex Submariner 126610LN, 2023, new
 *   Ask 80,000 HKD (8,839.78 EUR, landed 9,431.77 EUR), profit 888.23 EUR
 *   Offer up to 83,340 HKD
 *   From Peter Wong, +85291234567, in HK Dealers
 *   Alert: cheap Submariners
 *   https://assay.example.org/listings/0b9c…
 */
import { cutText, showAmount } from "../../base/text.ts";
import type { MatchEvent } from "../describe-matches.ts";

export interface Notification {
  /** One line. */
  readonly title: string;
  readonly text: string;
  /** The page to open. Absent if the address of the console is not set. */
  readonly link?: string;
  /** True if the text does not repeat the title. */
  readonly isTitleNeeded: boolean;
}

/** A bundle shows the best matches and counts the others. */
const SHOWN_MAX = 5;
const NAME_LENGTH_MAX = 60;
const MESSAGE_LENGTH_MAX = 240;
const ALERTS_SHOWN_MAX = 3;
const TITLE_LENGTH_MAX = 120;
/** ntfy turns a message of more than 4,096 bytes into an attachment, and Telegram refuses more than 4,096 characters. */
const TEXT_BYTES_MAX = 3_500;

/** `events` must not be empty. The highest profit comes first, then the newest. */
export function toNotification(
  events: readonly MatchEvent[],
  publicUrl: string | undefined,
): Notification {
  const watches = groupByResource(events).toSorted(
    (left, right) => (right.profitMinor ?? -1) - (left.profitMinor ?? -1) || right.atMs - left.atMs,
  );
  const [best] = watches;
  if (watches.length === 1 && best !== undefined) {
    const link = linkOf(best, publicUrl);
    return {
      title: cutText(titleOf(best), TITLE_LENGTH_MAX),
      text: cutBytes(showWatch(best, publicUrl)),
      ...(link === undefined ? {} : { link }),
      isTitleNeeded: false,
    };
  }
  const profit =
    best?.profitMinor === undefined ? "" : `, best profit ${showEur(best.profitMinor)}`;
  return {
    title: `${watches.length} matches${profit}`,
    text: showWatches(watches, publicUrl),
    ...(publicUrl === undefined ? {} : { link: toLink(publicUrl, "/") }),
    isTitleNeeded: true,
  };
}

/** For a target that is tried by hand. */
export function toTestNotification(
  targetName: string,
  publicUrl: string | undefined,
): Notification {
  return {
    title: "Test message from Assay",
    text: `Matches for "${toPlain(targetName, NAME_LENGTH_MAX)}" arrive here.`,
    ...(publicUrl === undefined ? {} : { link: toLink(publicUrl, "/") }),
    isTitleNeeded: true,
  };
}

interface Watch {
  readonly event: MatchEvent;
  readonly alerts: readonly string[];
  readonly profitMinor: number | undefined;
  readonly atMs: number;
}

function groupByResource(events: readonly MatchEvent[]): readonly Watch[] {
  const groups = new Map<string, MatchEvent[]>();
  for (const event of events) {
    const key = event.data.match.resource_id;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].map((group) => {
    const ranked = group.toSorted(
      (left, right) => (profitOf(right) ?? -1) - (profitOf(left) ?? -1),
    );
    const event = ranked[0] as MatchEvent;
    return {
      event,
      alerts: [...new Set(ranked.map(({ data }) => data.alert.name))],
      profitMinor: profitOf(event),
      atMs: event.data.match.matched_at_ms,
    };
  });
}

/** Of the headline, so that a watch has the same profit everywhere. */
function profitOf({ data }: MatchEvent): number | undefined {
  const profit = data.headline?.["profit_opportunity_eur_minor"];
  return typeof profit === "number" ? profit : undefined;
}

/** Leaves out watches from the end until the text is short enough. */
function showWatches(watches: readonly Watch[], publicUrl: string | undefined): string {
  for (let count = Math.min(SHOWN_MAX, watches.length); ; count -= 1) {
    const rest = watches.length - count;
    const parts = [
      ...watches.slice(0, count).map((watch) => showWatch(watch, publicUrl)),
      ...(rest === 0
        ? []
        : [[`and ${rest} more`, ...(publicUrl ? [toLink(publicUrl, "/")] : [])].join("\n")]),
    ];
    const text = parts.join("\n\n");
    if (count <= 1 || Buffer.byteLength(text) <= TEXT_BYTES_MAX) return cutBytes(text);
  }
}

/** The members of a listing and of a message that a text shows. The API defines the whole objects. */
interface ShownListing {
  readonly id: string;
  readonly side?: string;
  readonly brand?: string;
  readonly model?: string;
  readonly reference?: string;
  readonly year?: number;
  readonly condition?: string;
  readonly price?: { readonly amount_minor: number; readonly currency: string };
  readonly price_eur_minor?: number;
  readonly price_drop?: {
    readonly from: { readonly amount_minor: number; readonly currency: string };
    readonly bps: number;
  };
  readonly sender?: ShownSender;
  readonly source?: { readonly group_names?: readonly string[] };
}

interface ShownMessage {
  readonly message_text?: string;
  readonly sender?: ShownSender;
  readonly group_names?: readonly string[];
}

interface ShownSender {
  readonly display_name?: string;
  readonly phone_number?: string;
}

function listingOf({ event }: Watch): ShownListing | undefined {
  return event.data.listing as ShownListing | undefined;
}

function titleOf(watch: Watch): string {
  const listing = listingOf(watch);
  if (listing === undefined)
    return `Message for "${toPlain(watch.alerts[0] ?? "", NAME_LENGTH_MAX)}"`;
  const ask =
    listing.price_eur_minor === undefined ? showAsk(listing) : showEur(listing.price_eur_minor);
  const profit = watch.profitMinor === undefined ? "" : `, profit ${showEur(watch.profitMinor)}`;
  const name = nameOf(listing);
  return `${name}${ask === undefined ? "" : `: ${ask}`}${profit}`;
}

function nameOf({ brand, reference, model }: ShownListing): string {
  const words = [brand, reference ?? model].flatMap((word) =>
    word === undefined ? [] : [toPlain(word, NAME_LENGTH_MAX)],
  );
  return words.length === 0 ? "A watch" : words.join(" ");
}

function showWatch(watch: Watch, publicUrl: string | undefined): string {
  const listing = listingOf(watch);
  const names = watch.alerts
    .slice(0, ALERTS_SHOWN_MAX)
    .map((name) => toPlain(name, NAME_LENGTH_MAX));
  const link = linkOf(watch, publicUrl);
  return [
    ...(listing === undefined
      ? showMessage(watch.event.data.message ?? {})
      : showListing(listing, watch)),
    `Alert: ${names.join(", ")}${watch.alerts.length > names.length ? ", …" : ""}`,
    ...(link === undefined ? [] : [link]),
  ].join("\n");
}

const CONDITIONS: Readonly<Record<string, string>> = {
  NEW: "new",
  LIKE_NEW: "like new",
  USED: "used",
};

function showListing(listing: ShownListing, { profitMinor, event }: Watch): readonly string[] {
  const { brand, model, reference, year, condition, price, price_eur_minor } = listing;
  const shownCondition = CONDITIONS[condition ?? ""];
  const watch = [brand, model, reference].flatMap((word) =>
    word === undefined ? [] : [toPlain(word, NAME_LENGTH_MAX)],
  );
  const facts = [
    watch.length === 0 ? "A watch" : watch.join(" "),
    ...(year === undefined ? [] : [String(year)]),
    ...(shownCondition === undefined ? [] : [shownCondition]),
  ];
  const ask = showAsk(listing) ?? "without a price";
  const costs = [
    ...(price_eur_minor === undefined || price?.currency === "EUR"
      ? []
      : [showEur(price_eur_minor)]),
    ...showLanded(event.data),
  ];
  const eur = costs.length === 0 ? "" : ` (${costs.join(", ")})`;
  const profit = profitMinor === undefined ? "" : `, profit ${showEur(profitMinor)}`;
  const verb = listing.side === "want_to_buy" ? "Wanted" : "Ask";
  return [
    facts.join(", "),
    `${verb} ${ask}${eur}${profit}`,
    ...showDrop(listing),
    ...showOffer(event.data),
    ...showSender(listing.sender, listing.source?.group_names),
  ];
}

/** Where it is more than the ask, because the profit is the average less this. */
function showLanded({ headline }: MatchEvent["data"]): readonly string[] {
  const landed = headline?.["comparable_ask_eur_minor"];
  const isMore = typeof landed === "number" && landed !== headline?.["original_ask_eur_minor"];
  return isMore ? [`landed ${showEur(landed)}`] : [];
}

/** Only of what is a buy: of anything else the sentence would be an invitation. */
function showOffer({ price, offer_state }: MatchEvent["data"]): readonly string[] {
  if (offer_state === "replaced" || offer_state === "gone") return ["No longer on offer"];
  if (price?.is_buy !== true || price.offer_up_to === undefined) return [];
  const { shown_minor, currency } = price.offer_up_to;
  return [`Offer up to ${showWhole(shown_minor)} ${toPlain(currency, 5)}`];
}

function showDrop({ price_drop }: ShownListing): readonly string[] {
  if (price_drop === undefined) return [];
  const { from, bps } = price_drop;
  return [`Down ${bps / 100}% from ${showWhole(from.amount_minor)} ${toPlain(from.currency, 5)}`];
}

function showAsk({ price }: ShownListing): string | undefined {
  if (price === undefined) return undefined;
  return `${showWhole(price.amount_minor)} ${toPlain(price.currency, 5)}`;
}

function showMessage(message: object): readonly string[] {
  const { message_text, sender, group_names } = message as ShownMessage;
  const text = toHarmless(message_text ?? "", MESSAGE_LENGTH_MAX);
  return [text === "" ? "A message" : text, ...showSender(sender, group_names)];
}

function showSender(
  sender: ShownSender | undefined,
  groupNames: readonly string[] | undefined,
): readonly string[] {
  const name = toHarmless(sender?.display_name ?? "", NAME_LENGTH_MAX);
  const digits = sender?.phone_number?.replace(/\D/g, "") ?? "";
  const [group = ""] = (groupNames ?? []).map((one) => toHarmless(one, NAME_LENGTH_MAX));
  const parts = [name, digits === "" ? "" : `+${digits}`, group === "" ? "" : `in ${group}`];
  const shown = parts.filter((part) => part !== "");
  return shown.length === 0 ? [] : [`From ${shown.join(", ")}`];
}

function linkOf(watch: Watch, publicUrl: string | undefined): string | undefined {
  const listing = listingOf(watch);
  if (publicUrl === undefined || listing === undefined) return undefined;
  return toLink(publicUrl, `/listings/${encodeURIComponent(listing.id)}`);
}

function toLink(publicUrl: string, path: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${path}`;
}

function showEur(minor: number): string {
  return `${showWhole(minor)} EUR`;
}

function showWhole(minor: number): string {
  return showAmount(minor).replace(/\.00$/, "");
}

/** One line without control, direction and other invisible characters. */
function toPlain(text: string, lengthMax: number): string {
  const line = text
    .toWellFormed()
    .replace(
      /[\p{Control}\p{Format}\p{Private_Use}\p{Line_Separator}\p{Paragraph_Separator}]+/gu,
      " ",
    )
    .replace(/\s+/gu, " ")
    .trim();
  return line.length <= lengthMax ? line : `${cutText(line, lengthMax - 1).trimEnd()}…`;
}

/** Also without anything that an app turns into a link, a mention or a command: this text was written in a group. */
function toHarmless(text: string, lengthMax: number): string {
  const words = text.replace(/[@#/\\:]+/g, " ").replace(/\.(?=[\p{Letter}\p{Number}])/gu, ". ");
  return toPlain(words, lengthMax);
}

function cutBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= TEXT_BYTES_MAX) return text;
  // A character that is cut in two decodes to U+FFFD.
  return bytes
    .subarray(0, TEXT_BYTES_MAX)
    .toString()
    .replace(/\uFFFD+$/, "");
}
