/** The dial of a watch and its hands, at ten past ten as in every catalogue. */
import type { Random } from "../random.ts";
import { polar, round, writeLine } from "./letters.ts";
import { isLight, type Style } from "./watch-style.ts";

export interface Dial {
  readonly style: Style;
  /** Radius, or half the width of a dial with corners. */
  readonly radius: number;
  readonly random: Random;
}

export function radiusOf({ build, bezel }: Style): number {
  if (build === "square") return 62;
  if (build === "tank") return 56;
  if (build === "cushion") return 78;
  return bezel === "thin" ? 91 : 76;
}

export function defineDial({ dial }: Style): string {
  const [dark, light] = isLight(dial) ? [0.22, 0.5] : [0.55, 0.2];
  return `
<radialGradient id="dial" cx=".45" cy=".4" r=".62"><stop offset="0" stop-color="#fff" stop-opacity="${light}"/><stop offset=".55" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity="${dark}"/></radialGradient>
<pattern id="squares" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M0 0H8V8H0Z" fill="#000" fill-opacity=".26"/><path d="M1 1H7V7H1Z" fill="#fff" fill-opacity=".11"/><path d="M1 1H7V2H2V7H1Z" fill="#fff" fill-opacity=".18"/></pattern>
<pattern id="stripes" width="9" height="10" patternUnits="userSpaceOnUse"><path d="M0 0H9V1.6H0Z" fill="#000" fill-opacity=".42"/><path d="M0 1.6H9V3H0Z" fill="#fff" fill-opacity=".22"/></pattern>
<pattern id="waves" width="26" height="9" patternUnits="userSpaceOnUse"><path d="M0 5Q6.5 0 13 5T26 5" fill="none" stroke="#fff" stroke-opacity=".2" stroke-width="2"/></pattern>`;
}

export function drawDial(dial: Dial): string {
  const { style } = dial;
  const face = faceOf(dial, "");
  return [
    face.replace("/>", ` fill="${style.dial}"/>`),
    style.texture === "sunburst" ? drawRays(dial) : "",
    ["squares", "stripes", "waves"].includes(style.texture)
      ? face.replace("/>", ` fill="url(#${style.texture})"/>`)
      : "",
    face.replace("/>", ` fill="url(#dial)"/>`),
    drawTrack(dial),
    drawCounters(dial),
    drawMarks(dial),
    drawWords(dial),
    drawDate(dial),
    drawHands(dial),
    // The rim throws its shadow on the dial, and the glass has a light of its own.
    face.replace("/>", ` fill="none" stroke="#000" stroke-opacity=".4" stroke-width="3"/>`),
    face.replace("/>", ` fill="url(#gloss)" opacity="${round(0.25 + dial.random.next() * 0.5)}"/>`),
  ].join("");
}

function faceOf({ style: { build }, radius }: Dial, more: string): string {
  if (build === "square") return `<rect x="-62" y="-68" width="124" height="136" rx="16"${more}/>`;
  if (build === "tank") return `<rect x="-56" y="-92" width="112" height="184" rx="4"${more}/>`;
  return `<circle r="${radius}"${more}/>`;
}

/** Two bright and two dark fans, as brushed metal has under one lamp. */
function drawRays({ style, radius, random }: Dial): string {
  const from = random.integer(0, 180);
  const rays = Array.from({ length: 60 }, (_, at) => {
    const bright = Math.cos(((at * 6 - from) * Math.PI) / 90);
    const [[x1, y1], [x2, y2]] = [polar(radius, at * 6), polar(radius, at * 6 + 6.4)];
    const colour = bright > 0 ? "#fff" : "#000";
    const strength = Math.abs(bright) ** 1.5 * (isLight(style.dial) ? 0.22 : 0.26);
    return `<path d="M0 0L${x1} ${y1}A${radius} ${radius} 0 0 1 ${x2} ${y2}Z" fill="${colour}" fill-opacity="${round(strength)}"/>`;
  });
  return rays.join("");
}

function drawTrack({ style: { build, ink, marks }, radius }: Dial): string {
  if (build === "tank" || build === "square") {
    const [x, y] = build === "tank" ? [30, 62] : [36, 42];
    return `<rect x="${-x}" y="${-y}" width="${2 * x}" height="${2 * y}" fill="none" stroke="${ink}" stroke-width="3.4" stroke-dasharray=".8 3.2"/><rect x="${-x - 2}" y="${-y - 2}" width="${2 * x + 4}" height="${2 * y + 4}" fill="none" stroke="${ink}" stroke-width=".6"/>`;
  }
  const r = radius - 3.4;
  const step = (2 * Math.PI * r) / 60;
  const strong = marks === "figures" ? 0.5 : 0.85;
  return `<circle r="${r}" fill="none" stroke="${ink}" stroke-opacity="${strong}" stroke-width="4" stroke-dasharray=".9 ${round(step - 0.9)}" stroke-dashoffset=".45"/>`;
}

