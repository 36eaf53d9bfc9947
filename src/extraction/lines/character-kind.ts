/** What a character can be part of: a run of digits, a run of letters, or a symbol of its own. */
export const DIGIT = 1;
export const LETTER = 2;
export const IDEOGRAPH = 3;
export const SPACE = 4;
const SYMBOL = 5;

/** The kinds of the ASCII characters, because nearly all characters are ASCII and every one is looked up. */
const ASCII_KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === " ") return SPACE;
  if (/\d/.test(character)) return DIGIT;
  return /[a-z]/i.test(character) ? LETTER : SYMBOL;
});

/** By far the most frequent characters that are not ASCII: what `normalize.ts` makes of decorations, and the euro. */
const BULLET = 0x2022;
const EURO = 0x20ac;

/** Returns the kind of the character that starts at `at`. */
export function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x80) return ASCII_KINDS[code] ?? SYMBOL;
  if (Number.isNaN(code) || code === BULLET || code === EURO) return SYMBOL;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(character)) return IDEOGRAPH;
  return /\p{Letter}|\p{Mark}/u.test(character) ? LETTER : SYMBOL;
}

export function characterLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff && at + 1 < text.length ? 2 : 1;
}
