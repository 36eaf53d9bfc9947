import { type Filters, type Listing, OPERATIONS, type Operations } from "./api.ts";
import { type EventType, followEvents, type Streamed, type StreamOptions } from "./event-stream.ts";
import {
  type CallOptions,
  type ClientOptions,
  readFacts,
  readJson,
  readStream,
  send,
} from "./transport.ts";

export type * from "./api.ts";
// biome-ignore lint/performance/noBarrelFile: this is the published entry point; it exports what its users need.
export { FILTER_MEMBERS } from "./api.ts";
export { AssayConnectionError, AssayError } from "./client-error.ts";
export type {
  EventType,
  Reconnected,
  StreamEvent,
  Streamed,
  StreamOptions,
} from "./event-stream.ts";
export type { AnswerFacts, CallOptions, ClientOptions } from "./transport.ts";

/**
 * The members of a filter that the contract names. `Filters` also takes others, which the service stores and ignores, so
 * only `{ … } satisfies FilterMembers` finds a misspelt one.
 */
export type FilterMembers = {
  [Name in keyof Filters as string extends Name ? never : Name]: Filters[Name];
};

type OperationName = keyof Operations;
type Input<Name extends OperationName> = Operations[Name]["input"];
type Arguments<Name extends OperationName> =
  Record<never, never> extends Input<Name>
    ? [input?: Input<Name>, options?: CallOptions]
    : [input: Input<Name>, options?: CallOptions];

/** One method for each operation of the API, named by its `operationId`. Path, query, headers and body go into one object. */
type Calls = {
  readonly [Name in OperationName]: (
    ...callArguments: Arguments<Name>
  ) => Promise<Operations[Name]["answer"]>;
};

type Paged<Name extends OperationName> = Omit<Input<Name>, "offset" | "limit" | "cursor">;
type ItemOf<Name extends OperationName> = Operations[Name]["answer"] extends {
  readonly items: readonly (infer Item)[];
}
  ? Item
  : never;

/** The operations whose lists have a `cursor`. */
type CursorName = {
  [Name in OperationName]: Operations[Name]["answer"] extends {
    readonly items: readonly unknown[];
    readonly next_cursor?: string;
  }
    ? "cursor" extends keyof Input<Name>
      ? Name
      : never
    : never;
}[OperationName];

