import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { openPool } from "../../../src/db/pool.ts";
import { until } from "../test-app.ts";
import type { TestNetwork } from "./network.ts";

/** Three nodes with etcd, Patroni and PostgreSQL, configured by the files of `deploy/patroni/`. */
export interface PatroniCluster {
  readonly nodes: readonly string[];
  /** Of the database `assay`, with all nodes. */
  readonly url: string;
  urlOf(node: string): string;
  /** The node that Patroni takes for the primary. */
  leader(): Promise<string>;
  /** Waits until all nodes run, with a synchronous standby unless there is to be none. */
  untilWhole(): Promise<void>;
  /** Ends Patroni alone, or with its server, as a crash does. */
  kill(node: string, options: { readonly withServer: boolean }): Promise<void>;
  startAgain(node: string): void;
  /** Stops the server of the node where it stands, as a disk or a machine that hangs does. Patroni goes on. Returns what lets it go on. */
  stall(node: string): () => void;
  switchOver(): Promise<void>;
  /** Starts HAProxy on the node. Returns the URL of the primary behind it. */
  startHaproxy(node: string): Promise<string>;
  /** Starts PgBouncer on the node, in front of the leader. Returns its URL. */
  startPgbouncer(node: string, poolMode: string): Promise<string>;
}

const NODES = ["n1", "n2", "n3"];
const PASSWORD = "secret";
const RECIPES = "deploy/patroni";

interface Options {
  /** Owned by `postgres`. */
  readonly folder: string;
  readonly network: TestNetwork;
  readonly isSynchronous: boolean;
}

