/**
 * Joins the pieces of a query to one filter object.
 *
 * Values of a member are alternatives where a watch can only have one of them (references, brands, conditions), and hold
 * together where it can have both: colour and style of a dial, box and papers, bounds of a price.
 */
import type { Line } from "../../extraction/lines/line.ts";
import { isA } from "../../extraction/words/words.ts";
import type { Bounds } from "../language/clause.ts";
import type { Piece } from "./typed-line.ts";
import type { Countries } from "./typed-watches.ts";

export function joinPieces(
  pieces: readonly Piece[],
  line: Line,
): Readonly<Record<string, unknown>> {
  const members = [...new Set(pieces.map(({ member }) => member))];
  return Object.fromEntries(
    members.map((member) => {
      const own = pieces.filter((piece) => piece.member === member);
      return [member, joinMember(member, own, line)];
    }),
  );
}

function joinMember(member: string, pieces: readonly Piece[], line: Line): unknown {
  switch (member) {
    case "price":
      return Object.assign({}, ...pieces.map(({ value }) => value as Bounds));
    case "year":
      return joinYears(pieces.map(({ value }) => value as Years));
    case "country_codes":
      return joinCountries(pieces.map(({ value }) => value as Countries));
    case "reference":
      return joinReferences(pieces);
    case "full_set_status":
      return hasChoice(pieces, line) ? union(listsOf(pieces)) : common(listsOf(pieces));
    case "dial_type":
      return hasChoice(pieces, line) ? union(listsOf(pieces)) : joinDials(listsOf(pieces));
    default:
      return union(listsOf(pieces));
  }
}

type Years = Bounds & { readonly values?: readonly number[] };

/**
 * "2021 2023" are two years, and "2019-2021 2023" four. "Since 2019", then "until 2021" are both bounds. A filter cannot say "2021, or
 * 2023 and later", so years beside an open bound widen it.
 */
function joinYears(years: readonly Years[]): Years {
  const [only, ...others] = years;
  if (only === undefined || others.length === 0) return only ?? {};
  const values = union(years.map(listYears));
  const { gte, lte }: Bounds = Object.assign({}, ...years.filter(isOpen));
  if (gte === undefined && lte === undefined) return { values };
  return {
    ...(gte === undefined ? {} : { gte: Math.min(gte, ...values) }),
    ...(lte === undefined ? {} : { lte: Math.max(lte, ...values) }),
  };
}

function isOpen({ gte, lte }: Years): boolean {
  return (gte === undefined) !== (lte === undefined);
}

/** Of an open bound, none. */
function listYears({ gte, lte, values = [] }: Years): readonly number[] {
  if (gte === undefined || lte === undefined) return values;
  return Array.from({ length: lte - gte + 1 }, (_, at) => gte + at);
}

function joinCountries(countries: readonly Countries[]): Countries {
  const include = union(countries.map((country) => country.include ?? []));
  const exclude = union(countries.map((country) => country.exclude ?? []));
  return {
    ...(include.length === 0 ? {} : { include }),
    ...(exclude.length === 0 ? {} : { exclude }),
  };
}

/** "pepsi 126710blro": a nickname beside one of its references adds nothing. */
function joinReferences(pieces: readonly Piece[]): readonly string[] {
  const all = listsOf(pieces);
  const narrowest = all.toSorted((a, b) => a.length - b.length)[0] ?? [];
  const isInAll = all.every((list) => narrowest.every((reference) => list.includes(reference)));
  return isInAll ? narrowest : union(all);
}

/** "new or used": a word between two pieces that makes them alternatives. */
function hasChoice(pieces: readonly Piece[], { tokens }: Line): boolean {
  return pieces.some(({ to }, index) => {
    const next = pieces[index + 1];
    return (
      next !== undefined &&
      tokens.slice(to, next.from).some((token) => isA(token, "or") || token.word === "/")
    );
  });
}

/** "box", then "papers" is a full set. Words that contradict each other are alternatives. */
function common(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  const inAll = first.filter((value) => others.every((list) => list.includes(value)));
  return inAll.length > 0 ? inAll : union(lists);
}

/** "blue 2022 roman": one dial, in the order in which the extraction writes it. */
function joinDials(lists: readonly (readonly string[])[]): readonly string[] {
  const [only, second] = lists;
  if (only === undefined || second === undefined) return only ?? [];
  const inAll = common(lists);
  const names = lists.map(([name = ""]) => name);
  const joined = [names.join(" "), names.toReversed().join(" ")];
  const isShared = lists.every((list) => inAll.every((value) => list.includes(value)));
  return isShared ? inAll : joined;
}

function listsOf(pieces: readonly Piece[]): readonly (readonly string[])[] {
  return pieces.map(({ value }) => value as readonly string[]);
}

function union<Value>(lists: readonly (readonly Value[])[]): Value[] {
  return [...new Set(lists.flat())];
}
