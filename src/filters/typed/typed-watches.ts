/** What typed words say about the watch itself: reference, brand, model, dial, bracelet, condition, set, side, country. */
import { modelsNamed, referencesCalled } from "../../extraction/catalogue/watch-names.ts";
import { type PlacedReference, phraseAt } from "../../extraction/lines/line.ts";
import { wholeLine } from "../../extraction/lines/line-reading.ts";
import { findSide } from "../../extraction/lines/sides.ts";
import { toReferenceKey, withPrefix } from "../../extraction/listing/identity.ts";
import type { Meaning } from "../../extraction/text/meaning.ts";
import type { Span, Token } from "../../extraction/text/token.ts";
import type { PhraseMatch } from "../../extraction/words/lexicon.ts";
import { isA } from "../../extraction/words/words.ts";
import countries from "./countries.json" with { type: "json" };
import {
  findPhraseAt,
  indexPhrases,
  isFreeSpan,
  isPlaceJoint,
  isPlaceLink,
  outsideBefore,
  type Piece,
  queryPhraseAt,
  type TypedLine,
  take,
} from "./typed-line.ts";

/** Takes what the extraction found as references. The market may have longer forms of them. */
export function takeReferences(typed: TypedLine): Piece[] {
  return typed.reading.line.references.flatMap((reference) => {
    const pieces = toReferencePieces(typed, reference);
    for (const piece of pieces) take(typed, piece);
    return pieces;
  });
}

function toReferencePieces(typed: TypedLine, reference: PlacedReference): Piece[] {
  const { from, to, brand, dial } = reference;
  const written = reference.repaired ?? reference.text;
  const value = [toReferenceKey(written, brand)];
  const label = withPrefix(written, brand).toUpperCase();
  // "126334g": the last token is the code of the dial.
  const hasCode = dial !== undefined && to - from > 1;
  const piece = { from, to: hasCode ? to - 1 : to, member: "reference", value, label };
  if (!hasCode) return [piece];
  return [piece, { from: to - 1, to, ...toDial(typed, [dial], undefined) }];
}

/** Takes the phrases of the lexicon that are members of a filter. */
export function takeWords(typed: TypedLine): Piece[] {
  const { line } = typed.reading;
  const side = findSide(wholeLine(typed.reading));
  const pieces: Piece[] = [];
  for (let index = 0; index < line.phrases.length; index += 1) {
    const phrase = line.phrases[index];
    if (phrase === undefined || !isFreeSpan(typed, phrase)) continue;
    const dials = dialsFrom(line.phrases, index);
    const found =
      dials.length > 0
        ? toDialPiece(typed, dials)
        : toPiece(typed, phrase, side?.phrase === phrase);
    if (found === undefined) continue;
    index += Math.max(0, dials.length - 1);
    take(typed, found);
    pieces.push(found);
  }
  return pieces;
}

function toPiece(typed: TypedLine, phrase: PhraseMatch, isSide: boolean): Piece | undefined {
  const { meaning, from, to } = phrase;
  const chip = toChip(typed, phrase) ?? toSetChip(meaning);
  if (chip !== undefined) return { from, to, ...chip };
  const isStrong = meaning.kind === "side" && !meaning.isWeak;
  if (meaning.kind !== "side" || !(isStrong || isSide)) return undefined;
  const label = meaning.side === "for_sale" ? "for sale" : "wanted";
  return { from, to, member: "side", value: [meaning.side], label };
}

type Chip = Pick<Piece, "member" | "value" | "label">;

function toChip(typed: TypedLine, phrase: PhraseMatch): Chip | undefined {
  const { meaning } = phrase;
  switch (meaning.kind) {
    case "brand":
      return { member: "brand", value: [meaning.brand], label: meaning.brand };
    case "model":
      return toModel(typed, phrase, meaning);
    case "bracelet":
      return { member: "variant", value: [meaning.bracelet], label: meaning.bracelet };
    case "condition":
      return {
        member: "condition",
        value: [meaning.condition],
        label: meaning.condition.toLowerCase().replace("_", " "),
      };
    case "place":
      return toCountry(countries.find(({ currency }) => currency === meaning.currency));
    default:
      return undefined;
  }
}

