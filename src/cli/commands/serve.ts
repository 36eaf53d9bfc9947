import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createConsoleLink } from "../../api/console/sign-in.ts";
import { systemClock } from "../../base/clock.ts";
import { type Config, describeSettings, parseConfig } from "../../base/config.ts";
import { createLogger, type Logger } from "../../base/log.ts";
import type { Environment } from "../../base/setting.ts";
import type { Database } from "../../db/database.ts";
import { ensureDemoToken, findTour, formatTour } from "../../demo/tour.ts";
import { hasRawEvents } from "../../intake/raw-event-store.ts";
import { CONSOLE_TOKEN } from "../../people/token-name.ts";
import { listTokens } from "../../people/token-store.ts";
import { type Service, startService } from "../../service/service.ts";
import { type Command, UsageError } from "../command.ts";
import { cliAuthor, describeStore, SIGNALS } from "../with-store.ts";

const HELP = `Runs the service until you stop it with Ctrl-C or SIGTERM. After SIGTERM it keeps serving for ASSAY_LAME_DUCK_MS, so that
load balancers can take it out first.

Usage: assay serve [--demo [--no-trickle]] [--role all|api|worker]

  --demo   serves the demo. It has its own database and token and never uses DATABASE_URL. The first start loads a market
           of 90 days. After that, new messages keep arriving, so that you can see alerts fire
  --no-trickle
           no new messages in the demo
  --role   what this process does: api answers requests and stores events, worker processes the events, all (the
           default) does both. Any number of processes can share one PostgreSQL server

Examples:
  assay serve
  PORT=9000 DATABASE_URL=postgres://assay:secret@db.internal/assay assay serve

Settings, as environment variables, with their defaults:
${describeSettings()}`;

const ROLES = ["all", "api", "worker"] as const;

export const serveCommand: Command = {
  summary: "runs the service",
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({
      args: [...args],
      options: {
        demo: { type: "boolean", default: false },
        "no-trickle": { type: "boolean", default: false },
        role: { type: "string", default: "all" },
      },
    });
    const role = ROLES.find((known) => known === values.role);
    if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(", ")}`);
    const config = parseConfig({
      // The demo prints its own progress, so the log shows problems only.
      ...(values.demo ? { LOG_LEVEL: "warn" } : {}),
      ...terminal.environment,
      ...(values.demo ? { ASSAY_DEMO: "true" } : {}),
      ...(values["no-trickle"] ? { ASSAY_DEMO_TRICKLE: "false" } : {}),
    });
    const log = createLogger(config.logLevel);
    const signalled = Promise.race([
      nextSignal(log),
      npmEnded(terminal.environment).then(() => "SIGTERM" as const),
    ]);
    const start = new AbortController();
    void signalled.then(() => start.abort());
    const service = await startService(config, log, {
      role,
      say: (line) => terminal.err.write(`demo: ${line}\n`),
      signal: start.signal,
      warmsUp: role !== "worker",
    }).catch((error: unknown) => {
      if (start.signal.aborted) return undefined;
      throw error;
    });
    if (service === undefined) {
      const next = config.isDemo ? "; the next start continues where this one stopped" : "";
      terminal.err.write(`stopped before the service was ready${next}\n`);
      return 130;
    }
    terminal.err.write(`${describeStore(service.store)}\n`);
    const isUsed = !(await isUnused(service.store.pool));
    // Outside a terminal, standard output may be a log that others read, so only the demo prints a link there.
    const hasLink = role !== "worker" && (config.isDemo || terminal.isInteractive);
    if (hasLink) terminal.out.write(await openLine(service, config));
    terminal.out.write(await firstScreen(service, config, isUsed));
    if (!hasLink && role !== "worker") terminal.out.write("To open the console: assay console\n");
    const signal = await Promise.race([signalled, service.store.timelineLost]);
    // After Ctrl-C a person is waiting. After SIGTERM a load balancer needs time to notice.
    const isClean = await service.stop({
      lameDuckMs: signal === "SIGTERM" || signal === "SIGHUP" ? config.lameDuckMs : 0,
    });
    // What is still open would keep the process alive.
    if (!isClean) process.exit(1);
    // After a lost timeline its supervisor starts it again, without what it has read of the lost one.
    return signal === undefined ? 1 : 0;
  },
};

async function openLine({ store, url }: Service, config: Config): Promise<string> {
  const target = { author: cliAuthor(), url: config.publicUrl ?? url };
  return `Open ${await createConsoleLink(store.pool, target)}\n`;
}

async function firstScreen(service: Service, config: Config, isUsed: boolean): Promise<string> {
  if (!config.isDemo) {
    const line = `Assay serves ${service.url}  (docs: ${service.url}/docs)\n`;
    return isUsed ? line : `${line}${firstSteps(service.url)}`;
  }
  const token = await ensureDemoToken(service.store.pool, {
    dataDir: config.dataDir,
    clock: systemClock,
  });
  const tour = await findTour(service.store.pool);
  return `
Assay serves the demo at ${service.url}
  docs   ${service.url}/docs
  token  ${token}

Try:
${tour === undefined ? "  (the demo market is still loading)\n" : formatTour(tour, { url: service.url, token })}
${config.isDemoTrickling ? "New messages keep arriving, so you can see alerts fire. " : ""}Ctrl-C stops it.
`;
}

async function isUnused(db: Database): Promise<boolean> {
  const tokens = await listTokens(db);
  return !(await hasRawEvents(db)) && tokens.every(({ name }) => name === CONSOLE_TOKEN);
}

function firstSteps(url: string): string {
  return `
The store is empty. Next:
  assay console                    prints a link that opens the console in a browser
  assay token create --name desk   makes a token for the API
  assay apply FILE                 declares views, configurations and alerts (docs/manifest.md)
  then set the gateway's webhook to ${url}/v2/webhooks/waha (docs/operations.md),
  or load history: assay import waha FILE
To see Assay at work first: assay serve --demo
`;
}

/** Resolves with the first signal, also during the start. A second signal ends the process at once. */
async function nextSignal(log: Logger): Promise<NodeJS.Signals> {
  const signal = await new Promise<NodeJS.Signals>((settle) => {
    for (const signal of SIGNALS) process.once(signal, settle);
  });
  for (const next of SIGNALS) {
    process.once(next, () => {
      log.warn("received a second signal; exiting at once");
      process.exit(130);
    });
  }
  return signal;
}

/** Scripts of our own package.json that run the service in the foreground. */
const NPM_SCRIPTS: ReadonlySet<string | undefined> = new Set(["start", "assay"]);
const NPM_CHECK_MS = 500;

/**
 * Resolves when the npm that started this process has ended. Npm does not pass every signal on, and a killed one passes
 * none, so the service would keep its port and its store. Never resolves for a process that npm did not start: a daemon
 * may outlive its parent.
 */
function npmEnded(environment: Environment): Promise<void> {
  const isOurs =
    environment["npm_package_name"] === "assay" &&
    NPM_SCRIPTS.has(environment["npm_lifecycle_event"]);
  if (!isOurs) return new Promise(() => undefined);
  const parent = process.ppid;
  // A shell may stand between npm and us. It lives on when npm is killed, and gets another parent.
  const grandparent = parentOf(parent);
  return new Promise((settle) => {
    const timer = setInterval(() => {
      if (process.ppid === parent && parentOf(parent) === grandparent) return;
      clearInterval(timer);
      settle();
    }, NPM_CHECK_MS);
    timer.unref();
  });
}

/** Returns undefined where there is no /proc. Then only the end of our own parent is noticed. */
function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program stands in brackets and may contain spaces.
    return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
