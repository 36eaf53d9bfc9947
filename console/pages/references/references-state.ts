/** The rows of the list. The address has what they are: words, brand and order. */
import type { FilterMembers, MarketReference } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { query, setQuery } from "../../router.ts";
import { type Cursor, type Load, usePages } from "../../state/load.ts";

export const SORTS = ["listing_count", "last_seen", "median_price"] as const;
type Sort = (typeof SORTS)[number];

export interface Choice {
  /** As it was typed, with the space at its end: the reader may go on. */
  readonly text: string;
  readonly brand: string;
  readonly sort: Sort;
}

export type ReferencePage = Awaited<ReturnType<typeof api.searchReferences>>;

export interface References {
  readonly choice: Choice;
  readonly load: Load<ReferencePage>;
  readonly more: () => void;
}

const PAGE = 50;
/** A search leaves out most of what the service returns, so it reads more at once. */
const SEARCH_PAGE = 200;

export function useReferences(): References {
  const choice = readChoice(query.value);
  const { brand, sort } = choice;
  const text = choice.text.trim();
  const { load, more } = usePages([text, brand, sort], (cursor, options) =>
    readPage({ text, brand, sort }, cursor, options),
  );
  return { choice, load, more };
}

export function changeChoice(change: Partial<Choice>): void {
  const next = { ...readChoice(query.peek()), ...change };
  const parameters = new URLSearchParams();
  if (next.text !== "") parameters.set("q", next.text);
  if (next.brand !== "") parameters.set("brand", next.brand);
  if (next.sort !== "listing_count") parameters.set("sort", next.sort);
  setQuery(parameters);
}

function readChoice(parameters: URLSearchParams): Choice {
  return {
    text: parameters.get("q") ?? "",
    brand: parameters.get("brand") ?? "",
    sort: SORTS.find((sort) => sort === parameters.get("sort")) ?? "listing_count",
  };
}

/**
 * The service finds the references of all listings whose message has the words. One message often has several watches, so
 * only those are kept that have the words in their own name.
 */
async function readPage(
  { text, brand, sort }: Choice,
  cursor: Cursor,
  options: { readonly signal?: AbortSignal },
): Promise<ReferencePage> {
  const filters = {
    ...(text === "" ? {} : { q: text }),
    ...(brand === "" ? {} : { brand: [brand] }),
  } satisfies FilterMembers;
  const limit = text === "" ? PAGE : SEARCH_PAGE;
  const page = await api.searchReferences({ filters, sort, limit, ...cursor }, options);
  return { ...page, items: page.items.filter((item) => isNamed(item, text)) };
}

/** `gmt 126710` names the Rolex GMT-Master II 126710BLRO. */
function isNamed({ brand, model, reference }: MarketReference, text: string): boolean {
  const name = toName([brand, model ?? "", reference].join(" "));
  const joined = name.replaceAll(" ", "");
  return toName(text)
    .split(" ")
    .every((word) => name.includes(word) || joined.includes(word));
}

function toName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
