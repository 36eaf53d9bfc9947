import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { PATHS } from "../../../console/paths.ts";
import { CONSOLE_PAGES } from "../../../src/api/console/serve-console.ts";
import { openTestApp } from "../../support/test-app.ts";

const KILOBYTE = 1024;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types assay";

interface Manifest {
  readonly firstView: readonly string[];
  readonly pages: Readonly<Record<string, string>>;
  readonly files: Readonly<
    Record<string, { readonly type: string; readonly bytes: number; readonly gzipBytes: number }>
  >;
}

const manifest = JSON.parse(readFileSync("dist/console/manifest.json", "utf8")) as Manifest;
const [scriptPath = ""] = manifest.firstView;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

test("every path of the console answers with the page, its policy and a tag", async (t) => {
  const ask = await open(t);

  for (const [path, name] of Object.entries(CONSOLE_PAGES)) {
    const { status, headers, body } = await ask(path.replace(/:\w+/, "x%2F1"));

    assert.equal(status, 200, path);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(headers["content-security-policy"], POLICY);
    assert.equal(headers["cache-control"], "no-cache");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cross-origin-opener-policy"], "same-origin");
    assert.match(body.toString(), new RegExp(`<script type="module" src="${scriptPath}">`));
    assert.match(
      body.toString(),
      new RegExp(`"modulepreload" href="/assets/${name}-page-\\w+.js">`),
    );
  }
  const { headers } = await ask("/");
  const again = await ask("/", { "if-none-match": String(headers["etag"]) });
  assert.equal(again.status, 304);
});

test("the page has no inline script and no inline style", () => {
  for (const file of Object.values(manifest.pages)) {
    const page = readFileSync(`dist/console/${file}`, "utf8");

    assert.doesNotMatch(page, /<style|style=|<script(?![^>]* src=)|\son\w+=|\{\{/);
  }
});

test("the console and the service agree on the console's paths and the pages there", () => {
  const source = readFileSync("console/pages.ts", "utf8");
  const loaded = source.matchAll(/path: "([^"]+)".+?import\("\.\/pages\/([\w-]+)\//gs);

  assert.deepEqual(PATHS, Object.keys(CONSOLE_PAGES));
  assert.deepEqual(
    Object.fromEntries([...loaded].map(([, path, name]) => [path, name])),
    CONSOLE_PAGES,
  );
});

test("a page needs two scripts besides the main one", async (t) => {
  const ask = await open(t);

  for (const path of Object.keys(CONSOLE_PAGES)) {
    const { body } = await ask(path.replace(/:\w+/, "x"));

    assert.equal(body.toString().match(/"modulepreload"/g)?.length, 2, path);
  }
});

test("unknown paths stay 404 as JSON, and a page supports GET only", async (t) => {
  const ask = await open(t);

  for (const path of ["/nothing", "/market/", "/listings", "/alerts/a/b", "/assets/none.js"]) {
    const { status, headers, body } = await ask(path);

    assert.equal(status, 404, path);
    assert.match(String(headers["content-type"]), /^application\/json/);
    assert.equal(JSON.parse(body.toString()).error.code, "route_not_found");
  }
  const posted = await ask("/market", {}, "POST");
  assert.equal(posted.status, 405);
  assert.equal(posted.headers["allow"], "GET, HEAD");
});

test("no name of an asset leads out of the folder of assets", async (t) => {
  const ask = await open(t);

  for (const name of ["..%2Findex.html", "..%2f..%2fcli%2fmain.js", "manifest.json", "%00"]) {
    assert.equal((await ask(`/assets/${name}`)).status, 404, name);
  }
});

test("an asset is sent as the client accepts it, for a year, with the policy that a worker needs", async (t) => {
  const ask = await open(t);
  const wanted = readFileSync(`dist/console${scriptPath}`);

  const plain = await ask(scriptPath);
  const brotli = await ask(scriptPath, { "accept-encoding": "gzip, br" });
  const gzip = await ask(scriptPath, { "accept-encoding": "gzip" });

  assert.deepEqual(plain.body, wanted);
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.deepEqual(brotliDecompressSync(brotli.body), wanted);
  assert.equal(brotli.headers["content-encoding"], "br");
  assert.deepEqual(gunzipSync(gzip.body), wanted);
  assert.equal(gzip.headers["content-encoding"], "gzip");
  for (const { headers } of [plain, brotli, gzip]) {
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(headers["content-security-policy"], POLICY);
    assert.equal(headers["vary"], "accept-encoding");
  }
});

test("HEAD says what GET would send", async (t) => {
  const ask = await open(t);
  const coded = { "accept-encoding": "br" };

  const got = await ask(scriptPath, coded);
  const head = await ask(scriptPath, coded, "HEAD");

  assert.equal(head.status, 200);
  assert.equal(head.body.length, 0);
  assert.equal(head.headers["content-length"], String(got.body.length));
  assert.equal(head.headers["content-encoding"], "br");
});

test("the web app manifest and the page name icons that are served", async (t) => {
  const ask = await open(t);

  const { headers, body } = await ask("/app.webmanifest");
  const { icons } = JSON.parse(body.toString()) as { readonly icons: readonly ManifestIcon[] };
  const page = (await ask("/")).body.toString();
  const linked = [...page.matchAll(/<link rel="(?:apple-touch-)?icon"[^>]* href="([^"]+)"/g)];

  assert.equal(headers["content-type"], "application/manifest+json");
  for (const { src, type } of icons) assert.equal((await ask(src)).headers["content-type"], type);
  assert.deepEqual(
    icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`),
    ["any any", "192x192 any", "512x512 any", "512x512 maskable"],
  );
  assert.equal(linked.length, 3);
  for (const [, path = ""] of linked) assert.equal((await ask(path)).status, 200);
});

interface ManifestIcon {
  readonly src: string;
  readonly type: string;
  readonly sizes: string;
  readonly purpose: string;
}

test("the console keeps to its budget of bytes", () => {
  const sizeOf = (paths: readonly string[]): number =>
    paths.reduce((sum, path) => sum + (manifest.files[path]?.gzipBytes ?? Number.NaN), 0);
  const ofType = (end: string) => Object.keys(manifest.files).filter((path) => path.endsWith(end));

  assert.ok(
    sizeOf(manifest.firstView) <= 80 * KILOBYTE,
    `first view ${sizeOf(manifest.firstView)}`,
  );
  assert.ok(sizeOf(ofType(".js")) <= 190 * KILOBYTE, `all scripts ${sizeOf(ofType(".js"))}`);
  assert.ok(sizeOf(ofType(".css")) <= 16 * KILOBYTE, `styles ${sizeOf(ofType(".css"))}`);
});

/** Over a real connection, because compression and HEAD are a matter of what is on the wire. */
async function open(t: TestContext) {
  const { app } = await openTestApp(t);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return (path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> =>
    new Promise((settle, reject) => {
      const sent = request({ port, path, method, headers, host: "127.0.0.1" }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const { statusCode: status = 0, headers: received } = response;
          settle({ status, headers: received, body: Buffer.concat(chunks) });
        });
      });
      sent.on("error", reject);
      sent.end();
    });
}
