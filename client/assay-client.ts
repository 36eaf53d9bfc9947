import { type Listing, OPERATIONS, type Operations } from "./api.ts";
import { followEvents, type StreamEvent, type StreamOptions } from "./event-stream.ts";
import { type CallOptions, type ClientOptions, readJson, send } from "./transport.ts";

export type * from "./api.ts";
// biome-ignore lint/performance/noBarrelFile: this is the published entry, which names what its users need.
export { AssayConnectionError, AssayError } from "./client-error.ts";
export type { StreamEvent, StreamOptions } from "./event-stream.ts";
export type { CallOptions, ClientOptions } from "./transport.ts";

type OperationName = keyof Operations;
type Input<Name extends OperationName> = Operations[Name]["input"];
type Arguments<Name extends OperationName> =
  Record<never, never> extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions]
    : [input: Input<Name>, options?: CallOptions];

/** A method for each operation of the API, by its name there; path, query and body travel in one object. */
type Calls = {
  readonly [Name in OperationName]: (
    ...given: Arguments<Name>
  ) => Promise<Operations[Name]["answer"]>;
};

type Paged<Name extends OperationName> = Omit<Input<Name>, "offset" | "limit" | "cursor">;
type ItemOf<Name extends OperationName> = Operations[Name]["answer"] extends {
  readonly items: readonly (infer Item)[];
}
  ? Item
  : never;

export interface AssayClient extends Calls {
  /** All matches of an alert, newest first, page by page as they are read; only unseen ones after all were read. */
  alertMatches(
    input: Paged<"listAlertMatches">,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<"listAlertMatches">, void, undefined>;
  /** All listings that a filter selects, page by page as they are read. */
  listings(
    input?: Paged<"searchListings">,
    options?: CallOptions,
  ): AsyncGenerator<Listing, void, undefined>;
  /** All configurations that the query selects, page by page as they are read. */
  configurations(
    input?: Paged<"listConfigurations">,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<"listConfigurations">, void, undefined>;
  /** Matches as they happen, from `GET /v2/events`; goes on by itself when the connection is lost. */
  events(options?: StreamOptions): AsyncGenerator<StreamEvent, void, undefined>;
}

const PAGE_MAX = 100;

export function createAssayClient(options: ClientOptions): AssayClient {
  const call = <Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    given: CallOptions = {},
  ): Promise<Operations[Name]["answer"]> =>
    perform(options, { name, input: { ...input } }, given) as Promise<Operations[Name]["answer"]>;
  const calls = Object.fromEntries(
    Object.keys(OPERATIONS).map((name) => [
      name,
      (input: Record<string, unknown> = {}, given?: CallOptions) =>
        call(name as OperationName, input as never, given),
    ]),
  ) as unknown as Calls;
  return {
    ...calls,
    alertMatches: (input, given) =>
      pagesByOffset(
        (page) => calls.listAlertMatches({ ...input, ...page }, given),
        ({ resource, resource_id }) => `${resource} ${resource_id}`,
        input.unseen_only === true,
      ),
    listings: (input = {}, given) => pagesByCursor(calls.searchListings, input, given),
    configurations: (input = {}, given) => pagesByCursor(calls.listConfigurations, input, given),
    events: (given) => followEvents(options, given),
  };
}

interface Request {
  readonly name: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
}

async function perform(client: ClientOptions, request: Request, options: CallOptions) {
  const operation: {
    readonly method: string;
    readonly path: string;
    readonly query: readonly string[];
    readonly hasBody: boolean;
  } = OPERATIONS[request.name];
  const rest = new Map(Object.entries(request.input));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    if (typeof value !== "string" || value === "") throw new TypeError(`${name} is missing`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of operation.query) {
    const value = rest.get(name);
    if (value !== undefined) query.set(name, String(value));
    rest.delete(name);
  }
  const response = await send(
    client,
    {
      method: operation.method,
      path: query.size === 0 ? path : `${path}?${query}`,
      ...(operation.hasBody ? { body: Object.fromEntries(rest) } : {}),
      // All of them may be made twice with the same effect: that is a rule of the API.
      isRepeatable: true,
    },
    options,
  );
  return readJson(response, options.signal);
}

/**
 * New items push the others on while one reads, so what was given is not given again. And where items leave the list while
 * one reads, because they are marked as seen, the others move up: then a place is left only once it has nothing new, and
 * nothing is given before all is read, because an answer may be a second older than what the reader has marked.
 */
async function* pagesByOffset<Item>(
  list: (page: {
    readonly offset: number;
    readonly limit: number;
  }) => Promise<{ readonly items: readonly Item[] }>,
  keyOf: (item: Item) => string,
  isShrinking: boolean,
): AsyncGenerator<Item, void, undefined> {
  const given = new Set<string>();
  const held: Item[] = [];
  for (let offset = 0; ; ) {
    const { items } = await list({ offset, limit: PAGE_MAX });
    const fresh = items.filter((item) => !given.has(keyOf(item)));
    for (const item of fresh) {
      given.add(keyOf(item));
      if (isShrinking) held.push(item);
      else yield item;
    }
    if (items.length < PAGE_MAX) break;
    if (!isShrinking || fresh.length === 0) offset += PAGE_MAX;
  }
  yield* held;
}

async function* pagesByCursor<In, Item>(
  list: (
    input: In & { readonly limit: number; readonly cursor?: string },
    options?: CallOptions,
  ) => Promise<{ readonly items: readonly Item[]; readonly next_cursor?: string }>,
  input: In,
  options: CallOptions | undefined,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const page = await list(
      { ...input, limit: PAGE_MAX, ...(cursor === undefined ? {} : { cursor }) },
      options,
    );
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}
