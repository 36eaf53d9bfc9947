import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { type TestContext, test } from "node:test";
import {
  countConnections,
  listenOnLoopback,
  openManyStubborn,
  type StubbornClient,
} from "../../support/faults/stubborn-client.ts";
import { type AppRoute, collectRoutes } from "../../support/fuzz/fuzz-routes.ts";
import { openTestApp, type TestApp, until } from "../../support/test-app.ts";

const KEY = "my-secret-key";
const PER_ROUTE = 100;
/** Together they have fewer connections than the service allows, because that is another rule. */
const BATCH_MAX = 15;
const METHODS_WITH_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const ANY_ID = "6f1c2a7e-3d52-5a46-9a1b-4c8f0e2d7b93";
/** What everyone gets while nothing is wrong. */
const AS_USUAL = {
  "a reader": 200,
  "signing in": 201,
  "a page of the console": 200,
  "the documentation": 200,
  "health, live": 200,
  "health, ready": 200,
  "an event": 202,
};

test("100 half-sent requests on every route keep no one out", async (t) => {
  const { opened: service, routes } = await collectRoutes(() => openService(t));
  const port = await listenOnLoopback(service.app);
  const attacks = listAttacks(routes, port);
  assert.ok(attacks.some(({ name }) => name === "POST /console/sessions"));
  assert.ok(attacks.length > 100, `${attacks.length} attacks`);
  assert.deepEqual(await askAll(port, service), AS_USUAL);

  for (let at = 0; at < attacks.length; at += BATCH_MAX) {
    const batch = attacks.slice(at, at + BATCH_MAX);
    const clients = await attack(t, { service, port, attacks: batch });

    const answers = await askAll(port, service);

    assert.deepEqual(answers, AS_USUAL, batch.map(({ name }) => name).join(", "));
    // A reset leaves no port behind that waits for late packets, of which there would be too many.
    for (const { socket } of clients) socket.resetAndDestroy();
    await until(async () => (await countConnections(service.app)) < PER_ROUTE);
  }
});

interface Attack {
  readonly name: string;
  /** What the clients send, in turn. */
  readonly halves: readonly string[];
  readonly hasWholeHead: boolean;
}

/** The methods of a path that have no body share an attack: a service sees no difference before the head is complete. */
function listAttacks(routes: readonly AppRoute[], port: number): readonly Attack[] {
  const attacks = routes
    .filter(({ method }) => METHODS_WITH_BODY.has(method))
    .map((route) => ({
      name: `${route.method} ${route.path}`,
      halves: [`${headOf(route, port)}Content-Length: 50\r\n\r\n{`],
      hasWholeHead: true,
    }));
  const others = routes.filter(({ method }) => !METHODS_WITH_BODY.has(method));
  for (const path of new Set(others.map((route) => route.path))) {
    const own = others.filter((route) => route.path === path);
    attacks.push({
      name: `${own.map(({ method }) => method).join(" and ")} ${path}`,
      halves: own.map((route) => `${headOf(route, port)}X-Ha`),
      hasWholeHead: false,
    });
  }
  return attacks;
}

/** All of the head but its end, with everything that a stranger can know or invent, so that few heads are refused. */
function headOf({ method, path }: AppRoute, port: number): string {
  const url = path.replaceAll(/:\w+/g, ANY_ID).replace("*", "x");
  const host = `127.0.0.1:${port}`;
  return (
    `${method} ${url} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\n` +
    `X-Webhook-Hmac: ${"0".repeat(128)}\r\nContent-Type: application/json\r\n`
  );
}

/** Opens 100 connections for each attack, and waits until the service has seen all heads that are whole. */
async function attack(
  t: TestContext,
  target: { readonly service: TestApp; readonly port: number; readonly attacks: readonly Attack[] },
): Promise<readonly StubbornClient[]> {
  const { service, port, attacks } = target;
  let headCount = 0;
  const onRequest = (): void => {
    headCount += 1;
  };
  service.app.server.on("request", onRequest);
  const clients: StubbornClient[] = [];
  for (const { halves } of attacks) {
    for (const bytes of halves) {
      const count = Math.ceil(PER_ROUTE / halves.length);
      clients.push(...(await openManyStubborn(t, port, { count, bytes })));
    }
  }
  const wanted = attacks.filter(({ hasWholeHead }) => hasWholeHead).length * PER_ROUTE;
  await until(() => headCount >= wanted);
  service.app.server.off("request", onRequest);
  return clients;
}

function openService(t: TestContext): Promise<TestApp> {
  return openTestApp(t, { environment: { ASSAY_WAHA_HMAC_KEY: KEY } });
}

/** The status that each kind of caller gets. */
async function askAll(
  port: number,
  { token }: Pick<TestApp, "token">,
): Promise<Readonly<Record<string, number>>> {
  const event = JSON.stringify({ event: "message" });
  const json = { "content-type": "application/json" };
  const asks: Readonly<Record<keyof typeof AS_USUAL, readonly [string, RequestInit]>> = {
    "a reader": ["/v2/alerts", { headers: { authorization: `Bearer ${token}` } }],
    "signing in": [
      "/console/sessions",
      {
        method: "POST",
        headers: { ...json, origin: `http://127.0.0.1:${port}` },
        body: JSON.stringify({ token }),
      },
    ],
    "a page of the console": ["/", {}],
    "the documentation": ["/docs", {}],
    "health, live": ["/health/live", {}],
    "health, ready": ["/health/ready", {}],
    "an event": [
      "/v2/webhooks/waha",
      {
        method: "POST",
        headers: { "x-webhook-hmac": createHmac("sha512", KEY).update(event).digest("hex") },
        body: event,
      },
    ],
  };
  const statuses = Object.entries(asks).map(async ([who, [path, init]]) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init);
    await answer.arrayBuffer();
    return [who, answer.status] as const;
  });
  return Object.fromEntries(await Promise.all(statuses));
}
