import { AppError } from "../base/errors.ts";
import { parseFilter } from "../filters/language/filter.ts";
import { asksNothing, findUnknownMembers, MEMBERS } from "../filters/language/members.ts";
import type { Row } from "./parse-manifest.ts";
import { type Path, type Problem, suggest } from "./problem.ts";
import type { KindName } from "./schema.ts";

type Filters = Readonly<Record<string, unknown>>;

export interface FilterFindings {
  readonly problems: readonly Problem[];
  /** Members that no filter knows. They are stored but have no effect, so the user gets a note. */
  readonly notes: readonly Problem[];
}

/** Checks each member on its own, so that every wrong member is reported with its line. */
export function checkFilters(
  row: Row<KindName>,
  filters: Filters,
  extraMembers: readonly string[] = [],
): FilterFindings {
  const members = Object.keys(filters);
  const problems = members.flatMap((member) =>
    findProblem(row, { [member]: filters[member] }, member),
  );
  const notes = findUnknownMembers(filters, extraMembers).map(({ path, known }) => ({
    ...row.problemAt(["filters", ...path], "no filter uses this member, so it has no effect"),
    hint: () => suggest(path.at(-1) ?? "", known),
    reason: "unknown_member" as const,
  }));
  if (problems.length > 0) return { problems, notes };
  return { problems: findProblem(row, filters), notes };
}

function findProblem(row: Row<KindName>, filters: Filters, member?: string): readonly Problem[] {
  try {
    parseFilter(filters);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [, place = "", text = error.message] =
      /^filters(?:\.([\w.]+))?: (.*)$/s.exec(error.message) ?? [];
    const inner = place === "" ? (member ?? "") : place;
    return [row.problemAt(["filters", ...toPath(inner)], text)];
  }
}

function toPath(place: string): Path {
  return place
    .split(".")
    .filter((part) => part !== "")
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** The members that apply to messages: text, sender, group, time, media. */
const MESSAGE_MEMBERS: ReadonlySet<string> = new Set([
  "q",
  "text_search",
  "country_codes",
  "phone_numbers",
  "phone_numbers_include",
  "phone_numbers_exclude",
  "phone_number",
  "group_ids",
  "group_names",
  "contact_ids",
  "contact_id",
  "canonical_message_ids",
  "canonical_message_id",
  "has_media",
  "message_timestamp_ms",
  "last_seen_at_ms",
  "from_ms",
  "to_ms",
  "include_revoked",
]);

/** Returns the members that apply to listings only. */
export function listingOnlyMembers(filters: Filters): readonly string[] {
  return Object.keys(filters).filter(
    (member) =>
      MEMBERS.has(member) && !MESSAGE_MEMBERS.has(member) && !asksNothing(filters[member]),
  );
}
