/** Photos that came after their row was read: a watch is listed at once, and its picture follows some seconds later. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ListedMedia, Media, WatchMatch } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { PRICES_MAX } from "../../state/prices.ts";
import type { WatchRow } from "./verdict.ts";

/** After each of these times the rows without their photo are asked for again; a gateway sends most within seconds. */
const AGAIN_MS = [3_000, 6_000, 12_000, 24_000, 48_000];
/** As long as a picture of a new message may be on its way. */
const FRESH_MS = 180_000;
const KEPT_MAX = 500;

/** By listing. */
const arrived = signal<ReadonlyMap<string, readonly Media[]>>(new Map());

/** The photos of a row, also those that came since it was read. */
export function photosOf({ listing, media }: Pick<WatchRow, "listing" | "media">) {
  if (media !== undefined || listing === undefined) return media ?? [];
  return arrived.value.get(listing.id) ?? [];
}

/** Rows that show the listing show these photos from now on. */
export function keepPhotos(listingId: string, items: readonly (Media | ListedMedia)[]): void {
  const shown = items.filter(isMedia);
  const known = arrived.peek();
  if (shown.length === 0 || known.get(listingId)?.length === shown.length) return;
  arrived.value = new Map([...[...known].slice(1 - KEPT_MAX), [listingId, shown]]);
}

function isMedia(item: Media | ListedMedia): item is Media {
  return item.width !== undefined && item.height !== undefined;
}

/** Asks for the photos of the latest rows until they are there, or until a photo that comes would be late. */
export function useArrivingPhotos(rows: readonly WatchMatch[]): void {
  const nowMs = Date.now();
  const awaited = rows
    .filter((row) => row.listing?.source.has_media === true && photosOf(row).length === 0)
    .filter(({ matched_at_ms }) => nowMs - matched_at_ms < FRESH_MS)
    .map(({ resource_id }) => resource_id)
    .slice(0, PRICES_MAX)
    .join();
  useEffect(() => {
    if (awaited === "") return undefined;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let attempt = 0;
    const wait = (): void => {
      const waitMs = AGAIN_MS[attempt];
      attempt += 1;
      if (waitMs === undefined || ending.signal.aborted) return;
      timer = setTimeout(
        () =>
          void ask()
            .catch(() => undefined)
            .finally(wait),
        waitMs,
      );
    };
    const ask = async (): Promise<void> => {
      const listing_ids = awaited.split(",");
      const { items } = await api.listPriceEngineMatches({ listing_ids }, ending);
      for (const { listing_id, media = [] } of items) keepPhotos(listing_id, media);
    };
    wait();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  }, [awaited]);
}
