/**
 * A filter as a part of the address, and back. Nothing is lost: a member that would not read back as it was stands in the
 * parameter `more`, as JSON. So each member has one way to be written, and a filter that went through the address is the same.
 *
 * Example: `{"brand": ["Rolex"], "price": {"lte": 900000}, "phone_numbers": {"exclude": ["852"]}}` is
 * `brand=Rolex&price_lte=900000&more={"phone_numbers":{"exclude":["852"]}}`.
 */
import { type Filter, isObject, isSameJson } from "./filter.ts";
import { type Problem, URL_MEMBERS } from "./url-members.ts";

const MORE = "more";
const VALUE_SHOWN_MAX = 80;

export interface FilterReading {
  readonly filter: Filter;
  /** What the address says and the filter does not have. */
  readonly problems: readonly Problem[];
}

/** `otherParameters` belong to the page, such as `sort`. */
export function readFilter(
  query: URLSearchParams,
  otherParameters: readonly string[] = [],
): FilterReading {
  const plain: [string, unknown][] = [];
  const problems: Problem[] = [];
  for (const [member, { read }] of URL_MEMBERS) {
    const reading = read(query);
    problems.push(...reading.problems);
    if (reading.value !== undefined) plain.push([member, reading.value]);
  }
  const more = readMore(query);
  const twice = Object.keys(more.filter).filter((name) =>
    plain.some(([member]) => member === name),
  );
  problems.push(
    ...more.problems,
    ...twice.map((name) => ({
      name,
      value: JSON.stringify(more.filter[name]),
      kind: "twice" as const,
    })),
    ...listUnknown(query, otherParameters),
  );
  return {
    filter: Object.fromEntries([...Object.entries(more.filter), ...plain]),
    problems: problems.map((problem) => ({
      ...problem,
      value: problem.value.slice(0, VALUE_SHOWN_MAX),
    })),
  };
}

/** Adds the filter to the parameters of the page. */
export function writeFilter(filter: Filter, query = new URLSearchParams()): URLSearchParams {
  const more: [string, unknown][] = [];
  for (const [member, value] of Object.entries(filter)) {
    const parameters = URL_MEMBERS.get(member)?.write(value) ?? [];
    if (isSameJson(readBack(member, parameters), value)) {
      for (const [name, text] of parameters) query.append(name, text);
    } else more.push([member, value]);
  }
  if (more.length > 0) query.set(MORE, JSON.stringify(Object.fromEntries(more)));
  return query;
}

/** Through the text of an address, because not every string survives it: half of a surrogate pair does not. */
function readBack(member: string, parameters: readonly (readonly [string, string])[]): unknown {
  const written = new URLSearchParams();
  for (const [name, text] of parameters) written.append(name, text);
  const { value, problems } = URL_MEMBERS.get(member)?.read(
    new URLSearchParams(written.toString()),
  ) ?? { value: undefined, problems: [] };
  return problems.length === 0 ? value : undefined;
}

function readMore(query: URLSearchParams): FilterReading {
  const texts = query.getAll(MORE);
  const filters: Filter[] = [];
  const problems: Problem[] = [];
  for (const [at, value] of texts.entries()) {
    const parsed = parseObject(value);
    if (parsed === undefined) problems.push({ name: MORE, value, kind: "not_json" });
    else if (at > 0) problems.push({ name: MORE, value, kind: "repeated" });
    else filters.push(parsed);
  }
  return { filter: filters[0] ?? {}, problems };
}

function parseObject(text: string): Filter | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function listUnknown(query: URLSearchParams, others: readonly string[]): readonly Problem[] {
  const known = new Set([
    MORE,
    ...others,
    ...[...URL_MEMBERS.values()].flatMap(({ parameters }) => parameters),
  ]);
  return [...query]
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => ({ name, value, kind: "unknown" as const }));
}
