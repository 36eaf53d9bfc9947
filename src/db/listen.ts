import { StoreClient } from "./driver/client.ts";
import { connectToAny } from "./driver/hosts.ts";
import { toStatement } from "./driver/statement.ts";
import { type PoolOptions, toClientOptions } from "./pool.ts";
import type { Sql } from "./sql.ts";
import { toStoreError } from "./store-error.ts";

/** A connection that hears what is notified on a channel. It does not reconnect by itself. */
export interface Listener {
  /** Rejects once the connection is lost. */
  query<Row>(statement: Sql): Promise<Row[]>;
  close(): void;
}

/** Resolves once the server has confirmed that it listens: nothing notified after that is missed while it lives. */
export async function listen(
  options: PoolOptions & {
    readonly channel: string;
    readonly onNotify: (payload: string) => void;
  },
): Promise<Listener> {
  const { channel, onNotify } = options;
  const clientOptions = toClientOptions(options);
  try {
    const client = await connectToAny(clientOptions.hosts, async () => {
      const opened = new StoreClient(clientOptions);
      await opened.connect();
      return opened;
    });
    client.on("notification", (message) => {
      if (message.channel === channel) onNotify(message.payload ?? "");
    });
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    return {
      query: async <Row>(statement: Sql) => {
        try {
          return (await client.query(toStatement(statement))).rows as Row[];
        } catch (error) {
          throw toStoreError(error);
        }
      },
      close: () => client.destroy(),
    };
  } catch (error) {
    throw toStoreError(error);
  }
}
