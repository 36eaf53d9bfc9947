import type { ListingFacts } from "../../listings/listing.ts";
import { EVERY_LISTING, type KeyName, nameOf } from "../index/keys.ts";
import { probeKeys } from "../index/probe.ts";
import { listAnchors } from "../index/records.ts";
import type { ReverseIndex } from "../index/reverse-index.ts";
import type { Clause } from "./clause.ts";
import type { Filter } from "./filter.ts";
import { type FilterContext, findFailingClause } from "./predicate.ts";

/** Why a filter does or does not match a listing, and how the index comes to it. */
export interface MatchExplanation {
  readonly isMatch: boolean;
  /** What the index keeps the filter at; empty when it can match nothing. */
  readonly anchors: readonly (KeyName | "every listing")[];
  /** The anchors that the listing has: without one the filter is not even looked at. */
  readonly proposedBy: readonly (KeyName | "every listing")[];
  /** The first clause that does not hold. */
  readonly decidedBy?: Clause;
}

/** `filter` is the one that was saved under `id`; undefined when none is. */
export function explainMatch(
  index: ReverseIndex,
  id: string,
  question: {
    readonly filter: Filter;
    readonly listing: ListingFacts;
    readonly context: FilterContext;
  },
): MatchExplanation | undefined {
  const { keys, records, slotOf, headOf } = index.parts;
  const slot = slotOf.get(id);
  if (slot === undefined) return undefined;
  probeKeys(keys, question.listing);
  const anchors = listAnchors(records, headOf[slot] ?? 0);
  const proposing = anchors.filter((key) => keys.stamps[key] === keys.epoch);
  const toName = (key: number) => (key === EVERY_LISTING ? "every listing" : nameOf(keys, key));
  const decidedBy = findFailingClause(question.filter, question.listing, question.context);
  return {
    isMatch: index.match(question.listing).includes(id),
    anchors: anchors.map(toName),
    proposedBy: proposing.map(toName),
    ...(decidedBy === undefined ? {} : { decidedBy }),
  };
}
