/** Photos of a watch: one in a row, and all of them in the pane and on the page. Where there is none, the watch is drawn. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ListedMedia, Listing, Media } from "../../../client/assay-client.ts";
import { api } from "../../api.ts";
import { useLoad } from "../../state/load.ts";
import { isPresenting } from "../../state/preferences.ts";
import { photoWords } from "../../words/pane.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { watchTitle } from "../watch.tsx";
import { keepPhotos } from "./arriving-photos.ts";
import { DrawnWatch } from "./watch-verdict.tsx";

type Watch = Pick<Listing, "brand" | "model" | "reference" | "dial_type">;

/** The first photo, as a square; the drawn watch if it may show another one of the message. It has its place before it is there, and is read when the row comes near. */
export function WatchPicture(props: { readonly watch: Watch; readonly media: readonly Media[] }) {
  const { watch, media } = props;
  const failedId = useSignal<string | undefined>(undefined);
  const [first] = media;
  if (
    first === undefined ||
    first.is_of_several ||
    isPresenting.value ||
    failedId.value === first.id
  ) {
    return <DrawnWatch watch={watch} />;
  }
  return (
    <img
      // A row is used again for another watch, whose photo takes its time: until then nothing is shown, not the one before.
      key={first.id}
      class="drawn-watch photo"
      src={pathOf(first.id, "thumb")}
      alt=""
      width={first.width}
      height={first.height}
      loading="lazy"
      decoding="async"
      onError={() => {
        failedId.value = first.id;
      }}
    />
  );
}

function pathOf(id: string, size: "thumb" | "full"): string {
  return `/v2/media/${id}?size=${size}`;
}

/** While a picture is being fetched, it is asked for again. */
const AGAIN_MS = 2_000;
const AGAIN_MAX = 5;

