// Calls the API over HTTP and measures how long the answers take.

import { Agent, request } from "node:http";
import { quantile, round } from "./runner.ts";

export interface Target {
  readonly url: string;
  readonly token: string;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** For a response that is read while it is made: its time ends with the first byte. */
  readonly isStream?: boolean;
}

export interface Called {
  readonly count: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
  /** The responses that say `is_exact: false`. */
  readonly sampled?: number;
  /** Other statuses than 200, by number. */
  readonly refused?: Readonly<Record<string, number>>;
}

/** Makes the calls number 0, 1, 2 …, with this many in progress, until `create` returns undefined. */
export async function callAll(
  target: Target,
  create: (at: number) => ApiCall | undefined,
  callers: number,
): Promise<Called> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const times: number[] = [];
  const refused: Record<string, number> = {};
  let sampled = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let call = create(next++); call !== undefined; call = create(next++)) {
      const { ms, status, text } = await exchange(target, call, agent);
      times.push(ms);
      if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
      if (text.includes('"is_exact":false')) sampled += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
  agent.destroy();
  return {
    count: times.length,
    p50_ms: round(quantile(times, 0.5), 1),
    p95_ms: round(quantile(times, 0.95), 1),
    max_ms: round(quantile(times, 1), 1),
    ...(sampled > 0 ? { sampled } : {}),
    ...(Object.keys(refused).length > 0 ? { refused } : {}),
  };
}

function exchange(
  { url, token }: Target,
  { method, path, body, isStream = false }: ApiCall,
  agent: Agent,
): Promise<{ readonly ms: number; readonly status: number; readonly text: string }> {
  return new Promise((settle, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const startedAtMs = performance.now();
    const call = request(`${url}${path}`, { method, agent, headers });
    call.on("error", reject);
    call.on("response", (response) => {
      const chunks: Buffer[] = [];
      let firstByteAtMs = performance.now();
      response.once("data", () => {
        firstByteAtMs = performance.now();
      });
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const ms = (isStream ? firstByteAtMs : performance.now()) - startedAtMs;
        settle({ ms, status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
