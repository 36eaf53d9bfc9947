import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { AppError, assert } from "../../base/errors.ts";
import { MEMBERS } from "../../filters/language/members.ts";
import {
  BODY_EXAMPLES,
  EXAMPLE_IDS,
  NEW_IDS,
  OPERATION_IDS,
  QUERY_EXAMPLES,
} from "./openapi-examples.ts";
import { type MadeBody, sendMade, toMadeBody } from "./representation.ts";

interface OpenapiDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { schemas?: Record<string, Schema> };
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<
    Record<string, { description?: string; readonly content?: Content }>
  >;
}

type Content = Record<string, { schema?: Schema; example?: object | undefined }>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  example?: unknown;
}

interface Schema {
  readonly $ref?: string;
  type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

const DESCRIPTION =
  "The asking prices of dealers in their groups, the market price of each watch, and the asks that are worth buying. " +
  "Amounts are in minor units, times in milliseconds since 1970 UTC. A member without a value is left out; " +
  "`null` is never sent.";

/**
 * The filter object of requests, made from the list of members. Only the document has it: routes accept any object, and
 * `parseFilter` checks it, with its own errors. A copy, because the document is changed below.
 */
const FILTERS = {
  type: "object" as const,
  description:
    "A listing filter. Every member that is present must hold; `null`, an empty text and an empty array are as good as " +
    "absent. Unknown members are stored and ignored. See docs/filters.md.",
  properties: Object.fromEntries(
    [...MEMBERS].map(([name, { schema, label, description, example }]) => [
      name,
      { title: label, ...structuredClone(schema), description, examples: [example] },
    ]),
  ),
  additionalProperties: true,
};
const FILTERS_REF = { $ref: "#/components/schemas/Filters" };

/** A watch at ten past ten. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round">' +
  '<path stroke="#7a5c1e" stroke-width="8" d="M16 4v24"/>' +
  '<circle cx="16" cy="16" r="11" fill="#fffdf7" stroke="#1d1b16" stroke-width="2.5"/>' +
  '<path stroke="#1d1b16" stroke-width="2.5" d="M11.5 12.5 16 16l5.5-6.5"/></svg>';

const JSON_TYPE = "application/json";
/** What `@fastify/swagger` writes if a response has no description. */
const NO_DESCRIPTION = "Default Response";

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
          description: "Where matches are sent: to programs, and to people.",
        },
        { name: "Outbound", description: "Group presets for sending." },
        { name: "Webhooks", description: "Events from the messaging gateway." },
      ],
      components: {
        securitySchemes: {
          bearer: { type: "http", scheme: "bearer", description: "assay token create --name NAME" },
        },
        schemas: { Filters: FILTERS },
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
  // The page's plugin would make the document anew for each request to these. The page reads ours.
  app.addHook("onRoute", (route) => {
    if (route.url !== "/docs/json" && route.url !== "/docs/yaml") return;
    route.handler = async () => {
      throw new AppError("route_not_found", "the document is at /openapi.json");
    };
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
    // A token that the page kept could be read by every script of this origin, and the console is one of its pages.
    uiConfig: {
      docExpansion: "list",
      persistAuthorization: false,
      validatorUrl: null,
      // The page sets `url` to its own path and only this comes before it.
      urls: [{ url: "/openapi.json", name: "Assay" }],
    },
  });
  // The document is the same for as long as the process runs, and anyone may ask for it.
  let made: MadeBody | undefined;
  app.get("/openapi.json", { schema: { hide: true } }, async (request, reply) => {
    made ??= toMadeBody(Buffer.from(toOpenapiText(app)));
    return sendMade({ request, reply }, made);
  });
}

/** The text of the committed file: two spaces of indent, a newline at the end. */
export function toOpenapiText(app: FastifyInstance): string {
  return `${JSON.stringify(app.swagger(), null, 2)}\n`;
}

/**
 * Adds what holds for every operation, so that no route has to: requests and responses get names, which generated clients
 * use for their types, and requests get examples.
 */
export function finishDocument<Document extends OpenapiDocument>(document: Document): Document {
  const schemas = document.components?.schemas ?? {};
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const operation of Object.values(methods)) {
      addExamples(operation, path);
      nameSchemas(operation, schemas);
    }
  }
  addEnumTypes(document);
  return document;
}

/** Moves the schemas of the request and the response into the named ones. */
function nameSchemas(operation: Operation, schemas: Record<string, Schema>): void {
  const name = operation.operationId.replace(/^./, (letter) => letter.toUpperCase());
  const move = (content: Content | undefined, newName: string): void => {
    const media = content?.[JSON_TYPE];
    if (media?.schema === undefined || media.schema.$ref !== undefined) return;
    assert(schemas[newName] === undefined, `two schemas are called ${newName}`);
    schemas[newName] = media.schema;
    media.schema = { $ref: `#/components/schemas/${newName}` };
  };
  move(operation.requestBody?.content, `${name}Request`);
  const request = schemas[`${name}Request`];
  if (request?.properties?.["filters"] !== undefined) {
    schemas[`${name}Request`] = { ...request, properties: nameFilters(request.properties) };
  }
  const successes = Object.entries(operation.responses ?? {}).filter(([status]) =>
    /^2/.test(status),
  );
  for (const [at, [status, response]] of successes.entries()) {
    if (response.description === NO_DESCRIPTION) response.description = "Success.";
    move(response.content, at === 0 ? `${name}Response` : `${name}Response${status}`);
  }
}

/** A change may remove the filter with `null`. */
function nameFilters(members: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const isNullable = members["filters"]?.anyOf !== undefined;
  const filters = isNullable ? { anyOf: [FILTERS_REF, { type: "null" }] } : FILTERS_REF;
  return { ...members, filters };
}

/** Where the route's schema has none. */
function addExamples(operation: Operation, path: string): void {
  const { operationId, parameters = [], requestBody } = operation;
  const segments = path.split("/");
  for (const parameter of parameters) {
    if (parameter.example !== undefined) continue;
    const { name, required } = parameter;
    if (parameter.in === "path") {
      const before = segments[segments.indexOf(`{${name}}`) - 1] ?? "";
      const ofSegment = (EXAMPLE_IDS as Readonly<Record<string, string>>)[before];
      parameter.example = OPERATION_IDS[operationId] ?? ofSegment;
    } else if (required === true) {
      parameter.example = QUERY_EXAMPLES[name];
    }
  }
  const media = requestBody?.content?.[JSON_TYPE];
  if (media === undefined) return;
  media.example ??= BODY_EXAMPLES[operationId];
  const id = NEW_IDS[operationId];
  if (id !== undefined && media.example !== undefined) media.example = { id, ...media.example };
}

/** Generators need the type of a list of words, which TypeBox leaves out. */
function addEnumTypes(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const schema = value as Schema;
  if (schema.type === undefined && Array.isArray(schema.enum)) {
    if (schema.enum.every((word) => typeof word === "string")) schema.type = "string";
  }
  for (const inner of Object.values(value)) addEnumTypes(inner);
}
