import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { createWorkBudget } from "../../../src/api/limits/work-budget.ts";
import type { Role } from "../../../src/people/role.ts";
import { addToken, createTestClock, openTestApp } from "../../support/test-app.ts";

const LIMITS = { workMsPerSecond: 300, rateLimitPerMinute: 6_000 };

test("market has ten seconds of work in store and 300 ms a second, desk and owner twice as much", () => {
  const clock = createTestClock();
  const budget = createWorkBudget({ config: LIMITS, clock });
  const waitAfter = (role: Role, ms: number) => {
    const token = { id: `${role} ${ms}`, role };
    budget.callerOf(token, 0).spend(ms);
    return budget.findWait(token);
  };

  assert.deepEqual([waitAfter("market", 10_000), waitAfter("market", 13_000)], [undefined, 10]);
  assert.deepEqual([waitAfter("desk", 20_000), waitAfter("desk", 26_000)], [undefined, 10]);
  assert.deepEqual([waitAfter("owner", 20_000), waitAfter("owner", 26_000)], [undefined, 10]);
  clock.advance(10_000);
  assert.equal(budget.findWait({ id: "market 13000" }), undefined);
});

test("on a crowded machine a caller does not pay for its neighbours", () => {
  const clock = createTestClock();
  const cores = availableParallelism();
  const waitAfter = (running: number, beside: number) => {
    const budget = createWorkBudget({ config: LIMITS, clock, runningCount: () => running });
    budget.callerOf({ id: "a", role: "market" }, 0).spend(26_000, beside);
    return budget.findWait({ id: "a" });
  };

  assert.equal(waitAfter(0, 1), 54);
  assert.equal(waitAfter(2 * cores, 1), 10);
  assert.equal(waitAfter(0, 2 * cores), 10);
  assert.equal(waitAfter(2 * cores, 2 * cores), 10, "the same neighbours are counted once");
});

test("where any number of requests is allowed, so is any amount of work", () => {
  const clock = createTestClock();
  for (const off of [{ workMsPerSecond: 0 }, { rateLimitPerMinute: 0 }]) {
    const budget = createWorkBudget({ config: { ...LIMITS, ...off }, clock });
    budget.callerOf({ id: "a", role: "market" }, 0).spend(1e9);
    assert.equal(budget.findWait({ id: "a" }), undefined);
  }
});

test("a token that has used up its budget gets 429 until it has come back, others are served, and its owner revokes it", async (t) => {
  const { call, clock, db } = await openTestApp(t, {
    environment: { ASSAY_WORK_MS_PER_SECOND: "1" },
  });
  const partner = { authorization: `Bearer ${await addToken(db, { isReadOnly: true })}` };
  const ask = (at: number) => call("GET", `/v2/market/listings?q=daytona${at}`, partner);
  let asked = 0;
  let refused = await ask(0);
  while (refused.status === 200 && asked < 500) {
    asked += 1;
    refused = await ask(asked);
  }

  assert.equal(refused.status, 429);
  assert.equal(refused.body.error.code, "rate_limited");
  assert.match(refused.body.error.message, /^this token has used up its budget of work; try again/);
  assert.ok(asked > 1, "33 ms are in store");
  const waitSeconds = Number(refused.headers["retry-after"]);
  assert.ok(waitSeconds >= 1);
  assert.equal((await call("GET", "/v2/market/listings")).status, 200, "another token");
  clock.advance(waitSeconds * 1_000);
  assert.equal((await ask(asked + 1)).status, 200);
});

test("an owner whose own budget is used up can still revoke a token and end a session", async (t) => {
  const { call, db } = await openTestApp(t, { environment: { ASSAY_WORK_MS_PER_SECOND: "1" } });
  await addToken(db, { isReadOnly: true });
  const { body } = await call("GET", "/v2/tokens");
  const [partner] = body.items.filter(({ role }: { role: string }) => role === "market");
  for (let at = 0; at < 500; at += 1) {
    if ((await call("GET", `/v2/market/listings?q=daytona${at}`)).status === 429) break;
  }

  assert.equal((await call("GET", "/v2/market/listings")).status, 429);
  assert.equal((await call("GET", "/v2/tokens")).status, 200);
  assert.equal((await call("DELETE", `/v2/tokens/${partner.id}`)).status, 204);
});

test("a token makes twenty sessions and links a minute, whatever it asks for them", async (t) => {
  const { app, call, clock, db, token } = await openTestApp(t, {
    environment: { ASSAY_PUBLIC_URL: "https://assay.example" },
  });
  const other = await addToken(db, {});
  const signIn = async (text: string) => {
    const answer = await app.inject({
      method: "POST",
      url: "/console/sessions",
      headers: { origin: "https://assay.example", host: "assay.example" },
      payload: { token: text },
    });
    return answer;
  };

  const statuses = [];
  for (let at = 0; at < 10; at += 1) statuses.push((await signIn(token)).statusCode);
  for (let at = 0; at < 10; at += 1) {
    statuses.push((await call("POST", "/v2/me/sign-in-link")).status);
  }
  const refused = await signIn(token);
  const link = await call("POST", "/v2/me/sign-in-link");

  assert.deepEqual(new Set(statuses), new Set([201]));
  assert.deepEqual([refused.statusCode, link.status], [429, 429]);
  assert.equal(refused.headers["retry-after"], "3");
  assert.equal((await signIn(other)).statusCode, 201);
  clock.advance(3_000);
  assert.equal((await signIn(token)).statusCode, 201);
});
