/**
 * A drawing of a watch by what was read about it, for where there is no photo. It is made of plain shapes in a square of 100 by 100, without
 * anything of a browser, so that a page, a test and a service can each make an SVG of them.
 *
 * The same watch always gives the same drawing. Colours belong to the watch, not to the theme of a page.
 */

export interface DrawnWatchFacts {
  readonly brand?: string | undefined;
  readonly model?: string | undefined;
  readonly reference?: string | undefined;
  readonly dial_type?: string | undefined;
}

export interface Shape {
  readonly tag: "circle" | "rect" | "path";
  readonly attributes: Readonly<Record<string, string | number>>;
}

type Build = "round" | "octagon" | "porthole" | "square";
type Bezel = "plain" | "fluted" | "insert";

interface Style {
  readonly build: Build;
  readonly bezel: Bezel;
  readonly metal: string;
  /** Of an insert: one colour, or those of the upper and the lower half. */
  readonly inserts: readonly string[];
  readonly dial: string;
  readonly isChronograph: boolean;
  readonly hasSecondZone: boolean;
  readonly hasDate: boolean;
  readonly hasBracelet: boolean;
}

const STEEL = "#c3c8ce";
const YELLOW = "#d9b45a";
const ROSE = "#cf9a7c";
const WHITE_GOLD = "#d6d6d0";
const BLACK = "#1d1f23";
const BLUE = "#23457e";
const GREEN = "#1f5a3d";
const STRAP = "#3a3431";

/** The first that occurs in the words of the dial. */
const DIALS: readonly (readonly [RegExp, string])[] = [
  [/black|onyx|noir/, "#202226"],
  [/tiffany|turquoise/, "#7cc8c6"],
  [/ice blue|light blue|azzurro/, "#b6d2e2"],
  [/blue|azure|navy/, "#25497f"],
  [/green|olive|mint/, "#2b5f47"],
  [/champagne|gold|yellow/, "#d8bd7c"],
  [/chocolate|brown|sundust|rose/, "#7a5142"],
  [/pink|salmon|coral/, "#dba391"],
  [/red|cherry|burgundy/, "#7e2430"],
  [/purple|aubergine|violet/, "#55406f"],
  [/grey|gray|slate|rhodium|anthracite|wimbledon|meteorite/, "#83888e"],
  [/white|panda|silver|ivory|mother|mop|cream/, "#edece6"],
];

/** Inserts by the letters that end a Rolex reference: the upper half, which is the night, then the lower one. */
const INSERTS: Readonly<Record<string, readonly string[]>> = {
  BLNR: [BLACK, BLUE],
  BLRO: [BLUE, "#9c2632"],
  CHNR: [BLACK, "#6b4a3a"],
  GRNR: [BLACK, "#6e7379"],
  VTNR: [BLACK, GREEN],
  LV: [GREEN],
  LB: [BLUE],
  LN: [BLACK],
};

const DIVER = /submariner|sea-dweller|deepsea|black bay|pelagos|seamaster|fathoms|superocean/;
const CHRONOGRAPH = /daytona|speedmaster|chrono|carrera|navitimer|monaco/;
const SECOND_ZONE = /gmt|explorer ii|world time|sky-dweller/;
const PORTHOLE = /nautilus|aquanaut|overseas|polo/;
const SQUARE = /santos|tank|reverso|monaco|panth/;
const FLUTED = /datejust|day-date|sky-dweller/;
const NO_DATE =
  /^(?:124060|114060|12[46]270|1143|1243|1160)|speedmaster|daytona|calatrava|oyster perpetual|explorer$/;
const LEATHER = /calatrava|1908|tank|saxonia|lange|portugieser|patrimony|reverso|cellini/;
const RUBBER = /aquanaut|oysterflex/;

export function drawWatch(facts: DrawnWatchFacts): readonly Shape[] {
  const style = chooseStyle(facts);
  return [
    ...drawStrap(style),
    rect(83, 45, 7, 10, { rx: 2, fill: style.metal }),
    ...drawCase(style),
    ...drawDial(style),
    ...drawHands(style),
  ];
}

