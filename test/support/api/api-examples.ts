import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EXAMPLE_IDS } from "../../../src/api/http/openapi-examples.ts";
import { DAY_MS, HOUR_MS } from "../../../src/base/clock.ts";
import type { Database, DatabasePool } from "../../../src/db/database.ts";
import { sql } from "../../../src/db/sql.ts";
import { findTour } from "../../../src/demo/tour.ts";
import { saveFile } from "../../../src/media/media-write-store.ts";
import { groupIdOf } from "../../../src/messages/message.ts";
import { addToken, NOW_MS, until } from "../test-app.ts";

const GROUP = "120363000000000009@g.us";

/** Not declared in the demo's manifest, so the API may change it. */
const EXAMPLE_GROUP_ID = groupIdOf(GROUP);

/** A request made of the examples in the contract, as a reader of `/docs` sends it by "Try it out". */
interface ExampleRequest {
  readonly operationId: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

interface ContractOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  /** Empty if the operation takes no token. */
  readonly security?: readonly { readonly bearer?: readonly string[] }[];
}

type Content = Readonly<
  Record<string, { readonly schema?: { readonly $ref?: string }; readonly example?: unknown }>
>;

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

type Example = Pick<ExampleRequest, "method" | "path" | "body"> & {
  readonly operationId?: string;
};

interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Calls the API over the demo market. The body is JSON. */
type Call = (example: Example) => Promise<Exchange>;

const ITEMS_SHOWN = 2;

const LINES_SHOWN = 3;

/**
 * `docs/api-examples.md`: a real request and response for each operation of the contract, in its order. The requests are the
 * examples of the contract, with ids of the demo. Those come from natural keys and the clock stands still, so the same demo
 * always gives the same text. Throws if an example does not succeed.
 */
export async function writeApiExamples(db: DatabasePool, call: Call): Promise<string> {
  const requests = await listDemoRequests(db);
  const answers = new Map<ExampleRequest, Exchange>();
  for (const request of requests.toSorted((left, right) => turnOf(left) - turnOf(right))) {
    answers.set(request, await ask(db, call, request));
  }
  const failures = [...answers].flatMap(([{ operationId }, { status, text }]) =>
    status < 300 ? [] : [`${operationId} answered ${status}: ${text.slice(0, 200)}`],
  );
  if (failures.length > 0) throw new Error(failures.join("\n"));
  const parts = requests.map((request) =>
    formatExample(request.summary, request, answers.get(request) ?? { status: 0, text: "" }),
  );
  const failing = { method: "GET", path: "/v2/alerts/not-an-id/matches" } as const;
  parts.push(formatExample("An error", failing, await call(failing)));
  return `# Every endpoint, asked

Made by \`npm run examples\` from a small demo market, whose clock stands at ${new Date(NOW_MS).toISOString()}. Lists are cut to ${ITEMS_SHOWN} items. All requests carry \`Authorization: Bearer <token>\`. What the
members mean: [api.md](api.md). The event stream has no end; see [api/alerts.md](api/alerts.md).

${parts.join("\n")}`;
}

/** What a list shows is created before, and what others read is deleted after all of them. */
function turnOf({ operationId, method }: ExampleRequest): number {
  if (method === "DELETE") return 2;
  return ["createWebhookTarget", "decideDeal"].includes(operationId) ? 0 : 1;
}

/** Calls an example, after what it needs. */
async function ask(db: DatabasePool, call: Call, request: ExampleRequest): Promise<Exchange> {
  switch (request.operationId) {
    case "testWebhookTarget":
      return withExampleTarget(db, () => call(request));
    case "listDeliveries":
      await addExampleDelivery(db);
      return call(request);
    case "getOperations":
      return waitForChecks(() => call(request));
    default:
      return call(request);
  }
}

/** Heavy checks run after the first request. */
async function waitForChecks(call: () => Promise<Exchange>): Promise<Exchange> {
  let answer = await call();
  await until(async () => {
    answer = await call();
    return JSON.parse(answer.text).pending_checks?.length === 0;
  });
  return answer;
}

/** Not a picture, but the response is as short as the page needs it. */
const EXAMPLE_FILE = Buffer.from("RIFF… WEBP …");

