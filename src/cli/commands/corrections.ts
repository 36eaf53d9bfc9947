import { once } from "node:events";
import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import type { Database } from "../../db/database.ts";
import { undoCorrections } from "../../listings/corrections/correct-listing.ts";
import {
  findCorrectionsById,
  type ListedCorrection,
  listCorrectedTexts,
  listCorrections,
} from "../../listings/corrections/correction-store.ts";
import { toLabelledMessage } from "../../listings/label.ts";
import { listingIdOf } from "../../listings/listing-rows.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import {
  type Command,
  formatTable,
  parseLimit,
  type Terminal,
  toMinute,
  UsageError,
} from "../command.ts";
import { describeListing, describeValue } from "../correction-words.ts";
import { cliAuthor, type StoreCall, withSteps, withStore } from "../with-store.ts";

const HELP = `Shows what people corrected with \`assay correct\`, undoes it, and exports it as labelled messages.

Usage:
  assay corrections list [--set-aside] [--limit N] [--json] [--demo]
  assay corrections undo ID… [--demo]
  assay corrections export [--demo]

  ID           the id of a correction, as the list shows it
  --set-aside  only those that do not hold for a message with their text
  --limit N    how many to list, 1 to 10000; the default is 100
  --json       prints one JSON object per line
  --demo       uses the demo database

A correction is set aside if extraction reads another reference at its place or no listing at all, or if it is a price and
the sender's country or the group's default currency is another one. Look at the listing, and correct it again or undo it.

The export has one line per message with a correction that holds: {"input", "expected"}, with all listings of the message as
they are now. It has the text of the message, so treat it as you treat your chats. \`assay extract --score\` reads it.

Examples:
  assay corrections list --set-aside
  assay corrections export > labels.jsonl
`;

const PAGE_MAX = 500;

export const correctionsCommand: Command = {
  summary: "lists, undoes and exports corrections",
  help: HELP,
  run: async (args, terminal) => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        "set-aside": { type: "boolean", default: false },
        limit: { type: "string", default: "100" },
        json: { type: "boolean", default: false },
        demo: { type: "boolean", default: false },
      },
    });
    const [verb, ...ids] = positionals;
    const limit = parseLimit(values.limit);
    const isPlain = (verb === "list" || verb === "export") && ids.length === 0;
    if (!isPlain && !(verb === "undo" && ids.length > 0))
      throw new UsageError("expected one of: list, undo ID…, export");
    if (!ids.every(isUuid)) throw new UsageError("name corrections by their ids, as the list does");
    return withStore(terminal, { isDemo: values.demo }, async (call) => {
      const db = call.store.pool;
      if (verb === "undo") return undo(call, terminal, ids);
      if (verb === "export") return exportLabels(db, terminal);
      const isSetAside = values["set-aside"];
      const corrections = await listCorrections(db, { limit, isSetAside });
      terminal.out.write(values.json ? toJsonLines(corrections) : toTable(corrections));
      return 0;
    });
  },
};

async function undo(call: StoreCall, terminal: Terminal, ids: readonly string[]): Promise<number> {
  const known = new Set((await findCorrectionsById(call.store.pool, ids)).map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id.toLowerCase()));
  if (unknown !== undefined)
    throw new OperatorError(`there is no correction with the id ${unknown}`);
  await withSteps(call, async (context) => {
    const undone = await undoCorrections(context.pool, ids, cliAuthor());
    await finishQueued(context);
    terminal.out.write(`${undone.length} corrections undone\n`);
  });
  return 0;
}

/** Writes a text only once for each country and currency: the reposts of other dealers teach nothing new. */
async function exportLabels(db: Database, terminal: Terminal): Promise<number> {
  const written = new Set<string>();
  let afterId: string | undefined;
  do {
    const page = await listCorrectedTexts(db, { afterId, limit: PAGE_MAX });
    for (const message of page) {
      const labelled = toLabelledMessage(message);
      const { message_date: _, ...input } = labelled.input;
      const key = JSON.stringify(input);
      if (written.has(key)) continue;
      written.add(key);
      if (!terminal.out.write(`${JSON.stringify(labelled)}\n`)) await once(terminal.out, "drain");
    }
    afterId = page.length < PAGE_MAX ? undefined : page.at(-1)?.canonical_message_id;
  } while (afterId !== undefined);
  terminal.err.write(`${written.size} labelled messages\n`);
  return 0;
}

function toJsonLines(corrections: readonly ListedCorrection[]): string {
  return corrections
    .map(({ canonical_message_id, ...correction }) => {
      const listing_id = toListingId({ canonical_message_id, ...correction });
      return `${JSON.stringify({ ...correction, listing_id })}\n`;
    })
    .join("");
}

function toTable(corrections: readonly ListedCorrection[]): string {
  if (corrections.length === 0) return "no corrections\n";
  const rows = corrections.map((correction) => [
    correction.id,
    correction.field,
    correction.field === "is_listing"
      ? describeListing(correction.value)
      : describeValue(correction.value),
    correction.reference_normalized || "none",
    toMinute(correction.corrected_at_ms),
    describeState(correction),
    toListingId(correction) ?? "",
  ]);
  return formatTable([
    ["ID", "FIELD", "VALUE", "READ AS", "CORRECTED", "STATE", "LISTING"],
    ...rows,
  ]);
}

function describeState({ set_aside, canonical_message_id }: ListedCorrection): string {
  if (set_aside !== null) return `set aside: ${set_aside.replaceAll("_", " ")}`;
  return canonical_message_id === null ? "no message has the text" : "holds";
}

function toListingId(correction: ListedCorrection): string | null {
  const { canonical_message_id, line, ordinal } = correction;
  return canonical_message_id === null ? null : listingIdOf(canonical_message_id, line, ordinal);
}