/** A nickname is its references. One without any is left as a word: the text of a listing has its nicknames. */
function toModel(
  typed: TypedLine,
  phrase: PhraseMatch,
  { brand, model, nickname }: Extract<Meaning, { readonly kind: "model" }>,
): Chip | undefined {
  const { catalogue } = typed;
  const words = wordsOf(typed, phrase);
  const called = referencesCalled(catalogue, { brand, nickname, words });
  if (called.length > 0) {
    const value = called.map((reference) => toReferenceKey(reference, brand));
    return { member: "reference", value, label: nickname ?? words };
  }
  if (nickname !== undefined || model === undefined) return undefined;
  return { member: "model", value: modelsNamed(catalogue, { brand, model, words }), label: model };
}

function wordsOf({ reading }: TypedLine, { from, to }: Span): string {
  const { tokens, source } = reading.line;
  return source.text.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0);
}

/** Returns the dial phrases from this one on that stand side by side: "blue wimbledon". */
function dialsFrom(phrases: readonly PhraseMatch[], index: number): readonly PhraseMatch[] {
  const dials: PhraseMatch[] = [];
  for (const phrase of phrases.slice(index)) {
    const isNext = dials.length === 0 || dials.at(-1)?.to === phrase.from;
    if (phrase.meaning.kind !== "dial" || !isNext) break;
    dials.push(phrase);
  }
  return dials;
}

