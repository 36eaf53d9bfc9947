import {
  type Agent,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { checkShape } from "../../contract/check-shape.ts";
import { ERROR_BODY } from "../../contract/seed-tables.ts";
import { aFuzzRequest, type FuzzOptions, type FuzzRequest } from "./fuzz-requests.ts";
import { listRoutes, listSchemas } from "./fuzz-routes.ts";

/** What is wrong with some responses of a service that is otherwise in order. */
export const HOLES = [
  "server error",
  "no JSON",
  "wrong request id",
  "other error body",
  "cut connection",
] as const;

type Hole = (typeof HOLES)[number];

interface FuzzReport {
  readonly count: number;
  /** The number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The first requests that broke a rule. The seed generates them again. */
  readonly faults: readonly { readonly seed: number; readonly fault: string }[];
}

const FAULTS_MAX = 20;

/** Sends the requests of the seeds over HTTP, `atOnce` at a time, and checks every response against the rules. */
export async function runFuzz(
  url: string,
  run: {
    readonly options: FuzzOptions;
    readonly agent: Agent;
    readonly firstSeed: number;
    readonly count: number;
    readonly atOnce: number;
  },
): Promise<FuzzReport> {
  const statuses: Record<string, number> = {};
  const faults: { seed: number; fault: string }[] = [];
  let next = run.firstSeed;
  const work = async (): Promise<void> => {
    while (next < run.firstSeed + run.count && faults.length < FAULTS_MAX) {
      const seed = next;
      next += 1;
      const made = aFuzzRequest(seed, run.options);
      const answer = await exchange(url, made, run.agent).catch((error: Error) => error.message);
      const fault = typeof answer === "string" ? answer : faultOf(made, answer);
      if (typeof answer !== "string") {
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      }
      if (fault !== undefined) {
        faults.push({ seed, fault: `${made.method} ${made.path}: ${fault}` });
      }
    }
  };
  await Promise.all(Array.from({ length: run.atOnce }, work));
  return { count: next - run.firstSeed, statuses, faults };
}

/** Cursors of the first pages of all lists: each is good for one query only. */
export async function collectCursors(url: string, token: string): Promise<readonly string[]> {
  const schemas = listSchemas();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const cursors: string[] = [];
  for (const { method, path, query, body } of listRoutes()) {
    const bodySchema = schemas[body?.schema.$ref?.split("/").at(-1) ?? ""];
    const isQueryPage = method === "GET" && query.some(({ name }) => name === "cursor");
    if (!isQueryPage && bodySchema?.properties?.["cursor"] === undefined) continue;
    const response = await (isQueryPage
      ? fetch(`${url}${path}?limit=1`, { headers })
      : fetch(`${url}${path}`, { method, headers, body: '{"filters":{},"limit":1}' }));
    const page = (await response.json()) as { readonly next_cursor?: string };
    if (page.next_cursor !== undefined) cursors.push(page.next_cursor);
  }
  return cursors;
}

interface Answer {
  readonly status: number;
  readonly requestId: string;
  readonly text: string;
}

function faultOf(made: FuzzRequest, { status, requestId, text }: Answer): string | undefined {
  if (status >= 500) return `answered ${status}: ${text.slice(0, 200)}`;
  if (status < 400) return undefined;
  if (made.method === "HEAD") return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `answered ${status} without JSON: ${text.slice(0, 200)}`;
  }
  const { faults, seen } = checkShape("body", body, ERROR_BODY);
  if (faults.length > 0 || seen.size !== 4) return `answered ${status} with ${text.slice(0, 200)}`;
  const { error } = body as { error: { request_id: string } };
  return error.request_id === requestId ? undefined : "the request id differs from the header's";
}

function exchange(url: string, made: FuzzRequest, agent: Agent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((settle, reject) => {
    const call = request({
      hostname,
      port,
      agent,
      method: made.method,
      path: made.path,
      headers: {
        ...made.headers,
        ...(made.body === undefined ? {} : { "content-length": Buffer.byteLength(made.body) }),
      },
    });
    // An event stream has no end, so only its head is checked.
    call.on("response", (response) => {
      const chunks: Buffer[] = [];
      const finish = (): void =>
        settle({
          status: response.statusCode ?? 0,
          requestId: String(response.headers["x-request-id"]),
          text: decode(response, Buffer.concat(chunks)),
        });
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) {
        finish();
        response.destroy();
        return;
      }
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", finish);
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(made.body);
  });
}

function decode({ headers }: IncomingMessage, bytes: Buffer): string {
  // The response to HEAD names a coding and has no body.
  if (bytes.byteLength === 0) return "";
  if (headers["content-encoding"] === "br") return brotliDecompressSync(bytes).toString();
  if (headers["content-encoding"] === "gzip") return gunzipSync(bytes).toString();
  return bytes.toString();
}

/** A proxy that plants a hole in every tenth response with an error. Without a hole it changes nothing. */
export async function plantHole(
  t: TestContext,
  url: string,
  hole: Hole | undefined,
): Promise<string> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    forward(url, incoming, (response, body) => {
      const isBad = (response.statusCode ?? 0) >= 400;
      count += isBad ? 1 : 0;
      if (hole !== undefined && isBad && count % 10 === 0) spoil(hole, response, outgoing);
      else {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        outgoing.end(body);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((settle) => server.once("listening", settle));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function spoil(hole: Hole, response: IncomingMessage, outgoing: ServerResponse): void {
  const status = response.statusCode ?? 0;
  const requestId = String(response.headers["x-request-id"]);
  const send = (code: number, id: string, body: string) => {
    outgoing.writeHead(code, { "x-request-id": id, "content-type": "application/json" });
    outgoing.end(body);
  };
  const error = (members: object) => JSON.stringify({ error: members });
  const right = { code: "x", message: "x", request_id: requestId };
  if (hole === "server error") send(500, requestId, error(right));
  else if (hole === "no JSON") send(status, requestId, "Bad request");
  else if (hole === "wrong request id") send(status, "another", error(right));
  else if (hole === "other error body") send(status, requestId, JSON.stringify({ message: "bad" }));
  else outgoing.destroy();
}

function forward(
  url: string,
  incoming: IncomingMessage,
  done: (response: IncomingMessage, body: Buffer) => void,
): void {
  const call = request(
    {
      port: new URL(url).port,
      path: incoming.url,
      method: incoming.method,
      headers: incoming.headers,
    },
    (response) => {
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) {
        done(response, Buffer.alloc(0));
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done(response, Buffer.concat(chunks)));
      response.on("error", () => incoming.socket.destroy());
    },
  );
  call.on("error", () => incoming.socket.destroy());
  // In one piece, as the client sends it: the service refuses a large body before its end.
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => call.end(Buffer.concat(chunks)));
}
