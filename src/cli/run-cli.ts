import { createRequire } from "node:module";
import { OperatorError } from "../base/errors.ts";
import { type Command, type Terminal, UsageError } from "./command.ts";

/** A command is loaded only when it is called, so that the others do not slow down its start. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  migrate: async () => (await import("./commands/store.ts")).migrateCommand,
  console: async () => (await import("./commands/console.ts")).consoleCommand,
  token: async () => (await import("./commands/token.ts")).tokenCommand,
  apply: async () => (await import("./commands/apply.ts")).applyCommand,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  backup: async () => (await import("./commands/store.ts")).backupCommand,
  restore: async () => (await import("./commands/store.ts")).restoreCommand,
  erase: async () => (await import("./commands/erase.ts")).eraseCommand,
  import: async () => (await import("./commands/import.ts")).importCommand,
  replay: async () => (await import("./commands/replay.ts")).replayCommand,
  fx: async () => (await import("./commands/fx.ts")).fxCommand,
  reextract: async () => (await import("./commands/replay.ts")).reextractCommand,
  correct: async () => (await import("./commands/correct.ts")).correctCommand,
  corrections: async () => (await import("./commands/corrections.ts")).correctionsCommand,
  refresh: async () => (await import("./commands/refresh.ts")).refreshCommand,
  search: async () => (await import("./commands/search.ts")).searchCommand,
  explain: async () => (await import("./commands/explain.ts")).explainCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  deals: async () => (await import("./commands/deals.ts")).dealsCommand,
  deliveries: async () => (await import("./commands/deliveries.ts")).deliveriesCommand,
  quarantine: async () => (await import("./commands/quarantine.ts")).quarantineCommand,
  extract: async () => (await import("./commands/extract.ts")).extractCommand,
};

/** Runs a command and returns its exit code: 0 for success, 1 for failure, 2 for wrong arguments. */
export async function runCli(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    terminal.out.write(await overview());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v" || name === "version") {
    terminal.out.write(`${findVersion()}\n`);
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    terminal.err.write(`assay: there is no command "${name}". See: assay --help\n`);
    return 2;
  }
  const command = await load();
  if (args.includes("--help") || args.includes("-h")) {
    terminal.out.write(command.help);
    return 0;
  }
  return runCommand({ name, command, args, terminal });
}

/** The sources, the built program and the tests lie at different depths below the package. */
function findVersion(): string {
  const read = createRequire(import.meta.url);
  for (const path of ["../../package.json", "../../../package.json"]) {
    try {
      const found = read(path) as { name?: string; version?: string };
      if (found.name === "assay" && found.version !== undefined) return found.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return "unknown";
}

async function runCommand(call: {
  readonly name: string;
  readonly command: Command;
  readonly args: readonly string[];
  readonly terminal: Terminal;
}): Promise<number> {
  try {
    return await call.command.run(call.args, call.terminal);
  } catch (error) {
    if (error instanceof UsageError || isParseArgsError(error)) {
      const message = error instanceof Error ? error.message : String(error);
      call.terminal.err.write(`assay ${call.name}: ${message}\nSee: assay ${call.name} --help\n`);
      return 2;
    }
    if (error instanceof OperatorError) {
      call.terminal.err.write(`assay ${call.name}: ${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

function isParseArgsError(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
}

async function overview(): Promise<string> {
  const lines = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => {
      const { summary } = await load();
      return `  ${name.padEnd(11)} ${summary}\n`;
    }),
  );
  return `Assay, the watch dealer's market engine.\n\nUsage: assay COMMAND [ARGUMENT…]\n\n${lines.join("")}
For the options of a command: assay COMMAND --help
For the version: assay --version\n`;
}
