import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  createFrames,
  DRAW,
  readAnswer,
  SHRINK,
  toQuestion,
  type WholeAnswer,
} from "./shrink-frames.ts";

export interface SmallPicture {
  readonly width: number;
  readonly height: number;
  /** What it looks like, see `look.ts`. */
  readonly look: string;
  /** WebP without metadata. */
  readonly picture: Buffer;
  readonly thumb: Buffer;
}

/** Makes pictures small, in a process of its own, one at a time. */
export interface Shrinker {
  /**
   * Returns undefined if the file cannot be decoded within the limits. The process may have been killed over it. Throws if the process
   * does not even start, or ends for a reason that says nothing about the file: we stopped it, someone else did, or the machine has no
   * memory left. What takes too long is tried once more, unless a file of one of its senders did so before.
   */
  shrink(file: Uint8Array, senderIds?: readonly string[]): Promise<SmallPicture | undefined>;
  /** Makes a JPEG of an SVG of our own; for the demo. */
  draw(svg: string): Promise<Buffer>;
  stop(): Promise<void>;
}

interface ShrinkerOptions {
  readonly timeMaxMs?: number;
  readonly memoryMaxBytes?: number;
  readonly memoryKeptBytes?: number;
  /** Another program, in tests. */
  readonly program?: string;
}

/** In the build, beside the folder of this file's own; the tests run it from there too. */
const PROGRAM = fileURLToPath(new URL("../../dist/media/shrink-child.js", import.meta.url));
const TIME_MAX_MS = 10_000;
const MEMORY_MAX_BYTES = 512 * 1024 * 1024;
const MEMORY_LOOK_MS = 100;
/** A process that keeps more than this after a picture is replaced, so that the next picture has room. */
const MEMORY_KEPT_BYTES = 256 * 1024 * 1024;
/** Loading the decoder takes 0.2 s. */
const START_MAX_MS = 30_000;
/** A process that has nothing to do for so long ends, and its memory is free. */
const IDLE_MS = 60_000;
/** Of so many senders it is known that their last file took too long. */
const LATE_SENDERS_MAX = 1_000;

/** The process starts with the first picture, and again after it died. */
export function createShrinker(options: ShrinkerOptions = {}): Shrinker {
  const { memoryKeptBytes = MEMORY_KEPT_BYTES, program = PROGRAM } = options;
  let child: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let isStopped = false;
  const lateSenders = new Set<string>();
  const end = (): void => {
    clearTimeout(idle);
    child?.kill("SIGKILL");
    child = undefined;
  };
  const askOnce = async (question: Buffer): Promise<Outcome> => {
    clearTimeout(idle);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      child = start(program);
      const ready = await listen(child, { timeMaxMs: START_MAX_MS });
      if (ready.kind !== "answer" || ready.whole.answer.kind !== "ready") {
        end();
        throw new Error("the process that decodes pictures did not start");
      }
    }
    const answered = listen(child, options);
    child.stdin?.write(question);
    const outcome = await answered;
    if (isStopped) throw new Error("the process that decodes pictures was stopped");
    if (outcome.kind !== "answer" || (await memoryOf(child.pid)) > memoryKeptBytes) end();
    else idle = setTimeout(end, IDLE_MS).unref();
    return outcome;
  };
  /**
   * What takes too long may do so because the machine is busy, so it has a second try, in a fresh process. A sender whose last file was late
   * has none: his files could keep those of all others waiting.
   */
  const ask = async (
    question: Buffer,
    senderIds: readonly string[],
  ): Promise<WholeAnswer | undefined> => {
    const first = await askOnce(question);
    const hasSecond = first.kind === "late" && !senderIds.some((id) => lateSenders.has(id));
    const outcome = hasSecond ? await askOnce(question) : first;
    note(lateSenders, senderIds, outcome.kind === "late");
    if (outcome.kind === "ended") {
      throw new Error(`the process that decodes pictures ended: ${outcome.why}`);
    }
    return outcome.kind === "answer" ? outcome.whole : undefined;
  };
  const inTurn = (
    question: Buffer,
    senderIds: readonly string[] = [],
  ): Promise<WholeAnswer | undefined> => {
    const turn = last.then(() => ask(question, senderIds));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    shrink: async (file, senderIds) => toSmall(await inTurn(toQuestion(SHRINK, file), senderIds)),
    draw: async (svg) => {
      const [drawn] = (await inTurn(toQuestion(DRAW, Buffer.from(svg))))?.files ?? [];
      if (drawn === undefined) throw new Error("a picture of the demo could not be drawn");
      return drawn;
    },
    stop: async () => {
      isStopped = true;
      end();
      await last;
    },
  };
}