async function addExamplePicture(db: DatabasePool): Promise<string> {
  const [noted] = await db.query<{ id: string }>(sql`select id from media order by id limit 1`);
  if (noted === undefined) throw new Error("the demo has no picture");
  const small = {
    width: 576,
    height: 717,
    look: "0123456789abcdef",
    picture: EXAMPLE_FILE,
    thumb: EXAMPLE_FILE,
  };
  const sha256 = createHash("sha256").update(EXAMPLE_FILE).digest();
  await saveFile(db, noted.id, { sha256, small, nowMs: NOW_MS });
  return noted.id;
}

/** The examples of the contract, with ids of this demo. */
export async function listDemoRequests(db: DatabasePool): Promise<readonly ExampleRequest[]> {
  const ids = await findIds(db);
  const text = JSON.stringify(listExampleRequests());
  const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return JSON.parse(text.replaceAll(uuid, (id) => ids.get(id) ?? id));
}

/** Ids of the demo for those in the examples of the contract that stand for an object of the day. */
async function findIds(db: DatabasePool): Promise<ReadonlyMap<string, string>> {
  const tour = await findTour(db);
  if (tour === undefined) throw new Error("the demo has nothing to show");
  const [, , , alertId = ""] = tour.matches.split("/");
  const [, , , , listingId = ""] = tour.listing.split("/");
  const [, , , messageId = ""] = tour.summary.split("/");
  const [row] = await db.query<{ resource_id: string; contact_id: string }>(sql`
    select match.resource_id, listing.contact_id
      from alert_match as match
      join listing on listing.id = match.listing_id
     where match.alert_id = ${alertId} and match.seen_at_ms is null and listing.contact_id is not null
     order by match.matched_at_ms desc, match.resource_id
     limit 1`);
  if (row === undefined) throw new Error("the demo has no match to show");
  const [undecided] = await db.query<{ id: string }>(sql`
    select listing.id
      from listing
      join alert_match as match on match.listing_id = listing.id
     where listing.ask_key is not null and not exists (select from deal where deal.ask_key = listing.ask_key)
     order by match.matched_at_ms desc, listing.id
     limit 1`);
  if (undecided === undefined) throw new Error("the demo has no watch to decide about");
  await addExampleObjects(db);
  return new Map([
    [EXAMPLE_IDS.listings, listingId],
    [EXAMPLE_IDS.messages, messageId],
    [EXAMPLE_IDS.matches, row.resource_id],
    [EXAMPLE_IDS.contacts, row.contact_id],
    [EXAMPLE_IDS.deals, undecided.id],
    [EXAMPLE_IDS.groups, EXAMPLE_GROUP_ID],
    [EXAMPLE_IDS.media, await addExamplePicture(db)],
  ]);
}

function formatExample(
  title: string,
  { method, path, body }: Example,
  { status, text }: Exchange,
): string {
  const request = [
    `${method} ${path}`,
    ...(body === undefined ? [] : ["Content-Type: application/json", "", JSON.stringify(body)]),
  ];
  return `## ${title}\n\n\`\`\`http\n${request.join("\n")}\n\`\`\`\n\n${status}${formatBody(text)}\n`;
}

function formatBody(text: string): string {
  if (text === "") return "";
  if (text.startsWith("{")) return `\n\n\`\`\`js\n${formatJson(JSON.parse(text))}\n\`\`\``;
  const lines = text.split("\n").slice(0, LINES_SHOWN);
  return `\n\n\`\`\`csv\n${lines.join("\n")}\n\`\`\``;
}

/** Formats JSON on few lines and cuts long lists. */
function formatJson(value: unknown): string {
  return JSON.stringify(cut(value), null, 2)
    .replaceAll(/"\(cut (\d+)\)"/g, "/* and $1 more */")
    .replaceAll(
      /\[\s+([^[\]{}]*?)\s+\]/g,
      (_, inner: string) => `[${inner.replaceAll(/\s*\n\s*/g, " ")}]`,
    );
}

/** Members with a random value, and what stands in their place. */
const RANDOM: Readonly<Record<string, string>> = {
  request_id: "req_…",
  token: "assay_…",
  prefix: "assay_…",
};

/** A UUID that is random, and not one of those that the examples choose. */
const RANDOM_ID = /^(?!0b5f6f0e)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}$/;

function cut(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, ITEMS_SHOWN).map((item) => cut(item));
    const left = value.length - shown.length;
    return left > 0 ? [...shown, `(cut ${left})`] : shown;
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, key)]));
  }
  if (typeof value === "string" && /^test [0-9a-f-]{36}$/.test(value)) return "my token";
  if (typeof value === "string" && value.includes("/#open=")) return value.replace(/=.*/, "=…");
  if (typeof value === "string" && RANDOM_ID.test(value)) return "…";
  return RANDOM[name] ?? value;
}

