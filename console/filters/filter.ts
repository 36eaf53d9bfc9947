/** A filter object of the service (`docs/filters.md`). It may have members that the console does not know; they are kept. */
export type Filter = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equal as JSON: the order of members does not matter. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, at) => isSameJson(item, right[at]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(left[name], right[name]))
  );
}

/** The service ignores such a member, as if it were absent. */
export function asksNothing(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).every(asksNothing);
  return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

export function without(filter: Filter, members: readonly string[]): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !members.includes(name)));
}
