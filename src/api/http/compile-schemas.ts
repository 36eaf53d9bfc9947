/**
 * Compiles the schemas of the routes into validators and serializers, each when it is first needed: all of them together
 * take a second, and a test or a command needs few. A service that has just started makes the rest in its idle moments, so
 * that no request has to wait for them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { FastifyInstance, FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { sleep } from "../../base/clock.ts";
import { AppError, assert } from "../../base/errors.ts";
import type { Logger } from "../../base/log.ts";
import { cutText } from "../../base/text.ts";

/** Values that are made when they are first needed. */
export interface Later {
  /** Returns the function that makes the value at its first call and returns the same value ever after. */
  make<Value>(create: () => Value): () => Value;
  /** Makes all values that are missing, with a turn for others after each. */
  makeAll(signal: AbortSignal): Promise<void>;
}

type CompileSerializer = ReturnType<ReturnType<typeof SerializerSelector>>;
type Serialize = ReturnType<CompileSerializer>;

interface Properties {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

/** The first requests come right after the start, and must not wait for values that they do not need. */
const REST_MS = 5_000;
const PATH_LENGTH_MAX = 100;

export function createLater(): Later {
  const missing = new Set<() => unknown>();
  return {
    make: <Value>(create: () => Value) => {
      let made: { readonly value: Value } | undefined;
      const get = (): Value => {
        made ??= { value: create() };
        missing.delete(get);
        return made.value;
      };
      missing.add(get);
      return get;
    },
    makeAll: async (signal) => {
      for (const get of missing) {
        if (signal.aborted) return;
        get();
        await nextTurn();
      }
    },
  };
}

/** Makes all that is missing, after a rest. Returns the function that breaks it off. */
export function startMaking(later: Later, log: Logger): () => Promise<void> {
  const stop = new AbortController();
  const make = async (): Promise<void> => {
    await sleep(REST_MS, stop.signal);
    await later.makeAll(stop.signal);
  };
  const done = make().catch((error: unknown) => {
    log.error({ err: error }, "a schema cannot be compiled");
  });
  return () => {
    stop.abort();
    return done;
  };
}

/**
 * Compiles serializers as Fastify does, but each schema once, later, and with the schemas that it needs only: a compilation
 * checks all schemas that it gets.
 */
export function createSerializerBuilder(later: Later): ReturnType<typeof SerializerSelector> {
  const select = SerializerSelector();
  return (all, options) => {
    const known = new Map<string, Serialize>();
    return (route) => {
      const key = JSON.stringify(route.schema);
      const compile = () => select(schemasIn(route.schema, all as Schemas), options)(route);
      const serialize = known.get(key) ?? serializeWith(later.make(compile));
      known.set(key, serialize);
      return serialize;
    };
  };
}

type Schemas = Readonly<Record<string, unknown>>;

/** The named schemas that a schema refers to, and those that they refer to. */
function schemasIn(schema: unknown, all: Schemas): Schemas {
  const found: Record<string, unknown> = {};
  const look = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { $ref } = part as { readonly $ref?: unknown };
    const name = typeof $ref === "string" ? nameOf($ref) : undefined;
    if (name !== undefined && !Object.hasOwn(found, name)) {
      found[name] = all[name];
      look(all[name]);
    }
    for (const inner of Object.values(part)) look(inner);
  };
  look(schema);
  return found;
}

/** `Filters#` refers to the schema `Filters`. */
function nameOf($ref: string): string {
  return $ref.replace(/#$/, "");
}

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

function serializeWith(compiled: () => Serialize): Serialize {
  return (body) => compiled()(body);
}

/** Puts each named schema in place of its reference: the compiler would take `Filters#` for the schema that it is in. */
function withoutRefs(schema: unknown, all: Schemas): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutRefs(part, all));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref } = schema as { readonly $ref?: unknown };
  if (typeof $ref !== "string") {
    return Object.fromEntries(
      Object.entries(schema).map(([name, part]) => [name, withoutRefs(part, all)]),
    );
  }
  const target = all[nameOf($ref)];
  assert(target !== undefined, `there is no schema ${$ref}; add it with app.addSchema`);
  return withoutRefs(target, all);
}

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
