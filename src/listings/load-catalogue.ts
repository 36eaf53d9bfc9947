import { readFile } from "node:fs/promises";
import { OperatorError } from "../base/errors.ts";
import { mergeCatalogue, parseCatalogueAddition } from "./extraction/catalogue/addition.ts";
import { buildCatalogue, type Catalogue } from "./extraction/catalogue/catalogue.ts";

/** The catalogue, with a dealer's own additions if there is a file of them. */
export async function loadCatalogue(file: string | undefined): Promise<Catalogue> {
  if (file === undefined) return buildCatalogue();
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${file} cannot be read as JSON: ${reason}`, error);
  }
  return mergeCatalogue(buildCatalogue(), parseCatalogueAddition(json));
}
