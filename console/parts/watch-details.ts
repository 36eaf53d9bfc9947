import type { Listing } from "../../client/assay-client.ts";
import { readingWords } from "../words/reading.ts";

/** `2023 · like new · full set`. */
export function watchDetails(listing: Listing): string {
  const { year, condition, full_set_status, dial_type, variant } = listing;
  const parts = [
    year,
    condition === undefined ? undefined : readingWords.value(condition),
    dial_type,
    variant,
    ...full_set_status.map(readingWords.value),
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}

/** `Rolex 126711CHNR`; a watch that was read without either is an unknown one. */
export function watchTitle({ brand, reference, model }: Listing): string {
  const title = [brand, reference ?? model].filter((part) => part !== undefined).join(" ");
  return title === "" ? readingWords.unknownWatch : title;
}
