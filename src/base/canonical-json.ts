import { createHash } from "node:crypto";

/** The same hash for values that are equal as JSON, whatever the order of their members. */
export function canonicalHash(value: unknown): string {
  return createHash("sha256").update(toCanonicalJson(value)).digest("base64url");
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : member,
  );
}
