import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  changeRole,
  createToken,
  revokeTokens,
  rotateToken,
} from "../../src/people/change-tokens.ts";
import { ROLES } from "../../src/people/role.ts";
import { listTokens } from "../../src/people/token-store.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { addToken, NOW_MS } from "../support/test-app.ts";

const AUTHOR = { name: "test", nowMs: NOW_MS };

const at = fc.nat({ max: 20 });
const write = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    role: fc.constantFrom(...ROLES),
    by: at,
    expiresAfterMs: fc.option(fc.constantFrom(1, 5, 1_000), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("role" as const), which: at, role: fc.constantFrom(...ROLES) }),
  fc.record({ kind: fc.constant("revoke" as const), which: at, isWithMade: fc.boolean() }),
  fc.record({ kind: fc.constant("rotate" as const), which: at }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.constantFrom(1, 10, 10_000) }),
);

test("any sequence of token writes, at any time, leaves an owner that does not expire", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await addToken(pool, {});
  let nowMs = NOW_MS;
  let nameCount = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (writes) => {
      for (const one of writes) {
        const tokens = await listTokens(pool);
        const pick = (index: number) => ({ id: tokens[index % tokens.length]?.id ?? "" });
        const author = { ...AUTHOR, nowMs };
        if (one.kind === "wait") nowMs += one.ms;
        if (one.kind === "role") await changeRole(pool, { ...one, which: pick(one.which) }, author);
        if (one.kind === "rotate") await rotateToken(pool, { which: pick(one.which) }, author);
        if (one.kind === "revoke") {
          await revokeTokens(pool, { ...one, which: pick(one.which) }, author);
        }
        if (one.kind === "create") {
          nameCount += 1;
          const { role, expiresAfterMs: ms } = one;
          const expiresAtMs = ms === undefined ? undefined : nowMs + ms;
          const by = { ...author, tokenId: pick(one.by).id };
          await createToken(pool, { name: `token ${nameCount}`, role, expiresAtMs }, by);
        }
        const owners = (await listTokens(pool)).filter(
          (token) =>
            token.role === "owner" && token.revoked_at_ms === null && token.expires_at_ms === null,
        );
        assert.ok(owners.length > 0, JSON.stringify(one));
      }
    }),
    { numRuns: 40 },
  );
});

for (const verb of ["revoke", "lower"] as const) {
  test(`of owners that ${verb} each other at once, one stays`, async (t) => {
    const { pool } = await borrowTestDatabase(t);
    for (let count = 0; count < 4; count += 1) await addToken(pool, {});
    const tokens = await listTokens(pool);

    const outcomes = await Promise.all(
      tokens.map(({ id }) =>
        verb === "lower"
          ? changeRole(pool, { which: { id }, role: "desk" }, AUTHOR)
          : revokeTokens(pool, { which: { id } }, AUTHOR),
      ),
    );

    const kinds = outcomes.map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ["done", "done", "done", "last_owner"]);
  });
}

test("if every owner expires, the last that still works stays", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  for (const ms of [1, 10]) await addToken(pool, { expiresAtMs: NOW_MS + ms });
  const [first, second] = (await listTokens(pool)).toSorted(
    (left, right) => (left.expires_at_ms ?? 0) - (right.expires_at_ms ?? 0),
  );
  const revoke = (id = "", nowMs = NOW_MS) =>
    revokeTokens(pool, { which: { id } }, { ...AUTHOR, nowMs });

  const later = await revoke(second?.id, NOW_MS + 5);
  const done = await revoke(second?.id);
  const last = await revoke(first?.id);

  assert.deepEqual([later.kind, done.kind, last.kind], ["last_owner", "done", "last_owner"]);
});

test("a token that is named like the id or prefix of another is not taken for it", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await addToken(pool, {});
  const [victim] = await listTokens(pool);
  assert.ok(victim !== undefined);
  await createToken(pool, { name: victim.id, role: "owner" }, AUTHOR);
  await createToken(pool, { name: victim.prefix, role: "owner" }, AUTHOR);

  const byId = await revokeTokens(pool, { which: { id: victim.id } }, AUTHOR);
  const byPrefix = await revokeTokens(pool, { which: { idNameOrPrefix: victim.prefix } }, AUTHOR);

  assert.deepEqual(
    [byId, byPrefix].map(
      (outcome) => outcome.kind === "done" && outcome.tokens.map((one) => one.name),
    ),
    [[victim.name], [victim.prefix]],
  );
});
