import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { findTour } from "../../src/demo/tour.ts";
import { NOW_MS } from "./test-app.ts";

interface Example {
  readonly title: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

interface Exchange {
  readonly status: number;
  readonly text: string;
}

/** Calls the API over the demo market. The body is JSON. */
type Call = (example: Example) => Promise<Exchange>;

const ITEMS_SHOWN = 2;

/**
 * `docs/api-examples.md`: a real request and response for each endpoint. Ids come from natural keys and the clock stands
 * still, so the same demo always gives the same text.
 */
export async function writeApiExamples(db: DatabasePool, call: Call): Promise<string> {
  const parts: string[] = [];
  for (const example of await listExamples(db)) {
    const answer = await call(example);
    parts.push(formatExample(example, answer));
  }
  return `# Every endpoint, asked

Made by \`npm run generate\` from a small demo market, whose clock stands at ${new Date(NOW_MS).toISOString()}; \`npm test\`
asks again and compares. Lists are cut to ${ITEMS_SHOWN} items. All requests carry \`Authorization: Bearer <token>\`. What the
members mean: [api.md](api.md).

${parts.join("\n")}`;
}

async function listExamples(db: DatabasePool): Promise<readonly Example[]> {
  const tour = await findTour(db);
  if (tour === undefined) throw new Error("the demo has nothing to show");
  const listing = tour.listing.replace("/price-engine", "");
  const match = await firstMatch(db, tour.matches.split("/")[3] ?? "");
  const [preset] = await db.query<{ id: string }>(
    sql`select id from group_preset order by name limit 1`,
  );
  const get = (title: string, path: string): Example => ({ title, method: "GET", path });
  return [
    get("List market alerts", "/v2/alerts"),
    get("List alert matches", tour.matches.replace("limit=3", "limit=2&unseen_only=true")),
    get("Price-engine model matches of a listing", tour.listing),
    get("Cells of a configuration", tour.cells),
    get(
      "Extension: find configurations",
      "/v2/market/price-engine/configurations?brand=rolex&limit=1",
    ),
    get(
      "Extension: how a cell moved",
      tour.cells.replace("/cells", "/history?year=2026&condition_bucket=new&limit=1"),
    ),
    get("Occurrences of a message", tour.summary),
    get("List messaging sessions", tour.sessions),
    get("Extension: list outbound group presets", "/v2/outbound/group-presets"),
    {
      title: "Delete an outbound group preset",
      method: "DELETE",
      path: `/v2/outbound/group-presets/${preset?.id}`,
    },
    {
      title: "Extension: search listings",
      method: "POST",
      path: "/v2/market/listings/search",
      body: {
        filters: { brand: ["Rolex"], condition: ["NEW"], price: { lte: 1_500_000 } },
        sort: "price_asc",
        limit: 1,
        include_total: true,
      },
    },
    get("Extension: get a listing", listing),
    get("Extension: how an ask moved", `${listing}/price-history`),
    {
      title: "Extension: mark a match as seen",
      method: "POST",
      path: `/v2/alerts/${match.alert_id}/matches/${match.resource_id}/seen`,
    },
    {
      title: "Extension: mark many matches as seen",
      method: "POST",
      path: "/v2/alerts/matches/seen",
      body: { matches: [match] },
    },
    get("An error", "/v2/alerts/not-an-id/matches"),
  ];
}

async function firstMatch(db: DatabasePool, alertId: string) {
  const [row] = await db.query<{ alert_id: string; resource_id: string }>(sql`
    select alert_id, resource_id
      from alert_match
     where alert_id = ${alertId} and seen_at_ms is null
     order by matched_at_ms desc, resource_id
     limit 1`);
  if (row === undefined) throw new Error("the demo has no match to show");
  return row;
}

function formatExample({ title, method, path, body }: Example, { status, text }: Exchange): string {
  const request = [
    `${method} ${path}`,
    ...(body === undefined ? [] : ["Content-Type: application/json", "", JSON.stringify(body)]),
  ];
  const answer = text === "" ? "" : `\n\n\`\`\`js\n${formatJson(JSON.parse(text))}\n\`\`\``;
  return `## ${title}\n\n\`\`\`http\n${request.join("\n")}\n\`\`\`\n\n${status}${answer}\n`;
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

function cut(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const shown = value.slice(0, ITEMS_SHOWN).map((item) => cut(item));
    const left = value.length - shown.length;
    return left > 0 ? [...shown, `(cut ${left})`] : shown;
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, key)]));
  }
  // The only random value.
  return name === "request_id" ? "req_…" : value;
}
