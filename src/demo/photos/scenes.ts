/** Where dealers take their photos: on a desk, a cloth or a tray, in a hand, on a wrist, beside box and papers. */
import type { Random } from "../random.ts";
import { round } from "./letters.ts";

/** A photo in portrait, as phones take them. */
export const WIDTH = 900;
export const HEIGHT = 1_120;

interface Place {
  readonly x: number;
  readonly y: number;
  /** Of a unit of the drawn watch. */
  readonly scale: number;
  readonly turn: number;
}

export interface Scene {
  readonly place: Place;
  readonly behind: string;
  readonly before: string;
  /** The part of the photo in which the watch is seen, as a path; undefined for all of it. */
  readonly clip?: string;
}

export function chooseScene(random: Random): Scene {
  const make = random.pick([
    onDesk,
    onDesk,
    onCloth,
    onCloth,
    onTray,
    inHand,
    inHand,
    onWrist,
    onWrist,
    withBox,
    withBox,
  ]);
  return make(random);
}

function placed(random: Random, { size = 1, turn = 22 } = {}): Place {
  return {
    x: WIDTH / 2 + random.integer(-45, 45),
    y: HEIGHT / 2 + random.integer(-60, 60),
    scale: round((2.7 + random.next() * 0.75) * size),
    turn: random.integer(-turn, turn),
  };
}

const whole = (more: string): string => `<rect width="${WIDTH}" height="${HEIGHT}" ${more}/>`;

/** Threads across each other, as lines: noise, or a pattern with such small tiles, takes a second. */
function weave(colour: string, random: Random): string {
  const turn = random.integer(20, 70);
  const lines = Array.from({ length: 150 }, (_, at) => `M-800 ${at * 10 - 750}H800`).join("");
  const threads = (degrees: number, more: string) =>
    `<path transform="translate(450 560) rotate(${degrees})" d="${lines}" fill="none" ${more}/>`;
  return `${threads(turn, `stroke="${colour}" stroke-opacity=".1" stroke-width="4"`)}${threads(turn + 90, 'stroke="#fff" stroke-opacity=".06" stroke-width="4"')}`;
}