/** All photos of a listing, each a button that opens it; nothing if it has none. */
export function Photos(props: { readonly listing: Listing }) {
  const { listing } = props;
  const { state, reload } = useLoad([listing.id], (signal) =>
    api.listListingMedia({ listing_id: listing.id }, { signal }),
  );
  const open = useSignal<number | undefined>(undefined);
  const attempts = useSignal(0);
  const lostIds = useSignal<ReadonlySet<string>>(new Set());
  const lose = (id: string) => (): void => {
    lostIds.value = new Set([...lostIds.value, id]);
  };
  const { items = [], listing_count = 1 } = state.value.value ?? {};
  useEffect(() => {
    if (listing_count === 1) keepPhotos(listing.id, items);
  }, [items]);
  const isWaiting = items.some((item) => item.state === "waiting");
  useEffect(() => {
    if (!isWaiting || attempts.value >= AGAIN_MAX) return undefined;
    const timer = setTimeout(() => {
      attempts.value += 1;
      reload();
    }, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, attempts.value]);
  const stored = items.filter((item) => item.state === "stored");
  const shown = stored.filter(({ id }) => !lostIds.value.has(id));
  const lostCount = stored.length - shown.length;
  // Their place is kept while they are read, so that nothing below jumps; not while a gateway is asked, which may never answer.
  const isExpected = state.value.isLoading && attempts.value === 0 && listing.source.has_media;
  const isTold = items.some((item) => item.state !== "gone" || item.reason !== undefined);
  if (isPresenting.value || !(isTold || isExpected)) return null;
  const title = watchTitle(listing);
  return (
    <div class={shown.length > 0 || isExpected ? "photos has-photos" : "photos"}>
      {shown.length === 0 ? null : (
        <ul>
          {shown.map((item, at) => (
            <li key={item.id}>
              <button
                type="button"
                onClick={() => {
                  open.value = at;
                }}
              >
                <img
                  class="photo"
                  src={pathOf(item.id, "thumb")}
                  alt={photoWords.photo(at + 1, shown.length, title)}
                  width={item.width}
                  height={item.height}
                  decoding="async"
                  onError={lose(item.id)}
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="soft">
        {describe(
          items.filter(({ id }) => !lostIds.value.has(id)),
          { listingCount: listing_count, lostCount },
        )}
      </p>
      {open.value === undefined || shown[open.value] === undefined ? null : (
        <Gallery
          items={shown}
          at={open.value}
          title={title}
          onLost={(id) => lose(id)()}
          onMove={(to) => {
            open.value = to;
          }}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </div>
  );
}

function describe(
  items: readonly ListedMedia[],
  { listingCount, lostCount }: { readonly listingCount: number; readonly lostCount: number },
): string {
  const stored = items.filter((item) => item.state === "stored");
  const isSmall = stored.length > 0 && stored.every((item) => item.is_thumbnail_only);
  return [
    stored.length > 0 ? photoWords.count(stored.length) : undefined,
    listingCount > 1 && stored.length > 0 ? photoWords.ofMessage : undefined,
    isSmall ? photoWords.thumbnailOnly : undefined,
    stored.some((item) => item.is_beside) ? photoWords.beside : undefined,
    items.some((item) => item.state === "waiting") ? photoWords.waiting(stored.length) : undefined,
    ...describeGone(items),
    lostCount > 0 ? photoWords.lost(lostCount) : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

/** How many are gone, by the reason. */
function describeGone(items: readonly ListedMedia[]): readonly string[] {
  const reasons = items.flatMap(({ state, reason }) => (state === "gone" ? (reason ?? []) : []));
  return [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((other) => other === reason).length;
    const [one, several] = photoWords.reasons[reason];
    return photoWords.gone(count, count === 1 ? one : several);
  });
}

/** A finger moves further than this to the side for the next photo. */
const SWIPE_PX = 40;

/** One photo, large: arrows or a swipe lead to the next, a click shows it in its whole size. There both move the photo itself. */
function Gallery(props: {
  readonly items: readonly ListedMedia[];
  readonly at: number;
  readonly title: string;
  readonly onLost: (id: string) => void;
  readonly onMove: (to: number) => void;
  readonly onClose: () => void;
}) {
  const { items, at, title } = props;
  const isWhole = useSignal(false);
  const startX = useSignal(0);
  const item = items[at];
  const move = (by: number): void => {
    isWhole.value = false;
    props.onMove((at + by + items.length) % items.length);
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by === undefined || isWhole.peek()) return;
      event.preventDefault();
      event.stopPropagation();
      move(by);
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  });
  if (item === undefined) return null;
  const name = photoWords.photo(at + 1, items.length, title);
  return (
    <Dialog label={name} class="gallery" onClose={props.onClose}>
      <button
        type="button"
        class={isWhole.value ? "gallery-photo is-whole" : "gallery-photo"}
        aria-label={isWhole.value ? photoWords.fit : photoWords.whole}
        onClick={() => {
          isWhole.value = !isWhole.value;
        }}
        onTouchStart={(event) => {
          startX.value = event.touches[0]?.clientX ?? 0;
        }}
        onTouchEnd={(event) => {
          const movedX = (event.changedTouches[0]?.clientX ?? 0) - startX.value;
          const isSwipe = items.length > 1 && !isWhole.value && Math.abs(movedX) > SWIPE_PX;
          if (isSwipe) move(movedX > 0 ? -1 : 1);
        }}
      >
        <img
          key={item.id}
          src={pathOf(item.id, "full")}
          alt={name}
          width={item.width}
          height={item.height}
          onError={() => props.onLost(item.id)}
        />
      </button>
      <div class="row">
        {items.length > 1 ? (
          <>
            <Button onPress={() => move(-1)}>{photoWords.previous}</Button>
            <span class="soft" role="status">
              {photoWords.place(at + 1, items.length)}
            </span>
            <Button onPress={() => move(1)}>{photoWords.next}</Button>
          </>
        ) : null}
        <Button onPress={props.onClose}>{photoWords.close}</Button>
      </div>
    </Dialog>
  );
}
