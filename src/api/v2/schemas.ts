import type { FastifyInstance, FastifyRequest, FastifyTypeProvider } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import type { Clock } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { AppError, type ErrorCode } from "../../base/errors.ts";
import type { Buckets } from "../../base/shares/bucket.ts";
import type { ChangeFeed } from "../../db/changes.ts";
import type { Database, DatabasePool } from "../../db/database.ts";
import type { Read } from "../../db/reads.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import type { TokenCheck } from "../auth/token-check.ts";
import type { AskHeavy } from "../cache/heavy-reads.ts";
import type { ReadyAnswers } from "../cache/ready-answers.ts";
import { ErrorBody } from "../http/errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** True if the route itself answers in time, which costs less than Fastify's time-out. */
    readonly hasDeadline?: boolean;
  }
}

/** Whose request it is. */
export type Asker = Pick<FastifyRequest, "caller">;

/** What every route gets. What a request asks of the store runs in the turn of its token. */
export interface RouteContext {
  readonly db: (request: Asker) => DatabasePool;
  /** For tokens and sessions: other requests cannot take its connections. */
  readonly access: (request: Asker) => DatabasePool;
  /** For what is read once for all callers. */
  readonly forAll: { readonly db: DatabasePool; readonly read: Read };
  /** New sessions and links, by token. */
  readonly sessionLimit: Buckets;
  /** For queries that write nothing. The result may be a second old. It resolves or rejects within its deadline. */
  readonly read: <Answer>(
    request: Asker,
    ask: (db: Database) => Promise<Answer>,
  ) => Promise<Answer>;
  /** For reads over many rows: few run at a time, and equal ones share an answer. */
  readonly heavy: {
    /** `key` identifies the question among all routes. */
    read<Answer>(request: Asker, key: string, ask: AskHeavy<Answer>): Promise<Answer>;
  };
  readonly feed: ChangeFeed;
  readonly ready: ReadyAnswers;
  readonly clock: Clock;
  readonly config: Config;
  /** For an answer that outlasts the check of its request. */
  readonly tokens: TokenCheck;
  /** The reader's catalogue. It takes a quarter of a second to build, so it is built when it is first needed. */
  readonly catalogue: () => Promise<Catalogue>;
}

/** Tells Fastify that schemas are TypeBox types, so that handlers get the types of the checked values. */
interface TypeboxProvider extends FastifyTypeProvider {
  readonly validator: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
  readonly serializer: this["schema"] extends TSchema ? Static<this["schema"]> : unknown;
}

/** `listing`, as there is a code `listing_not_found`. */
type Missing =
  Extract<ErrorCode, `${string}_not_found`> extends `${infer Noun}_not_found` ? Noun : never;

/** For a route that only uses calls with a deadline, such as the caches and `read`. */
export const OWN_DEADLINE = { hasDeadline: true };

/** For a route that an owner needs to end an attack. */
export const ALWAYS_DONE = { isAlwaysDone: true };

export const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;
/** A cursor may have a name or key. The longest that an index holds has 2,704 bytes, and base64 makes 3,600 of them. */
const CURSOR_LENGTH_MAX = 4_000;

const FAILURES = {
  400: "The request is not valid (`invalid_payload`).",
  401: "The token is missing or not valid (`unauthorized`).",
  403: "The token may not do this (`forbidden`).",
  404: "Not found; the error code says what is missing.",
  409: "The object is managed elsewhere, in use, or its name or id is taken; the error code says which.",
  410: "It was there, and cannot be had any more; the message says why (`media_gone`).",
  412: "The object has changed since `If-Match` was read (`precondition_failed`).",
} as const;

export function typed(app: FastifyInstance) {
  return app.withTypeProvider<TypeboxProvider>();
}

/** A member that is left out if it has no value; `null` is never sent. */
export const optional = Type.Optional;

/** An id in a response. */
export const Id = Type.String({ format: "uuid" });
export const Ms = Type.Integer({ description: "Milliseconds since 1970, UTC." });
export const DurationMs = Type.Integer({ description: "Milliseconds." });
export const EurMinor = Type.Integer({ description: "Minor units of EUR." });
export const Count = Type.Integer({ minimum: 0 });
export const IsExact = Type.Boolean({
  description: "False if the figures come from a sample; counts are then scaled to all listings.",
});

/** An id in a path. */
export function IdParam(description: string) {
  return Type.String({ format: "uuid", description });
}

/**
 * The listing filter object of seed 2.3; unknown members are stored and returned. In a request, `parseFilter` checks the
 * members, and the OpenAPI document shows them (`Filters` in `openapi.ts`). A response has a filter as it was given.
 */
export const Filters = Type.Unsafe<Readonly<Record<string, unknown>>>(
  Type.Object({}, { additionalProperties: true, description: "A listing filter object." }),
);

/** The query parameters of a list that is read page by page. */
export const PAGE_QUERY = {
  limit: optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  cursor: optional(
    Type.String({
      maxLength: CURSOR_LENGTH_MAX,
      description: "`next_cursor` of the previous page.",
    }),
  ),
};

export const NextCursor = optional(Type.String({ description: "Absent on the last page." }));

/** Splits rows that were read with one more than `limit` into the page and, if there are more, its last row. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
): { readonly shown: readonly Row[]; readonly last?: Row } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return rows.length > limit && last !== undefined ? { shown, last } : { shown };
}

/** Refers to a schema by its name, so that the OpenAPI document has it once. A route must have added the schema. */
export function named<Schema extends TSchema>(schema: Schema) {
  const name = (schema as { readonly $id?: string }).$id ?? "";
  return Type.Unsafe<Static<Schema>>(Type.Ref(`${name}#`));
}

const Failure = named(ErrorBody);

/** The error responses that a route documents. Any route may also answer 429, 500 and 503, which `default` covers. */
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

/** The error of a route whose path names an object that does not exist. */
export function notFound(noun: Missing): AppError {
  return new AppError(`${noun}_not_found`, `there is no ${noun.replaceAll("_", " ")} with this id`);
}
