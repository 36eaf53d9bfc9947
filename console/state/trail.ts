import { signal } from "@preact/signals";

/** The list from which listings are opened, in its order, so that the page of a listing can step through it. */
export interface Trail {
  /** The address of the list. */
  readonly href: string;
  readonly listingIds: readonly string[];
}

/** A page with a list of watches sets it whenever its rows change. */
export const trail = signal<Trail | undefined>(undefined);

export interface Steps {
  readonly previousId: string | undefined;
  readonly nextId: string | undefined;
}

export function stepsAround(listingIds: readonly string[], id: string): Steps {
  const at = listingIds.indexOf(id);
  if (at < 0) return { previousId: undefined, nextId: listingIds[0] };
  return { previousId: listingIds[at - 1], nextId: listingIds[at + 1] };
}