const COUNTERS = [
  [-35, 0],
  [35, 0],
  [0, 35],
] as const;

function drawCounters({ style, random }: Dial): string {
  const { counters, dial, ink, handColour, smallSeconds } = style;
  if (counters === undefined) {
    const seconds = `<circle cy="40" r="17" fill="#000" fill-opacity=".08" stroke="${ink}" stroke-opacity=".6" stroke-width=".8"/><path d="M0 40L${round(12 * 0.8)} 49" stroke="${ink}" stroke-width="1.3"/>`;
    return smallSeconds ? seconds : "";
  }
  return COUNTERS.map(([x, y]) => {
    const [hx, hy] = polar(15, random.integer(0, 359));
    const ring = isLight(dial)
      ? `<circle r="20" fill="none" stroke="${counters}" stroke-width="5"/>`
      : `<circle r="20" fill="none" stroke="${counters}" stroke-width="3.4"/>`;
    return `<g transform="translate(${x} ${y})"><circle r="22" fill="${dial}"/><circle r="21" fill="#000" fill-opacity=".16"/>${ring}<circle r="20" fill="none" stroke="${isLight(counters) ? "#222" : "#eee"}" stroke-width="3" stroke-dasharray=".7 ${round((2 * Math.PI * 20) / 24 - 0.7)}"/><circle r="12" fill="none" stroke="#fff" stroke-opacity=".16" stroke-width="8" stroke-dasharray="10 4"/><path d="M0 0L${hx} ${hy}" stroke="${handColour}" stroke-width="2"/><circle r="2.4" fill="${handColour}"/></g>`;
  }).join("");
}

const ROMAN = ["XII", "I", "II", "III", "IIII", "V", "VI", "VII", "VIII", "IX", "X", "XI"];

function drawMarks(dial: Dial): string {
  const { style, radius } = dial;
  if (style.marks === "roman") return drawRoman(dial);
  const far = radius - 9;
  return Array.from({ length: 12 }, (_, hour) => {
    if (isCovered(style, hour)) return "";
    const isQuarter = hour % 3 === 0;
    const [x, y] = polar(far - 6, hour * 30);
    const isFigure =
      style.marks === "figures" ||
      style.marks === "pilot" ||
      (style.marks === "explorer" && isQuarter && hour > 0);
    if (isFigure && hour === 0 && style.marks === "pilot") return drawTriangle(style, far);
    if (isFigure) {
      const height = style.marks === "pilot" ? 17 : style.marks === "explorer" ? 16 : 13;
      const [fx, fy] = polar(far - height / 2 - 1, hour * 30);
      return writeLine({
        text: String(hour === 0 ? 12 : hour),
        x: fx,
        y: fy,
        height,
        colour: style.ink,
        weight: 1.15,
      });
    }
    if (style.marks === "dots" || style.marks === "explorer") {
      if (hour === 0) return drawTriangle(style, far);
      if (!isQuarter)
        return `<circle cx="${x}" cy="${y}" r="6.4" fill="#f2f6ea" stroke="${isLight(style.dial) ? "#33363b" : "url(#s)"}" stroke-width="1.8"/>`;
    }
    return drawBar(style, { hour, far });
  }).join("");
}

/** A counter, the date or the day is there instead. */
function isCovered({ counters, date, hasDay, smallSeconds, build }: Style, hour: number): boolean {
  if (counters !== undefined) return hour === 3 || hour === 6 || hour === 9;
  if (hasDay && hour === 0) return true;
  if (smallSeconds && hour === 6) return true;
  return date !== "none" && hour === 3 && build !== "tank";
}

function drawTriangle({ ink }: Style, far: number): string {
  return `<path d="M-8 ${-far}H8L0 ${-far + 15}Z" fill="#f2f6ea" stroke="${isLight(ink) ? "#cfd4d8" : "#555"}" stroke-width="1.6"/>`;
}

