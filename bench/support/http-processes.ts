// The two processes beside the service that bench/http.ts forks. "load" is the client: it keeps one request in progress
// on each connection. "peers" are the servers to compare with: bare node:http, which sends given headers and bytes, and
// Fastify with one read by primary key.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { openPool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { type Connection, openConnection } from "./connection.ts";
import { quantile, round } from "./runner.ts";

export interface Load {
  readonly url: string;
  /** Complete requests without a body, sent in turn. */
  readonly requests: readonly string[];
  readonly status: number;
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

export interface Peers {
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /** Assay's response, by path. */
  readonly answers: Readonly<Record<string, Answer>>;
}

export interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PeerUrls {
  readonly bare: string;
  readonly point: string;
}

export type Task =
  | { readonly kind: "load"; readonly load: Load }
  | { readonly kind: "peers"; readonly peers: Peers };

if (process.send !== undefined) {
  process.on("message", (task: Task) => {
    const doing = task.kind === "load" ? runLoad(task.load) : startPeers(task.peers);
    doing.then(
      (result) => process.send?.({ result }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

async function runLoad({ url, requests, ...load }: Load): Promise<Measured> {
  const times: number[] = [];
  let sentCount = 0;
  const startedAtMs = performance.now();
  const drive = async (connection: Connection): Promise<void> => {
    while (performance.now() - startedAtMs <= load.seconds * 1000) {
      const request = requests[sentCount % requests.length] ?? "";
      sentCount += 1;
      const sentAtMs = performance.now();
      const status = await connection.exchange(request);
      if (status !== load.status) throw new Error(`answered ${status}, not ${load.status}`);
      times.push(performance.now() - sentAtMs);
    }
    connection.close();
  };
  await Promise.all(
    Array.from({ length: load.connections }, async () => drive(await openConnection(url))),
  );
  const seconds = (performance.now() - startedAtMs) / 1000;
  return {
    per_second: Math.round(times.length / seconds),
    p50_ms: round(quantile(times, 0.5)),
    p99_ms: round(quantile(times, 0.99)),
  };
}

async function startPeers(peers: Peers): Promise<PeerUrls> {
  const answers = new Map(
    Object.entries(peers.answers).map(([path, { headers, body }]) => [
      path,
      { headers, body: Buffer.from(body) },
    ]),
  );
  const bare = createServer((request, response) => {
    const answer = answers.get(request.url ?? "");
    response.writeHead(answer === undefined ? 404 : 200, answer?.headers);
    response.end(answer?.body);
  });
  bare.keepAliveTimeout = 72_000;
  await new Promise<void>((settle) => bare.listen(0, "127.0.0.1", settle));

  const { databaseUrl, connectionsMax } = peers;
  const db = openPool({ url: databaseUrl, sharedCount: connectionsMax, name: "assay bench" });
  const point = Fastify({ logger: false, keepAliveTimeout: 72_000 });
  point.get("/point/:id", async (request) => {
    const { id } = request.params as { readonly id: string };
    const [row] = await db.query(sql`
      select id, side, brand, model, reference, year, condition, dial_type, price_amount_minor, price_currency,
             price_eur_minor, contact_id, phone_number, message_timestamp_ms, last_seen_at_ms, occurrence_count
        from listing where id = ${id}`);
    return row;
  });
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;
  return { bare: bareUrl, point: await point.listen({ port: 0, host: "127.0.0.1" }) };
}
