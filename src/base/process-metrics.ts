import { readdirSync, readFileSync } from "node:fs";
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import type { Registry, Sample } from "./exposition.ts";

/**
 * What Prometheus' own libraries say about a process of Node, under the same names, which dashboards know. What a system does not tell
 * is left out.
 */
export function addProcessMetrics(registry: Registry): void {
  addUse(registry);
  addFiles(registry);
  addEventLoop(registry);
  addActive(registry);
  addHeap(registry);
  addVersion(registry);
  addCollections(registry);
}

type Reads = Readonly<Record<string, readonly [help: string, read: () => number]>>;

/** Counters are named `…_total`. A value that is not a number is left out. */
function addAll(registry: Registry, reads: Reads): void {
  for (const [name, [help, read]] of Object.entries(reads)) {
    const type = name.endsWith("_total") ? "counter" : "gauge";
    registry.addRead({ name, help, type }, () => {
      const value = read();
      return Number.isNaN(value) ? [] : [{ labels: {}, value }];
    });
  }
}

function addUse(registry: Registry): void {
  const startedAtS = Math.round(performance.timeOrigin / 1_000);
  let cpu = process.cpuUsage();
  let status = "";
  registry.beforeRender(() => {
    cpu = process.cpuUsage();
    status = readSystemFile("/proc/self/status");
  });
  const bytesOf = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024;
  addAll(registry, {
    process_cpu_user_seconds_total: ["User CPU time in seconds.", () => cpu.user / 1e6],
    process_cpu_system_seconds_total: ["System CPU time in seconds.", () => cpu.system / 1e6],
    process_cpu_seconds_total: [
      "User and system CPU time in seconds.",
      () => (cpu.user + cpu.system) / 1e6,
    ],
    process_start_time_seconds: ["Start of the process, since 1970, in seconds.", () => startedAtS],
    process_resident_memory_bytes: ["Resident memory in bytes.", () => process.memoryUsage.rss()],
    process_virtual_memory_bytes: ["Virtual memory in bytes.", () => bytesOf("VmSize")],
    process_heap_bytes: ["Size of the data segment in bytes.", () => bytesOf("VmData")],
  });
}

function addFiles(registry: Registry): void {
  const limits = readSystemFile("/proc/self/limits");
  const max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  addAll(registry, {
    process_open_fds: ["Open file descriptors.", countOpenFiles],
    process_max_fds: ["The most open file descriptors.", () => max],
  });
}

function addEventLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay();
  delay.enable();
  let lag = 0;
  let seen = { min: 0, max: 0, mean: 0, stddev: 0, p50: 0, p90: 0, p99: 0 };
  registry.beforeRender(() => {
    const startedAtMs = performance.now();
    setImmediate(() => {
      lag = (performance.now() - startedAtMs) / 1_000;
    });
    const { min, max, mean, stddev } = delay;
    const [p50 = 0, p90 = 0, p99 = 0] = [50, 90, 99].map((share) => delay.percentile(share));
    seen = { min, max, mean, stddev, p50, p90, p99 };
    delay.reset();
  });
  addAll(registry, {
    nodejs_eventloop_lag_seconds: ["Lag of the event loop at the last scrape.", () => lag],
  });
  for (const name of ["min", "max", "mean", "stddev", "p50", "p90", "p99"] as const) {
    const help = `Delays of the event loop since the last scrape: ${name}.`;
    addAll(registry, { [`nodejs_eventloop_lag_${name}_seconds`]: [help, () => seen[name] / 1e9] });
  }
}

/** Not in the types of Node, and not promised by it. */
interface NodeInternals {
  _getActiveHandles?(): readonly object[];
  _getActiveRequests?(): readonly object[];
}

function addActive(registry: Registry): void {
  const internals = process as unknown as NodeInternals;
  const classOf = (thing: object): string => thing.constructor?.name ?? "Object";
  const lists = {
    resources: () => process.getActiveResourcesInfo(),
    handles: () => (internals._getActiveHandles?.() ?? []).map(classOf),
    requests: () => (internals._getActiveRequests?.() ?? []).map(classOf),
  };
  for (const [what, list] of Object.entries(lists)) {
    const name = `nodejs_active_${what}`;
    const help = `Active ${what} that keep the event loop alive, by type.`;
    registry.addRead({ name, help, type: "gauge" }, () => countByType(list()));
  }
}

function countByType(types: readonly string[]): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, value]) => ({ labels: { type }, value }));
}

function addHeap(registry: Registry): void {
  let memory = process.memoryUsage();
  let spaces = getHeapSpaceStatistics();
  registry.beforeRender(() => {
    memory = process.memoryUsage();
    spaces = getHeapSpaceStatistics();
  });
  addAll(registry, {
    nodejs_heap_size_total_bytes: ["Size of the heap in bytes.", () => memory.heapTotal],
    nodejs_heap_size_used_bytes: ["Used part of the heap in bytes.", () => memory.heapUsed],
    nodejs_external_memory_bytes: ["Memory outside of the heap in bytes.", () => memory.external],
  });
  const kinds = {
    total: "space_size",
    used: "space_used_size",
    available: "space_available_size",
  } as const;
  for (const [kind, field] of Object.entries(kinds)) {
    const name = `nodejs_heap_space_size_${kind}_bytes`;
    const help = `Bytes of each space of the heap: ${kind}.`;
    registry.addRead({ name, help, type: "gauge" }, () =>
      spaces.map(({ space_name, [field]: value }) => ({
        labels: { space: space_name.replace(/_space$/, "") },
        value,
      })),
    );
  }
}

function addVersion(registry: Registry): void {
  const { version } = process;
  const [major = "", minor = "", patch = ""] = version.slice(1).split(".");
  const samples = [{ labels: { version, major, minor, patch }, value: 1 }];
  const name = "nodejs_version_info";
  registry.addRead({ name, help: "Version of Node.", type: "gauge" }, () => samples);
}

const COLLECTIONS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};

interface CollectionEntry {
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

function addCollections(registry: Registry): void {
  const seconds = registry.histogramBy({
    name: "nodejs_gc_duration_seconds",
    help: "Time of garbage collections, by kind.",
    labelNames: ["kind"],
    buckets: [0.001, 0.01, 0.1, 1, 2, 5],
  });
  const observer = new PerformanceObserver((list) => {
    // The types of Node leave out what an entry says of its kind.
    for (const entry of list.getEntries() as unknown as readonly CollectionEntry[]) {
      const { detail, duration } = entry;
      const kind = COLLECTIONS[detail.kind];
      if (kind !== undefined) seconds.observe({ kind }, duration / 1_000);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
}

/** NaN where the system does not tell. The folder itself is open while it is read. */
function countOpenFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return Number.NaN;
  }
}

/** Empty where there is no such file, as on other systems than Linux. */
function readSystemFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
