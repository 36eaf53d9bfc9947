/**
 * Reads typed words as a filter: "pepsi under 18k full set hk mei" becomes references, a price, a set, a country and a dealer.
 *
 * Idea: what the words say by themselves is read without the store (`typed-*.ts`). The store then tells which references of the
 * market are meant, and which dealer or group has a name that is left. What no chip took is searched as text, all of it.
 * Invariant: chips are in the order of the text and do not overlap, and `parseFilter` takes the filter.
 */

import { inTurn } from "../../base/shares/turns.ts";
import { foldWord, foldWords } from "../../base/text.ts";
import type { Database } from "../../db/database.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import type { MessageDate } from "../../extraction/extraction.ts";
import type { Span } from "../../extraction/text/token.ts";
import { listReferencesFrom } from "../../listings/figures/named-watch-store.ts";
import { toWords } from "../../listings/search-text.ts";
import { findContactsNamed } from "../../messages/contacts/contact-store.ts";
import { listGroupNames } from "../../messages/group-store.ts";
import { LIMITS } from "../language/shapes.ts";
import { joinPieces } from "./join-pieces.ts";
import { isLinkingWord, type Piece, readTypedLine, type TypedLine } from "./typed-line.ts";
import { takePrices } from "./typed-prices.ts";
import { excludeCountries, takeCountries, takeReferences, takeWords } from "./typed-watches.ts";
import { takeYears } from "./typed-years.ts";

/** Words of a query that became a member of its filter. */
interface QueryChip {
  /** UTF-16 units of the text. */
  readonly start: number;
  readonly end: number;
  readonly member: string;
  /** What the chip adds to the member. */
  readonly value: unknown;
  readonly label: string;
}

export interface ParsedQuery {
  readonly filters: Readonly<Record<string, unknown>>;
  /** The words that no chip took. */
  readonly rest: string;
  readonly chips: readonly QueryChip[];
}

interface QueryReader {
  readonly catalogue: Catalogue;
  readonly nowMs: number;
}

export async function parseQuery(
  db: Database,
  text: string,
  { catalogue, nowMs }: QueryReader,
): Promise<ParsedQuery> {
  const today = toMonth(nowMs);
  const { typed, pieces: said } = await inTurn(db.caller, () =>
    readPieces(text, { catalogue, today }),
  );
  const named = await nameOwners(db, typed, said);
  const pieces = await expandReferences(db, named, catalogue);
  const rest = restOf(typed, pieces);
  const filters = joinPieces(pieces, typed.reading.line);
  return {
    filters: rest === "" ? filters : { ...filters, text_search: { query: rest, mode: "all" } },
    rest,
    chips: pieces.map(({ member, value, label, ...span }) => ({
      ...typed.spanOf(span),
      member,
      value,
      label,
    })),
  };
}

function toMonth(nowMs: number): MessageDate {
  const now = new Date(nowMs);
  return { year: now.getUTCFullYear(), month: now.getUTCMonth() + 1 };
}

/** Returns what the words say by themselves, in the order of the text. */
export function readPieces(
  text: string,
  reader: { readonly catalogue: Catalogue; readonly today: MessageDate },
): { readonly typed: TypedLine; readonly pieces: readonly Piece[] } {
  const typed = readTypedLine(text, reader);
  const pieces = [
    ...takeReferences(typed),
    ...takePrices(typed),
    ...takeYears(typed, reader.today),
    ...takeWords(typed),
    ...takeCountries(typed),
  ];
  return { typed, pieces: excludeCountries(typed, inOrder(pieces)) };
}

function inOrder(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.toSorted((a, b) => a.from - b.from);
}

/** A query of a hundred words is asked for no more names than this. */
const NAMES_MAX = 60;
const NAME_TOKENS_MAX = 5;

interface PossibleName extends Span {
  readonly folded: string;
  readonly words: string;
}

/**
 * Finds the dealers and groups that the words name. A dealer counts if no other one has the words in a name; a group by its
 * whole name. Longer names first, and they win over chips inside of them: "hk watch traders" is a group, and not a country.
 */
async function nameOwners(
  db: Database,
  typed: TypedLine,
  pieces: readonly Piece[],
): Promise<readonly Piece[]> {
  const possible = listPossibleNames(typed, pieces);
  if (possible.length === 0) return pieces;
  const groups = groupsByName(await listGroupNames(db));
  const contacts = await findContactsNamed(db, [...new Set(possible.map(({ words }) => words))]);
  let kept = pieces;
  for (const name of possible) {
    const found = contacts.filter(({ words }) => words === name.words);
    const [contact] = found;
    const group = groups.get(name.folded);
    const chip =
      group !== undefined && group !== "several"
        ? { member: "group_ids", value: [group.id], label: group.name }
        : contact !== undefined && found.length === 1
          ? { member: "contact_ids", value: [contact.id], label: contact.display_name ?? "" }
          : undefined;
    if (chip === undefined || !canReplace(kept, name)) continue;
    const { from, to } = name;
    kept = [...kept.filter((piece) => piece.to <= from || piece.from >= to), { from, to, ...chip }];
  }
  return inOrder(kept);
}

