import { spawnSync } from "node:child_process";
import type { TestContext } from "node:test";

/** Machines of a network on this one: each has a name space of its own, and all are joined by a bridge. */
export interface TestNetwork {
  addressOf(node: string): string;
  /** What comes before a command that runs on the node. */
  prefixOf(node: string): readonly string[];
  /** Drops everything between the two, in both directions, without a word to either. */
  cut(one: string, others: readonly string[]): void;
  /** Drops this share of all packets to and from the node. */
  lose(node: string, share: number): void;
  /** Undoes all cuts and losses. */
  heal(): void;
}

const PROGRAMS = ["ip", "iptables", "setpriv", "etcd", "patroni", "haproxy", "pgbouncer"];

/** Returns why there can be no such network and cluster here; undefined if there can. */
export function whyNoCluster(): string | undefined {
  if (process.platform !== "linux") return "needs Linux";
  if (process.getuid?.() !== 0) return "needs root, for network name spaces";
  const isMissing = (name: string) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0;
  const missing = PROGRAMS.filter(isMissing);
  return missing.length === 0 ? undefined : `needs ${missing.join(", ")}`;
}

let networkCount = 0;

/** The nodes have the addresses .11, .12 and so on. This process reaches them, and has .1 itself. */
export function openTestNetwork(t: TestContext, nodes: readonly string[]): TestNetwork {
  networkCount += 1;
  const number = networkCount;
  const subnet = `10.${212 + number}.${process.pid % 250}`;
  const nameOf = (node: string) => `assay-${process.pid}-${number}-${node}`;
  const addressOf = (node: string) => `${subnet}.${11 + nodes.indexOf(node)}`;
  const hub = nameOf("hub");
  const outside = `as${process.pid}-${number}`;
  t.after(() => {
    for (const node of ["hub", ...nodes]) spawnSync("ip", ["netns", "del", nameOf(node)]);
    spawnSync("ip", ["link", "del", outside]);
  });
  run(`ip netns add ${hub}`);
  run(`ip -n ${hub} link add bridge type bridge`, `ip -n ${hub} link set bridge up`);
  const join = (port: string, far: string) =>
    run(
      `ip link add ${port} netns ${hub} type veth peer name ${far}`,
      `ip -n ${hub} link set ${port} master bridge`,
      `ip -n ${hub} link set ${port} up`,
    );
  join("outside", outside);
  run(`ip address add ${subnet}.1/24 dev ${outside}`, `ip link set ${outside} up`);
  for (const [at, node] of nodes.entries()) {
    const space = nameOf(node);
    run(`ip netns add ${space}`);
    join(`port${at}`, `eth0 netns ${space}`);
    run(
      `ip -n ${space} address add ${addressOf(node)}/24 dev eth0`,
      `ip -n ${space} link set eth0 up`,
      `ip -n ${space} link set lo up`,
    );
  }
  const filter = (node: string, rule: string) =>
    run(`ip netns exec ${nameOf(node)} iptables ${rule}`);
  return {
    addressOf,
    prefixOf: (node) => ["ip", "netns", "exec", nameOf(node)],
    cut: (one, others) => {
      for (const other of others) {
        filter(one, `-A INPUT -s ${addressOf(other)} -j DROP`);
        filter(one, `-A OUTPUT -d ${addressOf(other)} -j DROP`);
      }
    },
    lose: (node, share) => {
      const randomly = `-m statistic --mode random --probability ${share} -j DROP`;
      filter(node, `-A INPUT -i eth0 ${randomly}`);
      filter(node, `-A OUTPUT -o eth0 ${randomly}`);
    },
    heal: () => {
      for (const node of nodes) filter(node, "-F");
    },
  };
}

function run(...commands: readonly string[]): void {
  for (const command of commands) {
    const [program = "", ...args] = command.split(" ");
    const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr}`);
  }
}
