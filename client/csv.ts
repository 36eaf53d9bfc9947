/**
 * Lines of CSV by RFC 4180 that run nothing in a spreadsheet. It is the one rule for the export of the service and for what the
 * console saves, so it uses nothing of Node and nothing of a browser.
 *
 * Example: the dealer `x;=cmd|' /C calc'!A0` becomes `x;'=cmd|' /C calc'!A0`.
 */

/**
 * Where a spreadsheet may begin a cell that it takes for a formula. In most of Europe it splits a line at semicolons, and then quotes do
 * not keep a cell together: the text after a semicolon, tab or line break begins a cell of its own. Full-width signs count too.
 */
const FORMULA_START =
  /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[" \u00a0]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const SPECIAL = /[",\r\n]/;

/** One line with its line break. A number is written as it is, and a missing value is an empty cell. */
export function toCsvLine(cells: readonly (string | number | undefined)[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

/** What a spreadsheet takes for a formula gets an apostrophe before it, so that a dealer's message cannot run one. */
function toCell(value: string | number | undefined): string {
  if (typeof value !== "string") return String(value ?? "");
  const harmless = value.replaceAll(FORMULA_START, "'");
  return SPECIAL.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
