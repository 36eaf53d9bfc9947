/**
 * Colours of dials with the endings that German, Dutch, Italian and Spanish give them: "schwarzes Zifferblatt", "esfera
 * blanca". The same words describe bezels, straps and boxes, so these pairs are listed as longer phrases, which win.
 */

const GERMAN_ENDINGS = ["e", "es", "er", "em", "en"];

const GERMAN_STEMS: Readonly<Record<string, readonly string[]>> = {
  black: ["schwarz"],
  white: ["weiss", "weiß"],
  blue: ["blau"],
  green: ["grun", "gruen"],
  "mint green": ["mintgrun", "mintgruen"],
  grey: ["grau"],
  silver: ["silbern"],
  brown: ["braun"],
  red: ["rot"],
  yellow: ["gelb"],
};

const DUTCH: Readonly<Record<string, readonly string[]>> = {
  black: ["zwarte"],
  white: ["witte"],
  blue: ["blauwe"],
  green: ["groene"],
  grey: ["grijze"],
  silver: ["zilveren"],
  brown: ["bruine"],
};

/** The things are before the colour, so only the endings that `DIAL_WORDS` lacks are here. */
const FEMININE: Readonly<Record<string, readonly string[]>> = {
  black: ["nera"],
  white: ["bianca", "blanca"],
  grey: ["grigia"],
  silver: ["plateada", "plateado", "argentata"],
  red: ["rossa", "roja"],
  yellow: ["gialla", "amarilla"],
};

/** By the dial as the API shows it. */
export const INFLECTED_DIALS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(GERMAN_STEMS).map(([dial, stems]) => [
    dial,
    [...inflect(stems), ...withMet(DUTCH[dial] ?? []), ...(FEMININE[dial] ?? [])],
  ]),
);

const COLOURS_BEFORE: readonly string[] = [
  ...Object.values(GERMAN_STEMS).flatMap(inflect),
  ...Object.values(DUTCH).flat(),
];
const COLOURS_BEHIND = (
  "nero nera bianco bianca rosso rossa grigio grigia blu verde negro negra blanco blanca rojo roja azul gris " +
  "noir noire blanc blanche bleu bleue vert verte rouge marron marrone"
).split(" ");

/** "Schwarze Lünette", "correa negra": colours of other things. */
export const COLOURED_THINGS: readonly string[] = [
  ...pairs(
    COLOURS_BEFORE,
    "lunette keramiklunette band armband box schachtel karte keramik doos kaart".split(" "),
  ),
  ...pairs("ghiera cinturino scatola bisel correa caja lunette boite".split(" "), COLOURS_BEHIND),
];

/** "Braunes Lederband", "cuir noir": a bracelet with a colour. */
export const COLOURED_STRAPS: Readonly<Record<string, readonly string[]>> = {
  leather: [
    ...pairs(COLOURS_BEFORE, ["lederband", "lederarmband"]),
    ...pairs(["cuir", "pelle", "piel", "cuero"], COLOURS_BEHIND),
  ],
  rubber: [
    ...pairs(COLOURS_BEFORE, ["kautschukband"]),
    ...pairs(["caoutchouc", "gomma", "caucho"], COLOURS_BEHIND),
  ],
};

/** "Met" alone is short for meteorite. Before a Dutch colour it means "with". */
function withMet(colours: readonly string[]): readonly string[] {
  return colours.flatMap((colour) => [colour, `met ${colour}`]);
}

function inflect(stems: readonly string[]): readonly string[] {
  return stems.flatMap((stem) => GERMAN_ENDINGS.map((ending) => stem + ending));
}

function pairs(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.flatMap((word) => second.map((other) => `${word} ${other}`));
}
