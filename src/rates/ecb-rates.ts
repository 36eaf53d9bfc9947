import { DAY_MS } from "../base/clock.ts";
import { OperatorError } from "../base/errors.ts";
import { readBody } from "../base/read-body.ts";
import { readZipFile } from "../base/read-zip.ts";
import type { NewFxRate } from "./fx-store.ts";

/** The latest day, or all days since 1999. */
type EcbFile = "eurofxref.zip" | "eurofxref-hist.zip";

interface DownloadOptions {
  readonly url: string;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
  /** Smaller in tests. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const REDIRECTS_MAX = 3;
/** The file of all days has 0.6 MB in 2026, and 3 MB unpacked. */
const PACKED_BYTES_MAX = 8 * 1024 * 1024;
const BYTES_MAX = 64 * 1024 * 1024;
/** Older days are not read: parsing all days since 1999 would hold up the process for half a second. */
const HISTORY_DAYS = 4 * 366;

/** Downloads and reads one of the ECB's files. A mirror may also serve it unpacked under the same name. */
export async function downloadEcbRates(
  file: EcbFile,
  options: DownloadOptions,
): Promise<readonly NewFxRate[]> {
  const text = await unpack(file, await download(file, options));
  const rates = parseEcbRates(cutHistory(text, toDay(options.nowMs - HISTORY_DAYS * DAY_MS)));
  // A day may have begun in Frankfurt that has not begun in UTC.
  const lastDay = toDay(options.nowMs + DAY_MS);
  const future = rates.find(({ day }) => day > lastDay);
  if (future !== undefined) throw new OperatorError(`${file} has rates of ${future.day}`);
  return rates;
}

function toDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

async function download(file: EcbFile, options: DownloadOptions): Promise<Buffer> {
  const { url, signal, timeoutMs = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await follow(
    new URL(`${url.replace(/\/+$/, "")}/${file}`),
    signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  );
  if (!response.ok) {
    await response.body?.cancel();
    throw new OperatorError(`the server answered ${response.status} to ${file}`);
  }
  const body = await readBody(response, PACKED_BYTES_MAX);
  if (body === undefined) throw new OperatorError(`${file} is larger than 8 MiB`);
  return body;
}

/** Follows redirects within the same origin, and from http to https of the same host. Prices must not come from elsewhere. */
async function follow(first: URL, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let count = 0; count <= REDIRECTS_MAX; count += 1) {
    const response = await fetch(url, { signal, redirect: "manual" });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    const isSecured = next?.protocol === "https:" && next.hostname === url.hostname;
    if (next === undefined || (next.origin !== url.origin && !isSecured)) {
      throw new OperatorError(
        `the server redirects to another address (${next?.origin ?? "not a valid one"}), which is not followed; ` +
          "set ASSAY_RATES_URL to the folder with the files",
      );
    }
    url = next;
  }
  throw new OperatorError(`the server redirects more than ${REDIRECTS_MAX} times`);
}

async function unpack(file: EcbFile, content: Buffer): Promise<string> {
  if (content.subarray(0, 2).toString("latin1") !== "PK") return content.toString("utf8");
  const choose = (names: readonly string[]) =>
    names.find((name) => name.toLowerCase().endsWith(".csv"));
  const rates = await readZipFile({ name: file, content }, { choose, bytesMax: BYTES_MAX });
  if (rates === undefined) throw new OperatorError(`${file} has no .csv file`);
  return rates.toString("utf8");
}

/** Drops the lines of days before `since`. Other lines stay, so that the parser can say what is wrong with them. */
function cutHistory(text: string, since: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\d{4}-\d{2}-\d{2}/.test(line) || line.slice(0, 10) >= since)
    .join("\n");
}

/** The ECB writes `N/A` for a currency that no longer exists; a cell may also be empty. */
const NO_QUOTE = new Set(["N/A", "NA", "-", ""]);
const MONTHS =
  "january february march april may june july august september october november december";
const MONTH_NAMES: readonly string[] = MONTHS.split(" ");

