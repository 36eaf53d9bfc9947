/** Bracelet, case and bezel of a watch, around a middle at 0 0: the bezel of a round one has a radius of 100. */
import { polar, round, writeLine } from "./letters.ts";
import type { Metal, Style } from "./watch-style.ts";

/** Colours that the parts below refer to by name. */
export function defineMetals({ metal, second, inserts }: Style): string {
  return [["m", metal] as const, ["s", second] as const]
    .map(([id, tones]) => gradientsOf(id, tones))
    .concat(`
<linearGradient id="round" x1="0" x2="1"><stop offset="0" stop-color="#000" stop-opacity=".62"/><stop offset=".16" stop-color="#000" stop-opacity=".05"/>
<stop offset=".34" stop-color="#fff" stop-opacity=".26"/><stop offset=".6" stop-color="#fff" stop-opacity="0"/><stop offset=".84" stop-color="#000" stop-opacity=".12"/>
<stop offset="1" stop-color="#000" stop-opacity=".7"/></linearGradient>
<linearGradient id="gloss" x1="0" y1="0" x2=".8" y2="1"><stop offset="0" stop-color="#fff" stop-opacity=".5"/><stop offset=".3" stop-color="#fff" stop-opacity=".06"/>
<stop offset=".62" stop-color="#fff" stop-opacity="0"/><stop offset=".8" stop-color="#fff" stop-opacity=".16"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>
<linearGradient id="insert" x1="0" y1="0" x2="0" y2="1"><stop offset=".5" stop-color="${inserts[0]}"/><stop offset=".5" stop-color="${inserts[1]}"/></linearGradient>`)
    .join("");
}

function gradientsOf(id: string, { light, base, dark }: Metal): string {
  return `
<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${light}"/><stop offset=".22" stop-color="${base}"/><stop offset=".38" stop-color="${dark}"/>
<stop offset=".52" stop-color="${light}"/><stop offset=".68" stop-color="${base}"/><stop offset=".86" stop-color="${dark}"/><stop offset="1" stop-color="${base}"/></linearGradient>
<linearGradient id="${id}-link" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${dark}"/><stop offset=".14" stop-color="${light}"/><stop offset=".5" stop-color="${base}"/>
<stop offset=".86" stop-color="${base}"/><stop offset="1" stop-color="${dark}"/></linearGradient>
<linearGradient id="${id}-brush" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="${base}"/><stop offset=".3" stop-color="${light}"/><stop offset=".5" stop-color="${base}"/>
<stop offset=".75" stop-color="${dark}" stop-opacity=".9"/><stop offset="1" stop-color="${base}"/></linearGradient>`;
}

const BAND_END = 330;
const ROW = 25;

/** Above and below the case, wider at the case. */
export function drawBand(style: Style): string {
  const half = `<g>${style.band === "leather" || style.band === "rubber" ? drawStrap(style) : drawLinks(style)}</g>`;
  return `${half}<g transform="scale(1 -1)">${half}</g>`;
}

function widthAt(y: number, { build }: Style): number {
  const [wide, narrow] = build === "octagon" || build === "porthole" ? [122, 92] : [106, 84];
  return wide - ((y - 60) / (BAND_END - 60)) * (wide - narrow);
}

/** Shares of the width, from left to right; negative ones are of the second metal. */
const LINKS = {
  oyster: [0.29, -0.42, 0.29],
  president: [0.34, 0.32, 0.34],
  jubilee: [0.26, -0.16, -0.16, -0.16, 0.26],
  wide: [0.35, 0.3, 0.35],
} as const;

function drawLinks(style: Style): string {
  const { band } = style;
  if (band === "leather" || band === "rubber") return "";
  const rowHeight = { oyster: ROW, president: 15, jubilee: 17, wide: ROW }[band];
  const links: string[] = [];
  for (let y = 62; y < BAND_END; y += rowHeight) {
    const width = widthAt(y, style);
    let left = -width / 2;
    for (const [place, share] of LINKS[band].entries()) {
      const wide = Math.abs(share) * width;
      const isMiddle = place > 0 && place < LINKS[band].length - 1;
      const fill = share < 0 ? "s-link" : band === "wide" && !isMiddle ? "m-brush" : "m-link";
      const shift = isMiddle ? rowHeight / 2 : 0;
      const corner = { oyster: 2, president: 7, jubilee: isMiddle ? 6 : 3, wide: isMiddle ? 8 : 2 }[
        band
      ];
      links.push(
        `<rect x="${round(left)}" y="${round(y + shift)}" width="${round(wide - 0.8)}" height="${rowHeight - 1}" rx="${corner}" fill="url(#${fill})" stroke="#000" stroke-opacity=".55" stroke-width=".7"/>`,
      );
      left += wide;
    }
  }
  return `${links.join("")}<path d="${outline(style)}" fill="url(#round)"/>`;
}

