import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { rawSql, sql } from "../../src/db/sql.ts";
import {
  listExampleRequests,
  listOperations,
  writeApiExamples,
} from "../support/api/api-examples.ts";
import { callWithBody, openDemoApp } from "../support/demo.ts";
import { type Answer, addToken, type TestApp } from "../support/test-app.ts";
import { checkShape, listPaths } from "./check-shape.ts";
import { BODIES, DOCUMENTED_ERRORS, ERROR_BODY } from "./seed-tables.ts";

type BodyName = keyof typeof BODIES;

/** A refresh of the demo never fails; the pricing tests cover this member. */
const NEVER_IN_THE_DEMO: readonly string[] = ["cells.configuration.last_refresh_error"];
const EXAMPLES_FILE = "docs/api-examples.md";
const IS_LONG = process.env["ASSAY_TEST_LONG"] === "1";
/** An id of the example that this demo does not have, an event without a signature, an object that the demo's manifest has. */
const MEANT = [401, 404, 409];
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
/** Every operation that is no GET leaves a row of activity, but these. A new one that writes does not belong here. */
const NO_ACTIVITY = [
  // They only read.
  "countFacets",
  "exportListings",
  "listPriceEngineMatches",
  "parseAmount",
  "parseQuery",
  "previewAlert",
  "previewConfiguration",
  "searchListings",
  "searchLiveFeed",
  "searchReferences",
  "summarizeMarket",
  // Marks of one person.
  "markMatchSeen",
  "markMatchesSeen",
  "saveLastLooked",
  // Not a person: the gateway.
  "receiveWahaEvent",
];

/** Operations of the market's role whose answer is about the caller or its role, or about the moment. */
const OWN_ANSWERS = [
  "createSignInLink",
  "getMe",
  "getOperations",
  // The market does not learn what was passed, so for it no deal leaves out a watch.
  "listWatchMatches",
  "saveLastLooked",
  "summarizeWatchMatches",
];
/** What a desk decided and noted: a token of the market reads the rows without it. */
const OF_DESKS = new Set(["deal", "deal_count", "note"]);