/** A shape that is out of focus. */
function soft(id: string, colour: string, strength: number): string {
  return `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${round(strength)}"/><stop offset=".5" stop-color="${colour}" stop-opacity="${round(strength * 0.7)}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
}

function onDesk(random: Random): Scene {
  const colour = random.pick(["#8a5f3d", "#6a462c", "#a87a50", "#4c3324", "#b98d62"]);
  const planks = [random.integer(150, 330), random.integer(520, 700)]
    .map(
      (x) =>
        `<path d="M${x} 0V${HEIGHT}" stroke="#000" stroke-opacity=".35" stroke-width="4"/><path d="M${x + 4} 0V${HEIGHT}" stroke="#fff" stroke-opacity=".12" stroke-width="2"/>`,
    )
    .join("");
  const grain = Array.from({ length: 90 }, () => {
    const [x, bend] = [random.integer(-20, WIDTH + 20), random.integer(-26, 26)];
    const tone = random.isBelow(0.7) ? "#1d0f06" : "#fff";
    return `<path d="M${x} -10C${x + bend} 380 ${x - bend} 740 ${x + random.integer(-14, 14)} 1130" fill="none" stroke="${tone}" stroke-opacity="${round(0.05 + random.next() * 0.16)}" stroke-width="${random.integer(1, 7)}"/>`;
  }).join("");
  return {
    place: placed(random),
    behind: `${whole(`fill="${colour}"`)}${grain}${planks}`,
    before: "",
  };
}

function onCloth(random: Random): Scene {
  const colour = random.pick([
    "#33404f",
    "#5a626b",
    "#74665a",
    "#2c3733",
    "#8b8780",
    "#3b2a30",
    "#c9c2b6",
  ]);
  const folds = Array.from({ length: 4 }, () => {
    const x = random.integer(-200, 900);
    const [bend, wide] = [random.integer(-220, 220), random.integer(70, 160)];
    const tone = random.isBelow(0.5) ? "#000" : "#fff";
    return [1, 0.76, 0.52, 0.3, 0.12]
      .map(
        (share) =>
          `<path d="M${x} -20Q${x + bend} 500 ${x + 120} 1140" fill="none" stroke="${tone}" stroke-opacity=".03" stroke-width="${round(wide * share)}"/>`,
      )
      .join("");
  }).join("");
  return {
    place: placed(random),
    behind: `${whole(`fill="${colour}"`)}${folds}${weave("#000", random)}`,
    before: "",
  };
}

/** With a stitched edge, as shops have. */
function onTray(random: Random): Scene {
  const colour = random.pick(["#d8d1c3", "#bfc5c9", "#26302c", "#40302a", "#22262e"]);
  const edge = (at: number, more: string) =>
    `<rect x="${at}" y="${at + 20}" width="${WIDTH - 2 * at}" height="${HEIGHT - 2 * at - 40}" rx="54" ${more}/>`;
  return {
    place: placed(random, { turn: 9 }),
    behind: `${whole(`fill="${colour}"`)}${[36, 44, 52].map((at) => edge(at, 'fill="#000" fill-opacity=".1"')).join("")}${edge(60, `fill="${colour}"`)}${edge(60, 'fill="#fff" fill-opacity=".1"')}
${edge(84, 'fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="4" stroke-dasharray="16 10"')}${weave("#000", random)}`,
    before: "",
  };
}

const SKINS = [
  ["#e9c3a6", "#c98f6b", "#8d5a3d"],
  ["#f1d2bd", "#d9a384", "#9c674b"],
  ["#b98660", "#8f5f3f", "#583722"],
  ["#d8aa85", "#b07c57", "#724932"],
] as const;

function room(random: Random): string {
  const wall = random.pick(["#5d6670", "#76706a", "#3f4a54", "#8b8f92", "#4a4440"]);
  const spots = Array.from({ length: 8 }, (_, at) => {
    const colour = random.pick(["#f0d9a8", "#dfe7ee", "#2b3138", "#8f5f3c", "#ffffff", "#3c5a78"]);
    const [x, y] = [random.integer(0, WIDTH), random.integer(0, HEIGHT)];
    const [wide, high] = [random.integer(120, 420), random.integer(120, 460)];
    return `${soft(`spot${at}`, colour, 0.25 + random.next() * 0.5)}<ellipse cx="${x}" cy="${y}" rx="${wide}" ry="${high}" fill="url(#spot${at})"/>`;
  }).join("");
  return `${whole(`fill="${wall}"`)}${spots}`;
}

/** Held by its bracelet: fingers behind it, the thumb in front. */
function inHand(random: Random): Scene {
  const [light, middle, dark] = random.pick(SKINS);
  const place = {
    ...placed(random, { turn: 12 }),
    y: 480 + random.integer(-30, 30),
    scale: round(2.55 + random.next() * 0.4),
  };
  const skin = `<linearGradient id="skin" x1="0" y1="0" x2=".3" y2="1"><stop offset="0" stop-color="${light}"/><stop offset=".5" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></linearGradient>
<linearGradient id="finger" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${dark}"/><stop offset=".3" stop-color="${light}"/><stop offset=".7" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></linearGradient>`;
  const fingers = [0, 1, 2].map((at) => {
    const y = 770 + at * 104;
    return `<path d="M960 ${y - 70}Q640 ${y - 96} ${330 + at * 22} ${y - 18}Q${286 + at * 22} ${y + 34} ${340 + at * 22} ${y + 62}Q660 ${y + 62} 960 ${y + 96}Z" fill="url(#finger)"/>`;
  });
  const thumb = `<path d="M-60 1180V900Q60 800 240 ${place.y + 330}Q356 ${place.y + 262} 408 ${place.y + 300}Q446 ${place.y + 350} 380 ${place.y + 410}Q260 ${place.y + 520} 220 1180Z" fill="url(#skin)"/>
<path d="M330 ${place.y + 296}Q392 ${place.y + 268} 414 ${place.y + 308}Q418 ${place.y + 346} 366 ${place.y + 372}Q322 ${place.y + 346} 330 ${place.y + 296}Z" fill="#fff" fill-opacity=".28" stroke="${dark}" stroke-opacity=".4" stroke-width="3"/>
<path d="M190 ${place.y + 440}q40 10 70 -14M178 ${place.y + 466}q40 12 74 -8" stroke="${dark}" stroke-opacity=".45" stroke-width="4" fill="none"/>`;
  return {
    place,
    behind: `${room(random)}<defs>${skin}</defs><g>${fingers.join("")}</g>`,
    before: thumb,
  };
}

