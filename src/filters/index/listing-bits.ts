import { assert } from "../../base/errors.ts";
import type { ListingFacts } from "../../listings/listing.ts";
import { ATTRIBUTES } from "../language/attributes.ts";
import type { AttributeName, Clause } from "../language/clause.ts";

/**
 * All attributes with few values (side, condition, media, marks …) as bits of one integer, so that one AND checks all
 * of them. Each attribute has a field of bits. The listing sets the bits of what it has. The filter sets the bits that
 * it allows. The filter holds if it allows every bit of the listing: `(~allowed & listing) === 0`.
 *
 * Example: the field of `condition` has four bits: NEW, LIKE_NEW, USED, and "no condition". The filter
 * `{condition: ["NEW", "USED"]}` allows 0b0101 there. A new watch has 0b0001 and passes. A like-new one has 0b0010,
 * and a watch without a condition has 0b1000: both fail.
 */
interface BitField {
  readonly attribute: AttributeName;
  readonly shift: number;
  readonly width: number;
  readonly read: (listing: ListingFacts) => string | readonly string[] | null;
  readonly words: readonly string[];
  readonly bitByWord: ReadonlyMap<string, number>;
  /** The bit of a listing that has none of the words, or 0 if the field has no such bit. */
  readonly absentBit: number;
  /**
   * A listing with several words at once. Then the field has one bit for each set of words: the set {0, 2} is number
   * 0b101 = 5, so its bit is 1 << 5.
   */
  readonly isSet: boolean;
}

export type ValueClause = Extract<Clause, { kind: "any_of" | "none_of" }>;

/** The sign bit stays free: a record uses it for something else. */
const BITS_MAX = 31;
/** Of a filter that asks nothing of these attributes. */
export const ALL_BITS = 0x7fff_ffff;

const FIELDS: readonly BitField[] = layOutFields();

/** The bits of what the listing has. Called for every listing: keep it free of allocations. */
export function toListingBits(listing: ListingFacts): number {
  let bits = 0;
  for (let at = 0; at < FIELDS.length; at += 1) {
    const { read, bitByWord, isSet, absentBit, shift } = FIELDS[at] as BitField;
    const value = read(listing);
    let own = 0;
    if (typeof value === "string") own = bitByWord.get(value) ?? 0;
    else if (value !== null) for (const word of value) own |= bitByWord.get(word) ?? 0;
    bits |= (isSet ? 1 << own : own === 0 ? absentBit : own) << shift;
  }
  return bits;
}

export function isBitAttribute(attribute: AttributeName): boolean {
  return ATTRIBUTES[attribute].index.as === "mask";
}

/** The bits that the clause allows, or undefined if bits cannot express it. */
export function allowedBitsOf({ attribute, kind, values }: ValueClause): number | undefined {
  const field = FIELDS.find((candidate) => candidate.attribute === attribute);
  assert(field !== undefined, `attribute ${attribute} has no bits`);
  const { index } = ATTRIBUTES[attribute];
  // Bits can allow or forbid a mark. They cannot demand one, because a listing without marks sets no bit.
  if (index.as === "mask" && index.holds === "marks" && kind === "any_of") return undefined;
  const all = 2 ** field.width - 1;
  const asked = toWordBits(field.words, values);
  const hit = field.isSet ? setsThatContainAny(asked, field.width) : asked;
  const allowed = kind === "any_of" ? hit : all & ~hit;
  const otherFields = ~(all << field.shift);
  return otherFields | (allowed << field.shift);
}

function layOutFields(): readonly BitField[] {
  let shift = 0;
  const fields = (Object.keys(ATTRIBUTES) as AttributeName[]).flatMap((attribute) => {
    const { read, index } = ATTRIBUTES[attribute];
    if (index.as !== "mask") return [];
    const { words, holds } = index;
    const field = {
      attribute,
      shift,
      width: widthOf(holds, words.length),
      read,
      words,
      bitByWord: new Map(words.map((word, at) => [word, 1 << at])),
      absentBit: holds === "optional" ? 1 << words.length : 0,
      isSet: holds === "set",
    };
    shift += field.width;
    return [field];
  });
  assert(shift <= BITS_MAX, `the attributes take ${shift} bits, and a record has ${BITS_MAX}`);
  return fields;
}

function widthOf(holds: "one" | "optional" | "set" | "marks", wordCount: number): number {
  if (holds === "set") return 2 ** wordCount;
  return holds === "optional" ? wordCount + 1 : wordCount;
}

/** One bit for each set of words that has a word in common with `asked`. */
function setsThatContainAny(asked: number, setCount: number): number {
  let bits = 0;
  for (let set = 0; set < setCount; set += 1) if ((set & asked) !== 0) bits |= 1 << set;
  return bits;
}

function toWordBits(words: readonly string[], values: readonly string[]): number {
  return words.reduce((bits, word, at) => (values.includes(word) ? bits | (1 << at) : bits), 0);
}
