import { type Agent, request } from "node:http";
import { checkShape } from "../contract/check-shape.ts";
import { ERROR_BODY } from "../contract/seed-tables.ts";
import { aFuzzRequest, type FuzzOptions, type FuzzRequest } from "./fuzz-requests.ts";

export interface FuzzReport {
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
      let text = "";
      const finish = (): void =>
        settle({
          status: response.statusCode ?? 0,
          requestId: String(response.headers["x-request-id"]),
          text,
        });
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) {
        finish();
        response.destroy();
        return;
      }
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", finish);
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(made.body);
  });
}
