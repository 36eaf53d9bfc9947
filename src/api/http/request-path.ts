import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { AppError } from "../../base/errors.ts";

/** Everything below `/v2` and `/console` needs one, except the webhooks of gateways. The console's page is at other paths. */
export function needsToken(url: string): boolean {
  const path = url.startsWith("/v2/") && !url.includes("%") ? url : pathOf(url);
  if (isBelow(path, "/console")) return true;
  return isBelow(path, "/v2") && !path.startsWith("/v2/webhooks/");
}

/**
 * Answers requests without a route: 405 with `Allow` if the path exists with another method, otherwise 404. Call this after
 * the hooks that check a request by its head.
 */
export function addNotFound(app: FastifyInstance): void {
  const routes: { readonly methods: readonly string[]; readonly segments: readonly string[] }[] =
    [];
  app.addHook("onRoute", ({ method, url }) => {
    routes.push({ methods: toList(method), segments: url.split("/") });
  });
  const refuse = (request: FastifyRequest, reply: FastifyReply): AppError => {
    const segments = pathOf(request.url).split("/");
    const allowed = routes.filter((route) => isPathOf(route.segments, segments));
    if (allowed.length === 0) {
      return new AppError("route_not_found", "no route has this path; see /docs");
    }
    const methods = [...new Set(allowed.flatMap(({ methods }) => methods))].sort().join(", ");
    reply.header("allow", methods);
    return new AppError("method_not_allowed", `this path supports ${methods} only`);
  };
  // The head is enough for the answer. Waiting for the body would let strangers hold slots and memory.
  app.addHook("onRequest", (request, reply, done) => {
    done(request.is404 && request.apiToken === null ? refuse(request, reply) : undefined);
  });
  app.setNotFoundHandler((request, reply) => {
    throw refuse(request, reply);
  });
}

/** The path of a request as the router sees it: without scheme, host and query, and decoded. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    // No route matches a path that cannot be decoded. Undecoded, it still shows whether it is below /v2.
    return path;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function toList(method: HTTPMethods | HTTPMethods[]): readonly string[] {
  return Array.isArray(method) ? method : [method];
}

function isPathOf(route: readonly string[], path: readonly string[]): boolean {
  return (
    route.length === path.length &&
    route.every((segment, at) => (segment.startsWith(":") ? path[at] !== "" : segment === path[at]))
  );
}
