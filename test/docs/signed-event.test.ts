import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { sql } from "../../src/db/sql.ts";
import { openTestApp } from "../support/test-app.ts";

const KEY = "a key";
const MISSING = ["sh", "openssl", "awk", "curl"].filter(
  (tool) => spawnSync(tool, tool === "awk" ? ["BEGIN {}"] : ["-c", ":"]).error !== undefined,
);

test("the signed event of api.md is accepted as it stands", {
  skip: MISSING.length > 0 && `without ${MISSING.join(", ")}`,
}, async (t) => {
  const { app, db } = await openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const page = readFileSync("docs/api.md", "utf8");
  const script = /```sh\n([^`]*X-Webhook-Hmac[^`]*)```/.exec(page)?.[1] ?? "";
  assert.match(script, /http:\/\/127\.0\.0\.1:8080\//);

  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", script.replace("http://127.0.0.1:8080", url)],
    { env: { ...process.env, ASSAY_WAHA_HMAC_KEY: KEY } },
  );

  assert.match(stdout, /^HTTP\/1\.1 202 /);
  const [row] = await db.query<{ count: number }>(sql`select count(*) as count from raw_event`);
  assert.equal(row?.count, 1);
});
