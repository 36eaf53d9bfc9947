/** What a watch looks like, by brand, model, reference and dial: enough that a dealer knows it at a glance. */

export interface PhotoFacts {
  readonly brand: string | null;
  readonly model: string | null;
  readonly reference: string | null;
  readonly dial_type: string | null;
}

export interface Metal {
  readonly light: string;
  readonly base: string;
  readonly dark: string;
}

export interface Style {
  readonly build: "round" | "octagon" | "porthole" | "square" | "tank" | "cushion";
  readonly bezel: "smooth" | "thin" | "fluted" | "diver" | "gmt" | "tachymeter";
  readonly metal: Metal;
  /** Of the bezel and the middle links, if not that of the case. */
  readonly second: Metal;
  /** Upper and lower half of the insert. */
  readonly inserts: readonly [string, string];
  readonly insertInk: string;
  readonly band: "oyster" | "president" | "jubilee" | "wide" | "leather" | "rubber";
  readonly bandColour: string;
  readonly dial: string;
  readonly ink: string;
  readonly texture: "sunburst" | "matt" | "stripes" | "squares" | "waves";
  readonly marks: "dots" | "bars" | "roman" | "figures" | "explorer" | "pilot";
  readonly hands: "mercedes" | "snowflake" | "bars" | "swords" | "leaves";
  readonly handColour: string;
  /** Colour of the rings of the counters; undefined without counters. */
  readonly counters: string | undefined;
  readonly smallSeconds: boolean;
  readonly date: "none" | "plain" | "magnified";
  readonly hasDay: boolean;
  readonly secondZone: string | undefined;
  readonly name: string;
  readonly lines: readonly string[];
}

const STEEL = { light: "#f4f6f8", base: "#b9bfc6", dark: "#5d646c" };
const YELLOW = { light: "#fff0bd", base: "#d8ae55", dark: "#7d5a1c" };
const ROSE = { light: "#ffe0cd", base: "#cf9472", dark: "#7a4a34" };
const WHITE = { light: "#fbfaf6", base: "#cfcdc6", dark: "#6c6a65" };
const TITANIUM = { light: "#c9cbcb", base: "#8f9294", dark: "#4b4e51" };

const DIALS: readonly (readonly [RegExp, string])[] = [
  [/black|onyx|noir/, "#15171b"],
  [/tiffany|turquoise/, "#5fc3c1"],
  [/ice blue|light blue|azzurro/, "#a9cbe0"],
  [/blue|azure|navy/, "#1d4079"],
  [/olive/, "#545a2c"],
  [/mint/, "#a8cdb4"],
  [/green/, "#175b3d"],
  [/champagne|gold|yellow/, "#dcbd77"],
  [/sundust|rose|pink|salmon|coral/, "#d8a48a"],
  [/chocolate|brown/, "#5b3929"],
  [/red|cherry|burgundy/, "#7a1d2a"],
  [/purple|aubergine|violet/, "#4c3668"],
  [/grey|gray|slate|rhodium|anthracite|wimbledon|meteorite/, "#7f858c"],
  [/silver/, "#d6d9dc"],
  [/white|panda|ivory|mother|mop|cream/, "#f1f1ec"],
];

const BLACK = "#141519";
const BLUE = "#1b3f86";
const GREEN = "#125a38";
const INSERTS: Readonly<Record<string, readonly [string, string]>> = {
  BLNR: [BLACK, BLUE],
  BLRO: [BLUE, "#a3202f"],
  CHNR: [BLACK, "#5f3a28"],
  GRNR: [BLACK, "#757a80"],
  VTNR: [BLACK, GREEN],
  RB: ["#28457e", "#8e2a35"],
  LV: [GREEN, GREEN],
  LB: [BLUE, BLUE],
};

export function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    Number.parseInt(colour.slice(start, start + 2), 16),
  );
  return 0.3 * red + 0.59 * green + 0.11 * blue > 140;
}

