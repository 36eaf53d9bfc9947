/** The way back to the list, and to the watches before and after this one. */
import { useMemo, useRef } from "preact/hooks";
import { api } from "../../api.ts";
import { Button } from "../../parts/button.tsx";
import { goBack, navigate } from "../../router.ts";
import { useKeys } from "../../state/commands.ts";
import { useLoad } from "../../state/load.ts";
import { type Steps, stepsAround, trail } from "../../state/trail.ts";
import { listingWords } from "../../words/listing.ts";

/** How many of the best buys are stepped through where no list was open before, as after a notification. */
const BUYS_MAX = 100;

/** Steps replace the address, so that the way back leads to the list and not through all that was looked at. */
export function ListingSteps({ id }: { readonly id: string }) {
  const { previousId, nextId } = useSteps(id);
  const goTo = (listingId: string | undefined): void => {
    if (listingId !== undefined) navigate(`/listings/${listingId}`, { isReplacing: true });
  };
  const latest = useRef({ goTo, previousId, nextId });
  latest.current = { goTo, previousId, nextId };
  useKeys(
    useMemo(
      () => [
        {
          key: "[",
          label: listingWords.previous,
          run: () => latest.current.goTo(latest.current.previousId),
        },
        {
          key: "]",
          label: listingWords.next,
          run: () => latest.current.goTo(latest.current.nextId),
        },
        { key: "u", label: listingWords.back, run: leave },
        { key: "Escape", label: listingWords.back, run: leave },
      ],
      [],
    ),
  );
  return (
    <nav class="listing-steps" aria-label={listingWords.steps}>
      <Button onPress={leave} hotkey="u">
        <span aria-hidden="true">←</span> {listingWords.back}
      </Button>
      <span class="grow" />
      {previousId === undefined ? null : (
        <Button onPress={() => goTo(previousId)} hotkey="[">
          {listingWords.previous}
        </Button>
      )}
      {nextId === undefined ? null : (
        <Button onPress={() => goTo(nextId)} hotkey="]">
          {listingWords.next}
        </Button>
      )}
    </nav>
  );
}

/** In the list that the reader came from; otherwise among the best buys. */
function useSteps(id: string): Steps {
  const ids = trail.value?.listingIds ?? [];
  const isKnown = ids.includes(id);
  const load = useLoad([isKnown], async (signal) => {
    if (isKnown) return [];
    const { items } = await api.listWatchMatches(
      { is_buy: true, sort: "profit", limit: BUYS_MAX },
      { signal },
    );
    return items.flatMap(({ listing }) => (listing === undefined ? [] : [listing.id]));
  });
  return stepsAround(isKnown ? ids : (load.state.value.value ?? []), id);
}

/** As the browser does it, which keeps the place in the list. */
function leave(): void {
  goBack(trail.peek()?.href ?? "/");
}
