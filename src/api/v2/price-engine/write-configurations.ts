import type { FastifyInstance } from "fastify";
import { KINDS } from "../../../manifest/schema.ts";
import {
  addChangeObject,
  addCreateObject,
  addDeleteObject,
  addGetObject,
} from "../object-routes.ts";
import type { RouteContext } from "../schemas.ts";
import { patchOf } from "../writes.ts";
import { CONFIGURATIONS, ConfigurationDeclaration } from "./configuration-object.ts";

const ROUTES = {
  kind: CONFIGURATIONS,
  path: "/v2/market/price-engine/configurations",
  idName: "id",
  tags: ["Market"],
  title: "price-engine configuration",
  operationNoun: "Configuration",
  body: ConfigurationDeclaration,
};

const EXAMPLE = { profile: "Core", brand: "Tudor", reference: "79360N", label: "Black Bay Chrono" };

/** As in the manifest, in which a configuration is declared by the same members. */
export function addWriteConfigurations(app: FastifyInstance, context: RouteContext): void {
  app.addSchema(ConfigurationDeclaration);
  addCreateObject(app, context, ROUTES, {
    given: { ...KINDS.configurations, examples: [EXAMPLE] },
    description:
      "The members are those of the manifest. It gets a system alert, and is stale until its members are selected and its " +
      "cells are calculated. Nothing fires for listings that are already there. The key of a deleted configuration revives it " +
      "with its id, its history and its alert, unless you choose another `id`.",
  });
  addGetObject(app, context, ROUTES, {
    description:
      "As it is declared, in the members of the manifest. Prices and state are in the list and in its cells.",
  });
  addChangeObject(app, context, ROUTES, {
    given: patchOf(KINDS.configurations, { examples: [{ exclude_outliers: true }] }),
    description:
      "The key cannot change. The configuration is stale until it is calculated again, and nothing fires for listings " +
      "that are already there.",
  });
  addDeleteObject(app, context, ROUTES, {
    description:
      "Deletes its cells. Its history stays, and its system alert stays disabled with the matches. The same key revives it.",
  });
}