function chooseStyle({ brand, model, reference, dial_type }: DrawnWatchFacts): Style {
  const name = `${brand ?? ""} ${model ?? ""}`.toLowerCase().trim();
  const code = (reference ?? "").toUpperCase();
  const suffix = /[A-Z]{2,4}$/.exec(code)?.[0] ?? "";
  const inserts = INSERTS[suffix] ?? (DIVER.test(name) ? [BLACK] : []);
  const build = buildOf(name);
  const dials = `${dial_type ?? ""}`.toLowerCase();
  return {
    build,
    bezel: inserts.length > 0 ? "insert" : FLUTED.test(name) ? "fluted" : "plain",
    metal: metalOf(code),
    inserts,
    dial: DIALS.find(([words]) => words.test(dials))?.[1] ?? usualDial(name, build),
    isChronograph: CHRONOGRAPH.test(name),
    hasSecondZone: SECOND_ZONE.test(name),
    hasDate: !NO_DATE.test(name) && !NO_DATE.test(code),
    hasBracelet: !LEATHER.test(name) && !RUBBER.test(name),
  };
}

function buildOf(name: string): Build {
  if (/royal oak/.test(name)) return "octagon";
  if (PORTHOLE.test(name)) return "porthole";
  return SQUARE.test(name) ? "square" : "round";
}

/** Rolex says it in the last digit, Patek Philippe and Audemars Piguet in letters. */
function metalOf(code: string): string {
  const rolex = /^\d{4,5}([0-9])(?:[A-Z]{0,4})$/.exec(code)?.[1];
  if (rolex === "8" || rolex === "3" || /\d(?:J|BA)\b/.test(code)) return YELLOW;
  if (rolex === "5" || rolex === "1" || /\d(?:R|OR)\b/.test(code)) return ROSE;
  if (rolex === "9" || rolex === "6" || /\d(?:G|P|BC)\b/.test(code)) return WHITE_GOLD;
  return STEEL;
}

function usualDial(name: string, build: Build): string {
  if (build === "octagon" || build === "porthole") return "#2f4a66";
  if (build === "square" || LEATHER.test(name)) return "#edece6";
  return "#202226";
}

function drawStrap({ metal, hasBracelet }: Style): readonly Shape[] {
  const band = path("M33 0H67L71 30V70L67 100H33L29 70V30Z", {
    fill: hasBracelet ? metal : STRAP,
  });
  if (!hasBracelet) return [band];
  const links = [6, 14, 86, 94].map((y) => `M32 ${y}H68`).join("");
  return [
    band,
    path(`M43 0V100M57 0V100${links}`, { fill: "none", stroke: "#00000030", "stroke-width": 1.2 }),
  ];
}

function drawCase({ build, bezel, metal, inserts }: Style): readonly Shape[] {
  const edge = { fill: metal, stroke: "#00000038", "stroke-width": 1 };
  if (build === "square") return [rect(17, 17, 66, 66, { rx: 13, ...edge })];
  if (build === "octagon") {
    const screws = turn(8, 22.5).map(([x, y]) => circle(50 + 31 * x, 50 + 31 * y, 1.6, SCREW));
    return [path(polygon(8, 38), edge), ...screws];
  }
  if (build === "porthole") {
    return [
      rect(11, 38, 78, 24, { rx: 5, ...edge }),
      path(polygon(8, 38), { ...edge, "stroke-linejoin": "round" }),
    ];
  }
  const ring = circle(50, 50, 37, edge);
  const [upper, lower = upper] = inserts;
  if (bezel === "insert" && upper !== undefined && lower !== undefined) {
    const marks = turn(12, 0).map(([x, y]) => circle(50 + 31 * x, 50 + 31 * y, 0.9, MARK));
    return [
      ring,
      path("M15 50A35 35 0 0 1 85 50Z", { fill: upper }),
      path("M15 50A35 35 0 0 0 85 50Z", { fill: lower }),
      ...marks,
    ];
  }
  if (bezel === "plain") return [ring];
  const flutes = {
    fill: "none",
    stroke: "#00000033",
    "stroke-width": 7,
    "stroke-dasharray": "1 2",
  };
  return [ring, circle(50, 50, 32, flutes)];
}

