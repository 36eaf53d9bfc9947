import assert from "node:assert/strict";
import { test } from "node:test";
import { createLater } from "../../../src/api/http/compile-schemas.ts";

const SIGNAL = new AbortController().signal;

test("a value is made once, at its first use or with all others", async () => {
  const later = createLater();
  const made: string[] = [];
  const create = (name: string) => () => {
    made.push(name);
    return name;
  };
  const first = later.make(create("first"));
  const second = later.make(create("second"));

  assert.deepEqual(made, []);
  assert.equal(second(), "second");
  await later.makeAll(SIGNAL);

  assert.deepEqual([first(), second()], ["first", "second"]);
  assert.deepEqual(made, ["second", "first"]);
});

test("a stop is noticed between two values", async () => {
  const later = createLater();
  const stop = new AbortController();
  const made: number[] = [];
  for (const at of [1, 2, 3]) {
    later.make(() => {
      made.push(at);
      if (at === 2) stop.abort();
    });
  }

  await later.makeAll(stop.signal);

  assert.deepEqual(made, [1, 2]);
});