test("the contract holds over the demo market", async (t) => {
  const demo = await openDemoApp(t);

  await t.test(
    "every member of the contract occurs, no other member does, and none is null",
    async () => {
      const seen = new Set<string>();
      const faults = new Set<string>();
      const read = async (name: BodyName, path: string): Promise<Answer["body"]> => {
        const { status, body } = await demo.call("GET", path);
        assert.equal(status, 200, path);
        const report = checkShape(name, body, BODIES[name]);
        for (const path of report.seen) seen.add(asOneFilter(path));
        for (const fault of report.faults) faults.add(fault);
        return body;
      };

      const { alerts, matches } = await readAlerts(read);
      const listingIds: string[] = await listVisibleListings(demo);
      for (const id of listingIds) await read("listing", `/v2/market/listings/${id}/price-engine`);
      const configurationIds = await idsOf(demo, "price_configuration");
      for (const id of configurationIds) {
        await read("cells", `/v2/market/price-engine/configurations/${id}/cells`);
      }
      const messageIds = await idsOf(demo, "canonical_message");
      for (const id of messageIds) await read("summary", `/v2/messages/${id}/occurrences/summary`);
      await read("sessions", "/v2/sessions");

      const missing = Object.entries(BODIES)
        .flatMap(([name, table]) => listPaths(name, table))
        .filter((path) => !seen.has(asOneFilter(path)) && !NEVER_IN_THE_DEMO.includes(path));
      assert.deepEqual([...faults], []);
      assert.deepEqual(missing, []);
      assert.ok(alerts.length > 10 && matches.length > 50 && listingIds.length >= 250);
    },
  );

  await t.test(
    "every operation has an example that succeeds, and a page shows them all",
    async () => {
      const written = new Map<string, string>();
      let market: TestApp | undefined;
      const differing = new Set<string>();
      const examples = await writeApiExamples(demo.db, async (call) => {
        const { operationId } = call;
        // The example of an error.
        if (operationId === undefined) return callWithBody(demo, call);
        market ??= { ...demo, token: await addToken(demo.db, { role: "market" }) };
        // First, so that it finds what the owner's call may delete. What is refused changes nothing.
        const seen = await callWithBody(market, call);
        const answer = await callWithBody(demo, call);
        written.set(operationId, answer.requestId);
        if (!isAsReadOnly(operationId, { seen, answer })) differing.add(operationId);
        return answer;
      });

      if (process.env["ASSAY_TEST_WRITE"] === "1") writeFileSync(EXAMPLES_FILE, examples);
      for (const { summary } of listExampleRequests()) {
        assert.ok(examples.includes(`\n## ${summary}\n`), summary);
      }
      assert.deepEqual(await listWithoutActivity(demo, written), NO_ACTIVITY.toSorted());
      assert.deepEqual([...differing].toSorted(), OWN_ANSWERS);
    },
  );

  await t.test("the market reads every body of the contract as an owner does", async () => {
    const token = await addToken(demo.db, { role: "market" });
    const { alerts } = await readAlerts(async (_, path) => (await demo.call("GET", path)).body);
    const [listing] = await listVisibleListings(demo);
    const { items } = (await demo.call("GET", "/v2/market/price-engine/configurations")).body;
    const [message] = await idsOf(demo, "canonical_message");
    const paths = [
      "/v2/alerts",
      ...alerts.map(({ id }) => `/v2/alerts/${id}/matches?limit=100`),
      `/v2/market/listings/${listing}/price-engine`,
      `/v2/market/price-engine/configurations/${items[0].id}/cells`,
      `/v2/messages/${message}/occurrences/summary`,
      "/v2/sessions",
    ];

    for (const path of paths) {
      const owner = await demo.call("GET", path);
      const market = await demo.call("GET", path, { authorization: `Bearer ${token}` });
      assert.equal(market.status, 200, path);
      assert.deepEqual(market.body, owner.body, path);
    }
  });

  await t.test("every documented error occurs with the error body", async () => {
    const [listing] = await idsOf(demo, "listing");
    const [preset] = await idsOf(demo, "group_preset");
    const endpoints = {
      listing: (id: string) => `/v2/market/listings/${id}/price-engine`,
      cells: (id: string) => `/v2/market/price-engine/configurations/${id}/cells`,
      summary: (id: string) => `/v2/messages/${id}/occurrences/summary`,
      preset: (id: string) => `/v2/outbound/group-presets/${id}`,
      alerts: () => "/v2/alerts",
      sessions: () => "/v2/sessions",
    };
    assert.ok(listing !== undefined && preset !== undefined);

    for (const [name, statuses] of Object.entries(DOCUMENTED_ERRORS)) {
      const path = endpoints[name as keyof typeof endpoints];
      const method = name === "preset" ? "DELETE" : "GET";
      const answers: Readonly<Record<number, () => Promise<Answer>>> = {
        400: () => demo.call(method, path("not-an-id")),
        401: () => demo.call(method, path(UNKNOWN), {}),
        404: () => demo.call(method, path(UNKNOWN)),
      };
      for (const status of statuses) {
        const answer = await answers[status]?.();
        assert.equal(answer?.status, status, `${name} ${status}`);
        assertErrorBody(answer);
      }
    }
  });

  await t.test("errors that the contract does not list have the same body", async () => {
    const readOnly = await addToken(demo.db, { isReadOnly: true });
    const [preset] = await idsOf(demo, "group_preset");
    const [alert] = await idsOf(demo, "alert");
    const bearer = { authorization: `Bearer ${readOnly}` };

    const answers = {
      403: await demo.call("DELETE", `/v2/outbound/group-presets/${preset}`, bearer),
      404: await demo.call("GET", "/v2/nothing"),
      405: await demo.call("DELETE", "/v2/alerts"),
      400: await demo.call("GET", `/v2/alerts/${alert}/matches?limit=101`),
    };
    const deleted = await demo.call("DELETE", `/v2/outbound/group-presets/${preset}`);
    const again = await demo.call("DELETE", `/v2/outbound/group-presets/${preset}`);

    for (const [status, answer] of Object.entries(answers)) {
      assert.equal(answer.status, Number(status));
      assertErrorBody(answer);
    }
    assert.equal(deleted.status, 204);
    assert.equal(deleted.text, "");
    assert.equal(again.status, 404);
    assert.equal(again.body.error.code, "group_preset_not_found");
  });

  await t.test("the examples of the contract can be sent as they stand", async () => {
    for (const request of listExampleRequests()) {
      const { status, text } = await callWithBody(demo, request);

      assert.ok(
        status < 300 || MEANT.includes(status),
        `${request.operationId}: ${status} ${text.slice(0, 300)}`,
      );
    }
  });
});

