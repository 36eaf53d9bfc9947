/**
 * A list that the service returns page by page, and that grows when the reader asks for more.
 *
 * When it is read again, it reads as many rows as are shown, so that nothing the reader looks at goes away.
 */
import { useMemo } from "preact/hooks";
import { type Load, useLoad } from "./load.ts";
import { tellFailure } from "./tell-failure.ts";

interface Page<Row> {
  readonly items: readonly Row[];
  readonly next_cursor?: string;
}

export interface Pages<Row> {
  readonly load: Load<Page<Row>>;
  readonly more: () => Promise<void>;
}

export function usePages<Row>(
  key: readonly unknown[],
  read: (cursor: { readonly cursor?: string }, signal?: AbortSignal) => Promise<Page<Row>>,
): Pages<Row> {
  const shown = useMemo(() => ({ count: 0 }), key);
  const load = useLoad(key, async (signal) => {
    let page = await read({}, signal);
    while (page.items.length < shown.count && page.next_cursor !== undefined) {
      page = append(page, await read({ cursor: page.next_cursor }, signal));
    }
    shown.count = page.items.length;
    return page;
  });
  const more = async (): Promise<void> => {
    const cursor = load.state.value.value?.next_cursor;
    if (cursor === undefined) return;
    try {
      const next = await read({ cursor });
      load.change((page) => (page.next_cursor === cursor ? append(page, next) : page));
      shown.count = load.state.value.value?.items.length ?? 0;
    } catch (error) {
      tellFailure(error);
    }
  };
  return { load, more };
}

function append<Row>(page: Page<Row>, next: Page<Row>): Page<Row> {
  return { ...next, items: [...page.items, ...next.items] };
}
