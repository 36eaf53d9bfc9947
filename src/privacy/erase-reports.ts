import type { Database } from "../db/database.ts";
import { deriveMessages } from "../messages/derive-messages.ts";
import { deriveStored } from "../messages/derive-reported-messages.ts";
import { findErased, rememberErased } from "../messages/erasure/erased-store.ts";
import { findMissingMessages } from "../messages/message-store.ts";
import { type ReportedMessage, withReports } from "../messages/occurrences/report.ts";
import {
  lockReportedMessages,
  replaceReports,
} from "../messages/occurrences/reported-message-store.ts";
import { siftReports, subjectsOfReports } from "./sift-reports.ts";

export interface ErasedReports {
  /** How many raw ids have changed. */
  readonly changedCount: number;
  /** The messages that are deleted. */
  readonly messageIds: readonly string[];
  /** All identifiers of what was dropped, and with it those that were not known to be the person's. */
  readonly identifiers: readonly string[];
}

/** Drops what erased persons sent from these raw ids, and derives their occurrences and messages again. */
export async function eraseReports(
  tx: Database,
  key: Buffer,
  reportedIds: readonly string[],
): Promise<ErasedReports> {
  const stored = await lockReportedMessages(tx, reportedIds);
  const erased = await findErased(tx, key, stored.flatMap(subjectsOfReports));
  const changed = stored.flatMap((message) => {
    const sifted = siftReports(message, (subject) => erased.has(subject));
    return sifted === undefined ? [] : [{ message, sifted }];
  });
  await rememberErased(
    tx,
    key,
    changed.flatMap(({ sifted }) => sifted.remembered),
  );
  const left = changed.map(({ message, sifted }) => withReports(message, sifted.kept));
  await replaceReports(tx, left);
  const formerIds = await deriveAgain(tx, left);
  return {
    changedCount: changed.length,
    messageIds: await findMissingMessages(tx, formerIds),
    identifiers: [...new Set(changed.flatMap(({ sifted }) => sifted.identifiers))],
  };
}

/** Returns the messages to which the occurrences belonged. */
async function deriveAgain(
  tx: Database,
  messages: readonly ReportedMessage[],
): Promise<readonly string[]> {
  if (messages.length === 0) return [];
  // What was his moves nowhere.
  const changes = { ...(await deriveStored(tx, messages)), moves: [] };
  await deriveMessages(tx, changes);
  return [...changes.before.map((row) => row.canonical_message_id), ...changes.formerIds];
}
