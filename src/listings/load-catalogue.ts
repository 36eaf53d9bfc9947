import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { OperatorError } from "../base/errors.ts";
import { mergeCatalogue, parseCatalogueAddition } from "../extraction/catalogue/addition.ts";
import { buildCatalogue, type Catalogue } from "../extraction/catalogue/catalogue.ts";

/** The built-in catalogue, with the dealer's additions from `file` if there is one. */
export async function loadCatalogue(file: string | undefined): Promise<Catalogue> {
  builtIn ??= buildCatalogue();
  if (file === undefined) return builtIn;
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${file} cannot be read as JSON: ${reason}`, error);
  }
  return mergeCatalogue(builtIn, parseCatalogueAddition(json));
}

let builtIn: Catalogue | undefined;

/** Identifies a catalogue. Messages that were read with another one are outdated. */
export function catalogueSha256(catalogue: Catalogue): string {
  const known = digests.get(catalogue);
  if (known !== undefined) return known;
  const digest = createHash("sha256").update(JSON.stringify(catalogue.brands)).digest("hex");
  digests.set(catalogue, digest);
  return digest;
}

const digests = new WeakMap<Catalogue, string>();
