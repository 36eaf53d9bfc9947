/**
 * Which part of a filter a listing misses. The service decides: for each member it is asked whether the listing is among those
 * that this member alone selects. The message, brand and reference of the listing keep each of these searches small.
 */
import type { Listing } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { asksNothing, type BooleanMember, type Filter, without } from "../../filters/filter.ts";

export interface Miss {
  readonly member: string;
  /** The filter that this part does not keep the listing out of. */
  readonly rest: Filter;
}

export type Verdict =
  | { readonly kind: "in" }
  | { readonly kind: "misses"; readonly misses: readonly Miss[]; readonly listing: Listing }
  /** Each part fits, but not all together: something changed in between. */
  | { readonly kind: "unclear" };

/** Unless the filter includes them, listings with these marks are left out. */
const MARKS = [
  { member: "include_duplicates", mark: "is_duplicate" },
  { member: "include_hidden", mark: "is_hidden" },
  { member: "include_revoked", mark: "is_revoked" },
] as const satisfies readonly { readonly member: BooleanMember; readonly mark: string }[];
const INCLUDE_ALL = Object.fromEntries(MARKS.map(({ member }) => [member, true]));
const MARK_MEMBERS = Object.keys(INCLUDE_ALL);
const AT_ONCE = 4;
const PAGES_MAX = 5;
const PAGE_MAX = 100;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The id in a link or a text. */
export function findListingId(text: string): string | undefined {
  return UUID.exec(text)?.[0].toLowerCase();
}

export async function explainAbsence(
  filter: Filter,
  id: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const listing = await api.getListing({ listing_id: id }, { signal });
  const misses: Miss[] = MARKS.filter(
    ({ member, mark }) => listing.source[mark] && filter[member] !== true,
  ).map(({ member }) => ({ member, rest: { ...filter, [member]: true } }));
  const members = Object.keys(filter).filter(
    (name) => !asksNothing(filter[name]) && !MARK_MEMBERS.includes(name),
  );
  for (let at = 0; at < members.length; at += AT_ONCE) {
    const asked = members.slice(at, at + AT_ONCE);
    const held = await Promise.all(
      asked.map((member) => isAmong(listing, { [member]: filter[member] }, signal)),
    );
    const missed = asked.filter((_, each) => held[each] === false);
    misses.push(...missed.map((member) => ({ member, rest: without(filter, [member]) })));
  }
  if (misses.length > 0) return { kind: "misses", misses, listing };
  const isIn = await isAmong(listing, without(filter, MARK_MEMBERS), signal);
  return { kind: isIn ? "in" : "unclear" };
}

async function isAmong(listing: Listing, part: Filter, signal: AbortSignal): Promise<boolean> {
  const { brand, reference, source } = listing;
  // What the listing itself has excludes only others; a part of the same name says it already.
  const filters = {
    ...(brand === undefined ? {} : { brand: [brand] }),
    ...(reference === undefined ? {} : { reference: [reference] }),
    ...INCLUDE_ALL,
    ...without(part, ["canonical_message_id"]),
    canonical_message_id: source.canonical_message_id,
  };
  if (part["canonical_message_id"] !== undefined) {
    const asked = { canonical_message_ids: [part["canonical_message_id"]], ...filters };
    return holds(listing.id, asked, signal);
  }
  return holds(listing.id, filters, signal);
}

async function holds(id: string, filters: Filter, signal: AbortSignal): Promise<boolean> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { items, next_cursor } = await api.searchListings(
      { filters, limit: PAGE_MAX, ...(cursor === undefined ? {} : { cursor }) },
      { signal },
    );
    if (items.some((item) => item.id === id)) return true;
    if (next_cursor === undefined) return false;
    cursor = next_cursor;
  }
  return false;
}