export function chooseStyle({ brand, model, reference, dial_type }: PhotoFacts): Style {
  const name = `${brand ?? ""} ${model ?? ""}`.toLowerCase().trim();
  const code = (reference ?? "").toUpperCase();
  const suffix = /[A-Z]{2,4}$/.exec(code)?.[0] ?? "";
  const [metal, second] = metalsOf(code, name);
  const bezel = bezelOf(name);
  const dial = dialOf(`${dial_type ?? ""}`.toLowerCase(), name, code);
  const ink = isLight(dial) ? "#25272b" : "#f3f4f1";
  const isGold = metal !== STEEL && metal !== WHITE && metal !== TITANIUM;
  const inserts = INSERTS[suffix] ?? [BLACK, BLACK];
  const isTool = /mercedes|snowflake/.test(handsOf(name));
  const band = bandOf(name, code);
  return {
    build: buildOf(name),
    bezel,
    metal,
    second,
    inserts:
      bezel === "tachymeter" && /^1165|^1265/.test(code) && isGold
        ? [metal.base, metal.base]
        : inserts,
    insertInk: second === STEEL || second === WHITE ? "#eceeea" : second.light,
    band,
    bandColour: bandColourOf(name, dial, band),
    dial,
    ink,
    texture: textureOf(name),
    marks: marksOf(name),
    hands: handsOf(name),
    handColour: handColourOf(name, dial, isGold ? second : metal),
    counters: countersOf(name, dial),
    smallSeconds: /calatrava|1908|portugieser|5712|lange 1/.test(`${name} ${code}`),
    date: dateOf(name, code),
    hasDay: /day-date/.test(name),
    secondZone: secondZoneOf(name, inserts[1]),
    name: nameOf(brand ?? ""),
    lines: isTool ? [model ?? "", "CHRONOMETER", "300M"] : [model ?? "", "AUTOMATIC"],
  };
}

function nameOf(brand: string): string {
  return (
    { "Audemars Piguet": "AP", "A. Lange & Söhne": "LANGE" }[brand] ?? brand.split(/[ -]/)[0] ?? ""
  );
}

function buildOf(name: string): Style["build"] {
  if (/royal oak/.test(name)) return "octagon";
  if (/nautilus|aquanaut|overseas|big bang/.test(name)) return "porthole";
  if (/santos/.test(name)) return "square";
  if (/tank|reverso|panth/.test(name)) return "tank";
  return /luminor|radiomir/.test(name) ? "cushion" : "round";
}

function bezelOf(name: string): Style["bezel"] {
  if (/gmt/.test(name)) return "gmt";
  if (/daytona|speedmaster|navitimer/.test(name)) return "tachymeter";
  if (/submariner|dweller$|deepsea|black bay|pelagos|seamaster$|fathoms|yacht/.test(name))
    return "diver";
  if (/datejust|day-date|sky-dweller/.test(name)) return "fluted";
  return /calatrava|1908|lange|portugieser|calendar|world time|ballon|heritage|patrimony/.test(name)
    ? "thin"
    : "smooth";
}

/** Rolex says it in the last digit, the other two in letters. */
function metalsOf(code: string, name: string): readonly [Metal, Metal] {
  if (/pelagos|titan/.test(name)) return [TITANIUM, TITANIUM];
  const rolex = /^\d{4,5}(\d)[A-Z]{0,4}$/.exec(code)?.[1] ?? "";
  if (rolex === "8" || /\d(?:J|BA)\b/.test(code)) return [YELLOW, YELLOW];
  if (rolex === "5" || /\d(?:R|OR)\b/.test(code)) return [ROSE, ROSE];
  if (rolex === "9" || rolex === "6" || /\d(?:G|P|BC)\b/.test(code)) return [WHITE, WHITE];
  if (rolex === "3") return [STEEL, YELLOW];
  return rolex === "1" ? [STEEL, ROSE] : [STEEL, STEEL];
}

function dialOf(words: string, name: string, code: string): string {
  const found = DIALS.find(([pattern]) => pattern.test(words))?.[1];
  if (found !== undefined) return found;
  if (/LB$/.test(code) || /seamaster$|milgauss/.test(name)) return "#1a3c78";
  if (/nautilus|royal oak|overseas|odysseus|aqua terra/.test(name)) return "#25496f";
  if (
    /cartier|1908|calatrava|calendar|portugieser|heritage|lange 1|310\.30\.42\.50\.04/.test(
      `${name} ${code}`,
    )
  )
    return "#efeee8";
  if (/aquanaut/.test(name)) return "#26282c";
  return /day-date|sundust/.test(name) ? "#dcbd77" : "#15171b";
}

