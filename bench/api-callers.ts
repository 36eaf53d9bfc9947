import { Agent, request } from "node:http";

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

/** Calls `next` again and again, with this many calls in progress, until it returns undefined. */
export async function callAll(
  service: { readonly url: string; readonly token: string },
  next: () => ApiCall | undefined,
  callers: number,
): Promise<Called> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const times: number[] = [];
  const refused: Record<string, number> = {};
  let sampled = 0;
  const work = async (): Promise<void> => {
    for (let call = next(); call !== undefined; call = next()) {
      const startedAtMs = performance.now();
      const { status, text, firstByteAtMs } = await exchange(service, call, agent);
      const endedAtMs = call.isStream === true ? firstByteAtMs : performance.now();
      times.push(endedAtMs - startedAtMs);
      if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
      if (text.includes('"is_exact":false')) sampled += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
  agent.destroy();
  times.sort((left, right) => left - right);
  const at = (share: number) =>
    Math.round((times[Math.floor((times.length - 1) * share)] ?? 0) * 10) / 10;
  return {
    count: times.length,
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    max_ms: at(1),
    ...(sampled > 0 ? { sampled } : {}),
    ...(Object.keys(refused).length > 0 ? { refused } : {}),
  };
}

interface Exchanged {
  readonly status: number;
  readonly text: string;
  readonly firstByteAtMs: number;
}

function exchange(
  { url, token }: { readonly url: string; readonly token: string },
  { method, path, body }: ApiCall,
  agent: Agent,
): Promise<Exchanged> {
  return new Promise((settle, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
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
        const text = Buffer.concat(chunks).toString();
        settle({ status: response.statusCode ?? 0, text, firstByteAtMs });
      });
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
