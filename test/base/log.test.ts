import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createLogger, logSeries } from "../../src/base/log.ts";

test("a failure that repeats a thousand times is logged when it begins, with a count, and when it is over", (t) => {
  const { log, lines, pass } = openLog(t);
  const fail = () => logSeries(log, { err: new Error("gone"), step: "a" }, "it failed");

  for (let count = 0; count < 1_000; count += 1) fail();
  assert.deepEqual(lines(), [["error", "it failed", undefined]]);
  pass();
  pass();
  fail();

  assert.deepEqual(lines(), [
    ["error", "it failed", undefined],
    ["warn", "it failed, again", 999],
    ["info", "it failed, and it is over", 1_000],
    ["error", "it failed", undefined],
  ]);
});

test("different failures are series of their own", (t) => {
  const { log, lines } = openLog(t);

  for (const message of ["one", "two", "one", "two"]) logSeries(log, {}, message);

  assert.deepEqual(
    lines().map(([, message]) => message),
    ["one", "two"],
  );
});

function openLog(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const written: string[] = [];
  const log = createLogger("info", { write: (line) => void written.push(line) });
  return {
    log,
    pass: () => t.mock.timers.tick(10_000),
    lines: () =>
      written.map((line) => {
        const { level, msg, count } = JSON.parse(line);
        return [level, msg, count];
      }),
  };
}
