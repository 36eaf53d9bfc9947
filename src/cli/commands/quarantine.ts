import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import type { Database } from "../../db/database.ts";
import {
  countInQuarantine,
  dropQuarantined,
  findQuarantined,
  listQuarantined,
  requeueQuarantined,
} from "../../intake/quarantine-store.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import { retrySetAside } from "../../pipeline/set-aside.ts";
import { dropSetAsideItems, listSetAsideItems } from "../../pipeline/set-aside-store.ts";
import { STEPS } from "../../pipeline/steps.ts";
import {
  type Command,
  formatTable,
  LIST_MAX,
  parseLimit,
  type Terminal,
  UsageError,
} from "../command.ts";
import { type StoreCall, withSteps, withStore } from "../with-store.ts";

const HELP = `Shows what could not be processed, and processes or drops it: events of the gateway that could not be read, and items of
the pipeline that failed. A worker tries items again by itself, events only when you say so.

Usage:
  assay quarantine list [--limit N] [--json] [--demo]
  assay quarantine show ID [--demo]
  assay quarantine retry ID… | --all [--with-alerts] [--demo]
  assay quarantine drop ID… | --all [--demo]

  ID             as the list shows it, such as event-12 or item-3
  --all          everything in the list
  --limit N      how many to list, 1 to 10000; the default is 100
  --json         prints one JSON object per line
  --with-alerts  events fire alerts, if they came in time; without it they fire none
  --demo         uses the demo database

A retry processes the events and items now, and says how many failed again; then the exit code is 1. An event that names no group
may be of a private chat and has no body any more, so there is nothing to read again, and it leaves the list. To drop an event means
that it is no longer reported; it stays stored, and \`assay replay\` reads it again.

Examples:
  assay quarantine list
  assay quarantine show event-12
  assay quarantine retry --all
`;

const OPTIONS = {
  all: { type: "boolean", default: false },
  limit: { type: "string", default: "100" },
  json: { type: "boolean", default: false },
  "with-alerts": { type: "boolean", default: false },
  demo: { type: "boolean", default: false },
} as const;

const RETRIED_AT_ONCE = 100;
const GONE = "had no body left to read: only events about a group keep theirs";

export const quarantineCommand: Command = {
  summary: "shows, retries and drops what could not be processed",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
    });
    const [verb, ...words] = positionals;
    const isMany = verb === "retry" || verb === "drop";
    if (isMany && values.all === words.length > 0)
      throw new UsageError(`name what to ${verb}: either ID… or --all`);
    const ids = words.map(parseId);
    const limit = parseLimit(values.limit);
    const [first] = ids;
    const isKnown = isMany || (verb === "list" && ids.length === 0);
    if (!isKnown && !(verb === "show" && ids.length === 1))
      throw new UsageError("expected one of: list, show ID, retry ID… | --all, drop ID… | --all");
    return withStore(terminal, { isDemo: values.demo }, async (call) => {
      const db = call.store.pool;
      if (verb === "list") return list(db, terminal, { limit, isJson: values.json });
      if (verb === "show" && first !== undefined) return show(db, terminal, first);
      const wanted = values.all ? await listIds(db) : ids;
      return verb === "drop"
        ? drop(db, terminal, wanted)
        : retry(call, terminal, { ids: wanted, isAlerting: values["with-alerts"] });
    });
  },
};

interface QuarantineId {
  readonly kind: "event" | "item";
  readonly number: number;
}

function parseId(text: string): QuarantineId {
  const [, kind, digits] = /^(event|item)-(\d{1,15})$/.exec(text) ?? [];
  if (kind !== "event" && kind !== "item")
    throw new UsageError(`not an id of the list: ${text}; ids are such as event-12 or item-3`);
  return { kind, number: Number(digits) };
}

interface Entry {
  readonly id: string;
  readonly what: string;
  readonly reason: string;
  readonly since: string;
  readonly attempts: number;
}

