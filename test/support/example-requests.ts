import { readFileSync } from "node:fs";

/** A request made of the examples in the contract, as a reader of `/docs` sends it by "Try it out". */
export interface ExampleRequest {
  readonly operationId: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

interface ContractOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  /** Empty if the operation takes no token. */
  readonly security?: readonly unknown[];
}

type Content = Readonly<
  Record<string, { readonly schema?: { readonly $ref?: string }; readonly example?: unknown }>
>;

export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export function readContract(): Contract {
  return JSON.parse(readFileSync("openapi-v2.json", "utf8")) as Contract;
}

export function listOperations(contract = readContract()) {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase() as ExampleRequest["method"],
      path,
      operation,
    })),
  );
}

/** The operations that a read-only token may call. */
export function listReadIds(): ReadonlySet<string> {
  const reads = listOperations().filter(
    ({ method, operation: { responses, security } }) =>
      method === "GET" || (responses["403"] === undefined && security?.length !== 0),
  );
  return new Set(reads.map(({ operation }) => operation.operationId));
}

/** One request for each operation that has an end. */
export function listExampleRequests(): readonly ExampleRequest[] {
  return listOperations()
    .filter(({ operation }) => !isStream(operation))
    .map(({ method, path, operation }) => {
      const { operationId, summary, parameters = [], requestBody } = operation;
      const query = new URLSearchParams();
      let filled = path;
      for (const { name, in: where, example } of parameters) {
        if (example === undefined) continue;
        if (where === "path")
          filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)));
        if (where === "query") query.set(name, String(example));
      }
      const body = requestBody?.content["application/json"]?.example as object | undefined;
      return {
        operationId,
        summary,
        method,
        path: query.size === 0 ? filled : `${filled}?${query}`,
        ...(body === undefined ? {} : { body }),
      };
    });
}

function isStream({ responses }: ContractOperation): boolean {
  return responses["200"]?.content?.["text/event-stream"] !== undefined;
}
