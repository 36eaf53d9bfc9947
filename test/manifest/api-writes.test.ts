import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "../../src/db/sql.ts";
import { exportManifest } from "../../src/manifest/export-manifest.ts";
import { BODIES } from "../support/generators/manifest-arbitraries.ts";
import { applyTexts, clearDeclared, dumpDeclared } from "../support/manifest.ts";
import { openTestApp, type TestApp } from "../support/test-app.ts";
import { openTestDatabase } from "../support/test-database.ts";

const ROUNDS = process.env["ASSAY_TEST_LONG"] === undefined ? 4 : 100;
const WRITES_MAX = 16;

type Kind = keyof typeof BODIES;

const PATHS: Readonly<Record<Kind, string>> = {
  profiles: "/v2/market/price-engine/profiles",
  views: "/v2/views",
  configurations: "/v2/market/price-engine/configurations",
  alerts: "/v2/alerts",
  webhooks: "/v2/webhook-targets",
  group_presets: "/v2/outbound/group-presets",
};
const KINDS = Object.keys(PATHS) as readonly Kind[];

interface Write {
  readonly kind: Kind;
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly body: Readonly<Record<string, unknown>>;
  /** Chooses the object to change, and those that the body names. */
  readonly pick: number;
}

const anyWrite: fc.Arbitrary<Write> = fc.constantFrom(...KINDS).chain((kind) =>
  fc.record({
    kind: fc.constant(kind),
    method: fc.constantFrom("POST", "POST", "POST", "PATCH", "PATCH", "DELETE"),
    body: BODIES[kind] as fc.Arbitrary<Write["body"]>,
    pick: fc.nat(5),
  }),
);

/** The ids and names of what was created, by kind. */
type Created = Record<Kind, { readonly id: string; readonly name: string }[]>;

async function send(own: TestApp, write: Write, created: Created): Promise<number> {
  const { kind, method, pick } = write;
  const known = created[kind].at(pick % Math.max(created[kind].length, 1));
  if (method !== "POST" && known === undefined) return 404;
  const body = withReferences(write, created);
  const path = method === "POST" ? PATHS[kind] : `${PATHS[kind]}/${known?.id}`;
  const { id: _, ...patch } = body;
  const given = { POST: body, PATCH: patch, DELETE: undefined }[method];
  const answer = await own.send(method, path, given);
  assert.ok(answer.status < 500, `${method} ${path}: ${answer.text}`);
  if (answer.status === 201) {
    created[kind].push({ id: answer.body.id, name: answer.body.name ?? "" });
  }
  return answer.status;
}

function withReferences({ kind, body, pick }: Write, created: Created): Write["body"] {
  const [profile, view, alert] = [created.profiles, created.views, created.alerts].map((rows) =>
    rows.at(pick % Math.max(rows.length, 1)),
  );
  if (kind === "configurations") return { ...body, profile: profile?.name ?? "default" };
  if (kind === "alerts" && pick % 2 === 0 && view !== undefined)
    return { ...body, view_id: view.id };
  if (kind === "webhooks") {
    const { alerts: _, ...rest } = body;
    return alert === undefined || pick % 2 === 0 ? rest : { ...rest, alerts: [alert.id] };
  }
  return body;
}

test("a new name shows all that is in it, whatever it names; one that is stored does not keep its item from changes", async (t) => {
  const own = await openTestApp(t);
  const url = "https://a.example.org/x";
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const bodies: readonly (readonly [string, object])[] = [
    ["/v2/market/price-engine/profiles", {}],
    ["/v2/views", { filters: {} }],
    ["/v2/alerts", { filters: { brand: ["Rolex"] } }],
    ["/v2/webhook-targets", { url, secret }],
    ["/v2/outbound/group-presets", { group_ids: [] }],
  ];

  for (const [path, body] of bodies) {
    for (const name of ["two\nlines", "turned \u202etxt", "An\u200bna", "bell\u0007", "tab\tbed"]) {
      const refused = await own.send("POST", path, { ...body, name });
      assert.equal(refused.status, 400, `${path} ${refused.text}`);
      assert.match(refused.body.error.message, /name: must not have line breaks or invisible/);
    }
    assert.equal((await own.send("POST", path, { ...body, name: "Desk 👍🏽 – A" })).status, 201);
  }
  const { id } = (await own.call("GET", "/v2/alerts")).body.items[0];
  await own.db.execute(sql`update alert set name = ${"old\nname"} where id = ${id}`);
  assert.equal((await own.send("PATCH", `/v2/alerts/${id}`, { enabled: false })).status, 200);
  const renamed = await own.send("PATCH", `/v2/alerts/${id}`, { name: "new\nname" });
  assert.equal(renamed.status, 400);
});

test("whatever the API writes, an export of it declares the same in an empty store", async (t) => {
  const own = await openTestApp(t, { environment: { ASSAY_RATE_LIMIT_PER_MINUTE: "0" } });
  const { pool: empty } = await openTestDatabase(t);
  const statuses = new Set<string>();
  const isSame = async (writes: readonly Write[]) => {
    await clearDeclared(own.db);
    await clearDeclared(empty);
    await applyTexts(own.db, "profiles: [{name: default}]");
    const created = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Created;

    for (const write of writes) {
      statuses.add(`${write.kind} ${write.method} ${await send(own, write, created)}`);
    }
    const { text } = await exportManifest(own.db, { hasSecrets: true });
    await applyTexts(empty, text);

    assert.deepEqual(await dumpDeclared(empty), await dumpDeclared(own.db));
  };

  const anyWrites = fc.array(anyWrite, { minLength: 4, maxLength: WRITES_MAX });
  await fc.assert(fc.asyncProperty(anyWrites, isSame), { numRuns: ROUNDS });

  // Most writes are accepted, or the test would prove little.
  assert.ok([...statuses].some((status) => status.endsWith("POST 201")));
  if (ROUNDS > 50) {
    for (const kind of KINDS) {
      assert.ok(statuses.has(`${kind} POST 201`), kind);
      assert.ok(statuses.has(`${kind} PATCH 200`), kind);
      assert.ok(statuses.has(`${kind} DELETE 204`), kind);
    }
  }
});
