import assert from "node:assert/strict";
import { test } from "node:test";
import { type MatchNews, toNotice } from "../../console/live/match-news.ts";

const aWatch = (at: number): MatchNews => ({
  id: `watch ${at}`,
  isWatch: true,
  watch: `Rolex ${at}`,
  ask: "€9,000",
  profitMinor: 1_282_00,
  dealer: "Kenji +852 9123 4567",
});

test("one watch is named in the title", () => {
  assert.deepEqual(toNotice([aWatch(1)], false), {
    title: "Rolex 1, €9,000",
    body: "€1,282 below market · Kenji +••• •••• ••••",
  });
});

test("several are counted, the latest first, and the rest in one line", () => {
  const { title, body } = toNotice([1, 2, 3, 4, 5, 6].map(aWatch), false);

  assert.equal(title, "6 new matches");
  assert.deepEqual(body.split("\n"), [
    "Rolex 6, €9,000, €1,282 below market",
    "Rolex 5, €9,000, €1,282 below market",
    "Rolex 4, €9,000, €1,282 below market",
    "Rolex 3, €9,000, €1,282 below market",
    "and 2 more",
  ]);
});

test("presenter mode names no figure of the market", () => {
  assert.equal(toNotice([aWatch(1)], true).body, "Kenji +••• •••• ••••");
  assert.doesNotMatch(toNotice([aWatch(1), aWatch(2)], true).body, /below|1,282/);
});