/** The one that was noted first is forgotten when there are too many. */
function note(lateSenders: Set<string>, senderIds: readonly string[], isLate: boolean): void {
  for (const id of senderIds) {
    lateSenders.delete(id);
    if (isLate) lateSenders.add(id);
  }
  for (const id of lateSenders) {
    if (lateSenders.size <= LATE_SENDERS_MAX) return;
    lateSenders.delete(id);
  }
}

function toSmall(whole: WholeAnswer | undefined): SmallPicture | undefined {
  const [picture, thumb] = whole?.files ?? [];
  if (whole?.answer.kind !== "done" || picture === undefined || thumb === undefined)
    return undefined;
  const { width, height, look } = whole.answer;
  return { width, height, look, picture, thumb };
}

function start(program: string): ChildProcess {
  const child = spawn(process.execPath, ["--max-old-space-size=128", program], {
    // Not even a path: whatever a file does to the decoder, it finds no secret of ours.
    env: {},
    cwd: "/",
    // In a group of its own, so that Ctrl-C does not end it in the middle of a picture. It ends with its pipe.
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.unref();
  // A question to a process that just died fails here; its end is reported by `exit`.
  child.stdin?.on("error", () => undefined);
  return child;
}

/** What comes of a question. */
type Outcome =
  | { readonly kind: "answer"; readonly whole: WholeAnswer }
  /** It takes too long; the caller ends the process. */
  | { readonly kind: "late" }
  /** It takes too much memory, crashed or says something that is no answer: the file is bad. */
  | { readonly kind: "refused" }
  /** Not because of the file, as far as one can know. */
  | { readonly kind: "ended"; readonly why: string };

/** A process that decodes a bad file may end with these. All others come from outside. */
const CRASHES: ReadonlySet<string> = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"]);

/** Returns what the process says next, or why it does not. Unless that is an answer, the caller ends it. */
function listen(
  child: ChildProcess,
  { timeMaxMs = TIME_MAX_MS, memoryMaxBytes = MEMORY_MAX_BYTES }: ShrinkerOptions,
): Promise<Outcome> {
  return new Promise((settle) => {
    const finish = (outcome: Outcome): void => {
      clearTimeout(late);
      clearInterval(looking);
      child.stdout?.off("data", onData);
      child.off("exit", onExit);
      child.off("error", onError);
      settle(outcome);
    };
    const onExit = (code: number | null, signal: string | null): void =>
      finish(
        signal !== null && CRASHES.has(signal)
          ? { kind: "refused" }
          : { kind: "ended", why: signal ?? `exit code ${code}` },
      );
    const onError = (error: Error): void => finish({ kind: "ended", why: error.message });
    const takePiece = createFrames((frame) => finish({ kind: "answer", whole: readAnswer(frame) }));
    const onData = (piece: Buffer): void => {
      try {
        takePiece(piece);
      } catch {
        // Not from our program: the decoder ran wild.
        finish({ kind: "refused" });
      }
    };
    const late = setTimeout(() => finish({ kind: "late" }), timeMaxMs);
    const looking = setInterval(() => {
      void memoryOf(child.pid).then((bytes) => {
        if (bytes > memoryMaxBytes) finish({ kind: "refused" });
      });
    }, MEMORY_LOOK_MS);
    child.stdout?.on("data", onData);
    child.once("exit", onExit);
    child.once("error", onError);
  });
}

const PAGE_BYTES = 4_096;
const run = promisify(execFile);

/** Resident memory of a process in bytes; 0 if it is not known. */
async function memoryOf(pid: number | undefined): Promise<number> {
  try {
    if (process.platform === "linux") {
      const [, pages] = (await readFile(`/proc/${pid}/statm`, "latin1")).split(" ");
      return Number(pages) * PAGE_BYTES;
    }
    const { stdout } = await run("ps", ["-o", "rss=", "-p", String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    // It has just ended, which is noticed elsewhere.
    return 0;
  }
}
