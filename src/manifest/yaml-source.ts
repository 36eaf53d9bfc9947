import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from "yaml";
import { isStorableText } from "../base/text.ts";
import { formatPath, type Path, type Problem } from "./problem.ts";

/** One document of a file: its value, and the line of each part. */
export interface SourceDocument {
  readonly value: unknown;
  /** Returns the line of a member or list item. If it does not exist, returns the line of its parent. */
  lineOf(path: Path): number;
  /** Returns a scalar as written in the file, because a JavaScript number may round it. */
  writtenAt(path: Path): string | undefined;
}

/**
 * Parts of a file with its aliases expanded. Enough for a hundred thousand alerts, and a bound on files whose aliases
 * multiply.
 */
const PARTS_MAX = 5_000_000;
const DEPTH_MAX = 100;

/** Reads YAML 1.2, which includes JSON. Returns the syntax problems, and leaves out documents that have any. */
export function readSource(
  file: string,
  text: string,
): { readonly documents: readonly SourceDocument[]; readonly problems: readonly Problem[] } {
  const counter = new LineCounter();
  const problems: Problem[] = [];
  const lineAt = (offset: number) => Math.max(1, counter.linePos(offset).line);
  const report = (offset: number, member: string, reason: string) =>
    problems.push({ file, line: lineAt(offset), member, text: reason });
  const documents: SourceDocument[] = [];
  for (const document of parseText(text, counter, report)) {
    const faults = [...document.errors, ...document.warnings];
    for (const { pos, message } of faults) report(pos[0], "", message);
    if (faults.length > 0 || document.contents === null) continue;
    const state: State = { report, anchors: new Map(), targets: new Map(), partCount: 0 };
    const { value } = toData(state, document.contents, []);
    const find = (path: Path) => findNode(document.contents, path, state.targets);
    documents.push({
      value,
      lineOf: (path) => lineAt(find(path).offset),
      writtenAt: (path) => {
        const { node, depth } = find(path);
        return depth === path.length && isScalar(node) ? node.source : undefined;
      },
    });
  }
  return { documents, problems };
}

type Report = (offset: number, member: string, reason: string) => void;

function parseText(text: string, lineCounter: LineCounter, report: Report): readonly Document[] {
  try {
    return [...parseAllDocuments(text, { lineCounter, prettyErrors: false, uniqueKeys: true })];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The YAML parser is recursive, so deep nesting overflows the stack.
    report(0, "", "is nested too deeply");
    return [];
  }
}

interface State {
  readonly report: Report;
  /** The latest anchor of each name so far, which is what an alias refers to. */
  readonly anchors: Map<string, Anchored>;
  readonly targets: Map<Node, Node>;
  partCount: number;
}

interface Anchored {
  readonly node: Node;
  readonly data: CountedData;
}

interface CountedData {
  readonly value: unknown;
  /** Counted with aliases expanded. */
  readonly partCount: number;
}

const NOTHING: CountedData = { value: undefined, partCount: 1 };

/** Converts a node to plain data. Aliases share one value, so a file whose aliases multiply does not use much memory. */
function toData(state: State, node: unknown, path: Path): CountedData {
  if (node === null || state.partCount > PARTS_MAX) return { value: null, partCount: 1 };
  const { range } = node as Node;
  const refuse = (reason: string): CountedData => {
    state.report(range?.[0] ?? 0, formatPath(path), reason);
    return NOTHING;
  };
  if (path.length > DEPTH_MAX) return refuse("is nested too deeply");
  const before = state.partCount;
  const anchor = isAlias(node) ? undefined : (node as { anchor?: string }).anchor;
  const data = isAlias(node)
    ? readAlias(state, node, refuse)
    : { value: readNode(state, node as Node, { path, refuse }), partCount: 0 };
  state.partCount += 1 + data.partCount;
  if (state.partCount > PARTS_MAX && before <= PARTS_MAX) {
    return refuse(`the file has more than ${PARTS_MAX} parts with its aliases expanded`);
  }
  const counted = { value: data.value, partCount: state.partCount - before };
  if (anchor !== undefined) state.anchors.set(anchor, { node: node as Node, data: counted });
  return counted;
}

type Refuse = (reason: string) => CountedData;

function readAlias(state: State, node: Node & { source: string }, refuse: Refuse): CountedData {
  const anchored = state.anchors.get(node.source);
  if (anchored === undefined) return refuse(`there is no anchor "${node.source}" before it`);
  state.targets.set(node, anchored.node);
  return anchored.data;
}

function readNode(
  state: State,
  node: Node,
  at: { readonly path: Path; readonly refuse: Refuse },
): unknown {
  if (isSeq(node)) {
    return node.items.map((item, index) => toData(state, item, [...at.path, index]).value);
  }
  if (isMap(node)) {
    const entries = node.items.map(({ key, value }) => {
      const name = nameOf(key);
      if (name === undefined) at.refuse("the name of a member must be plain text");
      return [name ?? "", toData(state, value, [...at.path, name ?? ""]).value] as const;
    });
    // Assignment would fail for a member named `__proto__`.
    return Object.fromEntries(entries);
  }
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value === "string" && !isStorableText(value)) {
    return at.refuse("must not contain U+0000 or an unpaired surrogate").value;
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    return at.refuse("is not a finite number").value;
  }
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  return at.refuse("must be text, a number, true, false, a list or an object").value;
}

function nameOf(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  return typeof key.value === "string" ? key.value : key.source;
}

/** Returns the node at the path, or the last node on the way to it. */
function findNode(
  root: unknown,
  path: Path,
  targets: ReadonlyMap<Node, Node>,
): { readonly node: unknown; readonly offset: number; readonly depth: number } {
  let node = root;
  let offset = offsetOf(root) ?? 0;
  for (const [depth, part] of path.entries()) {
    if (isAlias(node)) node = targets.get(node);
    const next = isMap(node)
      ? node.items.find(({ key }) => nameOf(key) === part)
      : isSeq(node) && typeof part === "number"
        ? node.items[part]
        : undefined;
    if (next === undefined) return { node, offset, depth };
    offset = offsetOf(isPair(next) ? next.key : next) ?? offset;
    node = isPair(next) ? next.value : next;
  }
  return { node, offset, depth: path.length };
}

function offsetOf(node: unknown): number | undefined {
  return (node as Node | null)?.range?.[0];
}
