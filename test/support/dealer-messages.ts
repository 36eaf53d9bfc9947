import fc from "fast-check";
import { normalizeLine } from "../../src/extraction/text/normalize.ts";

/** True if the pieces of `text` normalise to the words that the reader quotes. */
export function isReadAs(quote: {
  readonly text: string;
  readonly pieces: readonly string[];
  readonly words: string;
  readonly separator: string;
}): boolean {
  const { text, pieces, words, separator } = quote;
  const found = [pieces, pieces.map(withoutFrames)].map((read) =>
    read.map(normalizeLine).join(separator),
  );
  if (found.includes(words)) return true;
  return text.includes("~") && found.map(withoutBreaks).includes(withoutBreaks(words));
}

/** Whether keycaps are a number or a bullet depends on the text around them, which a piece does not have. */
function withoutFrames(piece: string): string {
  return piece.replace(/\uFE0F?\u20E3/g, "");
}

/** A struck-through line has no breaks where its decorations were. */
function withoutBreaks(words: string): string {
  return normalizeLine(words.replaceAll("•", ""));
}

/** Between two words: blanks, ornaments, marks of direction. */
export const anyDecoration = fc.constantFrom(
  " ",
  "  ",
  " 🔥 ",
  "💎",
  " *",
  "* ",
  " ✅\uFE0F ",
  "\u200B ",
  " \u202A",
  " 1️⃣ ",
  " ① ",
  "\t",
  "　",
  " 👍🏽 ",
  " – ",
);

/** Words as dealers write them, and the same words in styled letters. */
const anyWord = fc
  .record({
    word: fc.constantFrom(
      "126334",
      "126334g",
      "126610LN",
      "5711/1A-010",
      "RM 11-03",
      "Datejust",
      "Rolex",
      "black",
      "white roman",
      "jub",
      "new",
      "n3w",
      "LikeNew",
      "used",
      "full set",
      "no box",
      "2021",
      "N3/26",
      "N10",
      "2025",
      "€11.400",
      "HKD 1.2m",
      "$9,500",
      "88k",
      "HKD1,045,00",
      "retail €12.100",
      "-20%",
      "WTB",
      "sold",
      "🆕",
      "❌",
      "🇭🇰",
      "🐼",
      "🏷️",
      "全新",
      "or",
    ),
    style: fc.constantFrom("plain", "plain", "full-width", "keycaps", "bold", "zero-width"),
  })
  .map(({ word, style }) => {
    if (style === "full-width")
      return word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
    if (style === "keycaps") return word.replace(/\d/g, "$&\uFE0F\u20E3");
    if (style === "bold") return `*${word}*`;
    return style === "zero-width" ? [...word].join("\u200B") : word;
  });

const anyLine = fc
  .record({
    words: fc.array(fc.tuple(anyWord, anyDecoration), { maxLength: 7 }),
    start: fc.constantFrom("", "", "  ", "💎 ", "*"),
    strike: fc.constantFrom("", "", "", "~"),
  })
  .map(({ words, start, strike }) => `${start}${strike}${words.flat().join("")}${strike}`);

export const dealerMessage = fc
  .array(fc.tuple(anyLine, fc.constantFrom("\n", "\r\n", "\n\n", "\r", "\u2028")), {
    minLength: 1,
    maxLength: 5,
  })
  .map((lines) => lines.flat().join(""));