function drawBar(
  style: Style,
  { hour, far }: { readonly hour: number; readonly far: number },
): string {
  const length = style.marks === "dots" ? 17 : hour % 3 === 0 ? 18 : 15;
  const width = hour === 0 || style.marks === "dots" ? 7 : 4.6;
  return `<g transform="rotate(${hour * 30})"><rect x="${-width / 2 + 0.8}" y="${-far + 1}" width="${width}" height="${length}" fill="#000" fill-opacity=".4"/><rect x="${-width / 2}" y="${-far}" width="${width}" height="${length}" fill="url(#s)" stroke="#000" stroke-opacity=".45" stroke-width=".6"/><rect x="${-width / 2 + 1.2}" y="${-far + 1.4}" width="${width - 2.4}" height="${length - 2.8}" fill="#f4f7ef"/></g>`;
}

function drawRoman({ style: { build, ink }, radius }: Dial): string {
  return ROMAN.map((text, hour) => {
    const [x, y] = placeOf(build, hour, radius);
    const isRound = build === "round";
    const turn = isRound ? hour * 30 : 0;
    return writeLine({ text, x, y, height: isRound ? 15 : 9, colour: ink, turn, weight: 1.1 });
  }).join("");
}

/** On the edge of a dial with corners, or on a circle. */
function placeOf(build: Style["build"], hour: number, radius: number): readonly [number, number] {
  if (build !== "tank" && build !== "square") return polar(radius - 17, hour * 30);
  const [halfX, halfY] = build === "tank" ? [43, 77] : [50, 56];
  const [x, y] = polar(1, hour * 30);
  const scale = Math.min(halfX / Math.max(Math.abs(x), 0.01), halfY / Math.max(Math.abs(y), 0.01));
  return [round(x * scale), round(y * scale)];
}

function drawWords({ style, radius }: Dial): string {
  const { ink, name, lines, counters, hasDay, build } = style;
  const y = build === "tank" ? -34 : hasDay ? -radius * 0.34 : -radius * 0.46;
  const crown =
    name === "Rolex"
      ? `<path transform="translate(0 ${round(y - 9)})" d="M-5 3.4L-7 -3.4L-3.4 .4L0 -5L3.4 .4L7 -3.4L5 3.4Z" fill="url(#s)" stroke="#000" stroke-opacity=".4" stroke-width=".5"/>`
      : "";
  const brand = writeLine({ text: name, x: 0, y, height: 5.6, colour: ink, weight: 0.95 });
  const low = counters === undefined ? radius * 0.34 : radius * 0.14;
  const small = style.smallSeconds ? [] : lines.slice(0, counters === undefined ? 3 : 0);
  const more = small.map((text, at) =>
    writeLine({ text, x: 0, y: low + at * 6, height: at === 0 ? 4 : 3, colour: ink, weight: 0.8 }),
  );
  return `${crown}${brand}${more.join("")}`;
}

const DAYS = ["MONDAY", "TUESDAY", "FRIDAY", "SUNDAY"] as const;

function drawDate({ style, radius, random }: Dial): string {
  const { date, hasDay, build } = style;
  const day = hasDay
    ? `<path d="M-32 ${-radius + 8}Q0 ${-radius - 2} 32 ${-radius + 8}L28 ${-radius + 20}Q0 ${-radius + 11} -28 ${-radius + 20}Z" fill="#f6f4ee" stroke="url(#s)" stroke-width="1.4"/>${writeLine({ text: random.pick(DAYS), x: 0, y: -radius + 11.6, height: 6.6, colour: "#17181b", weight: 1.2 })}`
    : "";
  if (date === "none") return day;
  const number = String(random.integer(1, 31));
  if (build === "square") {
    return `${day}<rect x="-8" y="26" width="16" height="12" fill="#f6f4ee"/>${writeLine({ text: number, x: 0, y: 32, height: 8, colour: "#17181b" })}`;
  }
  const x = radius - 19;
  const window = `<rect x="${x - 9}" y="-7.5" width="18" height="15" fill="#fbfaf5" stroke="url(#s)" stroke-width="1.4"/>`;
  if (date === "plain") {
    return `${day}${window}${writeLine({ text: number, x, y: 0, height: 9.4, colour: "#17181b", weight: 1.2 })}`;
  }
  const lens = `<rect x="${x - 14}" y="-12" width="28" height="24" rx="6" fill="#fff" fill-opacity=".16" stroke="#fff" stroke-opacity=".6" stroke-width=".9"/><path d="M${x - 11} -9Q${x} -13 ${x + 11} -9L${x + 9} -5Q${x} -8 ${x - 9} -5Z" fill="#fff" fill-opacity=".55"/>`;
  return `${day}<rect x="${x - 11}" y="-9.5" width="22" height="19" fill="#fdfcf8" stroke="url(#s)" stroke-width="1.2"/>${writeLine({ text: number, x, y: 0.6, height: 13.5, colour: "#17181b", weight: 1.05 })}${lens}`;
}

