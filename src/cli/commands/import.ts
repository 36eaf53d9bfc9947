import { closeSync, createReadStream, openSync, readFileSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { systemClock, utcConverterFor } from "../../base/clock.ts";
import { OperatorError } from "../../base/errors.ts";
import { readZipFile } from "../../base/read-zip.ts";
import { type Alerting, type NewRawEvent, saveRawEvents } from "../../intake/raw-event-store.ts";
import {
  DATE_ORDERS,
  type DateOrder,
  exportedGroup,
  fitsDateOrder,
  isDateOrderUnclear,
  parseChatExport,
} from "../../messages/gateways/chat-export.ts";
import { readWaha } from "../../messages/gateways/waha.ts";
import { declareDefaultCurrency, listGroupsNamed } from "../../messages/group-store.ts";
import { leaveOutOld } from "../../messages/privacy/event-age.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import { type Command, startProgress, type Terminal, UsageError } from "../command.ts";
import { type StoreCall, withSteps, withStore } from "../with-store.ts";

const HELP = `Imports messages from files, as if the gateway had posted them. Messages that are already stored are skipped, and so are those
that are older than what ASSAY_RETENTION_DAYS keeps.

Usage:
  assay import waha FILE [--with-alerts] [--demo]
  assay import chat FILE --group NAME [--timezone ZONE] [--date-order ORDER] [--default-currency CODE] [--with-alerts]
                    [--demo]

  waha             webhook bodies from WAHA, one JSON object per line; FILE may be - for standard input
  chat             a chat exported from WhatsApp, as a text file or as the .zip that WhatsApp makes
  --group NAME     name of the exported group; if a group of this name is declared, the messages belong to it
  --timezone ZONE  time zone of the phone that exported the chat, such as Europe/Berlin; the default is UTC
  --date-order ORDER
                   day-first, month-first or year-first; needed only if no date in the file shows it
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
        "date-order": { type: "string" },
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
    const alerting = values["with-alerts"] ? "always" : "never";
    const options = { isDemo: values.demo, mayCreate: true };
    if (kind === "waha") {
      const bodies = await openWebhookBodies(terminal, file);
      await withStore(terminal, options, (call) =>
        importBodies(call, terminal, { bodies, gateway: kind, alerting }),
      );
      return 0;
    }
    const group = values.group?.trim() ?? "";
    const dateOrder = parseDateOrder(values["date-order"]);
    const bodiesOf = await parseChat(file, { group, timeZone: values.timezone, dateOrder });
    await withStore(terminal, options, async (call) => {
      const groupId = await findGroupId(call, group);
      if (currency !== undefined) {
        const gatewayGroupId = groupId ?? exportedGroup(group);
        await declareDefaultCurrency(call.store.pool, { gatewayGroupId, currency });
      }
      const bodies = bodiesOf(groupId);
      await importBodies(call, terminal, { bodies, gateway: kind, alerting });
    });
    return 0;
  },
};

function parseDateOrder(text: string | undefined): DateOrder | undefined {
  const order = DATE_ORDERS.find((known) => known === text);
  if (text !== undefined && order === undefined) {
    throw new UsageError(`--date-order must be one of ${DATE_ORDERS.join(", ")}`);
  }
  return order;
}

type Bodies = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

interface Import {
  readonly bodies: Bodies;
  readonly gateway: NewRawEvent["gateway"];
  readonly alerting: Alerting;
}

async function importBodies(call: StoreCall, terminal: Terminal, work: Import) {
  const { bodies, gateway, alerting } = work;
  const reading = startProgress(terminal, "read");
  let newCount = 0;
  let oldCount = 0;
  let batch: NewRawEvent[] = [];
  let batchBytes = 0;
  const save = async (): Promise<void> => {
    if (batch.length === 0) return;
    const kept = await leaveOutOld(call.store.pool, batch, systemClock.nowMs());
    if (kept.length > 0) newCount += await saveRawEvents(call.store.pool, kept, alerting);
    oldCount += batch.length - kept.length;
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
  const old = oldCount === 0 ? "" : `${oldCount} too old to be kept (ASSAY_RETENTION_DAYS), `;
  terminal.out.write(
    `${count} read, ${newCount} new, ${old}${count - newCount - oldCount} already stored; ` +
      `processed in ${seconds.toFixed(1)} s\n`,
  );
}

interface ChatSettings {
  readonly group: string;
  readonly timeZone: string;
  readonly dateOrder: DateOrder | undefined;
}

/** Reads the file before the store is opened, so that a wrong file changes nothing. */
async function parseChat(
  file: string,
  settings: ChatSettings,
): Promise<(groupId?: string) => Bodies> {
  const { group, timeZone, dateOrder } = settings;
  const toUtcMs = utcConverterFor(timeZone);
  const text = await readChatText(file);
  if (dateOrder === undefined && isDateOrderUnclear(text)) {
    throw new UsageError(
      `the dates in ${file} can be read with the day or the month first; add --date-order day-first or month-first`,
    );
  }
  if (dateOrder !== undefined && !fitsDateOrder(text, dateOrder)) {
    throw new UsageError(`${file} has dates that do not exist with --date-order ${dateOrder}`);
  }
  const order = dateOrder === undefined ? {} : { dateOrder };
  const parse = (groupId?: string) =>
    parseChatExport(text, {
      group,
      toUtcMs,
      ...order,
      ...(groupId === undefined ? {} : { groupId }),
    });
  if (parse().length === 0) {
    throw new OperatorError(`${file} contains no messages in the format of a WhatsApp export`);
  }
  return (groupId) => parse(groupId).map((event) => Buffer.from(JSON.stringify(event)));
}

/** Returns the gateway's id of the declared group with this name, if there is one. */
async function findGroupId(call: StoreCall, name: string): Promise<string | undefined> {
  const ids = await listGroupsNamed(call.store.pool, name);
  if (ids.length <= 1) return ids[0];
  throw new OperatorError(
    `several groups are declared with the name "${name}" (${ids.join(", ")}); give them different names`,
  );
}

/** An export has at most 40,000 messages. */
const CHAT_BYTES_MAX = 256 * 1024 * 1024;
const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** So many lines are read in search of the first webhook body. */
const HEAD_LINES_MAX = 1_000;

/** Returns the lines of a file of webhook bodies. Throws if it is another kind of file. */
async function openWebhookBodies(
  terminal: Terminal,
  file: string,
): Promise<AsyncIterable<Uint8Array>> {
  const lines = readLines(terminal, file);
  const head: Uint8Array[] = [];
  while (head.length < HEAD_LINES_MAX) {
    const next = await lines.next();
    if (next.done === true) break;
    head.push(next.value);
    if (isWebhookBody(next.value)) return chain(head, lines);
  }
  throw new OperatorError(
    `${file} is not a file of webhook bodies: none of its first ${head.length} lines is one. ` +
      "Each line must be one JSON object with event, session and payload",
  );
}

function isWebhookBody(body: Uint8Array): boolean {
  const reading = readWaha(body);
  return (
    reading.kind === "facts" || (reading.reason !== "not_json" && reading.reason !== "not_an_event")
  );
}

/** Returns the text of an exported chat, from a text file or the archive that WhatsApp makes. */
async function readChatText(file: string): Promise<string> {
  try {
    return isZip(file) ? await readChatOfZip(file) : readFileSync(file, "utf8");
  } catch (error) {
    throw explainFile(file, error);
  }
}

function isZip(file: string): boolean {
  const handle = openSync(file, "r");
  try {
    const start = Buffer.alloc(4);
    readSync(handle, start, 0, 4, 0);
    return start.equals(Buffer.from("PK\u0003\u0004"));
  } finally {
    closeSync(handle);
  }
}

/** iOS names it `_chat.txt`, Android after the chat. A member may have sent other text files. */
async function readChatOfZip(file: string): Promise<string> {
  const choose = (names: readonly string[]) => {
    const texts = names.filter((name) => /^[^/]+\.txt$/i.test(name));
    return (
      texts.find((name) => name === "_chat.txt") ??
      texts.find((name) => /whatsapp/i.test(name)) ??
      texts[0]
    );
  };
  const chat = await readZipFile(file, { choose, bytesMax: CHAT_BYTES_MAX });
  if (chat === undefined) throw new OperatorError(`${file} contains no text file of a chat`);
  return chat.toString("utf8");
}

async function* chain(
  head: readonly Uint8Array[],
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  yield* rest;
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

function explainFile(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== "ENOENT" && code !== "EACCES" && code !== "EISDIR") return error;
  return new OperatorError(`cannot read ${file} (${code})`, error);
}
