import { OperatorError } from "../base/errors.ts";
import { readZipFile } from "../base/read-zip.ts";
import { DAY_MS } from "../base/time.ts";
import { parseEcbRates } from "./ecb-rates.ts";
import type { NewFxRate } from "./fx-store.ts";

/** The latest day, or all days since 1999. */
export type EcbFile = "eurofxref.zip" | "eurofxref-hist.zip";

export interface DownloadOptions {
  readonly url: string;
  readonly nowMs: number;
  readonly signal?: AbortSignal;
  /** Smaller in tests. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
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
  const response = await fetch(`${url.replace(/\/+$/, "")}/${file}`, {
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new OperatorError(`the server answered ${response.status} to ${file}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > PACKED_BYTES_MAX) throw new OperatorError(`${file} is larger than 8 MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