export interface AssayClient extends Calls {
  /**
   * All items of a list with a `cursor`: `assay.each("listViews")`. Pages are requested as the caller reads.
   */
  each<Name extends CursorName>(
    name: Name,
    input?: Paged<Name>,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<Name>, void, undefined>;
  /**
   * All matches of an alert, newest first. Pages are requested as the caller reads. With `unseen_only`, all pages are
   * requested before the first match is returned.
   */
  alertMatches(
    input: Paged<"listAlertMatches">,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<"listAlertMatches">, void, undefined>;
  /** All listings that a filter selects. Pages are requested as the caller reads. */
  listings(
    input?: Paged<"searchListings">,
    options?: CallOptions,
  ): AsyncGenerator<Listing, void, undefined>;
  /** All configurations that the query selects. Pages are requested as the caller reads. */
  configurations(
    input?: Paged<"listConfigurations">,
    options?: CallOptions,
  ): AsyncGenerator<ItemOf<"listConfigurations">, void, undefined>;
  /**
   * Matches as they happen, and other events if `types` names them, from `GET /v2/events`. Reconnects by itself and continues
   * after the last match; other events may then be missing, and `reconnected` says so.
   */
  events<Type extends EventType = "alert.match">(
    options?: StreamOptions<Type>,
  ): AsyncGenerator<Streamed<Type>, void, undefined>;
}

const PAGE_MAX = 100;

export function createAssayClient(options: ClientOptions): AssayClient {
  const call = <Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    callOptions: CallOptions = {},
  ): Promise<Operations[Name]["answer"]> =>
    perform(options, { name, input: { ...input } }, callOptions) as Promise<
      Operations[Name]["answer"]
    >;
  const calls = Object.fromEntries(
    Object.keys(OPERATIONS).map((name) => [
      name,
      (input: Record<string, unknown> = {}, callOptions?: CallOptions) =>
        call(name as OperationName, input as never, callOptions),
    ]),
  ) as unknown as Calls;
  return {
    ...calls,
    alertMatches: (input, callOptions) =>
      itemsByOffset(
        (page) => calls.listAlertMatches({ ...input, ...page }, callOptions),
        ({ resource, resource_id }) => `${resource} ${resource_id}`,
        input.unseen_only === true,
      ),
    each: (name, input, callOptions) =>
      // The types of all lists at once are more than the compiler can compare.
      itemsByCursor(calls[name] as never, input ?? {}, callOptions) as never,
    listings: (input = {}, callOptions) => itemsByCursor(calls.searchListings, input, callOptions),
    configurations: (input = {}, callOptions) =>
      itemsByCursor(calls.listConfigurations, input, callOptions),
    events: (streamOptions) => followEvents(options, streamOptions),
  };
}

interface Request {
  readonly name: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Distributes the input over path, query, headers and body, and sends the request. */
async function perform(client: ClientOptions, request: Request, options: CallOptions) {
  const operation: {
    readonly method: string;
    readonly path: string;
    readonly query: readonly string[];
    readonly headers?: readonly string[];
    readonly hasBody: boolean;
    readonly takesId?: boolean;
    readonly isText?: boolean;
  } = OPERATIONS[request.name];
  // What neither the path, the query nor a header takes goes into the body.
  const unused = new Map(Object.entries(request.input));
  // With an id of its own, a request that creates an object can be repeated. Browsers offer this only on safe origins.
  if (operation.takesId === true && !unused.has("id")) {
    unused.set("id", globalThis.crypto.randomUUID?.());
  }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = unused.get(name);
    unused.delete(name);
    if (typeof value !== "string" || value === "") throw new TypeError(`${name} is missing`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of operation.query) {
    const value = unused.get(name);
    if (value !== undefined) query.set(name, String(value));
    unused.delete(name);
  }
  const headers: Record<string, string> = {};
  for (const header of operation.headers ?? []) {
    const name = header.replaceAll("-", "_");
    const value = unused.get(name);
    if (value !== undefined) headers[header] = String(value);
    unused.delete(name);
  }
  const response = await send(
    client,
    {
      method: operation.method,
      path: query.size === 0 ? path : `${path}?${query}`,
      headers: operation.isText === true ? { ...headers, accept: "*/*" } : headers,
      // A table may take longer to arrive than any time-out.
      isEndless: operation.isText === true,
      ...(operation.hasBody ? { body: Object.fromEntries(unused) } : {}),
      // Every operation of the API has the same effect if it runs twice.
      isRepeatable: true,
    },
    options,
  );
  options.onAnswer?.(readFacts(response));
  const read = operation.isText === true ? readStream : readJson;
  return read(response, options.signal);
}

/**
 * Yields every item of a list with `offset` once, although the list changes between two requests.
 *
 * New items appear at the start and move the others back, so an item can be returned twice: `seenKeys` removes the
 * second one. In a shrinking list, items disappear when the caller marks them as seen, and the others move forward. Then
 * the offset only moves on from a full page that has nothing new. And all pages are read before the first item is
 * yielded, because a response may be a second old and miss what the caller has just marked.
 */
async function* itemsByOffset<Item>(
  list: (page: {
    readonly offset: number;
    readonly limit: number;
  }) => Promise<{ readonly items: readonly Item[] }>,
  keyOf: (item: Item) => string,
  isShrinking: boolean,
): AsyncGenerator<Item, void, undefined> {
  const seenKeys = new Set<string>();
  const withheld: Item[] = [];
  for (let offset = 0; ; ) {
    const { items } = await list({ offset, limit: PAGE_MAX });
    const newItems = items.filter((item) => !seenKeys.has(keyOf(item)));
    for (const item of newItems) {
      seenKeys.add(keyOf(item));
      if (isShrinking) withheld.push(item);
      else yield item;
    }
    if (items.length < PAGE_MAX) break;
    if (!isShrinking || newItems.length === 0) offset += PAGE_MAX;
  }
  yield* withheld;
}

async function* itemsByCursor<In, Item>(
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
