import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/db/sql.ts";
import {
  changeRole,
  createToken,
  revokeTokens,
  rotateToken,
  saveNewToken,
} from "../../src/people/change-tokens.ts";
import { ROLES } from "../../src/people/role.ts";
import { createTokenText } from "../../src/people/token.ts";
import { type ApiTokenRow, listTokens, lockLiveTokens } from "../../src/people/token-store.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { addToken, NOW_MS, until } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

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
          const owners = tokens.filter((token) => isOwner(token, nowMs));
          const by = { ...author, tokenId: owners[one.by % owners.length]?.id ?? "" };
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

function isOwner({ role, revoked_at_ms, expires_at_ms }: ApiTokenRow, nowMs: number): boolean {
  return (
    role === "owner" && revoked_at_ms === null && (expires_at_ms === null || expires_at_ms > nowMs)
  );
}

test("a token that was revoked, lowered or has expired since its request was let in writes no token", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  for (const expiresAtMs of [undefined, undefined, undefined, NOW_MS + 5]) {
    await addToken(pool, { ...(expiresAtMs === undefined ? {} : { expiresAtMs }) });
  }
  const tokens = await listTokens(pool);
  const [expired] = tokens.filter(({ expires_at_ms }) => expires_at_ms !== null);
  const [kept, revoked, lowered] = tokens.filter((token) => token !== expired);
  await revokeTokens(pool, { which: { id: revoked?.id ?? "" } }, AUTHOR);
  await changeRole(pool, { which: { id: lowered?.id ?? "" }, role: "desk" }, AUTHOR);
  const before = await listTokens(pool);

  for (const [token, code] of [
    [revoked, "unauthorized"],
    [expired, "unauthorized"],
    [lowered, "forbidden"],
  ] as const) {
    const author = { ...AUTHOR, tokenId: token?.id ?? "", nowMs: NOW_MS + 10 };
    const [own, other] = [token, kept].map((one) => ({ which: { id: one?.id ?? "" } }));
    assert.ok(own !== undefined && other !== undefined);
    const writes = [
      () => createToken(pool, { name: "another", role: "owner" }, author),
      () => changeRole(pool, { ...own, role: "owner" }, author),
      () => rotateToken(pool, own, author),
      () => revokeTokens(pool, other, author),
    ];
    for (const write of writes) await assert.rejects(write, { code });
  }

  assert.deepEqual(await listTokens(pool), before);
});

test("a token that is made while its maker is revoked with all that it made is revoked too, and the activity says so", async (t) => {
  const { pool } = await openTestDatabase(t, { sessionsMax: 4 });
  for (let count = 0; count < 2; count += 1) await addToken(pool, {});
  const [maker] = await listTokens(pool);
  assert.ok(maker !== undefined);
  let revoking: Promise<unknown> = Promise.resolve();

  await pool.transaction(async (tx) => {
    await lockLiveTokens(tx);
    const text = createTokenText();
    const made = { text, name: "made", role: "owner" } as const;
    await saveNewToken(tx, made, { ...AUTHOR, tokenId: maker.id });
    revoking = revokeTokens(pool, { which: { id: maker.id }, isWithMade: true }, AUTHOR);
    await until(
      async () => (await pool.query(sql`select from pg_locks where not granted`)).length > 0,
    );
  });
  await revoking;

  const left = (await listTokens(pool)).filter(({ revoked_at_ms }) => revoked_at_ms === null);
  assert.equal(left.length, 1);
  const rows = await pool.query<{ name: string }>(sql`
    select object_name as name from activity where action = 'revoked'`);
  assert.deepEqual(rows.map(({ name }) => name).toSorted(), ["made", maker.name].toSorted());
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
