import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { assert } from "../../base/errors.ts";
import { finishDocument, type OpenapiDocument } from "./openapi-document.ts";

const DESCRIPTION =
  "The asking prices of dealers in their groups, the market price of each watch, and the asks that are worth buying. " +
  "Amounts are in minor units, times in milliseconds since 1970 UTC. A member without a value is left out; " +
  "`null` is never sent.";

/** A watch at ten past ten. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round">' +
  '<path stroke="#7a5c1e" stroke-width="8" d="M16 4v24"/>' +
  '<circle cx="16" cy="16" r="11" fill="#fffdf7" stroke="#1d1b16" stroke-width="2.5"/>' +
  '<path stroke="#1d1b16" stroke-width="2.5" d="M11.5 12.5 16 16l5.5-6.5"/></svg>';

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
        { name: "Alerts", description: "Alerts and their matches." },
        { name: "Market", description: "Listings and the price engine." },
        { name: "Messages", description: "Where and how often a message was posted." },
        { name: "Sessions", description: "Linked sessions of the messaging gateway." },
        {
          name: "Notifications",
          description:
            "Where matches are sent: to programs, and to people by ntfy, Telegram and e-mail.",
        },
        { name: "Outbound", description: "Group presets for sending." },
        { name: "Webhooks", description: "Events from the messaging gateway." },
      ],
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "assay token create --name NAME" },
        },
      },
      security: [{ bearer: [] }],
    },
    transformObject: (collected) => {
      assert("openapiObject" in collected, "the document is an OpenAPI document");
      return finishDocument(collected.openapiObject as OpenapiDocument) as never;
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, at) => String(json["$id"] ?? `ref-${at}`),
    },
  });
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    // The page loads everything from this service and contacts no other host.
    staticCSP: false,
    theme: {
      title: "Assay: the API",
      favicon: [
        {
          filename: "assay.svg",
          rel: "icon",
          type: "image/svg+xml",
          sizes: "any",
          content: ICON,
        },
      ],
    },
    uiConfig: { docExpansion: "list", persistAuthorization: true, validatorUrl: null },
  });
  app.get("/openapi.json", { schema: { hide: true } }, async (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(toOpenapiText(app)),
  );
}

/** The text of the committed file: two spaces of indent, a newline at the end. */
export function toOpenapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}
