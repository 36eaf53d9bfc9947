/** Letters and figures as strokes, because a machine without fonts draws the same photos. */

/** Each in a box of 4 by 6, as the lines of a pen: `x y` pairs, joined to one line without a blank. */
const STROKES: Readonly<Record<string, string>> = {
  A: "06,20,46 14,34",
  B: "06,00,30,41,32,03 33,44,35,06",
  C: "41,30,10,01,05,16,36,45",
  D: "06,00,20,42,44,26,06",
  E: "40,00,06,46 03,33",
  F: "40,00,06 03,33",
  G: "41,30,10,01,05,16,36,45,43,23",
  H: "00,06 40,46 03,43",
  I: "20,26",
  J: "40,45,36,16,05",
  K: "00,06 40,03,46",
  L: "00,06,46",
  M: "06,00,23,40,46",
  N: "06,00,46,40",
  O: "10,30,41,45,36,16,05,01,10",
  P: "06,00,30,41,42,33,03",
  Q: "10,30,41,45,36,16,05,01,10 24,46",
  R: "06,00,30,41,42,33,03 23,46",
  S: "41,30,10,01,02,13,33,44,45,36,16,05",
  T: "00,40 20,26",
  U: "00,05,16,36,45,40",
  V: "00,26,40",
  W: "00,16,22,36,40",
  X: "00,46 40,06",
  Y: "00,23,40 23,26",
  Z: "00,40,06,46",
  0: "10,30,41,45,36,16,05,01,10",
  1: "11,20,26",
  2: "01,10,30,41,42,06,46",
  3: "00,40,22,33,44,45,36,16,05",
  4: "36,30,04,44",
  5: "40,00,03,32,43,45,36,06",
  6: "30,10,01,05,16,36,45,44,33,03",
  7: "00,40,16",
  8: "13,02,01,10,30,41,42,33,13,04,05,16,36,45,44,33",
  9: "43,13,02,01,10,30,41,45,36,16",
};
const HEIGHT = 6;
const STEP = 5.6;

interface Line {
  readonly text: string;
  /** Of its middle. */
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly colour: string;
  /** In degrees, clockwise. */
  readonly turn?: number;
  /** Of the pen, in the box of a letter. */
  readonly weight?: number;
}

/** Returns one path. What has no stroke, such as a blank, leaves a gap. */
export function writeLine({ text, x, y, height, colour, turn = 0, weight = 1 }: Line): string {
  const letters = [...text.toUpperCase().normalize("NFD").replace(/\p{M}/gu, "")];
  const width = letters.length * STEP - (STEP - 4);
  const d = letters.map((letter, at) => strokesOf(letter, at * STEP - width / 2)).join("");
  const scale = round(height / HEIGHT);
  return `<path transform="translate(${round(x)} ${round(y)}) rotate(${round(turn)}) scale(${scale})" d="${d}" fill="none" stroke="${colour}" stroke-width="${weight}" stroke-linejoin="round"/>`;
}

function strokesOf(letter: string, left: number): string {
  const lines = STROKES[letter]?.split(" ") ?? [];
  return lines
    .map((line) => {
      const points = line
        .split(",")
        .map(([x, y]) => `${round(Number(x) + left)} ${Number(y) - HEIGHT / 2}`);
      return `M${points.join("L")}`;
    })
    .join("");
}

/** Short figures, and the same ones on every machine. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A point at an angle in degrees, clockwise from twelve. */
export function polar(radius: number, degrees: number): readonly [number, number] {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [round(radius * Math.cos(angle)), round(radius * Math.sin(angle))];
}
