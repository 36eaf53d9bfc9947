import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { ManagedBy } from "../db/row.ts";
import { formatPath, ManifestError, type Path, type Problem, suggest } from "./problem.ts";
import { type Declared, KIND_NAMES, KINDS, type KindName, LIMITS, membersOf } from "./schema.ts";
import { readSource, type SourceDocument } from "./yaml-source.ts";

export interface ManifestFile {
  /** The name that problems show. */
  readonly name: string;
  readonly text: string;
}

/** One declared item of the right shape, and its place in the file or request. */
export interface Row<Kind extends KindName> {
  readonly kind: Kind;
  /** Who manages the item from now on. */
  readonly managedBy: ManagedBy;
  readonly given: Declared<Kind>;
  readonly problemAt: (path: Path, text: string) => Problem;
  readonly writtenAt: (path: Path) => string | undefined;
}

export type Rows = { readonly [Kind in KindName]: readonly Row<Kind>[] };

export interface Manifest {
  readonly rows: Rows;
  /** Problems in the files themselves. Comparing them with the database can add more. */
  readonly problems: readonly Problem[];
  /** The kinds in the files, even with an empty list. Only these kinds are pruned. */
  readonly kinds: ReadonlySet<KindName>;
}

/** Reads all files and collects every problem. Throws only if a text is not valid YAML or JSON. */
export function parseManifest(files: readonly ManifestFile[]): Manifest {
  const state: State = {
    rows: Object.fromEntries(KIND_NAMES.map((kind) => [kind, []])) as unknown as State["rows"],
    kinds: new Set(),
    problems: [],
    rowCount: 0,
  };
  const sources = files.map(({ name, text }) => ({ name, ...readSource(name, text) }));
  const unreadable = sources.flatMap(({ problems }) => problems);
  if (unreadable.length > 0) throw new ManifestError(unreadable);
  for (const { name, documents } of sources) {
    if (documents.length === 0) {
      state.problems.push({ file: name, line: 1, member: "", text: "declares nothing" });
    }
    for (const document of documents) readDocument(state, name, document);
  }
  return { ...state, rows: state.rows as unknown as Rows };
}

interface State {
  readonly rows: Record<KindName, Row<KindName>[]>;
  readonly kinds: Set<KindName>;
  readonly problems: Problem[];
  rowCount: number;
}

const VALIDATORS = new Map(
  KIND_NAMES.flatMap((kind) =>
    Object.entries(membersOf(KINDS[kind])).map(
      ([member, schema]) => [`${kind}.${member}`, Compile(schema)] as const,
    ),
  ),
);

function readDocument(state: State, file: string, document: SourceDocument): void {
  const problemAt = (path: Path, text: string): Problem => ({
    file,
    line: document.lineOf(path),
    member: formatPath(path),
    text,
  });
  const { value } = document;
  if (!isObject(value)) {
    state.problems.push(problemAt([], `must be an object with ${KIND_NAMES.join(", ")}`));
    return;
  }
  for (const [kind, items] of Object.entries(value)) {
    if (!isKind(kind)) {
      state.problems.push(
        problemAt([kind], `is not a kind that can be declared${suggest(kind, KIND_NAMES)}`),
      );
      continue;
    }
    state.kinds.add(kind);
    if (!Array.isArray(items)) {
      if (items !== null) state.problems.push(problemAt([kind], "must be a list"));
      continue;
    }
    for (const at of items.keys()) {
      const row: Row<KindName> = {
        kind,
        managedBy: "manifest",
        given: items[at],
        problemAt: (path, text) => problemAt([kind, at, ...path], text),
        writtenAt: (path) => document.writtenAt([kind, at, ...path]),
      };
      readRow(state, row);
    }
  }
}

function readRow(state: State, row: Row<KindName>): void {
  state.rowCount += 1;
  if (state.rowCount > LIMITS.rows) {
    if (state.rowCount > LIMITS.rows + 1) return;
    state.problems.push(
      row.problemAt(
        [],
        `more than ${LIMITS.rows} items are declared; split them into several calls`,
      ),
    );
    return;
  }
  const problems = checkRow(row);
  state.problems.push(...problems);
  if (problems.length === 0) state.rows[row.kind].push(row);
  else if (isObject(row.given)) state.rows[row.kind].push(repairRow(row, state.rowCount));
}

