import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Database } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { listActivity } from "../../../src/people/activity-store.ts";
import { process } from "../../support/drain.ts";
import { LENA } from "../../support/erasure.ts";
import { aMatch, anAlert } from "../../support/rows.ts";
import { aFolder, callAssay } from "../../support/run-assay.ts";
import { borrowTestDatabase } from "../../support/shared-store.ts";
import { aMessageEvent } from "../../support/waha.ts";

/** Commands that write no object: they only read, or process again what is stored. */
const WITHOUT = [
  "backup",
  "doctor",
  "explain",
  "export",
  "extract",
  "import",
  "migrate",
  "quarantine",
  "reextract",
  "refresh",
  "replay",
  "restore",
  "search",
];

test("every command that writes an object leaves its row, as cli", async (t) => {
  const { pool, url } = await borrowTestDatabase(t);
  const folder = aFolder(t);
  await process(pool, [aMessageEvent({ text: "126610LN 2024 full set €12,500" })]);
  const [listing] = await pool.query<{ id: string }>(sql`select id from listing`);
  await aDeadDelivery(pool);
  const rowsOf = async (...words: readonly string[]) => {
    const known = (await listActivity(pool, { limit: 200 })).length;
    const environment = { DATABASE_URL: url, ASSAY_ALLOW_UNSAFE_STORE: "true", PORT: "1" };
    const { code, err, out } = await callAssay(words, environment);
    assert.equal(code, 0, `${words.join(" ")}: ${err}`);
    const rows = await listActivity(pool, { limit: 200 });
    const added = rows.slice(0, rows.length - known);
    assert.ok(
      added.every(
        ({ actor_name, actor_token_id }) => actor_name === "cli" && actor_token_id === null,
      ),
    );
    const shown = added.map(({ object_kind, action }) => `${object_kind} ${action}`);
    return { shown: shown.toReversed(), changes: added[0]?.changes, out };
  };
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const view = file("a.json", JSON.stringify({ views: [{ name: "new", filters: { q: "x" } }] }));
  const rates = file("a.csv", "Date, USD, JPY, \n16 November 2026, 1.1, 160, \n");

  const applied = await rowsOf("apply", view);
  assert.deepEqual(applied.shown, ["manifest applied"]);
  assert.deepEqual(applied.changes, [
    { member: "views", after: { created: 1, changed: 0, removed: 0, names: ["new"] } },
  ]);
  assert.deepEqual((await rowsOf("apply", view)).shown, [], "the same file changes nothing");
  assert.deepEqual((await rowsOf("apply", view, "--dry-run")).shown, []);
  const corrected = await rowsOf("correct", listing?.id ?? "", "year=2021");
  assert.deepEqual(corrected.shown, ["listing corrected"]);
  assert.deepEqual(corrected.changes, [{ member: "year", after: 2021 }]);
  const decided = await rowsOf("deals", "set", listing?.id ?? "", "passed", "--reason", "gone");
  assert.deepEqual(decided.shown, ["deal created"]);
  assert.deepEqual((await rowsOf("deals", "list")).shown, []);
  const forgotten = await rowsOf("deals", "delete", listing?.id ?? "");
  assert.deepEqual(forgotten.shown, ["deal deleted"]);
  const { out } = await callAssay(["corrections", "list", "--json"], {
    DATABASE_URL: url,
    ASSAY_ALLOW_UNSAFE_STORE: "true",
  });
  const undone = await rowsOf("corrections", "undo", JSON.parse(out).id);
  assert.deepEqual(undone.shown, ["correction undone"]);
  assert.deepEqual((await rowsOf("fx", "import", rates)).shown, ["fx_rates imported"]);
  assert.deepEqual((await rowsOf("deliveries", "retry", "--all-dead")).shown, ["delivery retried"]);
  assert.deepEqual((await rowsOf("console")).shown, ["token created", "token linked"]);
  assert.deepEqual((await rowsOf("token", "create", "--name", "mei")).shown, ["token created"]);
  assert.deepEqual((await rowsOf("token", "role", "mei", "--role", "desk")).shown, [
    "token changed",
  ]);
  const rotated = await rowsOf("token", "rotate", "mei");
  assert.deepEqual(rotated.shown, ["token rotated"]);
  assert.deepEqual(rotated.changes, [{ member: "token" }]);
  assert.deepEqual((await rowsOf("token", "revoke", "mei")).shown, ["token revoked"]);
  const erased = await rowsOf("erase", "--phone", `+${LENA.phone}`, "--remember");
  assert.deepEqual([erased.shown, erased.changes], [["person erased"], []]);
  const text = JSON.stringify(await listActivity(pool, { limit: 200 }));
  assert.ok(!text.includes(LENA.phone) && !text.includes(rotated.out.trim()));
});

test("every command is known to write an object or not", () => {
  const source = readFileSync("src/cli/run-cli.ts", "utf8");
  const commands = [...source.matchAll(/^ {2}(\w+): async \(\) =>/gm)].map(
    ([, name]) => name ?? "",
  );
  const writing = [
    "apply",
    "console",
    "correct",
    "corrections",
    "deals",
    "deliveries",
    "erase",
    "fx",
    "serve",
    "token",
  ];

  assert.deepEqual(commands.toSorted(), [...writing, ...WITHOUT].toSorted());
});

async function aDeadDelivery(db: Database): Promise<void> {
  const alertId = await anAlert(db);
  await aMatch(db, { alert_id: alertId });
  await db.execute(sql`
    insert into webhook_target (id, name, kind, url, managed_by, created_at_ms, updated_at_ms)
    values (gen_random_uuid(), 'hook', 'ntfy', 'https://ntfy.example/x', 'api', 0, 0)`);
  await db.execute(sql`
    insert into webhook_delivery (id, target_id, alert_id, resource, resource_id, status, attempt_count, next_attempt_at_ms,
                                  created_at_ms, finished_at_ms)
    select gen_random_uuid(), webhook_target.id, alert_id, resource, resource_id, 'dead', 12, 0, 0, 0
      from alert_match, webhook_target`);
}
