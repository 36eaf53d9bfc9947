import { parseArgs } from "node:util";
import { OperatorError } from "../../base/errors.ts";
import { isUuid } from "../../base/ids.ts";
import { phoneIdentifier } from "../../messages/contacts/contact.ts";
import { findIdentifierOf } from "../../messages/privacy/person-store.ts";
import { finishQueued } from "../../pipeline/finish-queued.ts";
import { eraseSetAsideItems } from "../../pipeline/set-aside-store.ts";
import { runErasure } from "../../privacy/erase-persons.ts";
import { countBodiesOf, type PlannedErasure, planErasure } from "../../privacy/plan-erasure.ts";
import { type Command, formatTable, startProgress, type Terminal, UsageError } from "../command.ts";
import { cliAuthor, type StoreCall, withSteps, withStore } from "../with-store.ts";

const HELP = `Erases a person: messages, listings, matches, names, numbers, and what stored events have of him. Events that others share
with him, such as lists of members, stay without him. Only keyed hashes are remembered, so what comes again is dropped: by the
gateway, an import, a replay, or a backup that is made from now on. This cannot be undone.

Usage: assay erase --phone NUMBER | --contact ID [--dry-run] [--remember] [--demo]

  --phone NUMBER  with its country code; spaces and dashes are fine
  --contact ID    the id of a contact, as the API and the console show it
  --dry-run       shows what would be erased, and changes nothing
  --remember      also if nothing is stored about the number: it is dropped should it ever come
  --demo          uses the demo database

The table says what was erased. If nothing is stored about the number, the exit code is 1. If it is cut off, run it again: it goes on
where it was. The service may run meanwhile. Backups that were made before still have the person; see docs/privacy.md.

Examples:
  assay erase --phone "+44 7700 900120" --dry-run
  assay erase --phone "+44 7700 900120"
`;

const OPTIONS = {
  phone: { type: "string" },
  contact: { type: "string" },
  "dry-run": { type: "boolean", default: false },
  remember: { type: "boolean", default: false },
  demo: { type: "boolean", default: false },
} as const;

export const eraseCommand: Command = {
  summary: "erases a person",
  help: HELP,
  run: async (args, terminal) => {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    if ((values.phone === undefined) === (values.contact === undefined))
      throw new UsageError("name the person: either --phone NUMBER or --contact ID");
    if (values.contact !== undefined && !isUuid(values.contact))
      throw new UsageError(`not the id of a contact: ${values.contact}; ids are such as 3f0c…-…`);
    const phone = values.phone === undefined ? undefined : parsePhone(values.phone);
    const { contact = "" } = values;
    await withStore(terminal, { isDemo: values.demo }, async (call) => {
      const identifier =
        phone === undefined ? await findContact(call, contact) : phoneIdentifier(phone);
      const plan = await planErasure(call.store.pool, identifier);
      const isDryRun = values["dry-run"];
      await erase({ call, terminal, plan, identifier, isDryRun, isRemembered: values.remember });
    });
    return 0;
  },
};

async function findContact({ store }: StoreCall, id: string): Promise<string> {
  const identifier = await findIdentifierOf(store.pool, id);
  if (identifier !== undefined) return identifier;
  throw new OperatorError(`there is no contact ${id}; an erased contact can be named by --phone`);
}

interface Erasure {
  readonly call: StoreCall;
  readonly terminal: Terminal;
  readonly plan: PlannedErasure;
  readonly identifier: string;
  readonly isDryRun: boolean;
  readonly isRemembered: boolean;
}

async function erase(erasure: Erasure): Promise<void> {
  const { call, terminal, plan, identifier, isDryRun, isRemembered } = erasure;
  if (plan.person.isOwn) {
    throw new OperatorError(
      "this is the account of one of your own sessions, and cannot be erased: log the session out and remove it at the gateway first",
    );
  }
  const isUnknown = plan.counts.contacts === 0 && !plan.isErased;
  let eventCount = isDryRun || isUnknown ? await countEvents(erasure) : 0;
  if (isUnknown && eventCount === 0 && !isRemembered) {
    throw new OperatorError(
      "nothing is stored about this person; check the number, or add --remember to drop what may come",
    );
  }
  if (!isDryRun) {
    const progress = startProgress(terminal, "events searched");
    eventCount = await withSteps(call, async (context) => {
      const count = await runErasure(
        { ...context, eraseSetAside: eraseSetAsideItems },
        { identifier, author: cliAuthor() },
        progress.add,
      );
      progress.finish();
      await finishQueued(context);
      return count;
    });
  }
  terminal.out.write(formatReport(plan, eventCount));
  const end = isDryRun ? "dry run: nothing was changed" : describeEnd(plan, eventCount);
  terminal.err.write(`${end}${describeFilters(plan)}\n`);
}

async function countEvents({ call, terminal, plan }: Erasure): Promise<number> {
  const progress = startProgress(terminal, "events searched");
  const count = await countBodiesOf(call.store.pool, plan.person, progress.add);
  progress.finish();
  return count;
}

function formatReport({ counts }: PlannedErasure, eventCount: number): string {
  const rows: readonly (readonly [string, number])[] = [
    ["contacts", counts.contacts],
    ["numbers, LIDs and names", counts.identifiers],
    ["messages", counts.messages],
    ["posts of these messages", counts.occurrences],
    ["listings", counts.listings],
    ["matches", counts.matches],
    ["deliveries", counts.deliveries],
    ["corrections", counts.corrections],
    ["stored events, emptied or rewritten", eventCount],
  ];
  return formatTable([["WHAT", "COUNT"], ...rows.map(([what, count]) => [what, String(count)])]);
}

function describeEnd({ counts, isErased }: PlannedErasure, eventCount: number): string {
  return isErased && counts.contacts + eventCount === 0
    ? "nothing was left to erase: the person was erased before"
    : "erased";
}

function describeFilters({ filterCount }: PlannedErasure): string {
  return filterCount === 0
    ? ""
    : `; ${filterCount} alerts, views or configurations name the person in their filter, which you may want to change`;
}

/** E.164 allows 15 digits; the shortest numbers with a country code have 7. */
const PHONE_DIGITS = /^[1-9]\d{6,14}$/;

/** Returns the digits of a phone number with its country code, as people write it: `+44 7700 900120`, `0044-7700-900120`. */
function parsePhone(text: string): string {
  const bare = text.trim().replace(/[\s\u00a0().\u2010-\u2015/-]/g, "");
  const digits = bare.replace(/^(?:\+|00)/, "");
  if (PHONE_DIGITS.test(digits)) return digits;
  const reason = /^0\d+$/.test(bare)
    ? "it begins with 0, so its country code is missing"
    : "it may have 7 to 15 digits, spaces, dashes and a + in front, and nothing else";
  throw new UsageError(`not a phone number: ${text}; ${reason}`);
}
