// The client's types and its table of operations, made from the contract: `client/api.ts`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes the file if the contract has changed since it was written. */
export function ensureClientTypes(root) {
  const file = join(root, "client", "api.ts");
  const source = toClientSource(readFileSync(join(root, "openapi-v2.json"), "utf8"));
  if (!existsSync(file) || readFileSync(file, "utf8") !== source) writeFileSync(file, source);
}

function toClientSource(openapiText) {
  const document = JSON.parse(openapiText);
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
    const namesIn = (place) =>
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
  return `// Made from openapi-v2.json by the build; do not edit.

${schemas.join("\n")}
/** Each operation of the API: its input and its response. */
export interface Operations {
${types.join("")}}

export const OPERATIONS = {
${rows.join("")}} as const;

/** The members of a filter: what each is called, and the shape of its value. */
export const FILTER_MEMBERS = {
${filterRows(document).join("")}} as const;
`;
}
/** A shape is `text`, `texts`, `whole`, `wholes` or `boolean`, or that of each part of an object. */
function filterRows({ components }) {
  return Object.entries(components.schemas.Filters.properties).map(([name, schema]) => {
    const row = { title: schema.title, shape: shapeOf(schema) };
    return `  ${name}: ${JSON.stringify(row)},\n`;
  });
}
function shapeOf(schema) {
  switch (schema.type) {
    case "array":
      return `${shapeOf(schema.items)}s`;
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, part]) => [name, shapeOf(part)]),
      );
    case "integer":
      return "whole";
    case "boolean":
      return "boolean";
    default:
      return "text";
  }
}
function listOperations({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security?.length !== 0 && !isStream(operation))
      .map(([method, operation]) => ({ name: operation.operationId, method, path, operation })),
  );
}
function isStream(operation) {
  return operation.responses["200"]?.content?.["text/event-stream"] !== undefined;
}
/** Path, query, headers and body in one object: no operation uses a name twice. `If-Match` becomes `if_match`. */
function inputOf(operation, path, document) {
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
function bodyOf(operation, document) {
  return document.components.schemas[bodyNameOf(operation) ?? ""];
}
function bodyNameOf({ requestBody }) {
  return requestBody?.content["application/json"]?.schema.$ref?.split("/").at(-1);
}
function answerOf(operation) {
  if (isText(operation)) return "ReadableStream<Uint8Array>";
  const { responses } = operation;
  const success = responses["200"] ?? responses["201"];
  const schema = success?.content?.["application/json"]?.schema;
  return schema === undefined ? "undefined" : typeOf(schema, "    ");
}
/** A table or a manifest, which is passed on as it arrives. */
function isText({ responses }) {
  const content = responses["200"]?.content;
  return content?.["text/csv"] !== undefined || content?.["application/yaml"] !== undefined;
}
function typeOf(schema, indent) {
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
function nameOf(schemaName) {
  return schemaName === "Error" ? "ErrorBody" : schemaName;
}
function arrayItem(schema, indent) {
  const type = typeOf(schema, indent);
  return type.includes(" | ") ? `(${type})` : type;
}
function objectType(schema, indent) {
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
function commentOf({ description }, indent) {
  if (description === undefined) return "";
  const text = description.replaceAll("*/", "* /").replaceAll(/\s+/g, " ");
  return `${indent}/** ${text}${/[.!?]$/.test(text) ? "" : "."} */\n`;
}