function outline(style: Style): string {
  const [near, far] = [widthAt(60, style) / 2, widthAt(BAND_END, style) / 2];
  return `M${-near} 58H${near}L${round(far)} ${BAND_END + 20}H${round(-far)}Z`;
}

function drawStrap(style: Style): string {
  const { band, bandColour } = style;
  const body = `<path d="${outline(style)}" fill="${bandColour}"/>`;
  if (band === "rubber") {
    const grooves = Array.from({ length: 12 }, (_, at) => `M-40 ${96 + at * 22}q40 -14 80 0`).join(
      "",
    );
    return `${body}<path d="${grooves}" fill="none" stroke="#fff" stroke-opacity=".1" stroke-width="5"/><path d="${outline(style)}" fill="url(#round)"/>`;
  }
  const scales = Array.from({ length: 13 }, (_, at) => {
    const y = 92 + at * 20;
    return `M-40 ${y}H40M-14 ${y}v20M14 ${y + 10}v20`;
  }).join("");
  const near = widthAt(60, style) / 2 - 6;
  const far = widthAt(BAND_END, style) / 2 - 5;
  return `${body}<path d="${scales}" fill="none" stroke="#000" stroke-opacity=".3" stroke-width="1.6"/>
<path d="M${-near} 84L${round(-far)} ${BAND_END}M${near} 84L${round(far)} ${BAND_END}" stroke="#e9dfcd" stroke-opacity=".7" stroke-width="1.6" stroke-dasharray="5 4" fill="none"/>
<path d="${outline(style)}" fill="url(#round)"/>`;
}

const EDGE = `stroke="#000" stroke-opacity=".5" stroke-width="1"`;

/** What is below the bezel: the body, lugs and the crown. */
export function drawBody(style: Style): string {
  const { build, counters } = style;
  const crown = `<rect x="103" y="-11" width="15" height="22" rx="4" fill="url(#m)" ${EDGE}/><path d="M105 -7H117M105 -3H117M105 1H117M105 5H117" stroke="#000" stroke-opacity=".4" stroke-width="1.3"/>`;
  const pushers =
    counters === undefined
      ? ""
      : [-34, 34]
          .map(
            (turn) =>
              `<g transform="rotate(${turn})"><rect x="96" y="-6" width="15" height="12" fill="url(#m)"/><rect x="109" y="-9" width="11" height="18" rx="4" fill="url(#m)" ${EDGE}/></g>`,
          )
          .join("");
  const guards = `<path d="M90 -38Q116 -26 112 -12H96V12H112Q116 26 90 38Z" fill="url(#m-brush)" ${EDGE}/>`;
  if (build === "tank")
    return `<rect x="82" y="-8" width="14" height="16" rx="5" fill="url(#m)" ${EDGE}/><path d="M80 -4l10 4-10 4z" fill="#2746a0"/>`;
  if (build === "octagon") {
    return `${crown}${pushers}<path d="M-62 -124H62L97 -64Q105 0 97 64L62 124H-62L-97 64Q-105 0 -97 -64Z" fill="url(#m-brush)" ${EDGE}/>`;
  }
  if (build === "porthole") {
    return `<path d="M-61 -114H61L74 -86Q99 -62 101 -34L117 -30Q123 0 117 30L101 34Q99 62 74 86L61 120H-61L-74 86Q-99 62 -101 34L-117 30Q-123 0 -117 -30L-101 -34Q-99 -62 -74 -86Z" fill="url(#m-brush)" ${EDGE}/><rect x="116" y="-10" width="11" height="20" rx="4" fill="url(#m)" ${EDGE}/>`;
  }
  if (build === "square") {
    return `<g transform="translate(-10 0)">${crown}</g><path d="M-60 -132H60L92 -84Q102 0 92 84L60 132H-60L-92 84Q-102 0 -92 -84Z" fill="url(#m-brush)" ${EDGE}/>`;
  }
  if (build === "cushion") {
    return `<path d="M-78 -96Q0 -116 78 -96Q106 0 78 96Q0 116 -78 96Q-106 0 -78 -96Z" fill="url(#m)" ${EDGE}/><path d="M92 -46Q132 0 92 46Z" fill="url(#m-brush)" ${EDGE}/><rect x="98" y="-12" width="20" height="24" rx="4" fill="url(#m)" ${EDGE}/>`;
  }
  const lug = "M50 -82L53 -116Q58 -125 67 -117Q86 -92 98 -46L62 -60Z";
  const lugs = ["", "scale(-1 1)", "scale(1 -1)", "scale(-1 -1)"]
    .map((flip) => `<path transform="${flip}" d="${lug}" fill="url(#m-brush)" ${EDGE}/>`)
    .join("");
  return `${guards}${crown}${pushers}${lugs}<circle r="103" fill="url(#m)" ${EDGE}/>`;
}

