import { Socket } from "node:net";
import pg from "pg";
import { assert } from "../../base/errors.ts";
import { endsConnection, isStoreDown, StoreDownError, toStoreError } from "../store-error.ts";
import { type AnswerTimer, createAnswerTimer, type ServerWatch } from "./answer-timer.ts";
import {
  connectToAny,
  type HostConnection,
  type Hosts,
  SERVER_QUERY,
  type ServerFacts,
  TIMELINE_QUERY,
} from "./hosts.ts";
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
/**
 * The server notices a vanished machine after about 25 seconds, and ends what its connections hold. The default of most systems is
 * two hours. The time-outs are set again because a pooler drops those of the start.
 */
const KEEP_ALIVE_SETTINGS = {
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "25000",
};

export interface RunResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

/**
 * One connection. It goes to the current host, refuses a standby or a left primary unless `isReadOnly` is set, and can be
 * destroyed without waiting for the server. It is a class because pg-pool makes its clients with `new`. Statements may be sent before the
 * answers to earlier ones arrive.
 */
export class StoreClient extends pg.Client {
  readonly #url: string;
  readonly #options: ClientOptions;
  readonly #socket: Socket;
  readonly #answers: AnswerTimer;
  readonly #proof: ScramProof | undefined;
  #server: ServerFacts | undefined;
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
      processId: () => this.serverProcessId,
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
    return this.#server?.process_id ?? 0;
  }

  /**
   * True if a pooler stands between: the process that the start of the connection named is not the one that answers. Whether each
   * transaction gets another one is not known from that.
   */
  get isPooled(): boolean {
    const { processID } = this as unknown as { readonly processID: number | null };
    return processID !== this.serverProcessId;
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

  async describeServer(): Promise<ServerFacts> {
    const ask = (text: string) => this.run({ text }, this.#options.connectTimeoutMs);
    // A server that keeps its log to itself, as some managed ones do, tells no timeline.
    const [{ rows }, told] = await Promise.all([
      ask(SERVER_QUERY),
      ask(TIMELINE_QUERY).catch(ignoreRefusal),
    ]);
    const [server] = rows as Omit<ServerFacts, "timeline">[];
    assert(server !== undefined, "the query returns one row");
    const [row] = (told?.rows ?? []) as Pick<ServerFacts, "timeline">[];
    return { ...server, timeline: row?.timeline ?? 0 };
  }

  /** Ends the connection at once. All statements without an answer fail. */
  destroy(error?: Error): void {
    this.#socket.destroy(error);
  }

  #admit(server: ServerFacts): void {
    const { hosts, watch, isReadOnly } = this.#options;
    const connection: HostConnection = {
      url: this.#url,
      server,
      isReadOnly,
      destroy: (error) => this.destroy(error),
    };
    hosts.admit(connection);
    watch?.add(this);
    this.#socket.once("close", () => {
      hosts.forget(connection);
      watch?.remove(this);
    });
  }

  /** Those that the server does not know or allow stay as they are. */
  async #applySettings(): Promise<void> {
    const settings = Object.entries({
      ...KEEP_ALIVE_SETTINGS,
      // Our queries are short. A step that avoids sequential scans makes plans so dear that a server compiles each of them, for 0.2 s.
      jit: "off",
      statement_timeout: String(this.#options.statementTimeoutMs),
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    });
    const text = settings.map(([name, value]) => `set_config('${name}', '${value}', false)`);
    const applied = this.run({ text: `select ${text.join(", ")}` }, this.#options.connectTimeoutMs);
    await applied.catch(ignoreRefusal);
  }

  async #connectToPrimary(): Promise<pg.Client> {
    try {
      await super.connect();
      if (this.#proof?.isProven() === false) {
        throw new StoreDownError("the server did not prove that it knows the password");
      }
      const [server] = await Promise.all([this.describeServer(), this.#applySettings()]);
      this.#server = server;
      this.#admit(server);
      return this;
    } catch (error) {
      this.#options.hosts.moveOnFrom(this.#url);
      this.destroy();
      throw error;
    }
  }
}

/** The server answered, so the connection works. */
function ignoreRefusal(error: unknown): undefined {
  if (endsConnection(error) || isStoreDown(error)) throw error;
  return undefined;
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
