import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import {
  AssayConnectionError,
  AssayError,
  type ClientOptions,
  createAssayClient,
} from "../../client/assay-client.ts";
import { recordMatches } from "../../src/alerts/fire-alerts.ts";
import { sleep } from "../../src/base/clock.ts";
import { aListingWith, insertListings } from "../support/listings.ts";
import { aMatch, anAlert, aPreset } from "../support/rows.ts";
import { countDependants, NOW_MS, openTestApp, until } from "../support/test-app.ts";

test("the client calls the service and returns its answer", async (t) => {
  const { client, db } = await openClient(t);
  const id = await anAlert(db, { name: "Submariners" });

  const alerts = await client.listAlerts();
  const sessions = await client.listSessions({ role: "sending" });
  const matches = await client.listAlertMatches({ alert_id: id, limit: 10, unseen_only: true });

  assert.deepEqual(
    alerts.items.map(({ name }) => name),
    ["Submariners"],
  );
  assert.deepEqual(sessions, { items: [] });
  assert.deepEqual(matches, { items: [], total: 0 });
});

test("a walk over all pages returns every match and every listing once", async (t) => {
  const { client, db } = await openClient(t);
  const alertId = await anAlert(db);
  for (let at = 0; at < 230; at += 1) {
    await aMatch(db, { alert_id: alertId, matched_at_ms: NOW_MS + at });
  }
  const listings = Array.from({ length: 230 }, (_, at) =>
    aListingWith({ last_seen_at_ms: NOW_MS + at, message_timestamp_ms: NOW_MS }),
  );
  await insertListings(db, listings);

  const matchTimes: number[] = [];
  for await (const match of client.alertMatches({ alert_id: alertId })) {
    matchTimes.push(match.matched_at_ms);
  }
  const listingIds: string[] = [];
  for await (const listing of client.listings({ filters: { brand: ["Rolex"] }, sort: "oldest" })) {
    listingIds.push(listing.id);
  }

  assert.deepEqual(
    matchTimes,
    Array.from({ length: 230 }, (_, at) => NOW_MS + 229 - at),
  );
  assert.deepEqual(
    listingIds,
    listings.map(({ id }) => id),
  );
});

test("a stream returns matches as they happen, and a new one continues after the last event", async (t) => {
  const { client, db, clock } = await openClient(t);
  const alertId = await anAlert(db);
  const abort = new AbortController();
  t.after(() => abort.abort());
  const first = client.events({ signal: abort.signal });
  const heard = first.next();
  const resourceIds = [1, 2, 3].map((at) => `00000000-0000-4000-8000-00000000000${at}`);
  const record = (ids: readonly string[]) =>
    db.transaction((tx) =>
      recordMatches(
        tx,
        ids.map((id) => aNewMatch(alertId, id)),
        clock.nowMs(),
      ),
    );
  // A stream starts when it is open, so this adds matches until the first one arrives.
  await until(async () => {
    await record([randomUUID()]);
    return (await Promise.race([heard, sleep(50)])) !== undefined;
  });
  const lastEventId = (await heard).value?.id;
  await first.return();
  await record(resourceIds);

  const second = client.events({
    signal: abort.signal,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });
  const seen: string[] = [];
  for await (const { data } of second) {
    seen.push(JSON.stringify(data));
    if (resourceIds.every((id) => seen.some((text) => text.includes(id)))) break;
  }

  assert.equal(new Set(seen).size, seen.length);
});

test("every unseen match is returned once, also if the caller marks them while it reads cached answers", async (t) => {
  const kept = new Map<string, Response>();
  // Repeats every second answer: the service may return answers that are a second old.
  const fetchKept: typeof fetch = async (url, options) => {
    const last = kept.get(String(url));
    kept.delete(String(url));
    if (last !== undefined && options?.method === "GET") return last;
    const answer = await fetch(url, options);
    if (!String(url).endsWith("limit=1")) kept.set(String(url), answer.clone());
    return answer;
  };
  const { client, db } = await openClient(t, { fetch: fetchKept });
  const alertId = await anAlert(db);
  const ids = Array.from({ length: 330 }, () => randomUUID());
  for (const [at, resource_id] of ids.entries()) {
    await aMatch(db, { alert_id: alertId, resource_id, matched_at_ms: NOW_MS + at });
  }
  const unseen = { alert_id: alertId, unseen_only: true };

  const read: string[] = [];
  for await (const { resource_id } of client.alertMatches(unseen)) read.push(resource_id);
  const marked: string[] = [];
  for await (const { resource_id } of client.alertMatches(unseen)) {
    marked.push(resource_id);
    // Marks them one by one first and then in threes, so that pages are left partly and completely.
    const latest = marked.slice(marked.length < 150 ? -1 : -3);
    if (marked.length % 3 !== 0 && marked.length > 150) continue;
    const matches = latest.map((id) => ({ alert_id: alertId, resource_id: id }));
    await client.markMatchesSeen({ matches });
  }
  const left = await client.listAlertMatches({ ...unseen, limit: 1 });

  assert.deepEqual(read, ids.toReversed());
  assert.deepEqual(marked.toSorted(), ids.toSorted());
  assert.equal(left.total, 0);
});