function drawDial({ build, bezel, dial, isChronograph, hasDate }: Style): readonly Shape[] {
  const radius = build === "round" && bezel === "plain" ? 32 : 27;
  const ink = isLight(dial) ? "#2a2c30" : "#eef0f2";
  const face =
    build === "square"
      ? rect(25, 25, 50, 50, { rx: 7, fill: dial })
      : circle(50, 50, radius, { fill: dial, stroke: "#00000040", "stroke-width": 1 });
  const marks = turn(12, 0).map(([x, y]) =>
    path(`M${at(radius - 5, x)} ${at(radius - 5, y)}L${at(radius - 2, x)} ${at(radius - 2, y)}`, {
      stroke: ink,
      "stroke-width": 2,
      "stroke-linecap": "round",
    }),
  );
  const counters = isChronograph
    ? [
        circle(39, 50, 6, counterOf(ink)),
        circle(61, 50, 6, counterOf(ink)),
        circle(50, 61, 6, counterOf(ink)),
      ]
    : [];
  const date = hasDate && !isChronograph ? [rect(66, 47, 7, 6, { rx: 1, fill: "#f7f6f2" })] : [];
  return [face, ...marks, ...counters, ...date];
}

/** At ten past ten, as in every catalogue. */
function drawHands({ dial, hasSecondZone }: Style): readonly Shape[] {
  const ink = isLight(dial) ? "#2a2c30" : "#eef0f2";
  const hand = { fill: "none", stroke: ink, "stroke-linecap": "round" };
  return [
    ...(hasSecondZone
      ? [path("M50 50L62 66", { fill: "none", stroke: "#c8862f", "stroke-width": 1.6 })]
      : []),
    path("M50 50L38 41", { ...hand, "stroke-width": 3.2 }),
    path("M50 50L66 37", { ...hand, "stroke-width": 2.4 }),
    circle(50, 50, 2, { fill: ink }),
  ];
}

const SCREW = { fill: "#8a8f96" } as const;
const MARK = { fill: "#f2f2ee" } as const;

function counterOf(ink: string): Shape["attributes"] {
  return { fill: "#00000022", stroke: ink, "stroke-width": 1, "stroke-opacity": 0.6 };
}

/** The directions of the marks of a dial, clockwise, the first one `fromDegrees` after twelve. */
function turn(count: number, fromDegrees: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, step) => {
    const angle = ((step * 360) / count + fromDegrees - 90) * (Math.PI / 180);
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
}

function polygon(count: number, radius: number): string {
  const corners = turn(count, 180 / count).map(([x, y]) => `${at(radius, x)} ${at(radius, y)}`);
  return `M${corners.join("L")}Z`;
}

/** Short figures, and the same ones on every machine. */
function at(radius: number, direction: number): number {
  return Math.round((50 + radius * direction) * 10) / 10;
}

/** By how bright the eye sees it. */
function isLight(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    Number.parseInt(colour.slice(start, start + 2), 16),
  );
  return 0.3 * red + 0.59 * green + 0.11 * blue > 150;
}

function circle(x: number, y: number, r: number, more: Shape["attributes"]): Shape {
  const [cx, cy] = [x, y].map((value) => Math.round(value * 10) / 10);
  return { tag: "circle", attributes: { cx: cx ?? 0, cy: cy ?? 0, r, ...more } };
}

function path(d: string, more: Shape["attributes"]): Shape {
  return { tag: "path", attributes: { d, ...more } };
}

function rect(
  ...[x, y, width, height, more]: [number, number, number, number, Shape["attributes"]]
): Shape {
  return { tag: "rect", attributes: { x, y, width, height, ...more } };
}
