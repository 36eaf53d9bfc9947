import { listParts } from "./clauses.ts";
import type { Filter } from "./filter.ts";
import { writeFilter } from "./filter-url.ts";

const NAME_MAX = 80;

/** The address of a new alert with this filter, and a name after what it asks for. */
export function toAlertPath(filter: Filter): string {
  const name = listParts(filter)
    .map(({ text }) => text)
    .join(", ")
    .slice(0, NAME_MAX);
  return `/alerts/new?${writeFilter(filter, new URLSearchParams({ name }))}`;
}
