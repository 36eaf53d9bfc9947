import { getEventListeners } from "node:events";

/** Listeners, and signals that `AbortSignal.any` made from this one, which Node keeps in a set of its own. */
export function countDependants(signal: AbortSignal): number {
  const isSet = ({ description }: symbol) => description === "kDependantSignals";
  const key = Object.getOwnPropertySymbols(signal).find(isSet);
  const made = key === undefined ? undefined : (signal as never)[key];
  return (
    getEventListeners(signal, "abort").length + ((made as Set<unknown> | undefined)?.size ?? 0)
  );
}
