import fc from "fast-check";

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
