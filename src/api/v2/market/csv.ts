/** One line of CSV by RFC 4180, with its line break. */
export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

/** What a spreadsheet takes for a formula gets a leading apostrophe, so that a dealer's message cannot run one. */
function toCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return SPECIAL.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;