async function listEntries(db: Database, limit: number): Promise<readonly Entry[]> {
  const events = (await listQuarantined(db, limit)).map((event) => ({
    id: `event-${event.id}`,
    what: `event (${event.gateway}, ${event.origin})`,
    reason: event.reason,
    since: new Date(event.quarantined_at_ms).toISOString(),
    attempts: 1,
  }));
  const items = (await listSetAsideItems(db, { limit })).map((item) => ({
    id: `item-${item.id}`,
    what: item.step,
    reason: item.reason,
    since: new Date(item.set_aside_at_ms).toISOString(),
    attempts: item.attempt_count,
  }));
  return [...items, ...events].slice(0, limit);
}

async function listIds(db: Database): Promise<readonly QuarantineId[]> {
  return (await listEntries(db, LIST_MAX)).map(({ id }) => parseId(id));
}

async function list(
  db: Database,
  terminal: Terminal,
  { limit, isJson }: { readonly limit: number; readonly isJson: boolean },
): Promise<number> {
  const entries = await listEntries(db, limit);
  if (isJson) for (const entry of entries) terminal.out.write(`${JSON.stringify(entry)}\n`);
  else if (entries.length === 0) terminal.out.write("the quarantine is empty\n");
  else {
    const rows = entries.map((entry) => [
      entry.id,
      entry.what,
      String(entry.attempts),
      entry.since.slice(0, 16).replace("T", " "),
      entry.reason,
    ]);
    terminal.out.write(formatTable([["ID", "WHAT", "ATTEMPTS", "SINCE", "REASON"], ...rows]));
  }
  return 0;
}

async function show(db: Database, terminal: Terminal, id: QuarantineId): Promise<number> {
  const found =
    id.kind === "item"
      ? (await listSetAsideItems(db, { limit: 1, id: id.number }))[0]
      : await showEvent(db, id.number);
  if (found === undefined) throw new OperatorError(`${id.kind}-${id.number} is not in quarantine`);
  terminal.out.write(`${JSON.stringify(found, null, 2)}\n`);
  return 0;
}

async function showEvent(db: Database, id: number): Promise<object | undefined> {
  const event = await findQuarantined(db, id);
  if (event === undefined) return undefined;
  return { ...event, body: event.body === null ? null : event.body.toString() };
}

async function drop(
  db: Database,
  terminal: Terminal,
  ids: readonly QuarantineId[],
): Promise<number> {
  const count =
    (await dropQuarantined(db, numbersOf(ids, "event"))) +
    (await dropSetAsideItems(db, numbersOf(ids, "item")));
  terminal.out.write(`${count} dropped\n`);
  return 0;
}

async function retry(
  call: StoreCall,
  terminal: Terminal,
  options: { readonly ids: readonly QuarantineId[]; readonly isAlerting: boolean },
): Promise<number> {
  const items = numbersOf(options.ids, "item");
  const report = await withSteps(call, async (context) => {
    const alerting = options.isAlerting ? "window" : "never";
    const events = await requeueQuarantined(
      context.pool,
      numbersOf(options.ids, "event"),
      alerting,
    );
    const readable = events.filter(({ hasBody }) => hasBody).map(({ id }) => id);
    let doneCount = readable.length;
    let failedCount = 0;
    for (let at = 0; at < items.length; at += RETRIED_AT_ONCE) {
      const ids = items.slice(at, at + RETRIED_AT_ONCE);
      const retried = await retrySetAside(context, STEPS, { ids });
      doneCount += retried.doneCount;
      failedCount += retried.failedCount;
    }
    await finishQueued(context);
    const againCount = await countInQuarantine(context.pool, readable);
    return {
      doneCount: doneCount - againCount,
      failedCount: failedCount + againCount,
      goneCount: events.length - readable.length,
    };
  });
  terminal.out.write(`${report.doneCount} processed, ${report.failedCount} failed again\n`);
  if (report.goneCount > 0) terminal.out.write(`${report.goneCount} ${GONE}\n`);
  return report.failedCount === 0 ? 0 : 1;
}

function numbersOf(ids: readonly QuarantineId[], kind: QuarantineId["kind"]): readonly number[] {
  return ids.flatMap((id) => (id.kind === kind ? [id.number] : []));
}
