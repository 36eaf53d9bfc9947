import type { HeardFact } from "../gateway-event.ts";
import { at, textAt, timeAt, toList } from "./json.ts";

/**
 * What is left of a body whose sender was erased. `assay_erased` says that nothing else is to be read in it, and `assay_heard` has
 * what readers need so that groups and sessions stay as they are.
 */
export function isErased(root: unknown): boolean {
  return at(root, "assay_erased") === true;
}

export function readHeard(root: unknown): readonly HeardFact[] {
  return toList(at(root, "assay_heard")).map((item) => {
    const group = textAt(item, "group");
    const session = textAt(item, "session");
    const sentAtMs = timeAt(item, "sentAtMs");
    return {
      kind: "heard",
      ...(group === undefined ? {} : { group }),
      ...(session === undefined ? {} : { session }),
      ...(sentAtMs === undefined ? {} : { sentAtMs }),
    };
  });
}

/** Returns the members that a rewritten body gets. */
export function writeHeard(heard: readonly HeardFact[]): object {
  return heard.length === 0 ? {} : { assay_heard: heard.map(({ kind: _, ...item }) => item) };
}
