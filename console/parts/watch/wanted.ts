/** Who offers what someone looks for: the same reference, and the same dial where one is asked for. That is a sale. */
import type { FilterMembers, Listing } from "../../../client/assay-client.ts";

type Wanted = Pick<Listing, "brand" | "model" | "reference" | "dial_type">;

/** Undefined if it is not known which watch is meant. */
export function offersFilter({ brand, model, reference, dial_type }: Wanted) {
  if (reference === undefined && (brand === undefined || model === undefined)) return undefined;
  return {
    ...(reference === undefined ? {} : { reference: [reference] }),
    ...(reference === undefined && brand !== undefined ? { brand: [brand] } : {}),
    ...(reference === undefined && model !== undefined ? { model: [model] } : {}),
    ...(dial_type === undefined ? {} : { dial_type: [dial_type] }),
    side: ["for_sale"],
  } satisfies FilterMembers;
}

/** In the market, the cheapest first. */
export function offersPath(wanted: Wanted): string | undefined {
  const filter = offersFilter(wanted);
  if (filter === undefined) return undefined;
  const { side: _, ...members } = filter;
  const query = new URLSearchParams();
  for (const [name, [value]] of Object.entries(members)) query.append(name, value ?? "");
  query.set("sort", "price_asc");
  return `/market?${query}`;
}

/** True if an ask is one that the person looks for. */
export function isWantedBy(
  ask: Pick<Listing, "dial_type">,
  wanted: Pick<Listing, "dial_type">,
): boolean {
  return wanted.dial_type === undefined || ask.dial_type === wanted.dial_type;
}
