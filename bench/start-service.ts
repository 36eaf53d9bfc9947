import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts the built service with these settings, and returns its address. */
export async function startService(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ["dist/cli/main.js", "serve"], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  const url = /(http:\S+)/.exec(String(line))?.[1] ?? "";
  const stop = async () => {
    child.kill("SIGINT");
    await once(child, "exit");
  };
  return { url, stop };
}
