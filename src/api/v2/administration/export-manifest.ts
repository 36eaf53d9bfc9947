import type { FastifyInstance } from "fastify";
import { SECOND_MS } from "../../../base/clock.ts";
import { createSingleFlight } from "../../../base/single-flight.ts";
import { exportManifest } from "../../../manifest/export-manifest.ts";
import { createWaitingLine } from "../../limits/waiting-line.ts";
import { failures, type RouteContext, typed } from "../schemas.ts";

const WAIT_MAX_MS = 5 * SECOND_MS;

/**
 * An extension of the contract: what `assay export` writes. One at a time, because it reads every declaration. Callers who wait
 * share the next one, so each gets what was declared when it asked, or later.
 */
export function addExportManifest(app: FastifyInstance, { db, clock }: RouteContext): void {
  const line = createWaitingLine({
    runningMax: 1,
    waitMaxMs: WAIT_MAX_MS,
    refusal: "another export is in progress; try again",
  });
  const written = new Map<string, string>();
  const flight = createSingleFlight();
  const exportNext = async (): Promise<string> => {
    const leaveLine = await line.enter().finally(flight.forget);
    const { text } = await exportManifest(db, { hasSecrets: false, written }).finally(leaveLine);
    return text;
  };
  const schema = {
    operationId: "exportManifest",
    tags: ["System"],
    summary: "Export all declarations",
    description:
      "What `assay export` writes: every declared object as YAML that `assay apply` reads, without secrets.",
    response: {
      200: {
        description: "The manifest.",
        content: { "application/yaml": { schema: { type: "string" } } },
      },
      ...failures(401),
    },
  };
  typed(app).get("/v2/manifest", { schema }, async (_request, reply) => {
    const text = await flight.share("next", exportNext);
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    return reply
      .header("content-disposition", `attachment; filename="assay-${day}.yaml"`)
      .type("application/yaml; charset=utf-8")
      .send(text as never);
  });
}
