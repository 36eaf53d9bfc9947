import { Type } from "typebox";
import { AppError } from "../../base/errors.ts";
import { cutText } from "../../base/text.ts";
import {
  findUnknownMembers,
  parseFilter,
  type UnknownMember,
} from "../../filters/language/filter.ts";
import { suggest } from "../../manifest/problem.ts";
import { optional } from "./schemas.ts";

interface WarningOptions {
  /** From `StrictQuery`. */
  readonly strict?: boolean;
  /** Members that this route understands besides those of all filters, as alerts have. */
  readonly extraMembers?: readonly string[];
}

const WARNINGS_MAX = 20;
const NAME_LENGTH_MAX = 60;

/** The query of every route that takes `filters`. */
export const StrictQuery = Type.Object({
  strict: optional(
    Type.Boolean({
      default: false,
      description: "Refuse an unknown member of `filters` with 400 instead of a warning.",
    }),
  ),
});

/** The member `warnings` of a response. */
export const Warnings = optional(
  Type.Array(Type.String(), {
    description: "Members of `filters` that were ignored because no filter knows them.",
  }),
);

/**
 * Returns the member `warnings`, to be spread into the response: empty if every member of `filters` is known. Throws
 * `invalid_payload` if the filter is wrong, so that a wrong one never waits for its turn, and with `strict` if a member is
 * unknown.
 *
 * Example: `{"referense": ["5711"], "year": {"min": 2020}}` gives `filters.referense: unknown member, ignored; did you mean
 * "reference"?` and `filters.year.min: unknown member, ignored`.
 */
export function checkMembers(
  filters: Readonly<Record<string, unknown>>,
  { strict = false, extraMembers = [] }: WarningOptions = {},
): { readonly warnings?: string[] } {
  parseFilter(filters);
  const unknown = findUnknownMembers(filters, extraMembers);
  const [first] = unknown;
  if (first === undefined) return {};
  if (strict) throw new AppError("invalid_payload", describe(first, "unknown member"));
  const shown = unknown.slice(0, WARNINGS_MAX);
  const rest = unknown.length - shown.length;
  return {
    warnings: [
      ...shown.map((member) => describe(member, "unknown member, ignored")),
      ...(rest > 0 ? [`filters: ${rest} more unknown members, ignored`] : []),
    ],
  };
}

/** For a route whose query becomes a filter: the error names the parameter, and not a member that the caller did not send. */
export async function withParameterNames<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = error.message.replace(
      /^filters\.(\w+)[\w.]*:/,
      (_, member: string) => `${member === "text_search" ? "q" : member}:`,
    );
    throw new AppError(error.code, message, error);
  }
}

function describe({ path, known }: UnknownMember, problem: string): string {
  return `filters.${path.map(shorten).join(".")}: ${problem}${suggest(path.at(-1) ?? "", known)}`;
}

function shorten(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${cutText(name, NAME_LENGTH_MAX)}…` : name;
}
