/** The current search as text to use elsewhere. */
import type { Filter } from "../../filters/filter.ts";

interface SearchText {
  readonly name: string;
  readonly filter: Filter;
  readonly sort: string;
}

/** A view of a manifest. JSON is YAML too, so every value is quoted as JSON. */
export function toYaml({ name, filter, sort }: SearchText): string {
  const members = Object.entries(filter).map(
    ([member, value]) => `      ${JSON.stringify(member)}: ${toAscii(JSON.stringify(value))}`,
  );
  return [
    "views:",
    `  - name: ${toAscii(JSON.stringify(name))}`,
    `    sort: ${sort}`,
    ...(members.length === 0 ? ["    filters: {}"] : ["    filters:", ...members]),
    "",
  ].join("\n");
}

/** `request` is the body of a search. */
export function toCurl(request: object, origin: string): string {
  const body = JSON.stringify(request);
  return [
    `curl -s ${quote(`${origin}/v2/market/listings/search`)} \\`,
    '  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\',
    `  -d ${quote(body)}`,
  ].join("\n");
}

/** For a shell: nothing is special inside of single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** YAML takes some characters for line breaks or refuses them; their escapes are the same in JSON and YAML. */
function toAscii(text: string): string {
  return text.replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
