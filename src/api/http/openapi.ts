import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";

const DESCRIPTION =
  "What dealers ask for watches in their groups, what each watch is worth, and which ask is a buy. " +
  "Amounts are in minor units, times in milliseconds since 1970 UTC. A member without a value is left out; " +
  "`null` is never sent.";

/** Collects the routes' schemas into one OpenAPI 3.1 document, served as a file and as a page. */
export async function addOpenapi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Assay",
        version: "2.0.0",
        summary: "The watch dealer's market engine",
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/", description: "This service" }],
      tags: [
        { name: "Alerts", description: "Alerts and what they matched." },
        { name: "Market", description: "Listings and the price engine." },
        { name: "Messages", description: "Where and how often a message was posted." },
        { name: "Sessions", description: "Linked sessions of the messaging gateway." },
        { name: "Outbound", description: "Presets for sending." },
        { name: "Webhooks", description: "What the messaging gateway posts to us." },
      ],
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "assay token create --name NAME" },
        },
      },
      security: [{ bearer: [] }],
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, at) => String(json["$id"] ?? `ref-${at}`),
    },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    // Everything comes from this service: the page asks no other host for anything.
    staticCSP: false,
    uiConfig: { docExpansion: "list", persistAuthorization: true, validatorUrl: null },
  });
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(toOpenapiText(app)),
  );
}

/** As committed: two blanks, a line break at the end. */
export function toOpenapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}
