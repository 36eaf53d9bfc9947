import { once } from "node:events";
import { createServer } from "node:net";
import type { buildApp } from "../api/app.ts";
import type { Config } from "../base/config.ts";
import { OperatorError } from "../base/errors.ts";

type App = Awaited<ReturnType<typeof buildApp>>;

/** Runs before the database is opened and the demo is loaded, so that a port in use is reported at once. */
export async function checkPort({ port, host }: Config): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ port, host });
    await once(probe, "listening");
  } catch (error) {
    throw explainListen(error, { port, host });
  } finally {
    probe.close();
  }
}

export async function listen(app: App, { port, host }: Config): Promise<void> {
  try {
    await app.listen({ port, host, listenTextResolver: (address) => `listening on ${address}` });
  } catch (error) {
    throw explainListen(error, { port, host });
  }
}

function explainListen(error: unknown, { port, host }: Pick<Config, "port" | "host">): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const place = `${host}:${port}`;
  if (code === "EADDRINUSE") {
    return new OperatorError(
      `${place} is in use by another program, or Assay is already running; set PORT to another port`,
    );
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new OperatorError(`cannot listen on ${place} (${code}); check HOST and PORT`);
  }
  return error;
}
