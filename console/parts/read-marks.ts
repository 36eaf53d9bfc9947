import type { ListingReading } from "../../client/assay-client.ts";
import { readingWords } from "../words/reading.ts";
import type { TextMark } from "./text-pieces.ts";

/** The colour of a field's words. Fields of one kind share it; the words beside it say which field it is. */
const HUES: Readonly<Record<string, string>> = {
  reference: "blue",
  brand: "blue",
  model: "blue",
  dial_type: "blue",
  variant: "blue",
  year: "violet",
  card_month: "violet",
  condition: "warn",
  price: "accent",
  currency: "accent",
  alternative_price: "accent",
};
/** Where values share words, the first of these gives them their colour. */
const ORDER = ["price", "year", "condition", "full_set_status", "reference"];
const REFUSED = /^refused-\d+-/;

/** The words of all values, those that were not used included. */
export function toMarks(reading: Pick<ListingReading, "fields" | "left_out">): readonly TextMark[] {
  const { fields, left_out } = reading;
  return [
    ...fields.flatMap(({ field, spans }) => spans.map((span) => ({ ...span, field }))),
    ...left_out.flatMap(({ field, spans }, at) =>
      spans.map((span) => ({ ...span, field: refusedId(at, field) })),
    ),
  ];
}

/** Several values of one field may be refused, so each has a number. */
export function refusedId(at: number, field: string): string {
  return `refused-${at}-${field}`;
}

export function markName(id: string): string {
  const name = readingWords.field(id.replace(REFUSED, ""));
  return REFUSED.test(id) ? readingWords.notUsed(name) : name;
}

export function markHue(ids: readonly string[]): string {
  const used = ids.filter((id) => !REFUSED.test(id));
  if (used.length === 0) return "refused";
  const chosen = ORDER.find((field) => used.includes(field)) ?? used[0] ?? "";
  return HUES[chosen] ?? "plain";
}