export function readContract(): Contract {
  return JSON.parse(readFileSync("openapi-v2.json", "utf8")) as Contract;
}

export function listOperations(contract = readContract()) {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as ExampleRequest["method"],
      path,
      operation,
    })),
  );
}

/** The operations that only read, and that every role may call. */
export function listReadIds(): ReadonlySet<string> {
  const reads = listOperations().filter(
    ({ method, operation: { responses, security } }) =>
      security?.[0]?.bearer?.includes("market") === true &&
      (method === "GET" || (method === "POST" && responses["201"] === undefined)),
  );
  return new Set(reads.map(({ operation }) => operation.operationId));
}

/** One request for each operation that has an end. */
export function listExampleRequests(): readonly ExampleRequest[] {
  return listOperations()
    .filter(({ operation }) => !isStream(operation))
    .map(({ method, path, operation }) => {
      const { operationId, summary, parameters = [], requestBody } = operation;
      const query = new URLSearchParams();
      let filled = path;
      for (const { name, in: where, example } of parameters) {
        if (example === undefined) continue;
        if (where === "path")
          filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
        if (where === "query") query.set(name, String(example));
      }
      const body = requestBody?.content["application/json"]?.example as object | undefined;
      return {
        operationId,
        summary,
        method,
        path: query.size === 0 ? filled : `${filled}?${query}`,
        ...(body === undefined ? {} : { body }),
      };
    });
}

function isStream({ responses }: ContractOperation): boolean {
  return responses["200"]?.content?.["text/event-stream"] !== undefined;
}

/** What the examples name and the demo does not have: a token, a group, an event that could not be read. */
async function addExampleObjects(db: DatabasePool): Promise<void> {
  await addToken(db, { isReadOnly: true });
  await db.execute(sql`update api_token set last_used_at_ms = ${NOW_MS}`);
  await db.execute(sql`
    update api_token set id = ${EXAMPLE_IDS.tokens}, created_at_ms = ${NOW_MS - DAY_MS} where role = 'market'`);
  await db.execute(sql`
    insert into market_group (id, gateway_group_id, gateway_name, named_at_ms)
    values (${EXAMPLE_GROUP_ID}, ${GROUP}, 'Chatter', ${NOW_MS})`);
  await db.execute(sql`
    insert into raw_event (id, sha256, gateway, origin, body, received_at_ms) overriding system value
    values (1000000, sha256('{}'), 'waha', 'webhook', '{}', ${NOW_MS - HOUR_MS})`);
  await db.execute(sql`
    insert into quarantined_event (raw_event_id, reason, quarantined_at_ms)
    values (1000000, 'the event has no payload', ${NOW_MS - HOUR_MS})`);
}

/** A delivery that was given up, of a match of the alert of the examples to the target that an example has created. */
async function addExampleDelivery(db: Database): Promise<void> {
  await db.execute(sql`
    insert into webhook_delivery (id, target_id, alert_id, resource, resource_id, status, attempt_count, next_attempt_at_ms,
                                  last_result, created_at_ms, finished_at_ms)
    select ${EXAMPLE_IDS.deliveries}, ${EXAMPLE_IDS["webhook-targets"]}, alert_id, resource, resource_id, 'dead', 12,
           ${NOW_MS - HOUR_MS}, '503', ${NOW_MS - DAY_MS}, ${NOW_MS - HOUR_MS}
      from alert_match
     where alert_id = ${EXAMPLE_IDS.alerts}
     order by matched_at_ms desc, resource_id
     limit 1`);
}

/** While `run` runs, the target of the examples is a server on this machine, so that no test contacts another host. */
async function withExampleTarget<Answer>(
  db: Database,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const server = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}/topic`;
  const [target] = await db.query<{ url: string }>(sql`
    select url from webhook_target where id = ${EXAMPLE_IDS["webhook-targets"]}`);
  const setUrl = (url: string | undefined) =>
    db.execute(
      sql`update webhook_target set url = ${url} where id = ${EXAMPLE_IDS["webhook-targets"]}`,
    );
  await setUrl(local);
  try {
    return await run();
  } finally {
    await setUrl(target?.url);
    server.closeAllConnections();
    server.close();
  }
}