export function drawBezel(style: Style): string {
  const { build } = style;
  if (build === "octagon") return drawOctagon();
  if (build === "porthole") {
    return `<path d="${corners(8, 103, 22.5)}" fill="url(#m-brush)" stroke="url(#m)" stroke-width="7" stroke-linejoin="round"/><path d="${corners(8, 101, 22.5)}" fill="none" stroke="#fff" stroke-opacity=".5" stroke-width="1"/><circle r="80" fill="url(#m)"/>`;
  }
  if (build === "square") {
    const screws = [-1, 1].flatMap((x) =>
      [-1, 1].flatMap((y) => [screw(x * 70, y * 52), screw(x * 48, y * 78)]),
    );
    return `<rect x="-84" y="-90" width="168" height="180" rx="26" fill="url(#m)" ${EDGE}/>${screws.join("")}`;
  }
  if (build === "tank") {
    return `<rect x="-82" y="-116" width="164" height="232" rx="12" fill="url(#m)" ${EDGE}/><rect x="-82" y="-124" width="24" height="248" rx="10" fill="url(#m-brush)" ${EDGE}/><rect x="58" y="-124" width="24" height="248" rx="10" fill="url(#m-brush)" ${EDGE}/>`;
  }
  return drawRing(style);
}

function drawOctagon(): string {
  const screws = Array.from({ length: 8 }, (_, at) => {
    const [x, y] = polar(91, at * 45 + 22.5);
    const hexagon = corners(6, 6.4, at * 45);
    return `<g transform="translate(${x} ${y})"><path d="${hexagon}" fill="#e6eaee" stroke="#3a3f45" stroke-width="1.2"/><path d="M-4 0H4" transform="rotate(${at * 45 + 22.5})" stroke="#2b2f34" stroke-width="1.8"/></g>`;
  });
  return `<path d="${corners(8, 113, 22.5)}" fill="url(#m)" ${EDGE}/><path d="${corners(8, 108, 22.5)}" fill="url(#m-brush)" stroke="#fff" stroke-opacity=".55" stroke-width="1.2"/>${screws.join("")}<circle r="80" fill="url(#m)" ${EDGE}/>`;
}

function screw(x: number, y: number): string {
  return `<circle cx="${x}" cy="${y}" r="5" fill="#dfe3e7" stroke="#4a4f55" stroke-width="1"/><path d="M${x - 3} ${y - 3}L${x + 3} ${y + 3}" stroke="#33383d" stroke-width="1.5"/>`;
}

function corners(count: number, radius: number, from: number): string {
  const points = Array.from({ length: count }, (_, at) =>
    polar(radius, from + (at * 360) / count).join(" "),
  );
  return `M${points.join("L")}Z`;
}

