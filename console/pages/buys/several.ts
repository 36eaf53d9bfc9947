/** Several rows at once: which are chosen, and what is decided about all of them. One undo takes all of it back. */
import { type ReadonlySignal, type Signal, useSignal } from "@preact/signals";
import type { WatchMatch } from "../../../client/assay-client.ts";
import { toFailure } from "../../api.ts";
import { decide, type PassReason } from "../../parts/watch/decide.ts";
import { offerUndo, showToast, tellFailure } from "../../state/toasts.ts";
import { buysWords } from "../../words/buys.ts";
import { watchWords } from "../../words/watch.ts";
import { type Buys, setDeal } from "./buys-state.ts";

export interface Several {
  readonly chosenIds: ReadonlySignal<ReadonlySet<string>>;
  readonly toggle: (id: string) => void;
  /** All rows from the last one that was chosen, or else the one that is looked at, to this one. */
  readonly chooseTo: (id: string) => void;
  readonly clear: () => void;
}

type Change =
  | { readonly state: "passed"; readonly reason: PassReason }
  | { readonly state: "shortlisted" };

export function useSeveral(
  rows: readonly WatchMatch[],
  selectedId: ReadonlySignal<string | undefined>,
): Several {
  const chosenIds = useSignal<ReadonlySet<string>>(new Set());
  const lastId = useSignal<string | undefined>(undefined);
  return {
    chosenIds,
    toggle: (id) => {
      const next = new Set(chosenIds.value);
      if (!next.delete(id)) next.add(id);
      chosenIds.value = next;
      lastId.value = id;
    },
    chooseTo: (id) => {
      const between = listBetween(rows, lastId.value ?? selectedId.value ?? id, id);
      chosenIds.value = new Set([...chosenIds.value, ...between]);
      lastId.value = id;
    },
    clear: () => clear(chosenIds, lastId),
  };
}

/** Rows of messages have no watch to decide about. */
export async function decideSeveral(
  buys: Buys,
  rows: readonly WatchMatch[],
  change: Change,
): Promise<void> {
  const undos: (() => Promise<void>)[] = [];
  const failures: string[] = [];
  for (const { listing, deal } of rows) {
    if (listing === undefined) continue;
    try {
      const decision = await decide({ listingId: listing.id, deal }, change);
      setDeal(buys.load, listing.id, decision.deal);
      if (decision.kind === "beaten") failures.push(decision.message);
      else undos.push(async () => setDeal(buys.load, listing.id, await decision.undo()));
    } catch (error) {
      failures.push(toFailure(error).message);
    }
  }
  const [first] = failures;
  if (first !== undefined) showToast(buysWords.notDecided(failures.length, first), { isBad: true });
  if (undos.length === 0) return;
  offerUndo(buysWords.decided(undos.length, watchWords.state(change.state)), () => {
    Promise.all(undos.map((undo) => undo())).catch(tellFailure);
  });
}

function listBetween(rows: readonly WatchMatch[], fromId: string, toId: string): readonly string[] {
  const ids = rows.map(({ resource_id }) => resource_id);
  const ends = [ids.indexOf(fromId), ids.indexOf(toId)].filter((at) => at >= 0);
  return ids.slice(Math.min(...ends), Math.max(...ends) + 1);
}

function clear(chosenIds: Signal<ReadonlySet<string>>, lastId: Signal<string | undefined>): void {
  chosenIds.value = new Set();
  lastId.value = undefined;
}
