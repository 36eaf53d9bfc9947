import type { FastifyInstance } from "fastify";
import type { RouteContext } from "../schemas.ts";
import { addExportManifest } from "./export-manifest.ts";

export function addManifestRoutes(app: FastifyInstance, context: RouteContext): void {
  addExportManifest(app, context);
}