/**
 * Parses a file of the ECB's reference rates: the one of a single day ("13 November 2026") or the one of all days since
 * 1999 (ISO dates). Throws at the first cell that it cannot read, with its line and column.
 *
 * Example: "Date, USD, JPY, \n13 November 2026, 1.0823, 163.5, " becomes two rates of 2026-11-13.
 */
export function parseEcbRates(text: string): readonly NewFxRate[] {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .map((line, at) => ({ number: at + 1, cells: splitCells(line) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const [head, ...rows] = lines;
  if (head === undefined) throw new OperatorError("the file is empty");
  const currencies = parseHead(head);
  if (rows.length === 0)
    throw new OperatorError("the file has a header line but no rates below it");
  const days = new Map<string, number>();
  return rows.flatMap((row) => {
    const rates = parseRow(row, currencies);
    const day = parseDay(row);
    const before = days.get(day);
    if (before !== undefined) throw explain(row, 1, `${day} is already on line ${before}`);
    days.set(day, row.number);
    return rates.map((rate) => ({ day, ...rate }));
  });
}

interface Line {
  readonly number: number;
  readonly cells: readonly string[];
}

/** The ECB never writes a comma inside a cell. Quotation marks come from spreadsheets. */
function splitCells(line: string): readonly string[] {
  return line
    .split(",")
    .map((cell) => cell.trim().replace(/^"([^"]*)"$/, (_, inner) => inner.trim()));
}

function explain(line: Line, column: number, what: string): OperatorError {
  return new OperatorError(`line ${line.number}, column ${column}: ${what}; nothing was imported`);
}

/** The currencies of the columns after the first. Empty columns at the end are dropped: each line ends in a comma. */
function parseHead(line: Line): readonly string[] {
  const [first = "", ...currencies] = line.cells;
  if (first.toLowerCase() !== "date") {
    throw explain(
      line,
      1,
      `the first line must begin with Date, as the ECB's does, not with ${show(first)}`,
    );
  }
  while (currencies.at(-1) === "") currencies.pop();
  if (currencies.length === 0) throw explain(line, 2, "a currency is missing");
  for (const [at, currency] of currencies.entries()) {
    if (!/^[A-Z]{3}$/.test(currency) || currency === "EUR") {
      throw explain(line, at + 2, `${show(currency)} is not a currency code such as USD`);
    }
    if (currencies.indexOf(currency) !== at)
      throw explain(line, at + 2, `${currency} occurs twice`);
  }
  return currencies;
}

function parseRow(
  line: Line,
  currencies: readonly string[],
): readonly Pick<NewFxRate, "currency" | "per_eur">[] {
  const cells = line.cells.slice(1);
  const extra = cells.findIndex((cell, at) => at >= currencies.length && cell !== "");
  if (extra !== -1)
    throw explain(line, extra + 2, `${show(cells[extra])} has no currency above it`);
  if (cells.length < currencies.length) {
    throw explain(line, cells.length + 2, `the rate of ${currencies[cells.length]} is missing`);
  }
  return currencies.flatMap((currency, at) => {
    const cell = cells[at] ?? "";
    if (NO_QUOTE.has(cell.toUpperCase())) return [];
    if (!/^\d{1,11}(\.\d{1,12})?$/.test(cell) || Number(cell) === 0) {
      throw explain(line, at + 2, `${show(cell)} is not a rate of ${currency} such as 1.0823`);
    }
    return [{ currency, per_eur: cell }];
  });
}

function parseDay(line: Line): string {
  const [text = ""] = line.cells;
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const named = /^(\d{1,2}) ([A-Za-z]+) (\d{4})$/.exec(text.replace(/\s+/g, " "));
  const month = MONTH_NAMES.indexOf((named?.[2] ?? "").toLowerCase()) + 1;
  const parts = iso
    ? [iso[1], iso[2], iso[3]]
    : [named?.[3], String(month).padStart(2, "0"), named?.[1]?.padStart(2, "0")];
  const day = parts.join("-");
  // For a day that does not exist, such as 30 February, the date is invalid or another day.
  const atMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== day) {
    throw explain(line, 1, `${show(text)} is not a day such as 2026-11-13 or 13 November 2026`);
  }
  return day;
}

function show(cell: string | undefined): string {
  const text = cell ?? "";
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}
