import { Socket } from "node:net";
import pg from "pg";
import { StoreDownError } from "../store-error.ts";
import type { Hosts } from "./hosts.ts";

export interface ClientOptions {
  readonly hosts: Hosts;
  /** Shown by the server beside each connection. */
  readonly name: string;
  readonly connectTimeoutMs: number;
  /** The server cancels a statement that takes longer. */
  readonly statementTimeoutMs: number;
  /** A connection on which an answer takes longer is destroyed: its server is gone and nothing else would tell us. */
  readonly answerTimeoutMs: number;
  /** True for a replica, which takes no writes. */
  readonly isReadOnly: boolean;
}

const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

/**
 * One connection. It goes to the current host, refuses a standby unless `isReadOnly` is set, and can be destroyed without
 * waiting for the server. It is a class because pg-pool makes its clients with `new`.
 */
export class StoreClient extends pg.Client {
  readonly #url: string;
  readonly #options: ClientOptions;
  readonly #socket: Socket;
  #serverProcessId = 0;

  constructor(options: ClientOptions) {
    const url = options.hosts.current();
    const socket = new Socket();
    super({
      connectionString: withLibpqMeaning(url),
      stream: () => socket,
      application_name: options.name,
      connectionTimeoutMillis: options.connectTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.answerTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      pipeline: true,
      types: { getTypeParser },
    });
    this.#url = url;
    this.#options = options;
    this.#socket = socket;
    // A loss is reported by the queries under way and by the next one. Without a listener it would end the process.
    this.on("error", () => undefined);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#connectToPrimary();
    if (callback === undefined) return connected;
    connected.then(() => callback(undefined as never), callback);
    return undefined;
  }

  /** The process that serves this connection, as `pg_stat_activity` names it. */
  get serverProcessId(): number {
    return this.#serverProcessId;
  }

  /** Ends the connection at once; whatever is under way fails. */
  destroy(): void {
    this.#socket.destroy();
  }

  async #connectToPrimary(): Promise<pg.Client> {
    try {
      await super.connect();
      const { rows } = await this.query<{ process_id: number; is_read_only: boolean }>(`
        select pg_backend_pid() as process_id, current_setting('transaction_read_only')::boolean as is_read_only`);
      if (rows[0]?.is_read_only !== false && !this.#options.isReadOnly) {
        throw new StoreDownError("the server is a standby and takes no writes");
      }
      this.#serverProcessId = rows[0]?.process_id ?? 0;
      return this;
    } catch (error) {
      this.#options.hosts.moveOnFrom(this.#url);
      this.destroy();
      throw error;
    }
  }
}

/** Without this, the driver reads `sslmode=require` as `verify-full` and warns about it. */
function withLibpqMeaning(url: string): string {
  return /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url)
    ? `${url}&uselibpqcompat=true`
    : url;
}

const OID = { int8: 20, date: 1082, int8Array: 1016, dateArray: 1182 };
const parseTextArray = pg.types.getTypeParser(1009 as never) as (text: string) => (string | null)[];

type Parse = (text: string) => unknown;

const PARSERS: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [OID.int8, toSafeInteger],
  [
    OID.int8Array,
    (text) => parseTextArray(text).map((item) => (item === null ? null : toSafeInteger(item))),
  ],
  // The driver makes midnight in local time of a date.
  [OID.date, (text) => text],
  [OID.dateArray, parseTextArray],
]);

function getTypeParser(oid: number, format?: "text" | "binary"): Parse {
  return PARSERS.get(oid) ?? (pg.types.getTypeParser(oid, format ?? "text") as Parse);
}

// Our bigints are milliseconds, minor units and counts: all far below 2^53.
function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError("a bigint from the store is beyond 2^53");
  return value;
}
