import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { AppError } from "../../base/errors.ts";

/**
 * Checks a part of a request against its schema. Numbers and booleans in a query are parsed strictly: `limit=1.5`,
 * `limit=`, `limit=1e1` and `limit=1&limit=2` are all refused, although Fastify's own coercion accepts some of them.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = Compile(schema);
  return (data: unknown) => {
    const value = httpPart === "querystring" ? parseQuery(schema, data) : data;
    if (compiled.Check(value)) return { value };
    const [error] = compiled.Errors(value);
    return {
      error: new AppError(
        "invalid_payload",
        error === undefined ? "the request is not valid" : describe(error),
      ),
    };
  };
};

/** Names the member first, then what is wrong with it. */
function describe(error: TLocalizedValidationError): string {
  const path = error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword === "required") return `${error.params.requiredProperties.join(", ")}: missing`;
  if (error.keyword === "format") return `${path}: must be a ${error.params.format.toUpperCase()}`;
  return `${path}: ${error.message}`;
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
