import { isPlainName } from "../base/text.ts";

/** Sessions that a link opens belong to this token unless another one is named. */
export const CONSOLE_TOKEN = "console";

/** Under the other names the activity shows what no token did. A person with such a name would look like Assay itself. */
const RESERVED: ReadonlySet<string> = new Set([CONSOLE_TOKEN, "assay", "cli", "demo"]);

type TokenName =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "refused"; readonly reason: string };

/** The name of a new token, without spaces around it. Wide letters and capitals do not make a reserved name another one. */
export function parseTokenName(text: string): TokenName {
  const name = text.trim();
  if (name === "" || !isPlainName(name)) {
    const reason = "must have a character that can be seen, and no line breaks or invisible ones";
    return { kind: "refused", reason };
  }
  const folded = name.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, "");
  if (RESERVED.has(folded)) {
    return {
      kind: "refused",
      reason: `"${folded}" is kept for Assay itself; choose another name`,
    };
  }
  return { kind: "name", name };
}
