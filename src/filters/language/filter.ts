import { Compile } from "typebox/compile";
import { AppError } from "../../base/errors.ts";
import type { Clause } from "./clause.ts";
import { asksNothing, LIMITS, MEMBERS } from "./members.ts";

/** A filter in normal form: all clauses must hold. */
export interface Filter {
  readonly clauses: readonly Clause[];
}

export interface ParseOptions {
  /** Populations, source views and the listing price-engine endpoint read every filter so. */
  readonly readsDuplicates?: boolean;
}

const VALIDATORS = new Map([...MEMBERS].map(([name, { schema }]) => [name, Compile(schema)]));

/** Checks a filter object (seed 2.3) and makes its normal form, once; the error names the member. */
export function parseFilter(given: unknown, options: ParseOptions = {}): Filter {
  if (!isObject(given)) throw refusal("must be an object");
  if (Object.keys(given).length > LIMITS.members) {
    throw refusal(`must not have more than ${LIMITS.members} members`);
  }
  refuseUnstorable(given);
  const clauses = [...MEMBERS].flatMap(([member, { clauses, clausesWhenAbsent }]) => {
    const value = Object.hasOwn(given, member) ? readMember(member, given[member]) : undefined;
    if (value === undefined) return clausesWhenAbsent?.(member) ?? [];
    return clauses(value, member);
  });
  for (const clause of clauses) refuseManyWords(clause);
  const isRead = ({ member }: Clause) =>
    member !== "include_duplicates" || options.readsDuplicates !== true;
  return { clauses: clauses.filter(isRead) };
}

/** A filter that holds when all of them do. */
export function joinFilters(filters: readonly Filter[]): Filter {
  return { clauses: filters.flatMap(({ clauses }) => clauses) };
}

/** The checked value of a member, or undefined when it asks nothing. */
function readMember(member: string, given: unknown): unknown {
  if (asksNothing(given)) return undefined;
  const value = isObject(given) ? dropEmpty(given) : given;
  const prepared = MEMBERS.get(member)?.prepare?.(value) ?? value;
  const validator = VALIDATORS.get(member);
  if (validator === undefined || validator.Check(prepared)) return prepared;
  const [error] = validator.Errors(prepared);
  throw refusal(
    error === undefined ? "is wrong" : describe(error.message, error.params),
    `${member}${(error?.instancePath ?? "").replaceAll("/", ".")}`,
  );
}

function describe(message: string, params: object): string {
  const { allowedValues, format } = params as {
    readonly allowedValues?: readonly unknown[];
    readonly format?: string;
  };
  if (allowedValues !== undefined) return `must be one of ${allowedValues.join(", ")}`;
  return format === undefined ? message : `must be a ${format.toUpperCase()}`;
}

// An inner member that is null, "" or [] asks nothing, as an outer one does. `__proto__` is a name like any other.
function dropEmpty(value: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => !asksNothing(inner)));
}

function refuseManyWords(clause: Clause): void {
  if (clause.kind === "text" && clause.words.length > LIMITS.words) {
    throw refusal(`must not have more than ${LIMITS.words} words`, clause.member);
  }
}

/**
 * Unknown members are kept, so all of the object must be such that the store can keep it: no U+0000 and no half of a
 * surrogate pair, which jsonb refuses, and bounded in depth and size. Walks without recursion: depth is not ours.
 */
function refuseUnstorable(given: object): void {
  const waiting: { readonly value: unknown; readonly depth: number }[] = [
    { value: given, depth: 1 },
  ];
  let partCount = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    partCount += 1;
    if (partCount > LIMITS.parts) throw refusal(`must not have more than ${LIMITS.parts} parts`);
    if (typeof value === "string" && UNSTORABLE.test(value)) {
      throw refusal("must not contain U+0000 or half of a surrogate pair");
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth > LIMITS.depth) throw refusal(`must not be nested deeper than ${LIMITS.depth}`);
    const inner = Array.isArray(value) ? value : Object.entries(value).flat();
    for (const part of inner) waiting.push({ value: part, depth: depth + 1 });
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: U+0000 is what it looks for.
const UNSTORABLE = /\u0000|\p{Surrogate}/u;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refusal(reason: string, member?: string): AppError {
  return new AppError(
    "invalid_payload",
    `filters${member === undefined ? "" : `.${member}`}: ${reason}`,
  );
}
