import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "../../src/db/sql.ts";
import { exportManifest } from "../../src/manifest/export-manifest.ts";
import { aLiveAlert, arrive, matchAll } from "../support/alerts.ts";
import { aListingWith } from "../support/listings.ts";
import { applyTexts, counts, problemsOf } from "../support/manifest.ts";
import { borrowTestDatabase } from "../support/shared-store.ts";
import { NOW_MS } from "../support/test-app.ts";

const BOT_TOKEN = "123456:AAaaBBbbCCccDDddEEeeFFff";
const TARGETS = `
webhooks:
  - {name: phone, kind: ntfy, url: https://ntfy.sh/desk, token: tk_1, quiet_hours: {from: "22:00", to: "07:00", time_zone: Europe/Berlin}}
  - {name: chat, kind: telegram, bot_token: "${BOT_TOKEN}", chat_id: -1001}
  - {name: mail, kind: email, to: desk@example.org}
`;

test("a target of each kind is stored as declared, and the same file again changes nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  const first = await applyTexts(pool, TARGETS);
  const second = await applyTexts(pool, TARGETS);

  assert.deepEqual(counts(first), { webhooks: "3/0/0/0" });
  assert.deepEqual(counts(second), { webhooks: "0/0/3/0" });
  const rows = await pool.query(sql`
    select kind, url, secret, recipient, quiet_hours from webhook_target order by name`);
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { kind: "telegram", url: null, secret: BOT_TOKEN, recipient: "-1001", quiet_hours: null },
      { kind: "email", url: null, secret: null, recipient: "desk@example.org", quiet_hours: null },
      {
        kind: "ntfy",
        url: "https://ntfy.sh/desk",
        secret: "tk_1",
        recipient: null,
        quiet_hours: { from: "22:00", to: "07:00", time_zone: "Europe/Berlin" },
      },
    ],
  );
});

test("a manifest with cut addresses keeps those that are stored, and is refused elsewhere", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  await applyTexts(pool, TARGETS);
  const { text } = await exportManifest(pool, { hasSecrets: false, isCut: true });

  const again = await applyTexts(pool, text);

  assert.match(text, /url: https:\/\/ntfy\.sh\/…\n/);
  assert.equal(counts(again)["webhooks"], "0/0/3/0");
  const elsewhere = text.replace("https://ntfy.sh/…", "https://ntfy.example.org/…");
  assert.match(
    (await problemsOf(pool, elsewhere)).join("\n"),
    /url: is only the part that is shown of another address; send the whole address/,
  );
});

test("a wrong target is reported with its member and without its secret", async (t) => {
  const { pool } = await borrowTestDatabase(t);

  const problems = await problemsOf(
    pool,
    `
webhooks:
  - {name: a, kind: ntfy, url: "https://ntfy.sh/"}
  - {name: b, kind: telegram, bot_token: geheim, chat_id: 1}
  - {name: c, kind: email, to: desk@example.org, url: https://example.org}
  - {name: d, kind: email, to: desk@example.org, quiet_hours: {from: "22:00", to: "22:00", time_zone: UTC}}
  - {name: e, kind: telegram, chat_id: 1, bot_tokn: "${BOT_TOKEN}"}
`,
  );

  assert.deepEqual(problems, [
    "a.yaml:3: webhooks[0].url: must be the address of a topic, such as https://ntfy.sh/my-topic",
    "a.yaml:4: webhooks[1].bot_token: must be the token of a bot, as BotFather shows it: digits, a colon, and letters",
    "a.yaml:5: webhooks[2].url: does not belong to a target of the kind email",
    "a.yaml:6: webhooks[3].quiet_hours.to: must differ from `from`",
    'a.yaml:7: webhooks[4].bot_tokn: is not a member here; did you mean "bot_token"?',
  ]);
});

test("a stored token is kept for its own server only, and a secret that only signs is kept for any", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;
  const phone = "{name: phone, kind: ntfy, url: https://ntfy.sh/desk, token: tk_1}";
  const hook = `{name: hook, url: https://example.org/a, secret: ${secret}}`;
  await applyTexts(pool, `webhooks: [${phone}, ${hook}]`);
  const declare = (url: string, rest = "") =>
    `webhooks: [{name: phone, kind: ntfy, url: "${url}"${rest}}, {name: hook, url: https://example.com/b}]`;
  const tokens = () =>
    pool.query<{ url: string; secret: string }>(
      sql`select url, secret from webhook_target order by name desc`,
    );

  const problem =
    "a.yaml:1: webhooks[0].token: must be declared again, because url names another server; without a token, declare a new target";
  for (const url of [
    "https://ntfy.example.org/desk",
    "http://ntfy.sh/desk",
    "https://ntfy.sh:8443/desk",
    "https://ntfy.sh/other/desk",
  ]) {
    assert.deepEqual(await problemsOf(pool, declare(url)), [problem], url);
  }
  await applyTexts(pool, declare("https://NTFY.sh/another-topic"));
  const sameServer = await tokens();
  await applyTexts(pool, declare("https://ntfy.example.org/desk", ", token: tk_2"));

  assert.deepEqual(
    sameServer.map((row) => ({ ...row })),
    [
      { url: "https://NTFY.sh/another-topic", secret: "tk_1" },
      { url: "https://example.com/b", secret },
    ],
  );
  assert.equal((await tokens())[0]?.secret, "tk_2");
});

test("an address with a password is refused, because addresses are shown", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const secret = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;

  const problems = await problemsOf(
    pool,
    `webhooks: [{name: a, url: "https://me:geheim@example.org/hook", secret: ${secret}}]`,
  );

  assert.deepEqual(problems, [
    "a.yaml:1: webhooks[0].url: must not have a user name or a password",
  ]);
});

test("what failed waits no longer once the target has another address; a new name changes nothing", async (t) => {
  const { pool } = await borrowTestDatabase(t);
  const target =
    "webhooks: [{id: 00000000-0000-4000-8000-000000000001, name: a, kind: email, to: a@example.org}]";
  await applyTexts(pool, target);
  await aLiveAlert(pool);
  await arrive(pool, [aListingWith()]);
  await matchAll(pool);
  await pool.execute(sql`
    update webhook_delivery set attempt_count = 5, last_result = '550', next_attempt_at_ms = ${NOW_MS + 9_000_000}`);
  const nextAttempt = async () => {
    const [row] = await pool.query<{ at: number }>(
      sql`select next_attempt_at_ms as at from webhook_delivery`,
    );
    return row?.at;
  };

  await applyTexts(pool, target.replace("name: a", "name: b"));
  const renamed = await nextAttempt();
  await applyTexts(pool, target.replace("a@example.org", "b@example.org"));

  assert.equal(renamed, NOW_MS + 9_000_000);
  assert.equal(await nextAttempt(), NOW_MS);
});
