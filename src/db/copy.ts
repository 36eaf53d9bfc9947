/** A connection for COPY: rows in and out of the server as a stream, which no other statement does for more than fits memory. */
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pgCopy from "pg-copy-streams";
import { HOUR_MS } from "../base/clock.ts";
import type { Database } from "./database.ts";
import { openClient } from "./driver/client.ts";
import { runSession } from "./driver/transaction.ts";
import { type PoolOptions, toClientOptions } from "./pool.ts";
import { toStoreError } from "./store-error.ts";

export interface CopyConnection extends Database {
  /** Runs a `copy … to stdout`. The server waits while the reader does. */
  copyOut(statement: string): AsyncIterable<Buffer>;
  /** Runs a `copy … from stdin` with these bytes. Returns how many rows came. */
  copyIn(statement: string, bytes: AsyncIterable<Buffer>): Promise<number>;
}

/** A table of any size may take this long. */
const STATEMENT_TIMEOUT_MS = 24 * HOUR_MS;

/** Opens a connection for the time of `work`. What `work` leaves open, such as a transaction, ends with it. */
export async function withCopyConnection<Result>(
  url: PoolOptions["url"],
  work: (connection: CopyConnection) => Promise<Result>,
): Promise<Result> {
  const options = { url, name: "assay backup", statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const client = await openClient({ ...toClientOptions(options), isPipelined: false });
  try {
    return await runSession(client, (db) =>
      work({
        ...db,
        copyOut: (statement) => readAll(client.query(pgCopy.to(statement))),
        copyIn: async (statement, bytes) => {
          const stream = client.query(pgCopy.from(statement));
          await fill(stream, bytes);
          return stream.rowCount;
        },
      }),
    );
  } finally {
    client.destroy();
  }
}

async function* readAll(stream: Readable): AsyncIterable<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw toStoreError(error);
  }
}

async function fill(stream: Writable, bytes: AsyncIterable<Buffer>): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  // An error of the source must not be taken for one of the store.
  const source = async function* (): AsyncIterable<Buffer> {
    try {
      yield* bytes;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    await pipeline(source, stream);
  } catch (error) {
    throw failure === undefined ? toStoreError(error) : failure.error;
  }
}
