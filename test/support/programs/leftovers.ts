/**
 * What an interrupted run leaves behind. The processes of tests are ended at once, so no test can stop the servers and services that it
 * started, and an embedded server outlives its parent by design. So each process of a run has the name of the run in its environment,
 * and the program that runs the tests ends all that still have it.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { sleep } from "../../../src/base/clock.ts";

/** Every process that a test starts with an environment of its own must pass it on. */
const RUN = "TEST_RUN";
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 50;

/** From now on, every process that this one starts belongs to the run. */
export function beginRun(): void {
  process.env[RUN] = `${process.pid}-${performance.timeOrigin}`;
}

/** For the environment of a process that gets no other variables. */
export function runEnvironment(): Readonly<Record<string, string>> {
  const run = process.env[RUN];
  return run === undefined ? {} : { [RUN]: run };
}

/** Asks the processes of this run to stop, and kills those that do not. Returns how many there were. */
export async function endLeftovers(): Promise<number> {
  const found = listLeftovers();
  // PostgreSQL then closes its connections and ends; a service stops without waiting for load balancers.
  for (const pid of found) send(pid, "SIGINT");
  const deadlineMs = performance.now() + STOP_TIMEOUT_MS;
  while (listLeftovers().length > 0 && performance.now() < deadlineMs) await sleep(POLL_MS);
  for (const pid of listLeftovers()) send(pid, "SIGKILL");
  return found.length;
}

/** Empty where there is no /proc. */
function listLeftovers(): readonly number[] {
  const mark = `${RUN}=${process.env[RUN]}`;
  if (process.env[RUN] === undefined || !existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && readEnvironment(pid).includes(mark));
}

function readEnvironment(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    // It has ended, or belongs to another user.
    return [];
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