/** An arm from side to side, with a sleeve; the bracelet goes around it. */
function onWrist(random: Random): Scene {
  const [light, middle, dark] = random.pick(SKINS);
  const scale = round(2.35 + random.next() * 0.35);
  const [top, low] = [round(560 - 168 * scale * 0.98), round(560 + 168 * scale * 0.98)];
  const sleeve = random.pick(["#1f2733", "#39424e", "#e6e8ea", "#5a2f33", "#2f4a3c"]);
  const arm = `M-20 ${top + 30}Q400 ${top - 14} 920 ${top + 20}V${low - 10}Q500 ${low + 20} -20 ${low - 34}Z`;
  const edge = random.integer(690, 760);
  const behind = `${room(random)}
<defs><linearGradient id="skin" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${dark}"/><stop offset=".2" stop-color="${middle}"/><stop offset=".42" stop-color="${light}"/><stop offset=".7" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs>
<path d="${arm}" fill="url(#skin)"/>`;
  const [over, under] = [top - 34, low + 38];
  const shape = `M${edge} ${over + 8}Q${edge - 40} 560 ${edge + 10} ${under - 8}L940 ${under + 14}V${over - 16}Z`;
  const cuff = `<path d="${shape}" fill="${sleeve}"/><path d="${shape}" fill="url(#fall)"/>
<path d="M${edge} ${over + 8}Q${edge - 40} 560 ${edge + 10} ${under - 8}" fill="none" stroke="#000" stroke-opacity=".35" stroke-width="10"/>
<path d="M${edge + 26} ${over + 8}Q${edge - 14} 560 ${edge + 36} ${under - 8}" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="3" stroke-dasharray="14 8"/>`;
  const place = { x: 410 + random.integer(-30, 20), y: 560, scale, turn: random.integer(-5, 5) };
  return { place, behind, before: cuff, clip: arm };
}

/** In front of an open box, with the card. */
function withBox(random: Random): Scene {
  const [box, inside] = random.pick([
    ["#1f5a3f", "#d9cdb0"],
    ["#173b2c", "#c9b88f"],
    ["#6b3b22", "#e4d8c2"],
    ["#20242b", "#b9b4aa"],
    ["#7a1f26", "#e9e1d4"],
  ] as const);
  const place = {
    ...placed(random, { turn: 14 }),
    y: 660 + random.integer(-20, 30),
    scale: round(2.25 + random.next() * 0.3),
  };
  const table = random.pick(["#b8ada0", "#7b6c5e", "#d5d0c8", "#5d6166"]);
  const x = random.integer(560, 640);
  const bars = [0, 1, 2, 3].map(
    (at) =>
      `<path d="M30 ${70 + at * 26}h${150 - at * 24}" stroke="#555" stroke-opacity=".5" stroke-width="7"/>`,
  );
  const card = `<g transform="translate(${x} 240) rotate(${random.integer(8, 24)})"><rect x="7" y="11" width="250" height="160" rx="14" fill="#000" fill-opacity=".2"/><rect x="4" y="6" width="250" height="160" rx="14" fill="#000" fill-opacity=".2"/><rect width="250" height="160" rx="14" fill="#f2f0ea"/><rect width="250" height="40" rx="14" fill="${box}"/>${bars.join("")}<circle cx="214" cy="118" r="20" fill="none" stroke="${box}" stroke-width="6"/></g>`;
  const behind = `${whole(`fill="${table}"`)}${weave("#000", random)}
${[30, 22, 14].map((by) => `<rect x="${60 + by / 2}" y="20" width="590" height="${510 + by}" rx="30" fill="#000" fill-opacity=".16"/>`).join("")}<rect x="60" y="20" width="590" height="510" rx="24" fill="${box}"/>
<rect x="92" y="52" width="526" height="446" rx="14" fill="${inside}"/><path d="M92 52H618L560 120H150Z" fill="#000" fill-opacity=".16"/><rect x="150" y="120" width="410" height="330" rx="60" fill="#fff" fill-opacity=".35"/><rect x="150" y="120" width="410" height="330" rx="60" fill="none" stroke="#000" stroke-opacity=".16" stroke-width="6"/>${card}`;
  return { place, behind, before: "" };
}
