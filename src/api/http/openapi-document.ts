/**
 * Finishes the document that `@fastify/swagger` collects from the routes, so that what holds for every operation is written
 * once: requests and responses have names, which generated clients use for their types, and ids in paths have examples.
 */
import { assert } from "../../base/assert.ts";

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

type Content = Record<string, { schema?: Schema; example?: unknown }>;

interface Parameter {
  readonly name: string;
  readonly in: string;
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

/** Ids of the demo, by the segment of the path before them. Those that the demo makes anew each day are not among them. */
const DEMO_IDS: Readonly<Record<string, string>> = {
  alerts: "9f752dee-2c63-5c17-a5b7-b32ad23d1b2a",
  configurations: "b53760b2-6d3c-5d08-add0-875b0d8845f0",
  "group-presets": "b757a71a-3e87-594d-bf8f-b29787112b4a",
};
const OTHER_ID = "0b5f6f0e-8d3c-4c59-9a37-5a1d0c6f2e11";

export function finishDocument<Document extends OpenapiDocument>(document: Document): Document {
  const schemas = document.components?.schemas ?? {};
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const operation of Object.values(methods)) {
      nameSchemas(operation, schemas);
      addIdExamples(operation, path);
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

function addIdExamples({ parameters = [] }: Operation, path: string): void {
  const segments = path.split("/");
  for (const parameter of parameters) {
    if (parameter.in !== "path" || parameter.example !== undefined) continue;
    const before = segments[segments.indexOf(`{${parameter.name}}`) - 1] ?? "";
    parameter.example = DEMO_IDS[before] ?? OTHER_ID;
  }
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
