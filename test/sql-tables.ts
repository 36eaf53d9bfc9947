/** A table, CTE or function that a statement names after a keyword. */
export interface NamedTable {
  readonly name: string;
  readonly isWrite: boolean;
}

const KEYWORD = /\b(delete\s+from|from|join|into|update|truncate(?:\s+table)?|using|table)\b/gi;
const WRITES = /^(delete|into|update|truncate|table)/i;
const ALIAS = /^\s+as\s+\w+(\s*\([^)]*\))?/i;

/**
 * The names after `from`, `join`, `into`, `update`, `delete from`, `truncate`, `using` and `table`, with all names of a
 * comma list. Column names are never read, so one that equals a table does not count.
 */
export function namedTables(statement: string): readonly NamedTable[] {
  return [...statement.matchAll(KEYWORD)].flatMap((keyword) => {
    const rest = statement.slice((keyword.index ?? 0) + keyword[0].length);
    const isWrite = WRITES.test(keyword[0]);
    return readNames(rest).map((name) => ({ name, isWrite }));
  });
}

function readNames(text: string): readonly string[] {
  const names: string[] = [];
  let rest = text;
  for (;;) {
    rest = rest.trimStart();
    const name = /^[a-z_]\w*/i.exec(rest)?.[0] ?? "";
    const after = rest.slice(name.length);
    // `is distinct from listing.year` names a column.
    if (after.startsWith(".")) return names;
    if (name !== "") names.push(name);
    rest = skipParentheses(name === "" ? after.replace(/^\?/, "") : after).replace(ALIAS, "");
    const comma = /^\s*,/.exec(rest);
    if (comma === null) return names;
    rest = rest.slice(comma[0].length);
  }
}

function skipParentheses(text: string): string {
  const start = text.search(/\S/);
  if (text[start] !== "(") return text;
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(at + 1);
  }
  return "";
}

/**
 * The texts of all templates tagged `sql` or passed to `script`, in a TypeScript source. `?` stands for an inserted value;
 * a template within another is a text of its own.
 */
export function readSql(source: string): readonly string[] {
  const found: string[] = [];
  readCode(source, 0, found);
  return found;
}

const IS_SQL_NEXT = /(\bsql|\.script\(\s*)$/;
const IS_REGEX_NEXT = /(^|[=(,:[!&|?{};]|\breturn)\s*$/;

/** Reads code from `at` to the `}` that closes it, or to the end. Returns where it stopped. */
function readCode(source: string, start: number, found: string[]): number {
  let depth = 0;
  let at = start;
  while (at < source.length) {
    const char = source[at] ?? "";
    const before = source.slice(Math.max(0, at - 20), at);
    if (source.startsWith("//", at)) at = endOf(source, "\n", at);
    else if (source.startsWith("/*", at)) at = endOf(source, "*/", at);
    else if (char === '"' || char === "'") at = skipQuoted(source, at, char);
    else if (char === "/" && IS_REGEX_NEXT.test(before)) at = skipRegex(source, at);
    else if (char === "`") at = readTemplate(source, at, IS_SQL_NEXT.test(before), found);
    else if (char === "}" && depth === 0) return at + 1;
    else {
      if (char === "{") depth += 1;
      if (char === "}") depth -= 1;
      at += 1;
    }
  }
  return at;
}

function readTemplate(source: string, start: number, isSql: boolean, found: string[]): number {
  let text = "";
  let at = start + 1;
  while (at < source.length && source[at] !== "`") {
    if (source.startsWith("${", at)) {
      at = readCode(source, at + 2, found);
      text += "?";
    } else {
      if (source[at] === "\\") at += 1;
      text += source[at];
      at += 1;
    }
  }
  if (isSql) found.push(text);
  return at + 1;
}

function endOf(source: string, mark: string, from: number): number {
  const at = source.indexOf(mark, from);
  return at < 0 ? source.length : at + mark.length;
}

function skipQuoted(source: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipRegex(source: string, start: number): number {
  let isClass = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source[at];
    if (char === "\\") at += 1;
    else if (char === "[") isClass = true;
    else if (char === "]") isClass = false;
    else if (char === "/" && !isClass) return at + 1;
  }
  return source.length;
}
