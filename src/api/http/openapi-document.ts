/**
 * Finishes the document that `@fastify/swagger` collects from the routes, so that what holds for every operation is written
 * once: requests and responses have names, which generated clients use for their types, and requests have examples.
 */
import { assert } from "../../base/errors.ts";
import {
  BODY_EXAMPLES,
  EXAMPLE_IDS,
  NEW_IDS,
  OPERATION_IDS,
  QUERY_EXAMPLES,
} from "./openapi-examples.ts";

export interface OpenapiDocument {
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
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

const JSON_TYPE = "application/json";
/** What `@fastify/swagger` writes if a response has no description. */
const NO_DESCRIPTION = "Default Response";

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
  const successes = Object.entries(operation.responses ?? {}).filter(([status]) =>
    /^2/.test(status),
  );
  for (const [at, [status, response]] of successes.entries()) {
    if (response.description === NO_DESCRIPTION) response.description = "Success.";
    move(response.content, at === 0 ? `${name}Response` : `${name}Response${status}`);
  }
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
