import { toStableId } from "../../base/ids.ts";

/** The digits of a LID are never a phone number. */
export function phoneIdentifier(digits: string): string {
  return `phone:${digits}`;
}

export function lidIdentifier(digits: string): string {
  return `lid:${digits}`;
}

/** For a sender in an exported chat who has only a name. The same name in another group is another contact. */
export function nameIdentifier(group: string, name: string): string {
  return `name:${group}\t${name}`;
}

/** A LID and the phone number of the same person. */
export type Pair = readonly [lid: string, phone: string];

/** Returns undefined unless there is exactly one LID and one phone number: two of a kind may be two persons. */
export function pairOf(identifiers: readonly string[]): Pair | undefined {
  const distinct = [...new Set(identifiers)];
  const lids = distinct.filter((identifier) => identifier.startsWith("lid:"));
  const phones = distinct.filter((identifier) => identifier.startsWith("phone:"));
  const [lid, phone] = [lids[0], phones[0]];
  if (lid === undefined || phone === undefined || lids.length + phones.length > 2) return undefined;
  return [lid, phone];
}

export interface Evidence {
  readonly identifier: string;
  readonly firstSeenAtMs: number;
}

/** Returns the phone number that was seen first, ties by digits; without a phone number, the smallest identifier. */
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

/** Returns undefined if the identifier is not a phone number. */
export function phoneOf(key: string): string | undefined {
  return key.startsWith("phone:") ? key.slice("phone:".length) : undefined;
}

/** The order of PostgreSQL's collation "C". */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
