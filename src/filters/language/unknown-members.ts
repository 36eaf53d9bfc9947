import { MEMBERS } from "./members.ts";

/** A member of a filter object that no filter knows: it is stored and adds no condition. */
export interface UnknownMember {
  /** Inside of the filter object. */
  readonly path: readonly string[];
  /** What may have been meant. */
  readonly known: readonly string[];
}

/**
 * `extraMembers` are known besides those of all filters, as alerts have some.
 *
 * Example: `{"referense": ["5711"], "year": {"min": 2020}}` gives the paths `referense` and `year.min`.
 */
export function findUnknownMembers(
  filters: Readonly<Record<string, unknown>>,
  extraMembers: readonly string[] = [],
): readonly UnknownMember[] {
  const known = [...MEMBERS.keys(), ...extraMembers];
  return Object.entries(filters).flatMap(([name, value]) =>
    known.includes(name) ? findInside(name, value) : [{ path: [name], known }],
  );
}

/** A member that is an object, such as `year`, ignores what it does not know as well. */
function findInside(member: string, value: unknown): readonly UnknownMember[] {
  const { properties } = (MEMBERS.get(member)?.schema ?? {}) as {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (properties === undefined || !isObject) return [];
  const known = Object.keys(properties);
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [member, name], known }));
}
