import { openClient } from "./driver/client.ts";
import { toStatement } from "./driver/statement.ts";
import { type PoolOptions, toClientOptions } from "./pool.ts";
import type { Sql } from "./sql.ts";

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
  const client = await openClient(toClientOptions(options));
  client.on("notification", (message) => {
    if (message.channel === channel) onNotify(message.payload ?? "");
  });
  try {
    await client.run({ text: `listen ${client.escapeIdentifier(channel)}` });
  } catch (error) {
    client.destroy();
    throw error;
  }
  return {
    query: async <Row>(statement: Sql) => (await client.run(toStatement(statement))).rows as Row[],
    close: () => client.destroy(),
  };
}