/** A token of the market gets the answer of an owner without what desks wrote, or learns which role it needs. */
function isAsReadOnly(
  operationId: string,
  { seen, answer }: { readonly seen: Exchange; readonly answer: Exchange },
): boolean {
  const { operation } = listOperations().find(
    (one) => one.operation.operationId === operationId,
  ) ?? { operation: undefined };
  const [role] = operation?.security?.[0]?.bearer ?? [];
  if (role !== undefined && role !== "market") {
    return seen.status === 403 && JSON.parse(seen.text).error.message.includes(`the role ${role},`);
  }
  return seen.status === answer.status && toReadable(seen.text) === toReadable(answer.text);
}

interface Exchange {
  readonly status: number;
  readonly text: string;
}

function toReadable(text: string): string {
  if (!text.startsWith("{")) return text;
  return JSON.stringify(JSON.parse(text), (member, value) =>
    OF_DESKS.has(member) ? undefined : value,
  );
}

/** The operations that write, by their method, and whose example left no row of activity with its request id. */
async function listWithoutActivity(
  { db }: TestApp,
  written: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const rows = await db.query<{ request_id: string }>(
    sql`select request_id from activity where request_id is not null`,
  );
  const recorded = new Set(rows.map(({ request_id }) => request_id));
  return listOperations()
    .filter(({ method }) => method !== "GET")
    .map(({ operation }) => operation.operationId)
    .filter((operationId) => !recorded.has(written.get(operationId) ?? ""))
    .toSorted();
}

/** Filter objects have the same shape everywhere. */
function asOneFilter(path: string): string {
  return path.replace(/^(listing\.items\[\]|cells\.configuration)\.filters/, "filters");
}

async function readAlerts(read: (name: BodyName, path: string) => Promise<Answer["body"]>) {
  const alerts: { id: string }[] = (await read("alerts", "/v2/alerts")).items;
  const matches: object[] = [];
  for (const { id } of alerts) {
    matches.push(...(await read("matches", `/v2/alerts/${id}/matches?limit=100`)).items);
  }
  return { alerts, matches };
}

/** Returns all visible listings in a long run, otherwise the 250 with the most seen matches and models. */
async function listVisibleListings({ db }: TestApp): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id
      from listing
     where not is_hidden and not is_revoked
     order by (select count(seen_at_ms) from alert_match where listing_id = listing.id) desc,
              (select count(*) from listing_model where listing_id = listing.id) desc, id
     limit ${IS_LONG ? 100_000 : 250}`);
  return rows.map(({ id }) => id);
}

async function idsOf({ db }: TestApp, table: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    sql`select id from ${rawSql(table)} order by id limit ${IS_LONG ? 100_000 : 120}`,
  );
  return rows.map(({ id }) => id);
}

function assertErrorBody(answer: Answer): void {
  const { faults, seen } = checkShape("body", answer.body, ERROR_BODY);
  assert.deepEqual(faults, []);
  assert.equal(seen.size, 4);
  assert.equal(answer.body.error.request_id, answer.headers["x-request-id"]);
}

// If the checks themselves were broken, the tests above would always pass.
test("the check reports a body that breaks the contract", (t: TestContext) => {
  const body = { items: [{ id: "x", name: null, enabled: 1, extra: true }], total: 1.5 };

  const { faults } = checkShape("alerts", body, BODIES.alerts);

  t.diagnostic(faults.join("; "));
  assert.equal(faults.length, 5);
});