export async function startPatroni(t: TestContext, options: Options): Promise<PatroniCluster> {
  const { folder, network, isSynchronous } = options;
  const children = new Map<string, ChildProcess>();
  const start = (node: string, name: string, command: readonly string[]): void => {
    const log = openSync(join(folder, `${node}-${name}.log`), "a");
    const [program = "", ...args] = [...network.prefixOf(node), ...AS_POSTGRES, ...command];
    const env = { PATH: process.env["PATH"], HOME: folder };
    const child = spawn(program, args, { cwd: "/", env, stdio: ["ignore", log, log] });
    children.set(`${node} ${name}`, child);
  };
  t.after(async () => {
    for (const node of NODES) {
      await killAndWait(children.get(`${node} patroni`));
      stopServer(join(folder, node, "data"));
    }
    for (const child of children.values()) await killAndWait(child);
  });
  const places = { folder, network };
  for (const node of NODES) writeRecipe(places, node, isSynchronous);
  giveToPostgres(folder);
  for (const node of NODES) start(node, "etcd", etcdCommand(places, node));
  const startNode = (node: string) =>
    start(node, "patroni", ["patroni", join(folder, node, "patroni.yml")]);
  for (const node of NODES) startNode(node);
  const members = async () => listMembers(network);
  const leader = async (): Promise<string> => {
    const found = (await members()).find(({ role }) => role === "leader");
    if (found === undefined) throw new Error("there is no leader");
    return found.name;
  };
  const untilWhole = () =>
    until(async () => {
      const all = await members().catch(() => []);
      const states = all.map(({ role, state }) => (isRunning(state) ? role : state)).sort();
      const wanted = isSynchronous ? "leader,replica,sync_standby" : "leader,replica,replica";
      return states.join() === wanted;
    }, 180_000);
  await untilWhole();
  const urlOf = (host: string) => `postgres://assay:${PASSWORD}@${host}/assay`;
  const admin = `postgres://postgres:${PASSWORD}@${network.addressOf(await leader())}/postgres`;
  await runScripts(admin, [
    `create role assay login password '${PASSWORD}'`,
    "create database assay owner assay encoding 'UTF8' template template0",
  ]);
  return {
    nodes: NODES,
    url: urlOf(NODES.map((node) => `${network.addressOf(node)}:5432`).join(",")),
    urlOf: (node) => urlOf(`${network.addressOf(node)}:5432`),
    leader,
    untilWhole,
    kill: async (node, { withServer }) => {
      await killAndWait(children.get(`${node} patroni`));
      if (withServer) process.kill(serverPid(join(folder, node, "data")), "SIGKILL");
    },
    startAgain: startNode,
    stall: (node) => stallServer(serverPid(join(folder, node, "data"))),
    switchOver: async () => {
      const name = await leader();
      const answer = await fetch(`http://${network.addressOf(name)}:8008/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: name }),
      });
      if (!answer.ok) throw new Error(`switchover: ${await answer.text()}`);
    },
    startHaproxy: async (node) => {
      const file = join(folder, "haproxy.cfg");
      writeFileSync(file, withAddresses(readFileSync(`${RECIPES}/haproxy.cfg`, "utf8"), network));
      start(node, "haproxy", ["haproxy", "-f", file]);
      return urlOf(`${network.addressOf(node)}:5000`);
    },
    startPgbouncer: async (node, poolMode) => {
      const file = join(folder, "pgbouncer.ini");
      const recipe = readFileSync(`${RECIPES}/pgbouncer.ini`, "utf8");
      const users = join(folder, "userlist.txt");
      const text = recipe
        .replace("10.0.0.40 port=5000", `${network.addressOf(await leader())} port=5432`)
        .replace("/etc/pgbouncer/userlist.txt", users)
        .replace(/^pool_mode = session$/m, `pool_mode = ${poolMode}`);
      writeFileSync(file, text);
      writeFileSync(users, `"assay" "${PASSWORD}"\n`);
      start(node, "pgbouncer", ["pgbouncer", file]);
      return urlOf(`${network.addressOf(node)}:6432`);
    },
  };
}

const AS_POSTGRES = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"];

interface Places {
  readonly folder: string;
  readonly network: TestNetwork;
}

/** The recipe with the addresses of the test. Its password is one for all, and there is no watchdog to stop the machine. */
function writeRecipe({ folder, network }: Places, node: string, isSynchronous: boolean): void {
  const home = join(folder, node);
  mkdirSync(home);
  const bin = `/usr/lib/postgresql/${readdirSync("/usr/lib/postgresql").sort().at(-1)}/bin`;
  const at = network.addressOf(node);
  const recipe = readFileSync(`${RECIPES}/patroni.yml`, "utf8")
    .replace("name: node1", `name: ${node}`)
    .replaceAll(/((?:listen|connect_address): )10\.0\.0\.11/g, `$1${at}`)
    .replaceAll(/change-me-\d/g, PASSWORD)
    .replace("/var/lib/postgresql/assay", join(home, "data"))
    .replace("/usr/lib/postgresql/15/bin", bin)
    // Name spaces of the network share the files.
    .replace(
      "  authentication:",
      `  parameters:\n    unix_socket_directories: ${home}\n  authentication:`,
    )
    .replace("mode: automatic", "mode: off")
    .replace("synchronous_mode: true", `synchronous_mode: ${isSynchronous}`)
    .replaceAll("10.0.0.0/24", at.replace(/\.\d+$/, ".0/24"));
  writeFileSync(join(home, "patroni.yml"), withAddresses(recipe, network), { mode: 0o600 });
}

function withAddresses(text: string, network: TestNetwork): string {
  return text.replaceAll(/10\.0\.0\.1([123])/g, (_all, at: string) => network.addressOf(`n${at}`));
}

/** Slower than the default, so that a busy machine does not lose its leader. */
const ETCD_TIMES = ["--heartbeat-interval", "250", "--election-timeout", "2500"];

function etcdCommand({ folder, network }: Places, node: string): readonly string[] {
  const at = `http://${network.addressOf(node)}`;
  const peers = NODES.map((name) => `${name}=http://${network.addressOf(name)}:2380`).join(",");
  return [
    ...["etcd", "--name", node, "--data-dir", join(folder, node, "etcd"), ...ETCD_TIMES],
    ...["--listen-peer-urls", `${at}:2380`, "--initial-advertise-peer-urls", `${at}:2380`],
    ...["--listen-client-urls", `${at}:2379`, "--advertise-client-urls", `${at}:2379`],
    ...["--initial-cluster", peers, "--initial-cluster-state", "new", "--unsafe-no-fsync"],
  ];
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** As the first node says that answers. */
async function listMembers(network: TestNetwork): Promise<readonly Member[]> {
  for (const node of NODES) {
    try {
      const answer = await fetch(`http://${network.addressOf(node)}:8008/cluster`, {
        signal: AbortSignal.timeout(2_000),
      });
      return ((await answer.json()) as { readonly members: readonly Member[] }).members;
    } catch {
      // This one is down or cut off.
    }
  }
  throw new Error("no Patroni answers");
}

function isRunning(state: string): boolean {
  return state === "running" || state === "streaming";
}

function serverPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]);
}

function stallServer(postmaster: number): () => void {
  const isChild = (pid: number) => Number(readStat(pid)[1]) === postmaster;
  process.kill(postmaster, "SIGSTOP");
  const children = readdirSync("/proc").map(Number).filter(isChild);
  for (const pid of children) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of [postmaster, ...children]) process.kill(pid, "SIGCONT");
  };
}

/** The fields of /proc/PID/stat from the state on, or none if there is no such process. */
function readStat(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** Patroni 3.0.2 gives the lock back to a primary that stood still, and rewinds the one that took over. */
export function whyNoStall(): string | undefined {
  const { stdout } = spawnSync("patroni", ["--version"], { encoding: "utf8" });
  const [, major = 0, minor = 0] = (/ (\d+)\.(\d+)/.exec(stdout ?? "") ?? []).map(Number);
  if (major > 3 || (major === 3 && minor >= 1)) return undefined;
  return "needs Patroni 3.1 or newer, which does not lose what was acknowledged";
}

function stopServer(dataDir: string): void {
  try {
    process.kill(serverPid(dataDir), "SIGQUIT");
  } catch {
    // It is not running.
  }
}

async function killAndWait(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "close");
}

function giveToPostgres(folder: string): void {
  chmodSync(folder, 0o711);
  spawnSync("chown", ["-R", "postgres:postgres", folder]);
}

async function runScripts(url: string, scripts: readonly string[]): Promise<void> {
  const pool = openPool({ url, name: "assay test" });
  for (const text of scripts) await pool.script(text);
  await pool.end();
}
