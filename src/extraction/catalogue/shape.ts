/**
 * The shape of a reference, in a small notation. Every repeat has a bound, so that no catalogue file can make the search
 * slow.
 *   `#` a digit   `@` a letter   `?` a digit or letter   `_` an optional space   `~` an optional space . - or /
 *   `[…]` optional   `(…|…)` one of these   `{2,4}` repeats the character before it   other characters match themselves
 * Example: `####/#@` matches 5711/1A.
 */
export interface Shape {
  readonly pattern: string;
  /** Matches at `lastIndex`. */
  readonly sticky: RegExp;
  /** Matches a whole string. */
  readonly whole: RegExp;
  /** How many digits the shape starts with. Both are 0 if it starts with a letter. */
  readonly digitsMin: number;
  readonly digitsMax: number;
  /** The digits that it can start with: 79 or 25. Absent if any digits are possible. */
  readonly firstDigits?: readonly string[];
  /** It starts with digits, and something must touch them. */
  readonly isJoined: boolean;
  /** Its first letter or two in lower case. Absent if several are possible. */
  readonly letter?: string;
  /** The words that a shape with a choice can start with, in lower case. Absent if any letter is possible. */
  readonly letters?: readonly string[];
}

const PATTERN_MAX = 400;
const REPEAT_MAX = 12;

export class ShapeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ShapeError";
  }
}

export function parseShape(pattern: string): Shape {
  if (pattern.length === 0 || pattern.length > PATTERN_MAX) {
    throw new ShapeError(`a shape has 1 to ${PATTERN_MAX} characters`);
  }
  const source = toSource(pattern);
  const start = readStart(pattern);
  return {
    pattern,
    sticky: new RegExp(source, "iy"),
    whole: new RegExp(`^(?:${source})$`, "i"),
    ...start,
  };
}

const SIGNS: Readonly<Record<string, string>> = {
  "#": "\\d",
  "@": "[a-z]",
  "?": "[a-z0-9]",
  _: " ?",
  "~": "[ ./-]?",
  "[": "(?:",
  "]": ")?",
  "(": "(?:",
  ")": ")",
  "|": "|",
};

function toSource(pattern: string): string {
  let out = "";
  const open: string[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern[at] ?? "";
    if (sign === "{") {
      const repeat = readRepeat(pattern, at);
      out += `{${repeat.min},${repeat.max}}`;
      at = repeat.end;
      continue;
    }
    if (sign === "[" || sign === "(") open.push(sign === "[" ? "]" : ")");
    if ((sign === "]" || sign === ")") && open.pop() !== sign) {
      throw new ShapeError(`unbalanced "${sign}" at character ${at + 1}`);
    }
    if (sign === "|" && open.at(-1) !== ")") throw new ShapeError('"|" is allowed only inside ( )');
    out += SIGNS[sign] ?? literal(sign, at);
  }
  if (open.length > 0) throw new ShapeError(`"${open.at(-1)}" is missing`);
  return out;
}

function literal(sign: string, at: number): string {
  if (/[a-z0-9]/i.test(sign)) return sign;
  if (/[./ -]/.test(sign)) return `[${sign === "-" ? "\\-" : sign}]`;
  throw new ShapeError(`"${sign}" at character ${at + 1} is not allowed in a shape`);
}

function readRepeat(pattern: string, at: number): { min: number; max: number; end: number } {
  const found = /^\{(\d{1,2}),(\d{1,2})\}/.exec(pattern.slice(at, at + 8));
  const before = pattern[at - 1] ?? "";
  if (found === null || !"#@?".includes(before) || before === "") {
    throw new ShapeError(`"{" at character ${at + 1} must be like {2,4} and follow #, @ or ?`);
  }
  const min = Number(found[1]);
  const max = Number(found[2]);
  if (min > max || max > REPEAT_MAX)
    throw new ShapeError(`{${min},${max}} is not within 0 to ${REPEAT_MAX}`);
  return { min, max, end: at + found[0].length - 1 };
}

/** Reads what the shape starts with. A shape is tried only at tokens with the same start, so most are never tried. */
function readStart(
  pattern: string,
): Pick<Shape, "digitsMin" | "digitsMax" | "firstDigits" | "isJoined" | "letter" | "letters"> {
  const digits = { digitsMin: 0, digitsMax: 0, isJoined: false };
  let rest = pattern;
  const choice = /^\((\d+)(?:\|\d+)*\)/.exec(rest);
  if (choice !== null) {
    digits.digitsMin = digits.digitsMax = (choice[1] ?? "").length;
    rest = rest.slice(choice[0].length);
  }
  for (;;) {
    const optional = /^\[(#+)\]/.exec(rest);
    const repeat = /^#\{(\d+),(\d+)\}/.exec(rest);
    if (repeat !== null) {
      digits.digitsMin += Number(repeat[1]);
      digits.digitsMax += Number(repeat[2]);
    } else if (optional !== null) {
      digits.digitsMax += (optional[1] ?? "").length;
    } else if (/^[#\d]/.test(rest)) {
      digits.digitsMin += 1;
      digits.digitsMax += 1;
    } else {
      break;
    }
    rest = rest.slice((repeat ?? optional)?.[0].length ?? 1);
  }
  digits.isJoined = digits.digitsMax > 0 && /^[@?./a-z-]/i.test(rest);
  if (digits.digitsMax > 0)
    return choice === null ? digits : { ...digits, firstDigits: choice[0].slice(1, -1).split("|") };
  const letter = /^[a-z]{1,2}/i.exec(pattern)?.[0].toLowerCase();
  if (letter !== undefined) return { ...digits, letter };
  const words = /^\(([a-z]+(?:\|[a-z]+)*)\)/i.exec(pattern)?.[1]?.toLowerCase().split("|");
  return words === undefined ? digits : { ...digits, letters: words };
}
