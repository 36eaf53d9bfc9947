// The servers that bench/http.ts compares with, in their own process: bare node:http, which sends given headers and
// bytes, and Fastify with one read by primary key.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { openPool } from "../src/db/pool.ts";
import { sql } from "../src/db/sql.ts";

export interface Peers {
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /** Assay's response, by path. */
  readonly answers: Readonly<Record<string, { readonly headers: Headers; readonly body: string }>>;
}

export interface PeerPorts {
  readonly bare: number;
  readonly point: number;
}

type Headers = Readonly<Record<string, string>>;

if (process.send !== undefined) {
  process.on("message", (peers: Peers) => {
    start(peers).then(
      (measured) => process.send?.({ measured }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

async function start(peers: Peers): Promise<PeerPorts> {
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

  const db = openPool({
    url: peers.databaseUrl,
    sharedCount: peers.connectionsMax,
    name: "assay bench",
  });
  const point = Fastify({ logger: false, keepAliveTimeout: 72_000 });
  point.get("/point/:id", async (request) => {
    const { id } = request.params as { readonly id: string };
    const [row] = await db.query(sql`
      select id, side, brand, model, reference, year, condition, dial_type, price_amount_minor, price_currency,
             price_eur_minor, contact_id, phone_number, message_timestamp_ms, last_seen_at_ms, occurrence_count
        from listing where id = ${id}`);
    return row;
  });
  await point.listen({ port: 0, host: "127.0.0.1" });
  return {
    bare: (bare.address() as AddressInfo).port,
    point: (point.server.address() as AddressInfo).port,
  };
}
