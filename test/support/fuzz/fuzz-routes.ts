import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";

/** One method of a route, as the app registered it. */
export interface AppRoute {
  readonly method: string;
  /** With placeholders after colons. */
  readonly path: string;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** A route of the contract, with what it takes. */
export interface FuzzRoute {
  readonly method: string;
  /** With placeholders in braces. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
  readonly body?: { readonly schema: Schema; readonly example?: unknown };
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: Schema; readonly example?: unknown }>
    >;
  };
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas };
}

const BESIDE = ["/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"];

/** The routes of the contract, so that a new one is covered as soon as it is there, and others. */
export function listRoutes(): readonly FuzzRoute[] {
  return [
    ...Object.entries(readContract().paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => toRoute(method, path, operation)),
    ),
    ...BESIDE.map((path) => ({ method: "GET", path, query: [] })),
  ];
}

export function listSchemas(): Schemas {
  return readContract().components.schemas;
}

function toRoute(method: string, path: string, operation: Operation): FuzzRoute {
  const body = operation.requestBody?.content["application/json"];
  return {
    method: method.toUpperCase(),
    path,
    query: (operation.parameters ?? []).filter((parameter) => parameter.in === "query"),
    ...(body === undefined ? {} : { body }),
  };
}

function readContract(): Contract {
  return JSON.parse(readFileSync("openapi-v2.json", "utf8")) as Contract;
}

/**
 * Collects the routes that apps register while `open` runs. Fastify itself announces each app before its first route, so
 * hidden routes and those of plug-ins are among them.
 */
export async function collectRoutes<Opened>(
  open: () => Promise<Opened>,
): Promise<{ readonly opened: Opened; readonly routes: readonly AppRoute[] }> {
  const routes: AppRoute[] = [];
  const onApp = (message: unknown): void => {
    (message as { readonly fastify: FastifyInstance }).fastify.addHook(
      "onRoute",
      ({ method, url }) => {
        for (const name of [method].flat()) routes.push({ method: name, path: url });
      },
    );
  };
  subscribe("fastify.initialization", onApp);
  try {
    return { opened: await open(), routes };
  } finally {
    unsubscribe("fastify.initialization", onApp);
  }
}
