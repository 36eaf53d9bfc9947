import type { FastifyInstance, HTTPMethods } from "fastify";
import { AppError } from "../../base/errors.ts";
import { pathOf } from "./request-path.ts";

/** Answers requests without a route: 405 with `Allow` if the path exists with another method, otherwise 404. */
export function addNotFound(app: FastifyInstance): void {
  const routes: { readonly methods: readonly string[]; readonly segments: readonly string[] }[] =
    [];
  app.addHook("onRoute", ({ method, url }) => {
    routes.push({ methods: toList(method), segments: url.split("/") });
  });
  app.setNotFoundHandler((request, reply) => {
    const segments = pathOf(request.url).split("/");
    const allowed = routes.filter((route) => isPathOf(route.segments, segments));
    if (allowed.length === 0) {
      throw new AppError("route_not_found", "no route has this path; see /docs");
    }
    const methods = [...new Set(allowed.flatMap(({ methods }) => methods))].sort().join(", ");
    reply.header("allow", methods);
    throw new AppError("method_not_allowed", `this path supports ${methods} only`);
  });
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
