import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { systemClock } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { utcConverterFor } from "../../base/time-zone.ts";
import { type Alerting, type NewRawEvent, saveRawEvents } from "../../intake/raw-event-store.ts";
import { exportedGroup } from "../../messages/gateways/chat.ts";
import { parseChatExport } from "../../messages/gateways/chat-export.ts";
import { declareDefaultCurrency } from "../../messages/groups/group-store.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import { type Command, type Terminal, UsageError } from "../command.ts";
import { startProgress } from "../progress.ts";
import { withSteps } from "../with-steps.ts";
import { type StoreCall, withStore } from "../with-store.ts";

const HELP = `Imports messages from files, as if the gateway had posted them. Messages that are already stored are skipped.

Usage:
  assay import waha FILE [--with-alerts] [--demo]
  assay import chat FILE --group NAME [--timezone ZONE] [--default-currency CODE] [--with-alerts] [--demo]

  waha             webhook bodies from WAHA, one JSON object per line; FILE may be - for standard input
  chat             a chat exported from WhatsApp as a text file (unpack a .zip first)
  --group NAME     name of the exported group
  --timezone ZONE  time zone of the phone that exported the chat, such as Europe/Berlin; the default is UTC
  --default-currency CODE
                   currency of prices that name none, such as EUR
  --with-alerts    fires alerts for imported messages, however old they are
  --demo           uses the demo database

An export has local times without a time zone. If clocks were set back and a time occurs twice, the first one counts,
unless the line before is later. A time that clocks skipped moves forward by the length of the gap.

Examples:
  assay import waha events.jsonl
  assay import chat _chat.txt --group "EU Dealers" --timezone Europe/Amsterdam
`;

const BATCH_MAX = 500;
const BATCH_BYTES_MAX = 8 * 1024 * 1024;
const LINE_BYTES_MAX = 16 * 1024 * 1024;

export const importCommand: Command = {
  summary: "imports webhook bodies or exported chats from files",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        group: { type: "string" },
        timezone: { type: "string", default: "UTC" },
        "default-currency": { type: "string" },
        "with-alerts": { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    const [kind, file, ...rest] = positionals;
    if ((kind !== "waha" && kind !== "chat") || file === undefined || rest.length > 0) {
      throw new UsageError("expected: import waha FILE, or import chat FILE --group NAME");
    }
    if (kind === "chat" && !values.group?.trim())
      throw new UsageError("import chat needs --group NAME");
    const currency = values["default-currency"]?.toUpperCase();
    if (currency !== undefined && (kind !== "chat" || !/^[A-Z]{3,5}$/.test(currency))) {
      throw new UsageError(
        "--default-currency must be a code such as EUR, and works only with import chat",
      );
    }
    const bodies =
      kind === "waha"
        ? readLines(terminal, file)
        : readChat(file, { group: values.group?.trim() ?? "", timeZone: values.timezone });
    await withStore(terminal.environment, { isDemo: values.demo }, async (call) => {
      if (currency !== undefined) {
        const gatewayGroupId = exportedGroup(values.group?.trim() ?? "");
        await declareDefaultCurrency(call.store.pool, { gatewayGroupId, currency });
      }
      const alerting = values["with-alerts"] ? "always" : "never";
      await importBodies(call, terminal, { bodies, gateway: kind, alerting });
    });
    return 0;
  },
};

interface Import {
  readonly bodies: AsyncIterable<Uint8Array>;
  readonly gateway: NewRawEvent["gateway"];
  readonly alerting: Alerting;
}

async function importBodies(call: StoreCall, terminal: Terminal, work: Import) {
  const { bodies, gateway, alerting } = work;
  const reading = startProgress(terminal, "read");
  let newCount = 0;
  let batch: NewRawEvent[] = [];
  let batchBytes = 0;
  const save = async (): Promise<void> => {
    if (batch.length === 0) return;
    newCount += await saveRawEvents(call.store.pool, batch, alerting);
    reading.add(batch.length);
    batch = [];
    batchBytes = 0;
  };
  for await (const body of bodies) {
    if (batch.length === BATCH_MAX || batchBytes + body.byteLength > BATCH_BYTES_MAX) await save();
    const receivedAtMs = systemClock.nowMs();
    batch.push({ gateway, origin: "import", body, receivedAtMs });
    batchBytes += body.byteLength;
  }
  await save();
  const { count } = reading.finish();
  const processing = startProgress(terminal, "processed");
  await withSteps(call, (context) => finishQueued(context, { onBatch: processing.add }));
  const { seconds } = processing.finish();
  terminal.out.write(
    `${count} read, ${newCount} new, ${count - newCount} already stored; processed in ${seconds.toFixed(1)} s\n`,
  );
}

async function* readLines(terminal: Terminal, file: string): AsyncGenerator<Uint8Array> {
  const input = file === "-" ? terminal.in : createReadStream(file);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.trim() === "") continue;
      const body = Buffer.from(line);
      if (body.byteLength > LINE_BYTES_MAX) {
        throw new OperatorError("a line is longer than 16 MiB, so it is not a webhook body");
      }
      yield body;
    }
  } catch (error) {
    throw explainFile(file, error);
  }
}

async function* readChat(
  file: string,
  options: { readonly group: string; readonly timeZone: string },
): AsyncGenerator<Uint8Array> {
  const toUtcMs = utcConverterFor(options.timeZone);
  const events = parseChatExport(readText(file), { group: options.group, toUtcMs });
  if (events.length === 0) {
    throw new OperatorError(`${file} contains no messages in the format of a WhatsApp export`);
  }
  for (const event of events) yield Buffer.from(JSON.stringify(event));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw explainFile(file, error);
  }
}

function explainFile(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== "ENOENT" && code !== "EACCES" && code !== "EISDIR") return error;
  return new OperatorError(`cannot read ${file} (${code})`, error);
}
