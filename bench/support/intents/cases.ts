/** The texts that the weights of the intents are fitted and checked on, and what each of their watches is. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { normalizeReference } from "../../../src/base/text.ts";
import { parseInput } from "../../../src/cli/extract-message.ts";
import { buildCatalogue } from "../../../src/extraction/catalogue/catalogue.ts";
import { draftListings } from "../../../src/extraction/extract.ts";
import type { ExtractionInput } from "../../../src/extraction/extraction.ts";
import { gatherFacts, type MessageFacts } from "../../../src/extraction/intent/intent-facts.ts";
import type { Intent } from "../../../src/extraction/intent/intents.ts";
import { hashWords } from "../../../src/extraction/intent/word-hashes.ts";
import type { ListingDraft } from "../../../src/extraction/listing/listing-draft.ts";
import { isLongerForm } from "../../../src/extraction/segments/differences.ts";
import { type CorpusMessage, listCorpusFiles, readCorpus } from "../../../test/corpus/corpus.ts";

/** A text with its label. */
export interface LabelledText {
  /** Where it comes from. Texts of one source are written alike, so they are left out together. */
  readonly source: string;
  readonly input: ExtractionInput;
  readonly intent: Intent;
  /** The references of the watches that the label lists, if it has them all. */
  readonly references: readonly string[] | undefined;
  /** A line of `real/`, with what else its label says. */
  readonly real?: RealRow;
}

/** A line of a file of real texts with a class each. */
export interface RealRow {
  readonly text: string;
  readonly label: Intent;
  readonly source: string;
  readonly kind?: "general" | "watch" | "other_goods" | "replica";
  /** The text opens with a mark such as `[WTS]`. */
  readonly tagged?: boolean;
  readonly brand?: string;
  readonly price?: number;
}

/** A line of a file of labelled messages, in the form of `assay extract`. */
interface LabelledRow {
  readonly input: Readonly<Record<string, string>>;
  readonly expected: {
    readonly side?: string | null;
    readonly listings?: readonly { readonly reference?: string | null }[];
  };
}

/** One watch that a text names. */
export interface Case {
  readonly source: string;
  readonly intent: Intent;
  readonly isOwn: boolean;
  /** The watches of a text, and the variants of a text, share its weight. */
  readonly share: number;
  /** By their names in `weights/intents.json`. */
  readonly facts: ReadonlySet<string>;
  /** Rows of `weights/words.json`. */
  readonly hashes: ReadonlySet<number>;
}

/** The own corpus: what the weights learn from, and what stays unseen. */
export function readOwnTexts(): {
  readonly known: readonly LabelledText[];
  readonly unseen: readonly LabelledText[];
} {
  const [known, unseen]: [LabelledText[], LabelledText[]] = [[], []];
  for (const file of listCorpusFiles()) {
    const texts = readCorpus(file).map((message) => fromCorpus(file, message));
    (file.includes("/unseen/") ? unseen : known).push(...texts);
  }
  return { known, unseen };
}

function fromCorpus(file: string, { kind, message, expected }: CorpusMessage): LabelledText {
  return {
    source: basename(file),
    input: message,
    intent: kind === "header" ? "talk" : kind,
    references: listReferences(expected.listings),
  };
}

function listReferences(
  listings: readonly { readonly reference?: string | null }[],
): readonly string[] | undefined {
  const references = listings.flatMap(({ reference }) => reference ?? []);
  return references.length > 0 && references.length === listings.length ? references : undefined;
}

/** What is in a file, so that the fit can be repeated by all who have it. */
export interface InputFile {
  readonly name: string;
  readonly sha256: string;
  readonly texts: number;
}

/** Reads real texts, or labelled messages. */
export function readTexts(path: string): {
  readonly file: InputFile;
  readonly texts: readonly LabelledText[];
} {
  const content = readFileSync(path, "utf8");
  const rows = content
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as RealRow | LabelledRow);
  const name = basename(path);
  const texts = rows.flatMap((row) =>
    "text" in row ? fromReal(row) : (fromLabelled(row, name) ?? []),
  );
  const sha256 = createHash("sha256").update(content).digest("hex");
  return { file: { name, sha256, texts: texts.length }, texts };
}

function fromLabelled({ input, expected }: LabelledRow, source: string): LabelledText | undefined {
  const { side, listings = [] } = expected;
  const isNone = listings.length === 0;
  // "We sell watches" lists nothing, and is no talk either.
  if (isNone && side != null && side !== "none") return undefined;
  const intent = isNone ? "talk" : side === "wanted" ? "request" : "offer";
  return { source, input: parseInput(input), intent, references: listReferences(listings) };
}

/** The mark of a sales post at the start of its title. */
const TAG = /^\s*[[(]?(?:wt[sbt]|fs|f[st])(?:\/(?:wt[sbt]|f[st]))*[\])]?\s*:?\s*/i;

/** A text of real life, in both variants if it is tagged. */
export function fromReal(row: RealRow): readonly LabelledText[] {
  const { source, text, label, tagged } = row;
  const whole = toText(row, text);
  const bare = text.replace(TAG, "");
  if (tagged !== true || bare === text) return [whole];
  return [whole, { ...toText(row, bare), source: `${source} without its tag`, intent: label }];
}

function toText(row: RealRow, text: string): LabelledText {
  return {
    source: row.source,
    input: { text, messageDate: MESSAGE_DATE },
    intent: row.label,
    references: undefined,
    real: row,
  };
}

/** The texts have no date of their own. */
const MESSAGE_DATE = { year: 2026, month: 7, day: 1 };

const catalogue = buildCatalogue();

/** One case for each watch that the text names. A watch that the label does not list is only spoken of. */
export function toCases({ source, input, intent, references }: LabelledText): Case[] {
  const { drafts, facts, readings } = draftListings(input, catalogue);
  if (drafts.length === 0) return [];
  const hashes = new Set(hashWords(readings));
  return drafts.map((draft) => {
    const { reference } = draft.fields;
    const isListed =
      references === undefined ||
      reference === undefined ||
      references.some((one) => isSame(one, reference));
    return {
      source,
      intent: isListed ? intent : "talk",
      isOwn: source.endsWith(".txt"),
      share: 1 / drafts.length,
      facts: listFacts(draft, facts),
      hashes,
    };
  });
}

/** Lists the facts by their names in the file of weights. */
function listFacts(draft: ListingDraft, message: MessageFacts): ReadonlySet<string> {
  const facts = new Set(["bias"]);
  gatherFacts(draft, message, {
    add: (kind, value) => facts.add(`${kind} ${value}`),
    addWord: (word, next) => {
      facts.add(`w ${word}`);
      if (next !== "") facts.add(`w ${word} ${next}`);
    },
  });
  return facts;
}

function isSame(a: string, b: string): boolean {
  return isLongerForm(normalizeReference(a), normalizeReference(b));
}
