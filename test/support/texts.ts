import fc from "fast-check";
import { normalizeLine } from "../../src/extraction/text/normalize.ts";

/** Characters that fold to more than they are, or to nothing, or that the store does not take. */
export const GROWING_UNITS: readonly string[] = [
  // Arabic ligatures that fold to 18 and 8 characters.
  "\ufdfa",
  "\ufdfb",
  "\ufdfa ",
  "\ufdfa\n",
  // Ligatures, circled, squared and styled letters.
  "ﬃ",
  "㋿",
  "㍿",
  "⑳",
  "🄫",
  "𝕬",
  // Hangul: a syllable, and jamo that compose.
  "각",
  "\u1100\u1161\u11a8",
  // Combining marks, alone and in a tower.
  "\u0301",
  `e${"\u0301\u0323".repeat(30)}`,
  "ẛ̣",
  // Full-width letters and digits.
  "Ｒｏｌｅｘ ",
  "１２６６１０",
  // Emoji with joiners, flags, keycaps.
  "👩‍👩‍👧‍👦",
  "🏴‍☠️",
  "🇭🇰",
  "1️⃣",
  // Letters that grow in upper or lower case.
  "ß",
  "İ",
  "ΐ",
  // A long run without a blank.
  "x",
  "1",
  "全",
  "𐐨",
  "\u200b",
  "\u0000",
];

/** A hostile text has up to the limit of WhatsApp, of a few such units, with offers before, between or behind them. */
export const growingText = fc
  .record({
    units: fc.array(fc.constantFrom(...GROWING_UNITS), { minLength: 1, maxLength: 3 }),
    length: fc.constantFrom(500, 5_000, 65_536, 99_000),
    offerCount: fc.constantFrom(0, 1, 20, 200),
    isOfferFirst: fc.boolean(),
    glue: fc.constantFrom("", " ", "\n"),
  })
  .map(({ units, length, offerCount, isOfferFirst, glue }) => {
    const offers = Array.from(
      { length: offerCount },
      (_, at) => `126610LN 2023 EUR ${12_000 + at} full set`,
    ).join("\n");
    const unit = units.join(glue);
    const filler = unit.repeat(Math.ceil(length / unit.length));
    const parts = isOfferFirst ? [offers, filler] : [filler, offers];
    return parts.join("\n").slice(0, length).toWellFormed();
  });

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
