import type { Transaction } from "../db/database.ts";
import { lockIdentifiers, type SeenPair } from "../messages/contacts/contact-store.ts";
import { deriveMessages } from "../messages/derive-messages.ts";
import { withAdmins } from "../messages/derive-reported-messages.ts";
import { removeAliasesTo } from "../messages/message-store.ts";
import { deriveOccurrences, pairsIn } from "../messages/occurrences/derive-occurrences.ts";
import {
  dropOldReports,
  identifiersIn,
  type Report,
  type ReportedMessage,
} from "../messages/occurrences/report.ts";
import {
  listOldReports,
  lockReportedMessages,
  removeReportedMessages,
  updateReports,
} from "../messages/occurrences/reported-message-store.ts";
import { saveDerived } from "../messages/occurrences/save-occurrences.ts";
import { keepPairs } from "../messages/retention/kept-evidence-store.ts";

/**
 * Removes the reports that left, of at most `batchMax` raw ids, and derives their occurrences and messages again from what
 * remains. Returns how many raw ids there were. The caller shares the lock of identities.
 *
 * Example: a dealer posts the same text in March and in May. In June the post of March leaves. The message keeps its id and
 * its listing, and counts from May on. Had May not been, message and listing would be deleted.
 */
export async function removeOldReports(
  tx: Transaction,
  { floorMs, batchMax }: { readonly floorMs: number; readonly batchMax: number },
): Promise<number> {
  const ids = await listOldReports(tx, floorMs, batchMax);
  if (ids.length === 0) return 0;
  const messages = await lockReportedMessages(tx, ids);
  const kept = new Map(
    messages.flatMap((message) => {
      const rest = dropOldReports(message, floorMs);
      return rest === undefined ? [] : [[message.id, rest] as const];
    }),
  );
  await keepPairs(
    tx,
    messages.flatMap((message) => listProvedPairs(message, kept.get(message.id))),
  );
  const emptyIds = messages.map(({ id }) => id).filter((id) => !kept.has(id));
  if (emptyIds.length > 0) await removeReportedMessages(tx, emptyIds);
  if (kept.size > 0) await updateReports(tx, [...kept.values()]);
  await deriveRest(tx, messages, kept);
  return messages.length;
}

/** The pairs that the reports which leave have proved. Those that only the others prove can still be withdrawn. */
function listProvedPairs(
  before: ReportedMessage,
  after: ReportedMessage | undefined,
): readonly SeenPair[] {
  const names = (reports: readonly Report[]) =>
    new Set(pairsIn({ ...before, reports }).map((pair) => pair.join(" ")));
  const rest = after?.reports ?? [];
  const byRest = names(rest);
  const byLeaving = names(before.reports.filter((report) => !rest.includes(report)));
  return pairsIn(before)
    .filter((pair) => byLeaving.has(pair.join(" ")) || !byRest.has(pair.join(" ")))
    .map((pair) => ({ pair, isListed: false }));
}

async function deriveRest(
  tx: Transaction,
  messages: readonly ReportedMessage[],
  kept: ReadonlyMap<string, ReportedMessage>,
): Promise<void> {
  const rest = [...kept.values()];
  const identifiers = await lockIdentifiers(tx, [...new Set(rest.flatMap(identifiersIn))]);
  const contactIds = new Map(identifiers.map((row) => [row.identifier, row.contact_id]));
  const identities = await withAdmins(tx, rest, (id) => contactIds.get(id));
  const derived = messages.map(({ id, group_id, raw_id }) => {
    const left = kept.get(id);
    const occurrences = left === undefined ? [] : deriveOccurrences(left, identities);
    return { group_id, raw_id, isNew: false, occurrences };
  });
  const changes = await saveDerived(tx, derived);
  await deriveMessages(tx, changes);
  await removeAliasesTo(tx, changes.formerIds);
}
