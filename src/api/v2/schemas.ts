import type { FastifyInstance, FastifyTypeProvider } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import type { Clock } from "../../base/clock.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { DatabasePool } from "../../db/database.ts";
import type { Read } from "../../db/reads.ts";
import type { ReadyAnswers } from "../cache/ready-answers.ts";
import { ErrorBody } from "../http/errors.ts";

/** What a route is handed. */
export interface RouteContext {
  readonly db: DatabasePool;
  /** For questions that write nothing; what it tells may be a second old. Its answer, or its failure, comes in time. */
  readonly read: Read;
  readonly feed: ChangeFeed;
  readonly ready: ReadyAnswers;
  readonly clock: Clock;
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route sees to it by itself that it answers in time, which costs less than Fastify's way. */
    readonly hasDeadline?: boolean;
  }
}

/** Of a route that only sends kept answers and calls `read`. */
export const TIMED = { hasDeadline: true };

/** Tells Fastify that a schema is a TypeBox type, so that handlers see the type of what was checked. */
interface TypeboxProvider extends FastifyTypeProvider {
  readonly validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
  readonly serializer: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
}

export function typed(app: FastifyInstance) {
  return app.withTypeProvider<TypeboxProvider>();
}

/** In an answer. */
export const Id = Type.String({ format: "uuid" });
export const Ms = Type.Integer({ description: "Milliseconds since 1970, UTC." });
export const DurationMs = Type.Integer({ description: "Milliseconds." });
export const EurMinor = Type.Integer({ description: "Minor units of EUR." });
export const Count = Type.Integer({ minimum: 0 });

/** An id in a path. */
export function IdParam(description: string) {
  return Type.String({ format: "uuid", description });
}

/** Members of the contract, each of them optional: what has no value is left out. */
export const optional = Type.Optional;

/** A schema that stands in the document once, by its name. The route's registration must have added it. */
export function named<Schema extends TSchema>(schema: Schema) {
  const name = (schema as { readonly $id?: string }).$id ?? "";
  return Type.Unsafe<Static<Schema>>(Type.Ref(`${name}#`));
}

const Failure = named(ErrorBody);

/** The listing filter object of seed 2.3; unknown members are kept and shown back. */
export const Filters = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true, description: "A listing filter object." }),
);

const FAILURES = {
  400: "The request is not valid (`invalid_payload`).",
  401: "No token, or not a valid one (`unauthorized`).",
  403: "The token may not do this (`forbidden`).",
  404: "There is no such thing.",
} as const;

/** The errors that a route documents; every route may also answer 429, 500 and 503, which `default` stands for. */
export function failures(...statuses: readonly (keyof typeof FAILURES)[]) {
  const documented = statuses.map((status) => [
    status,
    { description: FAILURES[status], content: { "application/json": { schema: Failure } } },
  ]);
  return {
    ...Object.fromEntries(documented),
    default: {
      description: "Any other error, such as 429, 500 and 503.",
      content: { "application/json": { schema: Failure } },
    },
  };
}
