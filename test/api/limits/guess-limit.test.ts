import assert from "node:assert/strict";
import { test } from "node:test";
import type { FastifyRequest } from "fastify";
import { createGuessLimit } from "../../../src/api/limits/guess-limit.ts";
import { createTestClock, until } from "../../support/test-app.ts";

const LIMIT = 3;

test("only what is not found counts, and what is found is returned whatever the count", async () => {
  const limit = openLimit();
  const find = async () => "found";
  const miss = async () => undefined;

  for (let at = 0; at < LIMIT + 2; at += 1)
    assert.equal(await limit.check(from("a"), find), "found");
  for (let at = 0; at < LIMIT; at += 1) assert.equal(await limit.check(from("a"), miss), undefined);
  await assert.rejects(limit.check(from("a"), miss), { code: "rate_limited" });

  assert.equal(await limit.check(from("a"), find), "found");
  assert.equal(await limit.check(from("b"), miss), undefined, "others have a limit of their own");
});

test("a look-up that fails says nothing about the credential, and does not count", async () => {
  const limit = openLimit();
  const fail = () => Promise.reject(new Error("the store is down"));

  for (let at = 0; at < LIMIT + 2; at += 1) {
    await assert.rejects(limit.check(from("a"), fail), /the store is down/);
  }

  assert.equal(await limit.check(from("a"), async () => undefined), undefined);
});

test("beyond the limit few look-ups are made at a time, and others are not held up", async () => {
  const limit = openLimit();
  let atOnce = 0;
  const releases: (() => void)[] = [];
  const wait = async (): Promise<undefined> => {
    atOnce += 1;
    await new Promise<void>((settle) => releases.push(settle));
    atOnce -= 1;
  };

  // Guesses at the same time: three are within the limit, four of the others have their turn.
  const guesses = Array.from({ length: 50 }, () => limit.check(from("a"), wait));
  const answers = Promise.allSettled(guesses);
  await until(() => atOnce === LIMIT + 4);
  const other = limit.check(from("b"), wait);
  await until(() => atOnce === LIMIT + 5);
  const valid = limit.check(from("a"), async () => "found");
  let isAnswered = false;
  const finished = Promise.all([answers, other, valid]).then(() => {
    isAnswered = true;
  });
  await until(() => {
    assert.ok(atOnce <= LIMIT + 5);
    for (const release of releases.splice(0)) release();
    return isAnswered;
  });
  await finished;

  const statuses = (await answers).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === "fulfilled").length, LIMIT);
  assert.equal(await other, undefined);
  assert.equal(await valid, "found");
});

function openLimit() {
  return createGuessLimit({
    perMinute: LIMIT,
    clock: createTestClock(),
    networkOf: ({ ip }) => ip,
    what: "guesses",
  });
}

function from(ip: string): FastifyRequest {
  return { ip } as FastifyRequest;
}
