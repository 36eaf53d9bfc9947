import { Socket } from "node:net";
import pg from "pg";
import { endsConnection, StoreDownError, toStoreError } from "../store-error.ts";
import { type AnswerTimer, createAnswerTimer, type ServerWatch } from "./answer-timer.ts";
import { getTypeParser, type Statement } from "./statement.ts";

export interface ClientOptions {
  readonly hosts: Hosts;
  /** Shown by the server beside each connection. */
  readonly name: string;
  readonly connectTimeoutMs: number;
  /** The server cancels a statement that takes longer. */
  readonly statementTimeoutMs: number;
  /** A connection whose server sends no answer for this long is destroyed: nothing else would show that it is gone. */
  readonly answerTimeoutMs: number;
  /** True for a replica, which takes no writes. */
  readonly isReadOnly: boolean;
  /** False if answers may not be awaited behind one another, as for COPY. The default is true. */
  readonly isPipelined?: boolean;
  /** Finds out, long before the time-out, that an answer will never come. */
  readonly watch?: ServerWatch;
}

const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_DELAY_MS = 10_000;
const SERVER_QUERY = {
  text: "select pg_backend_pid() as process_id, current_setting('transaction_read_only')::boolean as is_read_only",
};

export interface RunResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

/**
 * One connection. It goes to the current host, refuses a standby unless `isReadOnly` is set, and can be destroyed without
 * waiting for the server. It is a class because pg-pool makes its clients with `new`. Statements may be sent before the
 * answers to earlier ones arrive.
 */
export class StoreClient extends pg.Client {
  readonly #url: string;
  readonly #options: ClientOptions;
  readonly #socket: Socket;
  readonly #answers: AnswerTimer;
  readonly #proof: ScramProof | undefined;
  #serverProcessId = 0;
  #isUnusable = false;

  constructor(options: ClientOptions) {
    const url = options.hosts.current();
    const socket = new Socket();
    super({
      connectionString: withLibpqMeaning(url),
      stream: () => socket,
      application_name: options.name,
      connectionTimeoutMillis: options.connectTimeoutMs,
      statement_timeout: options.statementTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      pipeline: options.isPipelined ?? true,
      types: { getTypeParser },
    });
    this.#url = url;
    this.#options = options;
    this.#socket = socket;
    this.#answers = createAnswerTimer({
      watch: options.watch,
      processId: () => this.#serverProcessId,
      onLost: (reason) => {
        this.destroy(new StoreDownError(reason));
        options.watch?.closeIdle();
      },
    });
    this.#proof = requiresScram(url)
      ? requireScram(this.connection, (error) => this.destroy(error))
      : undefined;
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

  /** True after an error that a later statement on this connection would meet again, even if a caller handled it. */
  get isUnusable(): boolean {
    return this.#isUnusable;
  }

  /** True between transactions, while no answer is awaited. */
  get isIdle(): boolean {
    return !this.#answers.isWaiting && this.getTransactionStatus() === "I";
  }

  /** Sends a statement. Throws a `StoreDownError` if the connection is lost before the answer. */
  async run(
    statement: Pick<Statement, "text"> & Partial<Statement>,
    answerTimeoutMs = this.#options.answerTimeoutMs,
  ): Promise<RunResult> {
    this.#answers.add(answerTimeoutMs);
    try {
      return await this.query(statement);
    } catch (error) {
      const known = toStoreError(error);
      this.#isUnusable ||= endsConnection(known);
      throw known;
    } finally {
      this.#answers.shift();
    }
  }

  /** Ends the connection at once. All statements without an answer fail. */
  destroy(error?: Error): void {
    this.#socket.destroy(error);
  }

  async #connectToPrimary(): Promise<pg.Client> {
    try {
      await super.connect();
      if (this.#proof?.isProven() === false) {
        throw new StoreDownError("the server did not prove that it knows the password");
      }
      const { rows } = await this.run(SERVER_QUERY, this.#options.connectTimeoutMs);
      const [server] = rows as { process_id: number; is_read_only: boolean }[];
      if (server?.is_read_only !== false && !this.#options.isReadOnly) {
        throw new StoreDownError("the server is a standby and takes no writes");
      }
      this.#serverProcessId = server?.process_id ?? 0;
      this.#options.watch?.add(this);
      this.#socket.once("close", () => this.#options.watch?.remove(this));
      return this;
    } catch (error) {
      this.#options.hosts.moveOnFrom(this.#url);
      this.destroy();
      throw error;
    }
  }
}

/** Connects to the first host that accepts the connection. */
export async function openClient(options: ClientOptions): Promise<StoreClient> {
  try {
    return await connectToAny(options.hosts, async () => {
      const client = new StoreClient(options);
      await client.connect();
      return client;
    });
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Without this, the driver reads `sslmode=require` as `verify-full` and warns about it. */
function withLibpqMeaning(url: string): string {
  return /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url)
    ? `${url}&uselibpqcompat=true`
    : url;
}

/**
 * The hosts of a connection URL, of which one is the primary. `postgres://u:p@a:5432,b:5432/d` names two. A pool connects
 * to the current host; when that fails or turns out to be a standby, it moves on to the next.
 */
interface Hosts {
  readonly count: number;
  /** The URL of the current host alone. */
  current(): string;
  /** Moves on to the next host, unless another connection attempt already did. */
  moveOnFrom(url: string): void;
}

export function openHosts(url: string): Hosts {
  const urls = splitHosts(url);
  let at = 0;
  const current = (): string => urls[at] ?? url;
  return {
    count: urls.length,
    current,
    moveOnFrom: (failed) => {
      if (failed === current()) at = (at + 1) % urls.length;
    },
  };
}

/** Runs `connect` until it succeeds, at most once for each host, unless the error is one that all hosts would have. */
export async function connectToAny<Connection>(
  hosts: Hosts,
  connect: () => Promise<Connection>,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Connection> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      if (attempt >= hosts.count || isFinal(error)) throw error;
    }
  }
}

function splitHosts(url: string): readonly string[] {
  const parts = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/is.exec(url);
  if (parts === null) return [url];
  const [, before = "", hosts = "", after = ""] = parts;
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

/** The part of the driver's connection that reports what the server asks for. */
interface AuthenticationEvents {
  prependListener(event: string, listener: () => void): unknown;
}

interface ScramProof {
  /** True once the server has proved that it knows the password, as SCRAM demands of both sides. */
  isProven(): boolean;
}

/** As libpq's parameter of this name. */
function requiresScram(url: string): boolean {
  return /[?&]require_auth=scram-sha-256(?:&|$)/.test(url);
}

/**
 * A program that takes the port of a stopped server could ask for the password itself, and the driver would send it. So
 * such a request ends the connection before the driver can answer. A program that asks for nothing is refused by the
 * caller, because it has proved nothing.
 */
function requireScram(
  connection: AuthenticationEvents,
  destroy: (error: Error) => void,
): ScramProof {
  let isProven = false;
  for (const event of ["authenticationCleartextPassword", "authenticationMD5Password"]) {
    connection.prependListener(event, () =>
      destroy(new StoreDownError("the server asks for the password itself; it is not ours")),
    );
  }
  // The driver checks the signature in it, and fails to connect if it is wrong.
  connection.prependListener("authenticationSASLFinal", () => {
    isProven = true;
  });
  return { isProven: () => isProven };
}
