import { runCli } from "./run-cli.ts";

process.exitCode = await runCli(process.argv.slice(2), {
  in: process.stdin,
  out: process.stdout,
  err: process.stderr,
  // biome-ignore lint/style/noProcessEnv: the entry point passes the environment to config.ts, the only file that reads it.
  environment: process.env,
  isInteractive: process.stderr.isTTY === true,
});
