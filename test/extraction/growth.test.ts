import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TEXT_MAX } from "../../src/extraction/text/normalize.ts";
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

/** Returns the mean CPU time over several runs, so that garbage collection counts in every measurement. */
function meanCpuMs(text: string, runs: number): number {
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run += 1) readMessage(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / runs;
}

/** Linear work takes 4 times as long, quadratic work 16 times. Half-way between, so that a busy machine fails no test. */
const GROWTH_MAX = 8;
const ATTEMPTS = 8;

describe("time grows in proportion to the text", () => {
  for (const unit of Object.values(UNITS)) readMessage(unit.repeat(200));
  for (const [name, unit] of Object.entries(UNITS)) {
    // Two doublings instead of one, because a larger difference is easier to measure on a busy machine.
    test(`four times as many ${name} take at most ${GROWTH_MAX} times as long`, () => {
      // The first line makes the halves of the text differ. Equal halves are read once.
      const fill = (length: number): string =>
        `x\n${unit.repeat(Math.ceil(length / unit.length))}`.slice(0, length);
      const [quarter, full] = [fill(TEXT_MAX / 4), fill(TEXT_MAX)];
      // Noise only adds time, so the fastest of several attempts counts, for each of the two texts.
      let [base, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
      const ratio = (): number => whole / Math.max(1, base);
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        whole = Math.min(whole, meanCpuMs(full, 1));
        base = Math.min(base, meanCpuMs(quarter, 4));
        if (ratio() <= GROWTH_MAX) break;
      }

      assert.ok(ratio() <= GROWTH_MAX, `${name}: ${ratio().toFixed(2)}`);
    });
  }
});
