import { type Static, Type } from "typebox";
import type { FoundListings } from "../../../filters/sql/search-listings.ts";
import { Warnings } from "../filter-warnings.ts";
import { Count, named, optional } from "../schemas.ts";
import { Listing, toListingBody } from "./listing-body.ts";

const CURSOR_LENGTH_MAX = 500;

export const CursorText = Type.String({
  maxLength: CURSOR_LENGTH_MAX,
  description: "`next_cursor` of the previous page.",
});

/** One page of a search. The search route adds this schema. */
export const ListingPage = Type.Object(
  {
    items: Type.Array(named(Listing)),
    next_cursor: optional(Type.String({ description: "Absent on the last page." })),
    total: optional(Count),
    warnings: Warnings,
  },
  { $id: "ListingPage" },
);

export function toListingPage(found: FoundListings): Static<typeof ListingPage> {
  return {
    items: found.rows.map(toListingBody),
    ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
    ...(found.total === undefined ? {} : { total: found.total }),
  };
}
