import { toStableId } from "../../base/ids.ts";
import { foldWords } from "../../base/text.ts";

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

/** Returns undefined if the identifier is not a phone number. */
export function phoneOf(key: string): string | undefined {
  return key.startsWith("phone:") ? key.slice("phone:".length) : undefined;
}

/** Stands for every member of a group whom an event with all members does not name as an admin. */
export const ALL_MEMBERS = "";

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

/** An identifier, or a pair of one person, that was seen at a time, perhaps with a name. */
export interface Sighting {
  /** One, or a LID and a phone number. */
  readonly identifiers: readonly string[];
  readonly atMs: number;
  readonly name?: string;
  readonly isOwn: boolean;
  readonly evidence: Evidence;
  /** True if an identifier is new, or its rights as an admin changed: other edits and revocations by it may count now. */
  readonly isNew?: boolean;
}

/**
 * Where a pair was seen. One from a message is withdrawn if no message supports it any more. One that was listed by the
 * gateway, or stated outside of a message, stays. A doubt says that a message no longer supports the pair.
 */
export type Evidence = "message" | "list" | "doubt";

/** A pair and whether it stays whatever messages say. */
export interface SeenPair {
  readonly pair: Pair;
  readonly isListed: boolean;
}

/** Returns the pairs that the sightings state. */
export function listPairs(sightings: readonly Sighting[]): readonly SeenPair[] {
  return sightings.flatMap((sighting) => findPair(sighting) ?? []);
}

/** Returns the pair that a sighting states. */
export function findPair({ identifiers, evidence }: Sighting): SeenPair | undefined {
  if (identifiers.length < 2 || evidence === "doubt") return undefined;
  const pair = pairOf(identifiers);
  return pair && { pair, isListed: evidence === "list" };
}

interface SeenIdentifier {
  readonly identifier: string;
  readonly firstSeenAtMs: number;
}

/** Returns the phone number that was seen first, ties by digits; without a phone number, the smallest identifier. */
export function contactKey(evidence: readonly SeenIdentifier[]): string {
  const phones = evidence.filter(({ identifier }) => identifier.startsWith("phone:"));
  const [first] = (phones.length > 0 ? phones : evidence).toSorted((left, right) =>
    phones.length > 0 && left.firstSeenAtMs !== right.firstSeenAtMs
      ? left.firstSeenAtMs - right.firstSeenAtMs
      : compareBytes(left.identifier, right.identifier),
  );
  return first?.identifier ?? "";
}

/** The order of PostgreSQL's collation "C". */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

export function contactIdOf(key: string): string {
  return toStableId("contact", key);
}

/** No name has more words; the rest is not searched. */
const NAME_WORDS_MAX = 16;

/** Returns the words of a name as searches compare them, with a blank between two. */
export function toNameWords(name: string): string {
  return foldWords(name).slice(0, NAME_WORDS_MAX).join(" ");
}
