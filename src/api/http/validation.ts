import type { FastifyInstance, FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { AppError, assert } from "../../base/errors.ts";
import { cutText } from "../../base/text.ts";
import type { Later } from "./later.ts";

/**
 * Checks a part of a request against its schema. Numbers and booleans in a query are parsed strictly: `limit=1.5`,
 * `limit=`, `limit=1e1` and `limit=1&limit=2` are all refused, although Fastify's own coercion accepts some of them.
 */
export function createValidatorCompiler(
  app: FastifyInstance,
  later: Later,
): FastifySchemaCompiler<TSchema> {
  return ({ schema, httpPart }) => {
    const compiled = later.make(() => Compile(withoutRefs(schema, app.getSchemas()) as TSchema));
    return (data: unknown) => {
      const validator = compiled();
      const value = httpPart === "querystring" ? parseQuery(schema, data) : data;
      if (validator.Check(value)) return { value };
      return { error: new AppError("invalid_payload", describeErrors(validator.Errors(value))) };
    };
  };
}

/** Puts each named schema in place of its reference: the compiler would take `Filters#` for the schema that it is in. */
function withoutRefs(schema: unknown, all: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutRefs(part, all));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref } = schema as { readonly $ref?: unknown };
  if (typeof $ref !== "string") {
    return Object.fromEntries(
      Object.entries(schema).map(([name, part]) => [name, withoutRefs(part, all)]),
    );
  }
  const target = all[$ref.replace(/#$/, "")];
  assert(target !== undefined, `there is no schema ${$ref}; add it with app.addSchema`);
  return withoutRefs(target, all);
}

const PATH_LENGTH_MAX = 100;

/** Reports the first error: the member, then what is wrong with it. */
function describeErrors(errors: readonly TLocalizedValidationError[]): string {
  const [error] = errors;
  if (error === undefined) return "the request is not valid";
  const path = cutText(error.instancePath.slice(1).replaceAll("/", "."), PATH_LENGTH_MAX);
  if (path === "" && error.keyword === "type") return "the body must be a JSON object";
  if (path === "" && error.keyword === "minProperties") return "the body: name at least one member";
  if (error.schemaPath.endsWith("/additionalProperties")) return `${path}: unknown member`;
  const words = listWords(errors.filter(({ instancePath }) => instancePath === error.instancePath));
  if (words.length > 0) return `${path}: must be one of ${words.join(", ")}`;
  if (error.keyword === "required") {
    const under = path === "" ? "" : `${path}.`;
    return `${error.params.requiredProperties.map((name) => under + name).join(", ")}: missing`;
  }
  if (error.keyword === "format") return `${path}: must be a ${error.params.format.toUpperCase()}`;
  return `${path === "" ? "the body" : path}: ${error.message}`;
}

/** The words that are allowed, if the schema is a list of words: an enumeration, or a choice of constants. */
function listWords(errors: readonly TLocalizedValidationError[]): readonly unknown[] {
  return errors.flatMap((error): readonly unknown[] => {
    if (error.keyword === "enum") return error.params.allowedValues;
    return error.keyword === "const" ? [error.params.allowedValue] : [];
  });
}

interface Properties {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

function parseQuery(schema: TSchema, data: unknown): Record<string, unknown> {
  const query = data as Readonly<Record<string, unknown>>;
  const known = Object.entries((schema as Properties).properties ?? {});
  return Object.fromEntries(
    known
      .filter(([name]) => Object.hasOwn(query, name))
      .map(([name, { type }]) => [name, parseValue(type, query[name])]),
  );
}

function parseValue(type: string | undefined, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (type === "integer" && /^-?\d+$/.test(value)) return toSafeInteger(Number(value));
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** An integer of any size is valid unless its schema has a bound, and nothing in a query is larger than these. */
function toSafeInteger(value: number): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER));
}
