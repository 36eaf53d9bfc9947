/** What a clause can ask for by value; `attributes.ts` gives each of them its three readings. */
export type AttributeName =
  | "side"
  | "message_type"
  | "brand"
  | "model"
  | "reference"
  | "year"
  | "condition"
  | "full_set_status"
  | "dial_type"
  | "variant"
  | "country_code"
  | "phone_number"
  | "group_id"
  | "group_name"
  | "contact_id"
  | "canonical_message_id"
  | "has_media"
  | "mark";

/** What a clause can ask for by bounds. */
export type NumberName = "year" | "message_timestamp_ms" | "last_seen_at_ms";

export const TEXT_MODES = ["broad", "exact", "exact_light"] as const;
export type TextMode = (typeof TEXT_MODES)[number];

/** Both inclusive. */
export interface Bounds {
  readonly gte?: number;
  readonly lte?: number;
}

/**
 * One condition of a filter in normal form; a filter holds when all of its clauses do. Values are folded, distinct
 * and sorted. A clause with no value that could match has an empty list: `any_of` nothing never holds.
 */
export type Clause = { readonly member: string } & (
  | {
      readonly kind: "any_of" | "none_of";
      readonly attribute: AttributeName;
      readonly values: readonly string[];
    }
  | ({ readonly kind: "between"; readonly attribute: NumberName } & Bounds)
  | ({ readonly kind: "price"; readonly currency: string } & Bounds)
  | { readonly kind: "text"; readonly mode: TextMode; readonly words: readonly string[] }
);

/** How many words may stand between two neighbours of an `exact_light` query. */
export const LIGHT_GAP_MAX = 3;
