import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { AppError } from "../../base/errors.ts";

/**
 * Checks a part of a request against its schema. A query's numbers and booleans are read strictly: `limit=1.5`,
 * `limit=`, `limit=1e1` and `limit=1&limit=2` are all wrong, where the usual coercion lets some of them pass.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = Compile(schema);
  return (data: unknown) => {
    const value = httpPart === "querystring" ? readQuery(schema, data) : data;
    if (compiled.Check(value)) return { value };
    const [error] = compiled.Errors(value);
    return {
      error: new AppError("invalid_payload", error === undefined ? "wrong" : describe(error)),
    };
  };
};

/** The member first, then what is wrong with it. */
function describe(error: TLocalizedValidationError): string {
  const path = error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword === "required") return `${error.params.requiredProperties.join(", ")}: missing`;
  if (error.keyword === "format") return `${path}: must be a ${error.params.format.toUpperCase()}`;
  return `${path}: ${error.message}`;
}

interface Properties {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

function readQuery(schema: TSchema, data: unknown): Record<string, unknown> {
  const given = data as Readonly<Record<string, unknown>>;
  const known = Object.entries((schema as Properties).properties ?? {});
  return Object.fromEntries(
    known
      .filter(([name]) => Object.hasOwn(given, name))
      .map(([name, { type }]) => [name, readValue(type, given[name])]),
  );
}

function readValue(type: string | undefined, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (type === "integer" && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}
