/** Rows as a CSV file by RFC 4180. A text that a spreadsheet would run as a formula gets a leading `'`. */
export function toCsv(
  columns: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
): Blob {
  const lines = [columns, ...rows].map((row) => row.map(toCell).join(","));
  return new Blob([`${lines.join("\r\n")}\r\n`], { type: "text/csv" });
}

function toCell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
