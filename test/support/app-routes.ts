import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";

/** One method of a route, as the app registered it. */
export interface AppRoute {
  readonly method: string;
  /** With placeholders after colons. */
  readonly path: string;
}

/**
 * Collects the routes that apps register while `open` runs. Fastify itself announces each app before its first route, so
 * hidden routes and those of plug-ins are among them.
 */
export async function collectRoutes<Opened>(
  open: () => Promise<Opened>,
): Promise<{ readonly opened: Opened; readonly routes: readonly AppRoute[] }> {
  const routes: AppRoute[] = [];
  const onApp = (message: unknown): void => {
    (message as { readonly fastify: FastifyInstance }).fastify.addHook(
      "onRoute",
      ({ method, url }) => {
        for (const name of [method].flat()) routes.push({ method: name, path: url });
      },
    );
  };
  subscribe("fastify.initialization", onApp);
  try {
    return { opened: await open(), routes };
  } finally {
    unsubscribe("fastify.initialization", onApp);
  }
}
