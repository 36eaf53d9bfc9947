import assert from "node:assert/strict";
import { type Profiler, Session } from "node:inspector";
import { after, describe, test } from "node:test";
import { readMessage } from "../support/extraction.ts";

/** Each unit is repeated up to the text limit. Together they reach every rule that looks ahead or back. */
const UNITS: Readonly<Record<string, string>> = {
  spaces: " ",
  digits: "1",
  commas: ",",
  "digits and commas": "12,",
  "digits and dots": "1.",
  "digits and slashes": "5/",
  dashes: "-",
  emoji: "🔥",
  letters: "a",
  ideographs: "全新",
  "single characters": "n 3 ",
  "glued words": "GreenRoma",
  headers: "ROLEX\n",
  conditions: "new\n",
  requests: "need\n",
  "prices on lines": "$5000\n",
  "retail prices": "retail 5000 ",
  "references in one line": "126334 ",
  "watches in one line": "126334 $12k ",
  "watches on lines": "126334 blue\n",
  "joined references": "5711A or ",
  "half references": "15400st.oo.",
  "three digits": "123 ",
  "dollar signs": "$",
  "short codes": "5 hk ",
  "struck lines": "~a~\n",
  "years before asks": "126334 22 9k ",
  "further pieces": "126334 1/24 $9k\n2/24 $8k\n3/24 $7k\n",
  "models by name": "Daytona 2020 $9k\n\n",
  "announced references": "ref 12x ",
  answers: "box: no\n",
  "bold separators": "**,**",
  links: "www.a.b/126334 ",
  keycaps: "1️⃣",
  "keycap bullets": "1️⃣126334 ",
  "talk words": "does anyone know ",
  "talk on lines": "is the 126334 at auction?\n",
  "numbers of rooms": "room 1680 ",
  "questions for a watch": "any 126334? ",
  "short dial words": "met ",
  "dials on lines below a reference": "126334\nmet N2 9k\nblue N2 9k\n",
  deposits: "deposit $500 ",
  "brands with unknown models": "Czapek Quai des Bergues ",
  "offers of unknown models": "Czapek Quai 2020 $9k\n",
  "parts of watches": "strap for 5167A ",
  comparisons: "than the 126334 ",
  "alternatives of conditions": "new complete or mint ",
  "grouping spaces": "17 400.00 ",
};

/** A quarter of the longest text that is read: bounded look-backs no longer count. */
const SHORT = 16_000;
/** Linear work grows by 4, quadratic work by 16. What is done once for a text makes it less than 4. */
const GROWTH_MAX = 5;

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
after(() => session.disconnect());

/** How often V8 entered each block of our code, added up. Also counts what built-in methods walked through. */
function countVisits(work: () => void): number {
  takeCoverage();
  const walked = countWalks(work);
  const blocks = takeCoverage()
    .filter(({ url }) => url.includes("/.test-build/"))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
  return blocks.reduce((sum, { count }) => sum + count, walked);
}

/** The counts since the last call. */
function takeCoverage(): readonly Profiler.ScriptCoverage[] {
  let found: readonly Profiler.ScriptCoverage[] = [];
  // A session of the same thread answers before `post` returns.
  session.post("Profiler.takePreciseCoverage", (_, { result }) => {
    found = result;
  });
  return found;
}

/** Methods that walk through an array without a block of ours, and how far. Searches count as far as they had to go. */
const WALKS: Readonly<Record<string, (items: readonly unknown[], values: unknown[]) => number>> = {
  slice: (items, [start, end]) => items.slice(Number(start ?? 0), end as number).length,
  concat: (items) => items.length,
  join: (items) => items.length,
  includes: distanceTo,
  indexOf: distanceTo,
};

function distanceTo(items: readonly unknown[], [what, from = 0]: unknown[]): number {
  let at = Number(from);
  while (at < items.length && items[at] !== what) at += 1;
  return at - Number(from);
}

/** How many items built-in methods of arrays walked through. What they do with texts is a copy of bytes, or a search from a place. */
function countWalks(work: () => void): number {
  let walked = 0;
  let isCounting = true;
  const restore = Object.entries(WALKS).map(([name, distance]) => {
    const original = Reflect.get(Array.prototype, name);
    Reflect.set(Array.prototype, name, function (this: readonly unknown[], ...values: unknown[]) {
      if (isCounting) {
        isCounting = false;
        walked += distance(this, values);
        isCounting = true;
      }
      return Reflect.apply(original, this, values);
    });
    return () => Reflect.set(Array.prototype, name, original);
  });
  work();
  for (const undo of restore) undo();
  return walked;
}

describe("work grows in proportion to the text", () => {
  for (const unit of Object.values(UNITS)) readMessage(unit.repeat(200));
  for (const [name, unit] of Object.entries(UNITS)) {
    test(`four times as many ${name} are at most ${GROWTH_MAX} times the work`, () => {
      // The first line makes the halves of the text differ. Equal halves are read once. Whole units only: V8 counts the blocks
      // of a function once if all of them ran equally often, and half a word would change that.
      const fill = (length: number): string =>
        `x\n${unit.repeat(Math.floor((length - 2) / unit.length))}`;
      const [short, long] = [fill(SHORT), fill(4 * SHORT)];

      const base = countVisits(() => readMessage(short));
      const whole = countVisits(() => readMessage(long));

      assert.ok(base > 100, `${base} visits`);
      assert.ok(whole <= GROWTH_MAX * base, `${name}: ${(whole / base).toFixed(2)}`);
    });
  }

  test("the count sees quadratic work, in our blocks and in built-in methods", () => {
    const pairs = (length: number) => () => {
      const items = Array.from({ length }, (_, at) => at);
      for (const item of items) items.some((other) => other + item < 0);
    };
    const copies = (length: number) => () => {
      const items = Array.from({ length }, (_, at) => at);
      for (let at = 0; at < length; at += 1) items.slice(at);
    };

    for (const work of [pairs, copies]) {
      assert.ok(countVisits(work(400)) > 12 * countVisits(work(100)));
    }
  });
});
