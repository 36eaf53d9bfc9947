import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../base/metrics.ts";

/** What every exchange gets: its id, a log line, a measurement, and the wish to close while we are stopping. */
export function addRequestFrame(
  app: FastifyInstance,
  options: { readonly metrics: Metrics; readonly isStopping: () => boolean },
): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (options.isStopping()) reply.header("connection", "close");
  });
  app.addHook("onResponse", async (request, reply) => {
    const facts = factsOf(request, reply);
    options.metrics.requestSeconds.observe(
      { ...facts, status: String(facts.status) },
      reply.elapsedTime / 1000,
    );
    request.log.info({ ...facts, ms: Math.round(reply.elapsedTime * 10) / 10 }, "request");
  });
  app.addHook("onRequestAbort", async (request) => {
    request.log.info({ method: request.method, route: routeOf(request) }, "the client went away");
  });
}

function factsOf(request: FastifyRequest, reply: FastifyReply) {
  return { method: request.method, route: routeOf(request), status: reply.statusCode };
}

/** The path as it was declared: ids and tokens that callers put into URLs stay out of logs and metrics. */
function routeOf(request: FastifyRequest): string {
  return request.is404 ? "none" : (request.routeOptions.url ?? "none");
}
