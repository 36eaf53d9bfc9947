import assert from "node:assert/strict";
import { test } from "node:test";
import { ROUTE_ROLES } from "../../../src/api/auth/route-roles.ts";
import { hasRole, ROLES } from "../../../src/people/role.ts";
import { listExampleRequests, listOperations } from "../../support/api/api-examples.ts";
import { borrowTestApp } from "../../support/shared-store.ts";
import { addToken } from "../../support/test-app.ts";

/** The routes of the contract of the API's first version, of which only the preset is written. */
const SEED_READS = [
  "GET /v2/alerts",
  "GET /v2/alerts/:alert_id/matches",
  "GET /v2/market/listings/:listing_id/price-engine",
  "GET /v2/market/price-engine/configurations/:id/cells",
  "GET /v2/messages/:canonical_message_id/occurrences/summary",
  "GET /v2/sessions",
];
/** Reads that need more than the role of the market. */
const CLOSED_READS = [
  "GET /v2/activity",
  "GET /v2/deals",
  "GET /v2/deals/:listing_id",
  "GET /v2/deals/summary",
  "GET /v2/manifest",
  "GET /v2/tokens",
  "GET /v2/webhook-targets",
  "GET /v2/webhook-targets/:target_id",
  "GET /v2/webhook-targets/:target_id/deliveries",
];

function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

test("the contract and the table of roles have the same routes and roles, none missing and none stale", () => {
  const shown = listOperations()
    .filter(({ operation }) => operation.security?.length !== 0)
    .map(({ method, path, operation }) => [
      `${method} ${toRoute(path)}`,
      operation.security?.[0]?.bearer?.join(),
    ]);
  const declared = Object.entries(ROUTE_ROLES).filter(([route]) => route.includes(" /v2/"));

  assert.ok(shown.length > 70);
  assert.deepEqual(
    shown.toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1)),
    declared.toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
});

test("the market reads what a read-only token read, without people, deals, targets and the manifest", () => {
  const reads = Object.entries(ROUTE_ROLES).filter(([route]) => route.startsWith("GET "));
  const closed = reads.flatMap(([route, role]) => (role === "market" ? [] : [route]));

  assert.deepEqual(closed.toSorted(), CLOSED_READS);
  for (const route of SEED_READS) assert.equal(ROUTE_ROLES[route], "market", route);
  assert.equal(ROUTE_ROLES["DELETE /v2/outbound/group-presets/:preset_id"], "desk");
});

test("on every route each role gets 403 exactly where it does not suffice, with the role that is needed", async (t) => {
  const { app, db } = await borrowTestApp(t);
  const requests = listExampleRequests();
  const needed = new Map(
    listOperations().map(({ method, path, operation }) => [
      operation.operationId,
      ROUTE_ROLES[`${method} ${toRoute(path)}`],
    ]),
  );

  for (const role of ROLES) {
    for (const { operationId, method, path, body } of requests) {
      const needs = needed.get(operationId);
      if (needs === undefined || (role === "owner" && method !== "GET")) continue;
      const isMeantToPass = hasRole(role, needs);
      // What would be done is not what this test is about.
      if (isMeantToPass && method !== "GET") continue;
      const token = await addToken(db, { role });
      const answer = await app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { payload: body }),
      });
      assert.equal(answer.statusCode === 403, !isMeantToPass, `${role} ${operationId}`);
      if (isMeantToPass) continue;
      assert.equal(answer.json().error.code, "forbidden");
      assert.match(answer.json().error.message, new RegExp(`needs the role ${needs}, .* ${role}$`));
      assert.match(String(answer.headers["www-authenticate"]), new RegExp(`scope="${needs}"`));
    }
  }
});

test("roles go from least to most", () => {
  assert.deepEqual(
    ROLES.map((role) => ROLES.filter((needed) => hasRole(role, needed))),
    [["market"], ["market", "desk"], ["market", "desk", "owner"]],
  );
});
