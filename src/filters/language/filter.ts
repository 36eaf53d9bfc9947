import { Compile } from "typebox/compile";
import { AppError } from "../../base/errors.ts";
import type { Clause } from "./clause.ts";
import { asksNothing, MEMBERS, withoutEmpty } from "./members.ts";
import { clausesOfSets, type Sets } from "./sets.ts";
import { isPhrase, LIMITS } from "./shapes.ts";

/** A filter in normal form. It holds when all clauses hold. */
export interface Filter {
  readonly clauses: readonly Clause[];
}

export interface ParseOptions {
  /** Include duplicates whatever the filter says, as populations, source views and the listing price engine do. */
  readonly readsDuplicates?: boolean;
}

const VALIDATORS = new Map([...MEMBERS].map(([name, { schema }]) => [name, Compile(schema)]));

/** Checks a filter object (`docs/filters.md`) and returns its normal form. The error names the member. */
export function parseFilter(input: unknown, options: ParseOptions = {}): Filter {
  if (!isObject(input)) throw invalidFilter("must be an object");
  if (Object.keys(input).length > LIMITS.members) {
    throw invalidFilter(`must not have more than ${LIMITS.members} members`);
  }
  if (NOT_IN_FILTERS in input) {
    throw invalidFilter("is a member of a search, beside its filters", NOT_IN_FILTERS);
  }
  throwIfUnstorable(input);
  const clauses = [...MEMBERS].flatMap(([member, { clauses, clausesWhenAbsent }]) => {
    const value = Object.hasOwn(input, member) ? parseMember(member, input[member]) : undefined;
    if (value === undefined) return clausesWhenAbsent?.(member) ?? [];
    return clauses(value as never, member);
  });
  for (const clause of clauses) throwIfTooManyWords(clause);
  const isApplied = ({ member }: Clause) =>
    member !== "include_duplicates" || options.readsDuplicates !== true;
  return { clauses: clauses.filter(isApplied) };
}

/** Whether a photo could be fetched depends on the hour, so nothing that fires or prices may depend on one. */
const NOT_IN_FILTERS = "same_photo_elsewhere";

/** Returns the filter of several filter objects that must all hold, and of the sets that a price compares. */
export function parseFilters(
  inputs: readonly unknown[],
  { sets, ...options }: ParseOptions & { readonly sets: Sets | null },
): Filter {
  const filters = inputs.map((input) => parseFilter(input, options));
  return joinFilters([...filters, { clauses: clausesOfSets(sets) }]);
}

/** Returns a filter that holds when all of the given filters hold. */
export function joinFilters(filters: readonly Filter[]): Filter {
  return { clauses: filters.flatMap(({ clauses }) => clauses) };
}

/** Returns the checked value of a member, or undefined if it asks nothing. */
function parseMember(member: string, input: unknown): unknown {
  if (asksNothing(input)) return undefined;
  const value = withoutEmpty(input);
  const prepared = MEMBERS.get(member)?.prepare?.(value) ?? value;
  const validator = VALIDATORS.get(member);
  if (validator === undefined || validator.Check(prepared)) return prepared;
  const [error] = validator.Errors(prepared);
  throw invalidFilter(
    error === undefined ? "is invalid" : describeError(error.message, error.params),
    `${member}${(error?.instancePath ?? "").replaceAll("/", ".")}`,
  );
}

function describeError(message: string, params: object): string {
  const { allowedValues, format } = params as {
    readonly allowedValues?: readonly unknown[];
    readonly format?: string;
  };
  if (allowedValues !== undefined) return `must be one of ${allowedValues.join(", ")}`;
  return format === undefined ? message : `must be a ${format.toUpperCase()}`;
}

function throwIfTooManyWords(clause: Clause): void {
  if (clause.kind !== "text") return;
  const isInOrder = isPhrase(clause.mode);
  const wordsMax = isInOrder ? LIMITS.phraseWords : LIMITS.words;
  if (clause.words.length <= wordsMax) return;
  const where = isInOrder ? ` in mode ${clause.mode}` : "";
  throw invalidFilter(`must not have more than ${wordsMax} words${where}`, clause.member);
}

/**
 * The whole object is stored, unknown members included. So it must not contain U+0000 or half of a surrogate pair,
 * which jsonb rejects, and its depth and size are limited. The walk does not recurse: the caller chooses the depth.
 */
function throwIfUnstorable(input: object): void {
  const pending: { readonly value: unknown; readonly depth: number }[] = [
    { value: input, depth: 1 },
  ];
  let partCount = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, depth } = next;
    partCount += 1;
    if (partCount > LIMITS.parts)
      throw invalidFilter(`must not have more than ${LIMITS.parts} parts`);
    if (typeof value === "string" && UNSTORABLE.test(value)) {
      throw invalidFilter("must not contain U+0000 or half of a surrogate pair");
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth > LIMITS.depth) throw invalidFilter(`must not be nested deeper than ${LIMITS.depth}`);
    const inner = Array.isArray(value) ? value : Object.entries(value).flat();
    for (const part of inner) pending.push({ value: part, depth: depth + 1 });
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for U+0000.
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidFilter(reason: string, member?: string): AppError {
  return new AppError(
    "invalid_payload",
    `filters${member === undefined ? "" : `.${member}`}: ${reason}`,
  );
}

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
  if (properties === undefined || !isObject(value)) return [];
  const known = Object.keys(properties);
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [member, name], known }));
}