/** A name does not cut another piece in two, nor replace one that is a name itself. */
function canReplace(pieces: readonly Piece[], { from, to }: Span): boolean {
  return pieces.every(
    (piece) =>
      piece.to <= from ||
      piece.from >= to ||
      (piece.from >= from && piece.to <= to && !piece.member.endsWith("_ids")),
  );
}

type NamedGroup = { readonly id: string; readonly name: string };

function groupsByName(groups: readonly NamedGroup[]): ReadonlyMap<string, NamedGroup | "several"> {
  const byName = new Map<string, NamedGroup | "several">();
  for (const group of groups) {
    const folded = foldWord(group.name);
    byName.set(folded, byName.has(folded) ? "several" : group);
  }
  return byName;
}

/** Returns the runs of words that can be a name, the longest first: at least one word of a run is in no chip. */
function listPossibleNames(typed: TypedLine, pieces: readonly Piece[]): PossibleName[] {
  const { tokens, source } = typed.reading.line;
  const isOpen = tokens.map((_, at) => isOpenWord(typed, pieces, at));
  const names: PossibleName[] = [];
  for (let length = NAME_TOKENS_MAX; length > 0; length -= 1) {
    for (let from = 0; from + length <= tokens.length; from += 1) {
      const to = from + length;
      if (!isOpen.slice(from, to).includes(true)) continue;
      if (isLinkingWord(tokens, from) && length > 1 && !isOpen[from]) continue;
      const text = source.text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
      const words = foldWords(text).join(" ");
      if (words === "" || (names.length > 0 && names.at(-1)?.words === words)) continue;
      names.push({ from, to, folded: foldWord(text), words });
    }
  }
  return names.slice(0, NAMES_MAX);
}

/** A word that no chip took and that no list knows. A month can be a name: Mei, May, August. */
function isOpenWord({ reading }: TypedLine, pieces: readonly Piece[], at: number): boolean {
  const { tokens, phrases } = reading.line;
  if (tokens[at]?.kind !== "letters" || isLinkingWord(tokens, at)) return false;
  if (pieces.some(({ from, to }) => from <= at && at < to)) return false;
  const phrase = phrases.find(({ from, to }) => from <= at && at < to);
  return phrase === undefined || phrase.meaning.kind === "month";
}

/** References of one query, and longer forms of each. Nobody means more. */
const STEMS_MAX = 40;
const FORMS_MAX = 40;

/** "5711" is 5711/1A-010 in the market, and "126710" has three bezels: adds the longer forms that listings have. */
async function expandReferences(
  db: Database,
  pieces: readonly Piece[],
  catalogue: Catalogue,
): Promise<readonly Piece[]> {
  const stems = pieces.flatMap(({ member, value }) =>
    member === "reference" ? (value as readonly string[]) : [],
  );
  if (stems.length === 0) return pieces;
  const found = await listReferencesFrom(db, [...new Set(stems)].slice(0, STEMS_MAX), FORMS_MAX);
  const formsOf = (stem: string) =>
    found
      .filter(
        ({ start, reference_normalized: form }) => start === stem && isForm(catalogue, stem, form),
      )
      .map(({ reference_normalized }) => reference_normalized);
  return pieces.map((piece) => {
    if (piece.member !== "reference") return piece;
    const own = piece.value as readonly string[];
    const value = [...new Set([...own, ...own.flatMap(formsOf)])].slice(0, LIMITS.values);
    return { ...piece, value };
  });
}

/** 57111A010 is a form of 5711. 16013 is none of 1601, because the catalogue has it as a reference of its own. */
function isForm({ known }: Catalogue, stem: string, form: string): boolean {
  if (!/^\d+$/.test(stem) || !/^\d$/.test(form.charAt(stem.length))) return true;
  const digits = /^\d+/.exec(form)?.[0] ?? "";
  return digits.length < stem.length + 1 || !known.has(digits);
}

/** Returns the words that no piece has and that are more than links between others, as many as a text search takes. */
function restOf(typed: TypedLine, pieces: readonly Piece[]): string {
  const { tokens } = typed.reading.line;
  const isLeft = tokens.map(
    ({ kind }, at) => kind !== "symbol" && !pieces.some(({ from, to }) => from <= at && at < to),
  );
  const meant = isLeft.map((left, at) => left && !isLinkingWord(tokens, at));
  const isNothingElse = pieces.length === 0 && !meant.includes(true);
  return joinWords(typed, isNothingElse ? isLeft : meant);
}

/** Tokens that touch are one word: "wssa0018". */
function joinWords({ reading }: TypedLine, isKept: readonly boolean[]): string {
  const { tokens, source } = reading.line;
  let rest = "";
  for (const [at, token] of tokens.entries()) {
    if (isKept[at] !== true) continue;
    const isJoined = token.isGlued && isKept[at - 1] === true;
    const text = source.text.slice(token.start, token.end);
    const next = rest === "" || isJoined ? rest + text : `${rest} ${text}`;
    if (toWords(next).length > LIMITS.words || next.length > LIMITS.textLength) break;
    rest = next;
  }
  return rest;
}