test("a stream reconnects after its last event if the service refuses it for now or the connection breaks", async (t) => {
  const asked: (string | undefined)[] = [];
  const event = (id: number) => `id: ${id}\nevent: alert.match\ndata: ${id}\n\n`;
  // The answers of a service that restarts and of a proxy in front of it.
  const answers: readonly ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(502).end("bad gateway"),
    (response) => response.writeHead(200).end(`retry: 0\n${event(7)}${event(8)}id: 9\n\n`),
    (response) => response.writeHead(503, { "retry-after": "0" }).end("{}"),
    (response) => response.writeHead(500).end("{}"),
    (response) => response.writeHead(200).write(event(10)),
  ];
  const server = createServer((request, response) => {
    asked.push(request.headers["last-event-id"]?.toString());
    answers[Math.min(asked.length, answers.length) - 1]?.(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = createAssayClient({ url: `http://127.0.0.1:${port}`, token: "t", attempts: 1 });

  const events: unknown[] = [];
  for await (const { data } of client.events({ lastEventId: "6" })) {
    events.push(data);
    if (events.length === 3) break;
  }

  assert.deepEqual(events, [7, 8, 10]);
  assert.deepEqual(asked, ["6", "6", "9", "9", "9"]);
});

test("a stream with other types than matches says that it reconnected, with the types it asks for", async (t) => {
  const paths: (string | undefined)[] = [];
  const cells = (id: string) =>
    `event: cells.changed\ndata: {"type": "cells.changed", "data": {"configuration_ids": ["${id}"]}}\n\n`;
  const server = createServer((request, response) => {
    paths.push(request.url);
    if (paths.length === 1) response.writeHead(200).end(`retry: 0\nid: 7\n\n${cells("a")}`);
    else response.writeHead(200).write(cells("b"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = createAssayClient({ url: `http://127.0.0.1:${port}`, token: "t" });

  const seen: unknown[] = [];
  const types = ["alert.match", "cells.changed"] as const;
  for await (const event of client.events({ types, includeShadow: true })) {
    // The compiler knows the members of each type.
    if (event.event === "cells.changed") seen.push(event.data.data.configuration_ids?.[0]);
    else if (event.event === "alert.match") seen.push(event.data.data.alert.name);
    else seen.push([event.event, event.id]);
    if (seen.length === 3) break;
  }

  assert.deepEqual(seen, ["a", ["reconnected", "7"], "b"]);
  assert.equal(paths[0], "/v2/events?types=alert.match%2Ccells.changed&include_shadow=true");
});

test("a stream that is refused permanently ends with the error", async (t) => {
  const { url } = await openClient(t);
  const stranger = createAssayClient({ url, token: "assay_nobody" });

  await assert.rejects(stranger.events().next(), { name: "AssayError", code: "unauthorized" });
});

test("an error response becomes an error with the code, status and request id", async (t) => {
  const { client, url } = await openClient(t);
  const stranger = createAssayClient({ url, token: "assay_nobody" });
  const unknown = "00000000-0000-4000-8000-000000000000";

  await assert.rejects(client.getListing({ listing_id: unknown }), (error) => {
    assert.ok(error instanceof AssayError);
    assert.equal(error.status, 404);
    assert.equal(error.code, "listing_not_found");
    assert.match(error.requestId ?? "", /^req_/);
    return true;
  });
  await assert.rejects(stranger.listAlerts(), { name: "AssayError", code: "unauthorized" });
  await assert.rejects(client.getListing({ listing_id: "a/b" }), { code: "invalid_payload" });
});

test("429 and 503 are retried after their Retry-After, a limited number of times", async (t) => {
  const statuses = [503, 429, 200];
  const seen: number[] = [];
  const answer = async () => {
    const status = statuses[Math.min(seen.length, statuses.length - 1)] ?? 200;
    seen.push(performance.now());
    return new Response(JSON.stringify({ items: [] }), {
      status,
      headers: { "retry-after": status === 429 ? "1" : "0" },
    });
  };
  const { client } = await openClient(t, { fetch: answer });
  const refused = createAssayClient({
    url: "http://x",
    token: "t",
    attempts: 2,
    fetch: async () => new Response("busy", { status: 503, headers: { "retry-after": "0" } }),
  });

  const sessions = await client.listSessions();

  assert.deepEqual(sessions, { items: [] });
  assert.equal(seen.length, 3);
  assert.ok((seen[2] ?? 0) - (seen[1] ?? 0) >= 990);
  await assert.rejects(refused.listSessions(), { status: 503, code: "unknown_error" });
});

test("a read that was too slow is not repeated", async () => {
  let count = 0;
  const error = { code: "read_too_slow", message: "ask for less", request_id: "req_1" };
  const client = createAssayClient({
    url: "http://x",
    token: "t",
    fetch: async () => {
      count += 1;
      return new Response(JSON.stringify({ error }), {
        status: 503,
        headers: { "retry-after": "0" },
      });
    },
  });

  await assert.rejects(client.countFacets({}), { status: 503, code: "read_too_slow" });
  assert.equal(count, 1);
});

test("a rate-limited client waits as long as the service asks and then continues", async (t) => {
  const { client, clock } = await openClient(t, {}, { ASSAY_RATE_LIMIT_PER_MINUTE: "60" });
  const forward = setInterval(() => clock.advance(250), 50);
  t.after(() => clearInterval(forward));

  const answers = await Promise.all(Array.from({ length: 63 }, () => client.listSessions()));

  assert.equal(answers.length, 63);
});

test("a deletion whose response was lost succeeds when it is repeated, and one that finds nothing at first fails", async (t) => {
  const service = await openClient(t);
  const lost: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    calls += 1;
    if (calls === 1) throw new TypeError("the connection broke");
    return response;
  };
  let calls = 0;
  const { url, token } = service;
  const client = createAssayClient({ url, token, fetch: lost });
  const id = await aPreset(service.db);

  await client.deleteGroupPreset({ preset_id: id });

  assert.equal(calls, 2);
  await assert.rejects(client.deleteGroupPreset({ preset_id: id }), {
    code: "group_preset_not_found",
  });
});

test("the path of the address is kept", async () => {
  const asked: string[] = [];
  const answer: typeof fetch = async (url) => {
    asked.push(String(url));
    return new Response("{}");
  };

  for (const url of ["https://x.example/assay", "https://x.example/assay/", "https://x.example"]) {
    await createAssayClient({ url, token: "t", fetch: answer }).listSessions({ role: "sending" });
  }

  assert.deepEqual(asked, [
    "https://x.example/assay/v2/sessions?role=sending",
    "https://x.example/assay/v2/sessions?role=sending",
    "https://x.example/v2/sessions?role=sending",
  ]);
});

test("a stream that stalls and reconnects leaves nothing behind at the caller's signal", async () => {
  const stop = new AbortController();
  let count = 0;
  // The body never has data, so each connection is given up after a moment.
  const stalled: typeof fetch = async (_url, request) => {
    count += 1;
    if (count === 3) setImmediate(() => stop.abort());
    const body = new ReadableStream({
      start: (controller) => {
        request?.signal?.addEventListener("abort", () => controller.error(new TypeError("ended")));
      },
    });
    return new Response(body);
  };
  const client = createAssayClient({ url: "http://x", token: "t", fetch: stalled });

  for await (const _ of client.events({ signal: stop.signal, silenceMaxMs: 10 })) assert.fail();

  assert.equal(count, 3);
  assert.equal(countDependants(stop.signal), 0);
});

test("a missing response is a connection error, a time-out is marked as such, and a signal aborts the call", async (t) => {
  const { client } = await openClient(t, { attempts: 1, timeoutMs: 50, fetch: neverAnswer });
  const gone = createAssayClient({ url: "http://127.0.0.1:1", token: "t", attempts: 1 });
  const abort = new AbortController();
  const waiting = createAssayClient({ url: "http://x", token: "t", fetch: neverAnswer });

  await assert.rejects(client.listAlerts(), (error) => {
    assert.ok(error instanceof AssayConnectionError);
    assert.equal(error.isTimeout, true);
    return true;
  });
  await assert.rejects(gone.listAlerts(), { name: "AssayConnectionError", isTimeout: false });
  const call = waiting.listAlerts({}, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(call, { message: "enough" });
});

function aNewMatch(alertId: string, id: string) {
  return {
    alert_id: alertId,
    resource: "message",
    resource_id: id,
    canonical_message_id: id,
    match_context: { strategy: "market_filter" },
    is_outward: true,
  } as const;
}

const neverAnswer: typeof fetch = (_url, options) =>
  new Promise((_settle, reject) => {
    const signal = options?.signal;
    const refuse = () => reject(signal?.reason);
    if (signal?.aborted === true) refuse();
    signal?.addEventListener("abort", refuse);
  });

async function openClient(
  t: TestContext,
  options: Partial<ClientOptions> = {},
  environment: Readonly<Record<string, string>> = {},
) {
  const { app, db, token, clock } = await openTestApp(t, { environment });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { client: createAssayClient({ url, token, ...options }), db, url, token, clock };
}

test("without a token the client sends no header and lets the browser add its cookie; with one it sends no cookie", async () => {
  const sent: { readonly credentials: unknown; readonly authorization: string | null }[] = [];
  const keep: typeof fetch = async (_url, init) => {
    const authorization = new Headers(init?.headers).get("authorization");
    sent.push({ credentials: init?.credentials, authorization });
    return Response.json({ items: [] });
  };

  await createAssayClient({ url: "http://x", fetch: keep }).listSessions();
  await createAssayClient({ url: "http://x", token: "t", fetch: keep }).listSessions();

  assert.deepEqual(sent, [
    { credentials: "same-origin", authorization: null },
    { credentials: "omit", authorization: "Bearer t" },
  ]);
});

test("an error says how long the service asks to wait", async () => {
  const busy = createAssayClient({
    url: "http://x",
    attempts: 1,
    fetch: async () => new Response("", { status: 429, headers: { "retry-after": "7" } }),
  });

  await assert.rejects(busy.listSessions(), { status: 429, retryAfterMs: 7_000 });
});
