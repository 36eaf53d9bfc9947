import assert from "node:assert/strict";
import { test } from "node:test";
import { finishDocument } from "../../../src/api/http/openapi.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { openTestApp } from "../../support/test-app.ts";

test("the page of the API has our title and our icon, and names no other host", async (t) => {
  const { app, call } = await borrowTestApp(t);

  const page = await call("GET", "/docs", {});
  const icon = await call("GET", "/docs/static/theme/assay.svg", {});
  const head = page.text.slice(0, page.text.indexOf("</head>"));

  assert.equal(page.status, 200);
  assert.match(head, /<title>Assay: the API<\/title>/);
  assert.match(head, /theme\/assay\.svg/);
  assert.doesNotMatch(head, /favicon|https?:/);
  assert.equal(icon.status, 200);
  assert.match(String(icon.headers["content-type"]), /^image\/svg\+xml/);
  assert.match(icon.text, /^<svg .*<\/svg>$/);
  assert.ok(app.swagger().paths?.["/v2/alerts"] !== undefined);
});

test("an error about a word lists the words that are allowed, and names the member", async (t) => {
  const { app, token, call } = await borrowTestApp(t);
  const search = async (payload: object) => {
    const headers = { authorization: `Bearer ${token}` };
    const url = "/v2/market/listings/search";
    return (await app.inject({ method: "POST", url, headers, payload })).json().error.message;
  };

  assert.equal(
    await search({ sort: "cheapest" }),
    "sort: must be one of newest, oldest, price_asc, price_desc, year_desc, profit, profit_bps",
  );
  const { body } = await call("GET", "/v2/sessions?role=both");
  assert.equal(body.error.message, "role: must be one of receiving, sending");
});

test("two operations whose schemas would have the same name are refused", () => {
  const operation = () => ({
    operationId: "listThings",
    responses: { "200": { content: { "application/json": { schema: { type: "object" } } } } },
  });
  const paths = { "/a": { get: operation() }, "/b": { get: operation() } };

  assert.throws(() => finishDocument({ paths, components: { schemas: {} } }), /ListThingsResponse/);
});

test("an event is acknowledged without a body", async (t) => {
  const { app } = await openTestApp(t, { environment: { ASSAY_WAHA_UNSIGNED: "true" } });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });

  const response = await fetch(`${url}/v2/webhooks/waha`, { method: "POST", body: "[1, 2" });

  assert.equal(response.status, 202);
  assert.equal(await response.text(), "");
  assert.equal(response.headers.get("content-length"), "0");
});
