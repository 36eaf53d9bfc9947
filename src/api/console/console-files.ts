import { readFileSync } from "node:fs";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { Coding } from "../http/content-coding.ts";

/** One file of the built console, with its compressed forms. */
export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly encoded: Readonly<Record<Coding, Buffer>>;
}

export interface ConsoleFiles {
  /** The documents, by the name of the page. */
  readonly pages: ReadonlyMap<string, string>;
  /** By path. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const Manifest = Type.Object({
  pages: Type.Record(Type.String(), Type.String()),
  files: Type.Record(Type.String(), Type.Object({ file: Type.String(), type: Type.String() })),
});

/** Reads the whole console, which is a few hundred kilobytes. Returns undefined if it is not built. */
export function findConsoleFiles(folder: URL): ConsoleFiles | undefined {
  const read = (name: string): Buffer => readFileSync(new URL(name, folder));
  const manifest = findManifest(folder);
  if (manifest === undefined) return undefined;
  const assets = Object.entries(manifest.files).map(([path, { file, type }]) => {
    const encoded = { br: read(`${file}.br`), gzip: read(`${file}.gz`) };
    return [path, { type, bytes: read(file), encoded }] as const;
  });
  const pages = Object.entries(manifest.pages).map(
    ([name, file]) => [name, read(file).toString()] as const,
  );
  return { pages: new Map(pages), assets: new Map(assets) };
}

function findManifest(folder: URL): Static<typeof Manifest> | undefined {
  try {
    return Value.Parse(
      Manifest,
      JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8")),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
