import { parseArgs } from "node:util";
import { systemClock } from "../base/clock.ts";
import { type Config, describeSettings, parseConfig } from "../base/config.ts";
import { createLogger, type Logger } from "../base/log.ts";
import { ensureDemoToken } from "../demo/demo-token.ts";
import { findTour, formatTour } from "../demo/tour.ts";
import { type Service, startService } from "../service/service.ts";
import { type Command, UsageError } from "./command.ts";

const HELP = `Runs the service until it is told to stop (Ctrl-C, or SIGTERM, which first lets load balancers know).

Usage: assay serve [--demo [--no-trickle]] [--role all|api|worker]

  --demo   serve the demo's own database, with a token of its own; never DATABASE_URL. The first time a market of
           90 days is loaded; then messages go on coming, so that alerts fire while you watch
  --no-trickle
           no further messages
  --role   what this process does: api answers requests and stores events, worker works through the events, all
           (the default) does both. Any number of each may share one PostgreSQL server.

Examples:
  assay serve
  PORT=9000 DATABASE_URL=postgres://assay:secret@db.internal/assay assay serve

Settings, by environment variable (default):
${describeSettings()}`;

const ROLES = ["all", "api", "worker"] as const;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

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
      // Who starts the demo looks at the screen, and at nothing that goes well.
      ...(values.demo ? { LOG_LEVEL: "warn" } : {}),
      ...terminal.environment,
      ...(values.demo ? { ASSAY_DEMO: "true" } : {}),
      ...(values["no-trickle"] ? { ASSAY_DEMO_TRICKLE: "false" } : {}),
    });
    const log = createLogger(config.logLevel);
    const signalled = nextSignal(log);
    const start = new AbortController();
    void signalled.then(() => start.abort());
    const service = await startService(config, log, {
      role,
      say: (line) => terminal.err.write(`demo: ${line}\n`),
      signal: start.signal,
    }).catch((error: unknown) => {
      if (start.signal.aborted) return undefined;
      throw error;
    });
    if (service === undefined) {
      const next = config.isDemo ? "; the next start goes on where this one ended" : "";
      terminal.err.write(`stopped before it was ready${next}\n`);
      return 130;
    }
    terminal.out.write(await firstScreen(service, config));
    const signal = await signalled;
    // Whoever presses Ctrl-C waits; a load balancer needs to hear of it first.
    await service.stop({ lameDuckMs: signal === "SIGINT" ? 0 : config.lameDuckMs });
    return 0;
  },
};

async function firstScreen(service: Service, config: Config): Promise<string> {
  if (!config.isDemo) return `Assay serves ${service.url}  (docs: ${service.url}/docs)\n`;
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
${tour === undefined ? "  (the market is still being loaded)\n" : formatTour(tour, { url: service.url, token })}
${config.isDemoTrickling ? "Messages go on coming, so alerts fire while you watch. " : ""}Ctrl-C stops it.
`;
}

/** The first signal stops in good order, also when it comes during the start; a second one ends the process at once. */
async function nextSignal(log: Logger): Promise<NodeJS.Signals> {
  const signal = await new Promise<NodeJS.Signals>((settle) => {
    for (const signal of SIGNALS) process.once(signal, settle);
  });
  for (const next of SIGNALS) {
    process.once(next, () => {
      log.warn("a second signal: ending at once");
      process.exit(130);
    });
  }
  return signal;
}
