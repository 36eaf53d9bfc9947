import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { toWebhookHeaders } from "../../../src/alerts/deliveries/channels/standard.ts";
import { NOW_MS } from "../../support/test-app.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

test("the code in the docs accepts our signatures and nothing else", async (t) => {
  const page = readFileSync("docs/alerts.md", "utf8");
  const snippet = /```js\n([\s\S]*?)```/.exec(page)?.[1];
  assert.ok(snippet !== undefined);
  const folder = mkdtempSync(join(tmpdir(), "assay-docs-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "verify.mjs");
  writeFileSync(file, snippet);
  const { verifyWebhook } = await import(pathToFileURL(file).href);
  const body = JSON.stringify({ type: "alert.match", data: { name: "Größe" } });
  const headers = toWebhookHeaders({ id: "one", secret: SECRET, body, nowMs: NOW_MS }) ?? {};

  assert.deepEqual(verifyWebhook(SECRET, headers, body, NOW_MS + 299_000), JSON.parse(body));
  const several = { ...headers, "webhook-signature": `v1,AAAA ${headers["webhook-signature"]}` };
  assert.deepEqual(verifyWebhook(SECRET, several, body, NOW_MS), JSON.parse(body));
  assert.throws(() => verifyWebhook(SECRET, headers, `${body} `, NOW_MS), /signature/);
  assert.throws(() => verifyWebhook("whsec_AAAA", headers, body, NOW_MS), /signature/);
  assert.throws(
    () => verifyWebhook(SECRET, { ...headers, "webhook-id": "two" }, body, NOW_MS),
    /signature/,
  );
  assert.throws(() => verifyWebhook(SECRET, headers, body, NOW_MS + 302_000), /timestamp/);
});

test("a signature equals that of the specification's example", () => {
  const headers = toWebhookHeaders({
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    secret: SECRET,
    body: '{"test": 2432232314}',
    nowMs: 1_614_265_330_000,
  });

  assert.equal(headers?.["webhook-signature"], "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  assert.equal(headers?.["webhook-timestamp"], "1614265330");
});

test("nothing is signed with an invalid secret", () => {
  const attempt = { id: "one", body: "", nowMs: NOW_MS };

  for (const secret of ["", "whsec_", "secret", "whsec_!!", "whsec_="]) {
    assert.equal(toWebhookHeaders({ ...attempt, secret }), undefined, secret);
  }
});
