import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TEXT_MAX } from "../../../src/listings/extraction/extract.ts";
import { readMessage } from "../../support/extraction.ts";

/** Each fills a message to the limit; together they reach every rule that looks ahead or back. */
const UNITS: Readonly<Record<string, string>> = {
  blanks: " ",
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
  wishes: "need\n",
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
};

/** The least CPU time of some runs: noise only ever adds to it. */
function leastCpuMs(text: string, runs: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    readMessage(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** What is linear takes 4, what is quadratic 16; memory that no longer fits the cache makes up to 6 of the 4. */
const GROWTH_MAX = 8;
const ATTEMPTS = 6;

describe("time grows no faster than the text", () => {
  for (const unit of Object.values(UNITS)) readMessage(unit.repeat(200));
  for (const [name, unit] of Object.entries(UNITS)) {
    // Two doublings: the wider the span, the less a busy machine can blur it.
    test(`four times as many ${name} take at most ${GROWTH_MAX} times as long`, () => {
      const fill = (length: number): string =>
        unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
      const [quarter, full] = [fill(TEXT_MAX / 4), fill(TEXT_MAX)];
      // A ratio of small times is noise, and noise passes: of several tries one must hold.
      let ratio = Number.POSITIVE_INFINITY;
      for (let attempt = 1; attempt <= ATTEMPTS && ratio > GROWTH_MAX; attempt += 1) {
        const base = Math.max(1, leastCpuMs(quarter, 2 * attempt));
        ratio = Math.min(ratio, leastCpuMs(full, attempt) / base);
      }

      assert.ok(ratio <= GROWTH_MAX, `${name}: ${ratio.toFixed(2)}`);
    });
  }
});