function toDialPiece(typed: TypedLine, dials: readonly PhraseMatch[]): Piece | undefined {
  const [first, last] = [dials[0], dials.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const names = dials.flatMap(({ meaning }) => (meaning.kind === "dial" ? meaning.dial : []));
  const nickname = first.meaning.kind === "dial" ? first.meaning.nickname : undefined;
  // "Blue dial": the word belongs to the colour.
  const { tokens } = typed.reading.line;
  const to = isA(tokens[last.to], "dial_word") ? last.to + 1 : last.to;
  return { from: first.from, to, ...toDial(typed, names, nickname) };
}

/** A colour with every style: a listing with "blue roman" has a blue dial. */
function toDial(
  { catalogue }: TypedLine,
  names: readonly string[],
  nickname: string | undefined,
): Chip {
  const { dialStyles } = catalogue.lexicon;
  const colours = names.filter((name) => !dialStyles.has(name));
  const styles = names.filter((name) => dialStyles.has(name));
  const dial = [...colours, ...styles].join(" ");
  const value =
    colours.length === 0 || styles.length > 0
      ? [dial]
      : [dial, ...[...dialStyles].map((style) => `${dial} ${style}`)];
  return { member: "dial_type", value, label: nickname ?? `${dial} dial` };
}

/** What a word about box and papers asks for. A watch with papers may have its box too. */
const SETS = {
  full: { value: ["FULL_SET"], label: "full set" },
  box: { value: ["FULL_SET", "WATCH_AND_BOX"], label: "with box" },
  card: { value: ["FULL_SET", "WATCH_AND_CARD"], label: "with papers" },
  watch: { value: ["WATCH"], label: "watch only" },
  noBox: { value: ["WATCH_AND_CARD", "WATCH"], label: "without box" },
  noCard: { value: ["WATCH_AND_BOX", "WATCH"], label: "without papers" },
} as const;

function toSetChip(meaning: Meaning): Chip | undefined {
  const set = setOf(meaning);
  return set === undefined ? undefined : { member: "full_set_status", ...SETS[set] };
}

function setOf(meaning: Meaning): keyof typeof SETS | undefined {
  if (meaning.kind === "set") {
    if (meaning.missing === "box") return "noBox";
    if (meaning.missing === "card") return "noCard";
    if (meaning.set === "WATCH_AND_BOX") return "box";
    if (meaning.set === "WATCH_AND_CARD") return "card";
    return meaning.set === "FULL_SET" ? "full" : "watch";
  }
  if (meaning.kind !== "cue") return undefined;
  switch (meaning.cue) {
    case "box":
    case "card":
      return meaning.cue;
    case "box_and_card":
      return "full";
    case "without_box":
      return "noBox";
    case "without_card":
      return "noCard";
    default:
      return undefined;
  }
}

type Country = (typeof countries)[number];

/** A flag becomes its two letters. */
const COUNTRY_PHRASES = indexPhrases(
  countries.flatMap((country) =>
    [...country.words.split(","), [...country.flag].join(" ")].map((words) => ({
      words: words.trim(),
      value: country,
    })),
  ),
);

export interface Countries {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Takes the names of countries. "hk" beside an amount was its currency. */
export function takeCountries(typed: TypedLine): Piece[] {
  const pieces: Piece[] = [];
  const { line } = typed.reading;
  for (let at = 0; at < line.tokens.length; at += 1) {
    const found = findPhraseAt(line.tokens, at, COUNTRY_PHRASES);
    if (found === undefined || !isFreeSpan(typed, found) || isInPhrase(typed, at)) continue;
    const chip = toCountry(found.value);
    if (chip === undefined) continue;
    take(typed, found);
    pieces.push({ from: found.from, to: found.to, ...chip });
    at = found.to - 1;
  }
  return pieces;
}

/** "Geneva" is a country, and "geneva seal" is not. */
function isInPhrase({ reading }: TypedLine, at: number): boolean {
  const phrase = phraseAt(reading.line, at);
  return phrase !== undefined && phrase.to - phrase.from > 1 && phrase.meaning.kind !== "place";
}

function toCountry(country: Country | undefined): Chip | undefined {
  if (country === undefined) return undefined;
  const { name, codes } = country;
  const value: Countries = { include: codes };
  return { member: "country_codes", value, label: name };
}

/** "no hk", "not from hk or dubai": the word leaves out the country, and those that are joined to it. The pieces are in order. */
export function excludeCountries(typed: TypedLine, pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    const excluded = toExcluded(typed, piece);
    // "hk and us excluded": the word behind is about both.
    const isBoth = last !== undefined && (isExcluded(last) || (excluded?.to ?? 0) > piece.to);
    if (isBoth && isJoined(typed, last, piece)) {
      const [to, names] = [excluded?.to ?? piece.to, `${last.label} or ${piece.label}`];
      const label = isExcluded(last) ? names : `not ${names}`;
      const exclude = [last, piece].flatMap(codesOf);
      found.splice(-1, 1, { ...last, to, value: { exclude }, label });
    } else found.push(excluded ?? piece);
  }
  return found;
}

/** In "no hk 15k" and "not from hong kong or the us 15k", the word before the amount is a place that is left out. */
export function isLeftOutBefore(tokens: readonly Token[], to: number): boolean {
  for (let from = to - 1; from >= Math.max(0, to - COUNTRY_TOKENS_MAX); from -= 1) {
    if (findPhraseAt(tokens, from, COUNTRY_PHRASES)?.to !== to) continue;
    if (outsideBefore(tokens, from) !== undefined) return true;
    let at = from - 1;
    while (isPlaceLink(tokens, at)) at -= 1;
    if (isPlaceJoint(tokens[at]) && isLeftOutBefore(tokens, at)) return true;
  }
  return false;
}

/** Words of the name of a country. */
const COUNTRY_TOKENS_MAX = 4;

function toExcluded(typed: TypedLine, piece: Piece): Piece | undefined {
  if (piece.member !== "country_codes") return undefined;
  const { tokens } = typed.reading.line;
  const words = [
    outsideBefore(tokens, piece.from),
    queryPhraseAt(tokens, piece.to, ["outside_behind"]),
  ].flatMap((word) => (word !== undefined && isFreeSpan(typed, word) ? [word] : []));
  if (words.length === 0) return undefined;
  for (const word of words) take(typed, word);
  const [from, to] = [piece.from, piece.to];
  const value: Countries = { exclude: codesOf(piece) };
  return {
    ...piece,
    from: Math.min(from, ...words.map((word) => word.from)),
    to: Math.max(to, ...words.map((word) => word.to)),
    value,
    label: `not ${piece.label}`,
  };
}

function isExcluded({ value }: Piece): boolean {
  return (value as Countries).exclude !== undefined;
}

function isJoined({ reading }: TypedLine, last: Piece, next: Piece): boolean {
  const { tokens } = reading.line;
  if (next.member !== last.member || !isPlaceJoint(tokens[last.to])) return false;
  for (let at = last.to + 1; at < next.from; at += 1) {
    if (!isPlaceLink(tokens, at)) return false;
  }
  return true;
}

function codesOf({ value }: Piece): readonly string[] {
  const { include = [], exclude = [] } = value as Countries;
  return [...include, ...exclude];
}
