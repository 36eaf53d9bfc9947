/**
 * When a listing would have fired an alert. An alert looks at a listing whenever its message is posted, and at the listing
 * as it is then: seen last at that time, and in the groups where it was posted so far. So the clauses that read these facts
 * hold at some posts of a listing and not at others; all other clauses hold always or never.
 *
 * Example: a message was posted in group 1 on Monday and in group 2 on Tuesday. A filter for group 2 holds from Tuesday on,
 * so an alert with it would have matched on Tuesday, and an alert without it on Monday.
 */
import { assertNever } from "../base/errors.ts";
import {
  ATTRIBUTES,
  type ChangingAttribute,
  type Directory,
  NUMBERS,
} from "../filters/language/attributes.ts";
import type { Clause } from "../filters/language/clause.ts";
import type { Filter } from "../filters/language/filter.ts";
import { holds } from "../filters/language/predicate.ts";
import { EMPTY_FACTS, type ListingFacts } from "../listings/listing.ts";

/** One post of a message. */
export interface Post {
  readonly sent_at_ms: number;
  readonly group_id: string;
  readonly has_media: boolean;
}

export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The clauses that read what changes from post to post. */
export function changingClauses({ clauses }: Filter): readonly Clause[] {
  return clauses.filter(isChanging);
}

/** A filter that holds now for every listing for which the filter held at some post. */
export function relaxFilter({ clauses }: Filter): Filter {
  return { clauses: clauses.flatMap((clause) => (isChanging(clause) ? relax(clause) : [clause])) };
}

/** An ask that is posted again in other words can be a buy then, so alerts on buys do not leave duplicates out. */
export function withDuplicates({ clauses }: Filter): Filter {
  return { clauses: clauses.filter(({ member }) => member !== "include_duplicates") };
}

/** The times of the posts within the period at which the changing clauses hold. The posts are in the order of time. */
export function listMoments(
  posts: readonly Post[],
  { clauses, directory, period }: MomentOptions,
): readonly number[] {
  const groupIds = new Set<string>();
  let hasMedia = false;
  return posts.flatMap((post) => {
    groupIds.add(post.group_id);
    hasMedia ||= post.has_media;
    const atMs = post.sent_at_ms;
    if (atMs < period.fromMs || atMs > period.toMs) return [];
    const changing: Readonly<Record<ChangingAttribute, Partial<ListingFacts>>> = {
      group_id: { group_ids: [...groupIds] },
      group_name: { group_names_folded: namesOf(groupIds, clauses, directory) },
      has_media: { has_media: hasMedia },
      last_seen_at_ms: { last_seen_at_ms: atMs },
    };
    const facts: ListingFacts = Object.assign({ ...EMPTY_FACTS }, ...Object.values(changing));
    return clauses.every((clause) => holds(clause, facts, NO_RATES)) ? [atMs] : [];
  });
}

interface MomentOptions {
  readonly clauses: readonly Clause[];
  readonly directory: Directory;
  readonly period: Period;
}

function isChanging(clause: Clause): boolean {
  switch (clause.kind) {
    case "any_of":
    case "none_of":
    case "absent_or_any_of":
      return ATTRIBUTES[clause.attribute].changesByPost;
    case "between":
      return NUMBERS[clause.attribute].changesByPost;
    case "price":
    case "text":
      return false;
    default:
      return assertNever(clause);
  }
}

/** Groups are only added, what is false can become true and stays so, and the last time only grows. */
function relax(clause: Clause): readonly Clause[] {
  if (clause.kind === "any_of") return clause.values.includes("false") ? [] : [clause];
  if (clause.kind !== "between" || clause.gte === undefined) return [];
  const { lte: _, ...rest } = clause;
  return [rest];
}

/** Of the names that the clauses ask for, those of the groups. */
function namesOf(
  groupIds: ReadonlySet<string>,
  clauses: readonly Clause[],
  directory: Directory,
): readonly string[] {
  return clauses.flatMap((clause) =>
    "values" in clause && clause.attribute === "group_name"
      ? clause.values.filter((name) =>
          directory.groupIdsNamed([name]).some((id) => groupIds.has(id)),
        )
      : [],
  );
}

/** No changing clause asks for a price. */
const NO_RATES = { rateOf: () => undefined };