/**
 * Keeps the valid members of a wrong row and replaces missing ones with placeholders. The later checks then report its
 * other problems too, and rows that refer to it are not reported as wrong. Placeholders are never saved, because the
 * manifest already has a problem. Problems about a placeholder are marked as follow-ups and not shown.
 */
function repairRow(row: Row<KindName>, rowNumber: number): Row<KindName> {
  const given: Readonly<Record<string, unknown>> = row.given;
  const { properties, required = [] } = KINDS[row.kind];
  const isRight = (member: string) =>
    Object.hasOwn(given, member) && checkMember(row, member, given[member]).length === 0;
  const right = Object.keys(properties).filter(isRight);
  const missing = required.filter((member) => !right.includes(member));
  const repaired = Object.fromEntries([
    ...right.map((member) => [member, given[member]] as const),
    ...missing.map((member) => [member, member === "filters" ? {} : `?${rowNumber}`] as const),
  ]);
  return {
    ...row,
    given: repaired as Row<KindName>["given"],
    problemAt: (path, text) => {
      const [member = ""] = path;
      // An undeclared key is derived from other members, and those may be the wrong ones.
      const isFollowUp = !right.includes(String(member)) && member !== "";
      return { ...row.problemAt(path, text), isFollowUp };
    },
  };
}

/** Checks each member on its own, because the validator stops after a few problems of one value. */
export function checkRow(row: Row<KindName>): readonly Problem[] {
  const given: unknown = row.given;
  if (!isObject(given)) return [row.problemAt([], "must be an object")];
  const members = membersOf(KINDS[row.kind]);
  const required: readonly string[] = KINDS[row.kind].required ?? [];
  const missing = required
    .filter((member) => !Object.hasOwn(given, member))
    .map((member) => row.problemAt([], `${member} is missing`));
  const wrong = Object.entries(given).flatMap(([member, value]) => {
    if (Object.hasOwn(members, member)) return checkMember(row, member, value);
    return [row.problemAt([member], unknownMember(member, Object.keys(members)))];
  });
  return [...missing, ...wrong];
}

function checkMember(row: Row<KindName>, member: string, value: unknown): readonly Problem[] {
  const validator = VALIDATORS.get(`${row.kind}.${member}`);
  if (validator === undefined || validator.Check(value)) return [];
  return (
    validator
      .Errors(value)
      // The validator reports an unknown member twice: by its own path, and for the object that contains it.
      .filter(({ keyword }) => keyword !== "boolean" && keyword !== "anyOf")
      .flatMap(({ instancePath, params, message }) => {
        const path = [member, ...toPath(instancePath)];
        const { additionalProperties, requiredProperties } = params as Params;
        if (additionalProperties !== undefined) {
          const known = Object.keys(membersOf(schemaAt(KINDS[row.kind], path)));
          return additionalProperties.map((name) =>
            row.problemAt([...path, name], unknownMember(name, known)),
          );
        }
        if (requiredProperties !== undefined) {
          return requiredProperties.map((name) => row.problemAt(path, `${name} is missing`));
        }
        const { title } = schemaAt(KINDS[row.kind], path) as { title?: string };
        const text = title === undefined ? describe(message, params as Params) : `must be ${title}`;
        return [row.problemAt(path, text)];
      })
  );
}

interface Params {
  readonly additionalProperties?: readonly string[];
  readonly requiredProperties?: readonly string[];
  readonly allowedValues?: readonly unknown[];
  readonly format?: string;
  readonly type?: string;
  readonly pattern?: string;
}

function describe(message: string, params: Params): string {
  if (params.allowedValues !== undefined)
    return `must be one of ${params.allowedValues.join(", ")}`;
  if (params.format === "uuid") return "must be a UUID";
  if (params.type === "string") return "must be text: put it in quotes";
  if (params.pattern === "\\S") return "must not be blank";
  return message;
}

function unknownMember(name: string, known: readonly string[]): string {
  return `is not a member here${suggest(name, known)}`;
}

/** Parses a JSON pointer of the validator, such as `/minimum_profit_overrides/0/year`. */
function toPath(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

function schemaAt(schema: TSchema, path: Path): TSchema {
  return path.reduce<TSchema>((outer, part) => {
    if (typeof part === "number") return (outer as { items?: TSchema }).items ?? {};
    return membersOf(outer)[part] ?? {};
  }, schema);
}

function isKind(name: string): name is KindName {
  return Object.hasOwn(KINDS, name);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
