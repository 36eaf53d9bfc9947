import type { Failure } from "../api.ts";

/** The member of the filter that the service refuses, and why: `filters.year.gte: must be integer` is about `year`. */
export function refusedMember(
  failure: Failure | undefined,
): { readonly member: string; readonly message: string } | undefined {
  if (failure?.kind !== "refused") return undefined;
  const found = /^filters\.([A-Za-z_]+)([^:]*): (.*)$/s.exec(failure.message);
  if (found === null) return undefined;
  const [, member = "", inner = "", reason = ""] = found;
  return { member, message: `${member}${inner}: ${reason}` };
}
