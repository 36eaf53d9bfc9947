/**
 * Parsed filters by their JSON text. To parse a filter takes ten times as long as to evaluate it, and filters rarely
 * change, so a request that evaluates thousands of them parses only those that it has not seen.
 *
 * Invariant: a text always gives the same filter, so an entry is never wrong, only unused. Entries that were not used since
 * half of the others were added are dropped.
 */
import { type Filter, type ParseOptions, parseFilter } from "./language/filter.ts";

export interface FilterMemo {
  /** `text` is the JSON of a stored filter. */
  parse(text: string, options?: ParseOptions): Filter;
  /** Returns true if `parse` is quick for this text and no options. */
  has(text: string): boolean;
}

/** Twice 10,000 texts of usual filters are about 30 MB. */
const HALF_MAX = 10_000;
/** A filter that names hundreds of groups is parsed anew each time. */
const TEXT_MAX = 4_000;

export function createFilterMemo(): FilterMemo {
  let newer = new Map<string, Filter>();
  let older = new Map<string, Filter>();
  return {
    parse: (text, options = {}) => {
      if (text.length > TEXT_MAX) return parseFilter(JSON.parse(text), options);
      const key = options.readsDuplicates === true ? `+${text}` : text;
      const known = newer.get(key);
      if (known !== undefined) return known;
      const filter = older.get(key) ?? parseFilter(JSON.parse(text), options);
      if (newer.size >= HALF_MAX) {
        older = newer;
        newer = new Map();
      }
      newer.set(key, filter);
      return filter;
    },
    has: (text) => newer.has(text) || older.has(text),
  };
}
