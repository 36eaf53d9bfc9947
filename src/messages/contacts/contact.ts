import { toStableId } from "../../base/ids.ts";

/** Something that a sender was seen under. A LID's digits are never a phone number. */
export function phoneIdentifier(digits: string): string {
  return `phone:${digits}`;
}

export function lidIdentifier(digits: string): string {
  return `lid:${digits}`;
}

/** The sender of an exported chat who has a name and nothing else: the same name in another group is somebody else. */
export function nameIdentifier(group: string, name: string): string {
  return `name:${group}\t${name}`;
}

/** Whoever wrote it in this group: the gateway did not say. */
export function unknownIdentifier(group: string): string {
  return `unknown:${group}`;
}

export interface Evidence {
  readonly identifier: string;
  readonly firstSeenAtMs: number;
}

/** The key of a contact: the phone with the earliest evidence, ties by digits; without a phone the smallest identifier. */
export function contactKey(evidence: readonly Evidence[]): string {
  const phones = evidence.filter(({ identifier }) => identifier.startsWith("phone:"));
  const [first] = (phones.length > 0 ? phones : evidence).toSorted((left, right) =>
    phones.length > 0 && left.firstSeenAtMs !== right.firstSeenAtMs
      ? left.firstSeenAtMs - right.firstSeenAtMs
      : compareBytes(left.identifier, right.identifier),
  );
  return first?.identifier ?? "";
}

export function contactIdOf(key: string): string {
  return toStableId("contact", key);
}

export function phoneOf(key: string): string | undefined {
  return key.startsWith("phone:") ? key.slice("phone:".length) : undefined;
}

/** As PostgreSQL's collation "C" orders. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
