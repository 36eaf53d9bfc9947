/** Writes the client's types and its table of operations from the OpenAPI document: `client/api.ts`. */
export function toClientSource(openapiText: string): string {
  const document = JSON.parse(openapiText) as Document;
  const operations = listOperations(document);
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `${commentOf(schema, "")}export interface ${nameOf(name)} ${typeOf(schema, "")}\n`,
  );
  const types = operations.map(({ name, operation, path }) => {
    const input = inputOf(operation, path, document);
    return `${commentOf({ description: operation.summary }, "  ")}  readonly ${name}: {
    readonly input: ${input};
    readonly answer: ${answerOf(operation)};
  };\n`;
  });
  const rows = operations.map(({ name, method, path, operation }) => {
    const namesIn = (place: string) =>
      (operation.parameters ?? []).filter((one) => one.in === place).map((one) => one.name);
    const headers = namesIn("header");
    const row = {
      method: method.toUpperCase(),
      path,
      query: namesIn("query"),
      ...(headers.length === 0 ? {} : { headers }),
      hasBody: operation.requestBody !== undefined,
      ...(method === "post" && bodyOf(operation, document)?.properties?.["id"] !== undefined
        ? { takesId: true }
        : {}),
      ...(isText(operation) ? { isText: true } : {}),
    };
    const members = Object.entries(row).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    return `  ${name}: { ${members.join(", ").replaceAll('","', '", "')} },\n`;
  });
  return `// Generated from openapi-v2.json by \`npm run generate\`; do not edit.

${schemas.join("\n")}
/** Each operation of the API: its input and its response. */
export interface Operations {
${types.join("")}}

export const OPERATIONS = {
${rows.join("")}} as const;
`;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string | undefined;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
  /** If empty, the operation takes no token and is not part of the client. */
  readonly security?: readonly unknown[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

function listOperations({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security?.length !== 0 && !isStream(operation))
      .map(([method, operation]) => ({ name: operation.operationId, method, path, operation })),
  );
}

function isStream(operation: Operation): boolean {
  return operation.responses["200"]?.content?.["text/event-stream"] !== undefined;
}

/** Path, query, headers and body in one object: no operation uses a name twice. `If-Match` becomes `if_match`. */
function inputOf(operation: Operation, path: string, document: Document): string {
  const parameters = (operation.parameters ?? []).map(({ name, ...parameter }) => ({
    ...parameter,
    name: name.replaceAll("-", "_"),
  }));
  const bodyName = bodyNameOf(operation);
  const body = bodyOf(operation, document);
  const names = [...parameters.map(({ name }) => name), ...Object.keys(body?.properties ?? {})];
  if (new Set(names).size !== names.length) throw new Error(`${path} uses a name twice`);
  if (bodyName !== undefined && parameters.length === 0) return bodyName;
  const members = {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
  const ofParameters = typeOf(members, "    ");
  return bodyName === undefined ? ofParameters : `${bodyName} & ${ofParameters}`;
}

function bodyOf(operation: Operation, document: Document): Schema | undefined {
  return document.components.schemas[bodyNameOf(operation) ?? ""];
}

function bodyNameOf({ requestBody }: Operation): string | undefined {
  return requestBody?.content["application/json"]?.schema.$ref?.split("/").at(-1);
}

function answerOf(operation: Operation): string {
  if (isText(operation)) return "ReadableStream<Uint8Array>";
  const { responses } = operation;
  const success = responses["200"] ?? responses["201"];
  const schema = success?.content?.["application/json"]?.schema;
  return schema === undefined ? "undefined" : typeOf(schema, "    ");
}

/** A table or a manifest, which is passed on as it arrives. */
function isText({ responses }: Operation): boolean {
  const content = responses["200"]?.content;
  return content?.["text/csv"] !== undefined || content?.["application/yaml"] !== undefined;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, indent)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${arrayItem(schema.items ?? {}, indent)}[]`;
    case "object":
      return objectType(schema, indent);
    default:
      return "unknown";
  }
}

/** An imported `Error` would hide the language's own. */
function nameOf(schemaName: string): string {
  return schemaName === "Error" ? "ErrorBody" : schemaName;
}

function arrayItem(schema: Schema, indent: string): string {
  const type = typeOf(schema, indent);
  return type.includes(" | ") ? `(${type})` : type;
}

function objectType(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => {
    const mark = schema.required?.includes(name) === true ? "" : "?";
    return `${commentOf(member, inner)}${inner}readonly ${name}${mark}: ${typeOf(member, inner)};\n`;
  });
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    const value =
      schema.additionalProperties === true ? "unknown" : typeOf(schema.additionalProperties, inner);
    members.push(`${inner}readonly [member: string]: ${value};\n`);
  }
  return members.length === 0 ? "Record<never, never>" : `{\n${members.join("")}${indent}}`;
}

function commentOf({ description }: Schema, indent: string): string {
  if (description === undefined) return "";
  const text = description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
  return `${indent}/** ${text}${/[.!?]$/.test(text) ? "" : "."} */\n`;
}
