import type { FastifyInstance } from "fastify";
import { SECOND_MS } from "../../../base/clock.ts";
import { createSlots } from "../../../base/shares/slots.ts";
import { createSingleFlight } from "../../../base/single-flight.ts";
import { exportManifest } from "../../../manifest/export-manifest.ts";
import { failures, type RouteContext, typed } from "../schemas.ts";

const WAIT_MAX_MS = 5 * SECOND_MS;

/**
 * An extension of the contract: what `assay export` writes. One at a time, because it reads every declaration. Callers who wait
 * share the next one, so each gets what was declared when it asked, or later.
 */
export function addExportManifest(
  app: FastifyInstance,
  { forAll: { db }, clock }: RouteContext,
): void {
  const line = createSlots({ countMax: 1, things: "exports", waitMaxMs: WAIT_MAX_MS });
  const exporterOf = (isCut: boolean): (() => Promise<string>) => {
    const flight = createSingleFlight();
    const options = { hasSecrets: false, isCut, written: new Map<string, string>() };
    const exportNext = async (): Promise<string> => {
      const slot = await line.enter().finally(flight.forget);
      return (await exportManifest(db, options).finally(() => line.leave(slot))).text;
    };
    return () => flight.share("next", exportNext);
  };
  const [exportWhole, exportCut] = [exporterOf(false), exporterOf(true)];
  const schema = {
    operationId: "exportManifest",
    tags: ["System"],
    summary: "Export all declarations",
    description:
      "What `assay export` writes: every declared object as YAML that `assay apply` reads, without secrets. Addresses of " +
      "webhooks are cut for all but owners; `assay apply` keeps those that are stored.",
    response: {
      200: {
        description: "The manifest.",
        content: { "application/yaml": { schema: { type: "string" } } },
      },
      ...failures(401),
    },
  };
  typed(app).get("/v2/manifest", { schema }, async (request, reply) => {
    const text = await (request.apiToken?.role === "owner" ? exportWhole : exportCut)();
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
    return reply
      .header("content-disposition", `attachment; filename="assay-${day}.yaml"`)
      .type("application/yaml; charset=utf-8")
      .send(text as never);
  });
}
