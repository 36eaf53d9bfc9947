import assert from "node:assert/strict";
import { test } from "node:test";
import { exportManifest } from "../../../src/manifest/export-manifest.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken } from "../../support/test-app.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

test("the manifest is what `assay export` writes, without secrets, and for the desk with cut addresses", async (t) => {
  const app = await borrowTestApp(t);
  const url = "https://hooks.example.com/assay";
  const created = [
    await app.send("POST", "/v2/market/price-engine/profiles", { name: "Core" }),
    await app.send("POST", "/v2/webhook-targets", { name: "desk", url, secret: SECRET }),
  ];

  const desk = { authorization: `Bearer ${await addToken(app.db, { role: "desk" })}` };
  const { status, headers, text } = await app.call("GET", "/v2/manifest");
  const cut = (await app.call("GET", "/v2/manifest", desk)).text;

  assert.deepEqual(
    created.map((answer) => answer.status),
    [201, 201],
  );
  assert.equal(status, 200);
  assert.match(String(headers["content-type"]), /^application\/yaml/);
  assert.match(String(headers["content-disposition"]), /filename="assay-2026-11-15\.yaml"/);
  assert.match(text, /name: Core/);
  assert.match(text, /name: desk/);
  assert.doesNotMatch(text, /whsec_/);
  assert.equal(text, (await exportManifest(app.db, { hasSecrets: false })).text);
  assert.equal(cut, (await exportManifest(app.db, { hasSecrets: false, isCut: true })).text);
  assert.match(cut, /url: https:\/\/hooks\.example\.com\/…\n/);
});

test("callers who ask together get what was declared before they asked", async (t) => {
  const app = await borrowTestApp(t);
  const ask = async (name: string): Promise<string> => {
    await app.send("POST", "/v2/market/price-engine/profiles", { name });
    return (await app.call("GET", "/v2/manifest")).text;
  };

  const names = Array.from({ length: 20 }, (_, index) => `Desk ${index}`);
  const texts = await Promise.all(names.map(ask));

  for (const [index, name] of names.entries()) {
    assert.match(texts[index] ?? "", new RegExp(`name: ${name}\n`));
  }
});

test("the manifest needs a token", async (t) => {
  const app = await borrowTestApp(t);

  assert.equal((await app.call("GET", "/v2/manifest", {})).status, 401);
});