function textureOf(name: string): Style["texture"] {
  if (/nautilus/.test(name)) return "stripes";
  if (/royal oak|aquanaut/.test(name)) return "squares";
  if (/seamaster$/.test(name)) return "waves";
  return /datejust|day-date|sky-dweller|oyster perpetual|overseas|yacht|tudor black bay 58|aqua terra|odysseus/.test(
    name,
  )
    ? "sunburst"
    : "matt";
}

function marksOf(name: string): Style["marks"] {
  if (/cartier|reverso/.test(name)) return "roman";
  if (/big pilot|air-king|luminor/.test(name)) return "pilot";
  if (/explorer$|milgauss/.test(name)) return "explorer";
  if (/aquanaut|portugieser|calendar|1908/.test(name)) return "figures";
  return /submariner|gmt|dweller$|deepsea|black bay|pelagos|yacht|explorer ii|seamaster$/.test(
    name,
  ) && !/sky/.test(name)
    ? "dots"
    : "bars";
}

function handsOf(name: string): Style["hands"] {
  if (/tudor/.test(name)) return "snowflake";
  if (/submariner|gmt|dweller$|deepsea|yacht|explorer/.test(name) && !/sky/.test(name))
    return "mercedes";
  if (/cartier|luminor|pilot|reverso/.test(name)) return "swords";
  return /calatrava|1908|lange 1|portugieser|calendar|heritage/.test(name) ? "leaves" : "bars";
}

function handColourOf(name: string, dial: string, { light, dark }: Metal): string {
  if (!isLight(dial)) return light;
  return /cartier|reverso/.test(name)
    ? "#20408c"
    : /mercedes|snowflake/.test(handsOf(name))
      ? "#2b2e33"
      : dark;
}

function bandOf(name: string, code: string): Style["band"] {
  if (/aquanaut|offshore|big bang/.test(name) || /2266|RX$/.test(code)) return "rubber";
  if (
    /calatrava|1908|lange 1|portugieser|calendar|world time|tank|reverso|luminor|pilot|navitimer/.test(
      name,
    )
  )
    return "leather";
  if (/day-date/.test(name)) return "president";
  if (/datejust/.test(name) || /(?:BLNR|BLRO|VTNR)$/.test(code)) return "jubilee";
  return /nautilus|royal oak|overseas|santos|panth|odysseus/.test(name) ? "wide" : "oyster";
}

function bandColourOf(name: string, dial: string, band: Style["band"]): string {
  if (band === "rubber") return isLight(dial) || /aquanaut/.test(name) ? "#202226" : dial;
  return /calatrava|lange|pilot|luminor/.test(name) ? "#5b3823" : "#1f2126";
}

/** White on black, or black on white, where the maker does it so. */
function countersOf(name: string, dial: string): string | undefined {
  if (/daytona/.test(name)) return isLight(dial) ? "#1a1c20" : "#d9dcdf";
  if (/speedmaster|offshore|navitimer|yacht-master ii$|big bang/.test(name))
    return isLight(dial) ? "#2b2d31" : "#6b6e73";
  return undefined;
}

function dateOf(name: string, code: string): Style["date"] {
  if (/^(?:124060|114060|79\d)/.test(code)) return "none";
  if (
    /daytona|speedmaster|perpetual|explorer$|calatrava|1908|milgauss|air-king|tank|panth|reverso|world time|pelagos|portugieser|navitimer/.test(
      name,
    )
  )
    return "none";
  return /rolex/.test(name) && !/dweller|deepsea/.test(name) ? "magnified" : "plain";
}

const ZONE_HANDS: Readonly<Record<string, string>> = {
  [BLUE]: "#2f66cc",
  [GREEN]: "#2f9a5c",
  "#757a80": "#3c8a52",
  "#5f3a28": "#e9dfd2",
};

function secondZoneOf(name: string, lowerInsert: string): string | undefined {
  if (/explorer ii/.test(name)) return "#e0702a";
  return /gmt/.test(name) ? (ZONE_HANDS[lowerInsert] ?? "#c6303c") : undefined;
}
