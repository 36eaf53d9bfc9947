import assert from "node:assert/strict";
import { test } from "node:test";
import { DAY_MS, systemClock } from "../../../src/base/clock.ts";
import { findSessionToken } from "../../../src/people/console-session-store.ts";
import { createConsoleCode, redeemCode } from "../../../src/people/open-sessions.ts";
import {
  CODE_MAX_AGE_MS,
  createSessionSecret,
  createTokenText,
} from "../../../src/people/token.ts";
import { listTokens, saveToken } from "../../../src/people/token-store.ts";
import { backUp } from "../../support/files.ts";
import { callAssay } from "../../support/run-assay.ts";
import { revokeAnyway } from "../../support/test-app.ts";
import { openTestDatabase } from "../../support/test-database.ts";

test("a restore tells which tokens work again, opens no session, and can leave all tokens out", async (t) => {
  const source = await openTestDatabase(t);
  const nowMs = systemClock.nowMs();
  for (const name of ["stolen", "old"]) {
    await saveToken(source.pool, {
      text: createTokenText(),
      name,
      role: "owner",
      createdAtMs: nowMs,
    });
  }
  await revokeAnyway(source.pool, "old", nowMs);
  const codes = [];
  for (let count = 0; count < 2; count += 1) {
    const which = { token: { name: "console" }, maxAgeMs: CODE_MAX_AGE_MS };
    codes.push((await createConsoleCode(source.pool, which, { name: "cli", nowMs }))?.text);
  }
  const secret = createSessionSecret();
  await redeemCode(source.pool, codes[0] ?? "", { secret, label: "x", nowMs, maxAgeMs: DAY_MS });
  const path = await backUp(t, source);
  await revokeAnyway(source.pool, "stolen", nowMs);
  const [target, bare] = [await openTestDatabase(t), await openTestDatabase(t)];

  const restored = await callAssay(["restore", path], env(target));
  const without = await callAssay(["restore", path, "--without-tokens"], env(bare));

  const names = restored.out.split("\n").flatMap((line) => line.split(" ")[0] || []);
  assert.deepEqual(names.toSorted(), ["NAME", "console", "stolen"]);
  assert.match(restored.err, /also if they were revoked .*"assay token revoke ID"/);
  assert.equal(await findSessionToken(target.pool, secret), undefined);
  const session = { secret: createSessionSecret(), label: "x", nowMs, maxAgeMs: DAY_MS };
  assert.equal(await redeemCode(target.pool, codes[1] ?? "", session), undefined);
  assert.ok((await redeemCode(source.pool, codes[1] ?? "", session)) !== undefined);
  assert.equal((await listTokens(target.pool)).length, 3);
  assert.deepEqual([without.code, without.out], [0, ""]);
  assert.match(without.err, /no token works here; create one/);
  assert.deepEqual(await listTokens(bare.pool), []);
});

function env({ url }: { readonly url: string }) {
  return { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true" };
}
