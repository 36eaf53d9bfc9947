/** How a value of a filter is shown: a condition in words, a group by its name, a country by its calling code. */
import { signal } from "@preact/signals";
import { countryOf } from "../parts/country.ts";
import { filterWords } from "../words/filters.ts";

/** Names of groups, as far as facets and rows have told them. */
const groupNames = signal<ReadonlyMap<string, string>>(new Map());

export function noteGroupNames(groups: readonly (readonly [id: string, name: string])[]): void {
  const unknown = groups.filter(([id, name]) => groupNames.peek().get(id) !== name);
  if (unknown.length > 0) groupNames.value = new Map([...groupNames.peek(), ...unknown]);
}

/** `member` is that of the filter. */
export function nameValue(member: string, value: string): string {
  if (member === "group_ids") return groupNames.value.get(value) ?? filterWords.group(value);
  if (member === "country_codes") return countryOf(value);
  return Object.hasOwn(filterWords.values, value.toUpperCase())
    ? filterWords.values[value.toUpperCase() as keyof typeof filterWords.values]
    : value;
}
