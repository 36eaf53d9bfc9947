import { useCallback } from "preact/hooks";
import { useLive } from "./live.ts";
import type { LiveEvent } from "./protocol.ts";

/** Calls `run` when the prices of these configurations may have changed. Pass functions that do not change. */
export function useCellsChanged(shownIds: () => readonly string[], run: () => void): void {
  useLive(
    useCallback(
      (events: readonly LiveEvent[]) => {
        const ids = shownIds();
        if (events.some((event) => isAbout(event, ids))) run();
      },
      [shownIds, run],
    ),
  );
}

/** Without ids, everything may have changed. */
function isAbout(event: LiveEvent, shownIds: readonly string[]): boolean {
  if (event.event === "reconnected") return true;
  if (event.event !== "cells.changed") return false;
  const ids = event.data.data.configuration_ids;
  return ids === undefined || ids.some((id) => shownIds.includes(id));
}
