/** What the palette offers for a text: what the service found by its name, pages and actions, and a search of the market. */
import type {
  FoundAlert,
  FoundContact,
  FoundReference,
  FoundThings,
  Listing,
} from "../../client/assay-client.ts";
import { PAGES } from "../pages.ts";
import { referencePath, watchDetails, watchTitle } from "../parts/watch.tsx";
import { navigate } from "../router.ts";
import { type Command, commands } from "../state/commands.ts";
import { isPresenting } from "../state/preferences.ts";
import { canWrite } from "../state/session.ts";
import { countryOf } from "../words/countries.ts";
import { formatAmount, formatCount, hidePhones } from "../words/formats.ts";
import { words } from "../words/words.ts";
import { isOpen } from "./nav.tsx";

type Kind = keyof typeof words.palette.kinds;

export interface Entry {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  /** What helps to tell it from others. */
  readonly note: string;
  readonly run: () => void;
}

/** Pages and actions whose words start as what is typed come first, because they answer at once; other parts of names come last. */
export function listEntries(typed: string, found: FoundThings | undefined): readonly Entry[] {
  const text = typed.trim();
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
  const named = [...listPages(), ...toActions(commands.value)];
  if (parts.length === 0) return named;
  const starting = named.filter(({ title }) => parts.every((part) => startsIn(title, part)));
  const having = named.filter(
    (entry) =>
      !starting.includes(entry) && parts.every((part) => entry.title.toLowerCase().includes(part)),
  );
  return [...starting, ...(found === undefined ? [] : toEntries(found)), ...having, toMarket(text)];
}

function listPages(): readonly Entry[] {
  return PAGES.filter((page) => !page.path.includes(":") && isOpen(page)).map(
    ({ path, title }) => ({ id: `page-${path}`, kind: "pages", title, note: "", run: to(path) }),
  );
}

function toActions(registered: readonly Command[]): readonly Entry[] {
  return registered
    .filter(({ isWrite }) => canWrite.value || isWrite !== true)
    .map(({ id, title, run }) => ({ id, kind: "actions", title, note: "", run }));
}

function startsIn(title: string, part: string): boolean {
  return title
    .toLowerCase()
    .split(/[^\p{L}\p{N}:]+/u)
    .some((word) => word.startsWith(part));
}

function toEntries(found: FoundThings): readonly Entry[] {
  return [
    ...found.references.map(toReference),
    ...found.contacts.map(toDealer),
    ...found.alerts.map(toAlert),
    ...found.listings.map(toListing),
  ];
}

function toReference(found: FoundReference): Entry {
  const { brand, reference, model, listing_count, median_price_eur_minor: median } = found;
  const asks = words.palette.asks(formatCount(listing_count), found.is_exact);
  const price =
    median === undefined
      ? ""
      : words.palette.median(formatAmount({ minor: median, currency: "EUR" }));
  return {
    id: `reference-${brand}-${found.reference_normalized}`,
    kind: "references",
    title: join(" ", brand, reference, model),
    note: join(" · ", price, asks),
    run: to(referencePath({ reference, brand })),
  };
}

function toDealer({ id, display_name, phone_number, country_prefix }: FoundContact): Entry {
  const number = phone_number === undefined ? "" : `+${phone_number}`;
  const shown = (text: string): string => (isPresenting.value ? hidePhones(text) : text);
  return {
    id: `dealer-${id}`,
    kind: "dealers",
    title: shown(display_name ?? (number === "" ? words.dealer.unknown : number)),
    note: join(
      " · ",
      display_name === undefined ? "" : shown(number),
      country_prefix === undefined ? "" : countryOf(country_prefix),
    ),
    run: to(`/dealers/${id}`),
  };
}

function toAlert({ id, name, enabled }: FoundAlert): Entry {
  const note = enabled ? "" : words.palette.off;
  return { id: `alert-${id}`, kind: "alerts", title: name, note, run: to(`/alerts/${id}`) };
}

function toListing(listing: Listing): Entry {
  const { id, price, sender } = listing;
  const ask =
    price === undefined
      ? ""
      : formatAmount({ minor: price.amount_minor, currency: price.currency });
  const dealer = sender.display_name ?? "";
  return {
    id: `listing-${id}`,
    kind: "listings",
    title: join(" · ", watchTitle(listing), watchDetails(listing)),
    note: join(" · ", ask, isPresenting.value ? hidePhones(dealer) : dealer),
    run: to(`/listings/${id}`),
  };
}

function toMarket(text: string): Entry {
  return {
    id: "search-market",
    kind: "market",
    title: words.palette.searchMarket(text),
    note: "",
    run: to(`/market?${new URLSearchParams({ q: text })}`),
  };
}

function to(path: string): () => void {
  return () => navigate(path);
}

function join(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join(separator);
}