const HOUR = 304;
const MINUTE = 54;

function drawHands({ style, radius, random }: Dial): string {
  const { hands, handColour, secondZone, build, smallSeconds } = style;
  const length = build === "square" || build === "tank" ? radius * 0.92 : radius * 0.86;
  const second = random.integer(150, 215);
  const isSwept = hands !== "swords" && !smallSeconds && build !== "tank";
  const shapes = [
    secondZone === undefined ? "" : turned(148, zoneHand(length, secondZone)),
    turned(HOUR, hourHand(hands, length * 0.66, handColour)),
    turned(MINUTE, minuteHand(hands, length, handColour)),
    isSwept
      ? turned(
          second,
          `<path d="M0 20V${round(-length)}" stroke="${handColour}" stroke-width="1.5"/><circle cy="${round(-length * 0.6)}" r="${hands === "bars" ? 0 : 3.4}" fill="#f2f6ea" stroke="${handColour}" stroke-width="1"/>`,
        )
      : "",
  ].join("");
  const shadow = shapes.replaceAll(/(fill|stroke)="(?!none)[^"]*"/g, '$1="#000"');
  return `<g transform="translate(2.4 3.4)" opacity=".34">${shadow}</g>${shapes}<circle r="4.4" fill="url(#s)" stroke="#000" stroke-opacity=".5" stroke-width=".7"/>`;
}

function turned(degrees: number, shape: string): string {
  return `<g transform="rotate(${degrees})">${shape}</g>`;
}

const LUME = "#f2f6ea";

function hourHand(hands: Style["hands"], long: number, colour: string): string {
  const edge = `fill="${LUME}" stroke="${colour}" stroke-width="2"`;
  if (hands === "mercedes") {
    return `<path d="M-2.6 8V${round(-long * 0.55)}H2.6V8Z M-2 ${round(-long * 0.8)}L0 ${round(-long)}L2 ${round(-long * 0.8)}Z" ${edge}/><circle cy="${round(-long * 0.66)}" r="8" ${edge}/><path d="M0 ${round(-long * 0.66)}v-8M0 ${round(-long * 0.66)}l7 4M0 ${round(-long * 0.66)}l-7 4" stroke="${colour}" stroke-width="1.8"/>`;
  }
  if (hands === "snowflake") {
    return `<path d="M-2.6 8V${round(-long * 0.5)}L-10 ${round(-long * 0.68)}L0 ${round(-long * 0.88)}L10 ${round(-long * 0.68)}L2.6 ${round(-long * 0.5)}V8Z" ${edge}/>`;
  }
  return minuteHand(hands, long, colour, 1.25);
}

function minuteHand(hands: Style["hands"], long: number, colour: string, wide = 1): string {
  if (hands === "leaves") {
    return `<path d="M-1.4 10L${round(-4.4 * wide)} ${round(-long * 0.5)}L0 ${round(-long)}L${round(4.4 * wide)} ${round(-long * 0.5)}L1.4 10Z" fill="url(#s)" stroke="#2a2a2a" stroke-width=".8"/>`;
  }
  if (hands === "swords") {
    return `<path d="M-2 8L${round(-5 * wide)} ${round(-long * 0.62)}L0 ${round(-long)}L${round(5 * wide)} ${round(-long * 0.62)}L2 8Z" fill="${colour}" stroke="#000" stroke-opacity=".35" stroke-width=".8"/>`;
  }
  const half = round(3.2 * wide);
  return `<path d="M${-half} 10V${round(-long * 0.94)}L0 ${round(-long)}L${half} ${round(-long * 0.94)}V10Z" fill="${colour}" stroke="#000" stroke-opacity=".4" stroke-width=".7"/><path d="M${round(-half * 0.45)} ${round(-long * 0.3)}V${round(-long * 0.92)}H${round(half * 0.45)}V${round(-long * 0.3)}Z" fill="${LUME}"/>`;
}

function zoneHand(length: number, colour: string): string {
  return `<path d="M0 12V${round(-length * 0.98)}" stroke="${colour}" stroke-width="2.4"/><path d="M-7 ${round(-length * 0.84)}H7L0 ${round(-length)}Z" fill="${LUME}" stroke="${colour}" stroke-width="2"/>`;
}
