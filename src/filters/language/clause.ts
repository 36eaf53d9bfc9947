import type { AttributeName, NumberName } from "./attributes.ts";

export const TEXT_MODES = ["broad", "all", "exact", "exact_light"] as const;
export type TextMode = (typeof TEXT_MODES)[number];

/** Both bounds are inclusive. */
export interface Bounds {
  readonly gte?: number;
  readonly lte?: number;
}

/**
 * One condition of a filter. A filter holds when all of its clauses hold. `member` is the member of the filter object
 * that the clause comes from. Values are folded, distinct and sorted. If no given value can match, the list is empty,
 * and then `any_of` never holds. `absent_or_any_of` also holds for a listing that has no value.
 *
 * Example: `{"brand": ["ROLEX", "Rolex"]}` is
 * `{ member: "brand", kind: "any_of", attribute: "brand", values: ["rolex"] }`.
 */
export type Clause = { readonly member: string } & (
  | {
      readonly kind: "any_of" | "none_of";
      readonly attribute: AttributeName;
      readonly values: readonly string[];
    }
  | {
      readonly kind: "absent_or_any_of";
      readonly attribute: "full_set_status";
      readonly values: readonly string[];
    }
  | ({ readonly kind: "between"; readonly attribute: NumberName } & Bounds)
  | ({ readonly kind: "price"; readonly currency: string } & Bounds)
  | { readonly kind: "text"; readonly mode: TextMode; readonly words: readonly string[] }
);

export type TextClause = Extract<Clause, { readonly kind: "text" }>;

/** How many other words may stand between two consecutive words of an `exact_light` query. */
export const LIGHT_GAP_MAX = 3;
