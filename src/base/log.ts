import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };
export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Logs go to standard error, one JSON object per line. Standard output is for the results of commands. */
export function createLogger(
  level: LogLevel,
  destination: DestinationStream = process.stderr,
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: toErrorFields },
      // No code should log these. This is a second line of defence.
      redact: ["authorization", "*.authorization", "password", "*.password", "token", "*.token"],
    },
    destination,
  );
}

const SERIES_MS = 10_000;

/** The series in progress of each logger, by message. */
const seriesByLog = new WeakMap<Logger, Map<string, { count: number }>>();

/**
 * Logs a failure that may come a thousand times a second, as while the store is down. The first one is logged at once, with its
 * reason. While more follow, a line every ten seconds says how many; when none does, a last line ends the series.
 */
export function logSeries(log: Logger, fields: object, message: string): void {
  const all = seriesByLog.get(log) ?? new Map<string, { count: number }>();
  seriesByLog.set(log, all);
  const known = all.get(message);
  if (known !== undefined) {
    known.count += 1;
    return;
  }
  const series = { count: 0 };
  let totalCount = 1;
  all.set(message, series);
  log.error(fields, message);
  const timer = setInterval(() => {
    totalCount += series.count;
    if (series.count > 0) log.warn({ count: series.count }, `${message}, again`);
    else {
      log.info({ count: totalCount }, `${message}, and it is over`);
      all.delete(message);
      clearInterval(timer);
    }
    series.count = 0;
  }, SERIES_MS);
  timer.unref();
}

interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: ErrorFields;
}

// Other members of an error are left out: a database error contains the row that it rejected.
function toErrorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined ? {} : { cause: toErrorFields(error.cause) }),
  };
}