function drawRing(style: Style): string {
  const { bezel, insertInk, inserts } = style;
  if (bezel === "thin")
    return `<circle r="101" fill="url(#s)" ${EDGE}/><circle r="93" fill="url(#m)"/>`;
  if (bezel === "smooth") {
    return `<circle r="100" fill="url(#s)" ${EDGE}/><circle r="90" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="7"/><circle r="81" fill="url(#m-brush)"/>`;
  }
  if (bezel === "fluted") {
    const flutes = (dash: string, colour: string, shift: number) =>
      `<circle r="90" fill="none" stroke="${colour}" stroke-width="18" stroke-dasharray="${dash}" stroke-dashoffset="${shift}"/>`;
    const step = round((2 * Math.PI * 90) / 84);
    return `<circle r="100" fill="url(#s)" ${EDGE}/>${flutes(`${round(step * 0.42)} ${round(step * 0.58)}`, "#00000077", 0)}${flutes(`${round(step * 0.25)} ${round(step * 0.75)}`, "#ffffffaa", -step * 0.45)}<circle r="90" fill="none" stroke="url(#s)" stroke-opacity=".4" stroke-width="18"/><circle r="80" fill="url(#s)" ${EDGE}/>`;
  }
  const teeth = `<circle r="101" fill="none" stroke="#000" stroke-opacity=".45" stroke-width="4" stroke-dasharray="2.65 2.65"/>`;
  const ring = `<circle r="103" fill="url(#s)" ${EDGE}/>${teeth}<circle r="97" fill="url(#insert)" stroke="#000" stroke-opacity=".6" stroke-width=".8"/>`;
  const isMetal = inserts[0] === style.metal.base;
  const sheen = `<circle r="88" fill="none" stroke="url(#gloss)" stroke-opacity=".55" stroke-width="17"/>`;
  const marks = { diver: diveMarks, gmt: hourMarks, tachymeter: speedMarks }[bezel](
    isMetal ? "#2a2420" : insertInk,
  );
  return `${ring}${isMetal ? `<circle r="97" fill="url(#s)" opacity=".75"/>` : ""}${marks}${sheen}<circle r="79" fill="url(#m)" ${EDGE}/>`;
}

/** Text in the middle of the insert. */
function around(degrees: number, text: string, colour: string, height: number): string {
  const [x, y] = polar(88, degrees);
  return writeLine({ text, x, y, height, colour, turn: degrees, weight: 1.05 });
}

interface Tick {
  readonly from: number;
  readonly to: number;
  readonly colour: string;
  readonly width: number;
}

function tick(degrees: number, { from, to, colour, width }: Tick): string {
  return `<path d="M${polar(from, degrees).join(" ")}L${polar(to, degrees).join(" ")}" stroke="${colour}" stroke-width="${width}"/>`;
}

/** A triangle with a pearl, figures at every ten minutes, and ticks for the first fifteen. */
function diveMarks(colour: string): string {
  const figures = [10, 20, 30, 40, 50].map((minute) =>
    around(minute * 6, String(minute), colour, 11),
  );
  const ticks = Array.from({ length: 60 }, (_, minute) => minute)
    .filter((minute) => minute % 10 !== 0 && (minute < 16 || minute % 5 === 0))
    .map((minute) =>
      tick(minute * 6, {
        ...{ from: 82, colour },
        ...(minute % 5 === 0 ? { to: 94, width: 3 } : { to: 89, width: 1.6 }),
      }),
    );
  return `${figures.join("")}${ticks.join("")}<path d="M-8 -95H8L0 -81Z" fill="${colour}"/><circle cy="-90.5" r="2.8" fill="#d5f0df" stroke="#9aa" stroke-width=".8"/>`;
}

function hourMarks(colour: string): string {
  const figures = Array.from({ length: 11 }, (_, at) =>
    around((at + 1) * 30, String(2 * at + 2), colour, 11),
  );
  const dots = Array.from({ length: 12 }, (_, at) =>
    tick(at * 30 + 15, { from: 85, to: 91, colour, width: 2.6 }),
  );
  return `${figures.join("")}${dots.join("")}<path d="M-7.5 -82H7.5L0 -95Z" fill="${colour}"/>`;
}

function speedMarks(colour: string): string {
  const speeds = [400, 300, 240, 200, 180, 160, 140, 120, 110, 100, 90, 80, 75, 70, 65, 60];
  const figures = speeds.map((speed) => around((3600 / speed) * 6, String(speed), colour, 7.4));
  const dots = speeds.map(
    (speed) =>
      `<circle cx="${polar(81.6, (3600 / speed) * 6)[0]}" cy="${polar(81.6, (3600 / speed) * 6)[1]}" r="1.1" fill="${colour}"/>`,
  );
  return `${figures.join("")}${dots.join("")}${around(27, "TACHYMETRE", colour, 4.2)}`;
}
