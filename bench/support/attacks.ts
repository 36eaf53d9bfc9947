// The attackers of `bench/neighbours.ts`, in a process of their own. Every attack is bounded in time and in connections, and goes to
// this machine only.

import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { sleep } from "../../src/base/clock.ts";

export interface Attack {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
}

export interface Attacked {
  /** How often each status was answered; 0 for a connection that broke. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly refused_p95_ms: number;
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Plan {
  readonly call: (at: number, attack: Attack) => Call;
  /** At once at the start, and then nothing more; */
  readonly burst?: number;
  /** or so many a second; */
  readonly perSecond?: number;
  /** or on so many connections, each as often as it is answered. */
  readonly connections?: number;
}

const WORD = "rolex";

/** Words that take long to read, in a text of 500 characters. */
const TYPED =
  "12,12,1,12,1,gmt,1,1,12,12,1,gmt,12,12,1,gmt,gmt,12,1,12,1,1,gmt,gmt,1,1,gmt,12,gmt,1,";

const worstSearch = (at: number): Call => ({
  method: "POST",
  path: "/v2/market/listings/search",
  body: {
    filters: {
      text_search: { query: Array(32).fill(WORD).join(" "), mode: "exact_light" },
      price: { gte: at },
    },
    include_total: true,
    limit: 100,
  },
});
const slowSearch = (at: number): Call => ({
  method: "POST",
  path: "/v2/market/listings/search",
  body: {
    filters: {
      text_search: { query: "rolex full set box papers new hk usd", mode: "exact_light" },
      price: { gte: at },
      country_codes: {
        include: [],
        exclude: Array.from({ length: 500 }, (_, at) => `${99_999 + at}`),
      },
    },
    include_total: true,
    limit: 100,
    include: ["price"],
  },
});
const visit = (path: string): Plan => ({
  connections: 50,
  call: () => ({ method: "GET", path, headers: { "accept-encoding": "br", authorization: "" } }),
});

export const ATTACKS: Readonly<Record<string, Plan>> = {
  searches: { burst: 200, call: worstSearch },
  slow_searches: { burst: 200, call: slowSearch },
  steady_searches: { connections: 12, call: slowSearch },
  parse: {
    perSecond: 90,
    call: (at) => ({
      method: "POST",
      path: "/v2/market/parse-query",
      body: { text: `${at},${TYPED.repeat(8)}`.slice(0, 500) },
    }),
  },
  find: {
    perSecond: 90,
    call: (at) => ({
      method: "GET",
      path: `/v2/search?limit=20&q=${at % 10}${String.fromCharCode(97 + (at % 26))}`,
    }),
  },
  figures: {
    connections: 12,
    call: (at) => ({
      method: "POST",
      path: "/v2/market/facets",
      body: {
        filters: { price: { gte: at }, text_search: { query: "a b c d e f g h", mode: "broad" } },
      },
    }),
  },
  sign_ins: {
    perSecond: 115,
    call: (_at, { url, token }) => ({
      method: "POST",
      path: "/console/sessions",
      body: { token },
      headers: { origin: url },
    }),
  },
  "/": visit("/"),
  "/openapi.json": visit("/openapi.json"),
  "/docs": visit("/docs/"),
  "/metrics": visit("/metrics"),
  "/health/ready": visit("/health/ready"),
  "/nothing": visit("/nothing"),
};

const CONNECTIONS_MAX = 300;

if (process.argv[1] === fileURLToPath(import.meta.url) && process.env["ATTACK"] !== undefined) {
  const attack = JSON.parse(process.env["ATTACK"]) as Attack;
  process.send?.(await run(attack));
  process.exit(0);
}

async function run(attack: Attack): Promise<Attacked> {
  const { url, name, seconds } = attack;
  const plan = ATTACKS[name];
  if (plan === undefined) throw new Error(`there is no attack ${name}`);
  if (!url.startsWith("http://127.0.0.1:")) throw new Error("attacks go to this machine only");
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections ?? CONNECTIONS_MAX });
  const statuses: Record<string, number> = {};
  const refusedMs: number[] = [];
  let at = 0;
  const fire = async (): Promise<void> => {
    const startedAtMs = performance.now();
    at += 1;
    const status = await send(attack, plan.call(at, attack), agent);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 429 || status === 503) refusedMs.push(performance.now() - startedAtMs);
  };
  const untilMs = performance.now() + seconds * 1_000;
  const isOn = (): boolean => performance.now() < untilMs;
  if (plan.burst !== undefined) await Promise.all(Array.from({ length: plan.burst }, fire));
  else if (plan.perSecond !== undefined) {
    const fired: Promise<void>[] = [];
    while (isOn()) {
      fired.push(fire());
      await sleep(1_000 / plan.perSecond);
    }
    await Promise.all(fired);
  } else {
    const work = async (): Promise<void> => {
      while (isOn()) await fire();
    };
    await Promise.all(Array.from({ length: plan.connections ?? 1 }, work));
  }
  refusedMs.sort((a, b) => a - b);
  return {
    statuses,
    refused_p95_ms: Math.round(refusedMs[Math.floor(refusedMs.length * 0.95)] ?? 0),
  };
}

function send(attack: Attack, call: Call, agent: Agent): Promise<number> {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  return new Promise((settle) => {
    const { authorization = `Bearer ${attack.token}`, ...others } = call.headers ?? {};
    const headers = {
      ...(authorization === "" ? {} : { authorization }),
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      ...others,
    };
    const sent = request(
      attack.url + call.path,
      { method: call.method, agent, headers },
      (response) => {
        response.resume();
        response.once("end", () => settle(response.statusCode ?? 0));
        response.once("error", () => settle(0));
      },
    );
    sent.once("error", () => settle(0));
    sent.end(body);
  });
}
