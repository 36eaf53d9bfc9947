import type { Database } from "../db/database.ts";
import type { Pair } from "./contacts/contact.ts";
import { findAdmins, lockIdentifiers } from "./contacts/contact-store.ts";
import { deriveMessages } from "./derive-messages.ts";
import { deriveOccurrences, type Identities, pairsIn } from "./occurrences/derive-occurrences.ts";
import { identifiersIn, type ReportedMessage } from "./occurrences/report.ts";
import { listReportedIds, lockReportedMessages } from "./occurrences/reported-message-store.ts";
import { saveDerived } from "./occurrences/save-occurrences.ts";
import { isPairKept } from "./retention/kept-evidence-store.ts";

/** How many raw ids are held in memory at once. A dealer may have years of them. */
const PAGE_MAX = 200;

/** Raw ids with an occurrence of a contact, or with an edit or a revocation by an author. */
export interface AffectedReports {
  readonly contactIds: readonly string[];
  readonly authorIds: readonly string[];
}

/** Derives the occurrences and messages of these raw ids again, after contacts changed. */
export async function deriveReportedMessages(
  tx: Database,
  affected: AffectedReports,
): Promise<void> {
  for await (const messages of readPages(tx, affected)) {
    await deriveMessages(tx, await deriveStored(tx, messages));
  }
}

/** Derives the occurrences of raw ids that are stored, and saves them. Returns what that changed. */
export async function deriveStored(
  tx: Database,
  messages: readonly ReportedMessage[],
): ReturnType<typeof saveDerived> {
  const identifiers = await lockIdentifiers(tx, [...new Set(messages.flatMap(identifiersIn))]);
  const contactIds = new Map(identifiers.map((row) => [row.identifier, row.contact_id]));
  const identities = await withAdmins(tx, messages, (id) => contactIds.get(id));
  const derived = messages.map((message) => ({
    ...message,
    isNew: false,
    occurrences: deriveOccurrences(message, identities),
  }));
  return saveDerived(tx, derived);
}

/** Returns true if a message of these contacts proves that the pair is one person, or one that left has proved it. */
export async function hasSupport(
  tx: Database,
  [lid, phone]: Pair,
  contactIds: readonly string[],
): Promise<boolean> {
  if (await isPairKept(tx, [lid, phone])) return true;
  for await (const messages of readPages(tx, { contactIds, authorIds: [] })) {
    const pairs = messages.flatMap(pairsIn);
    if (pairs.some((pair) => pair[0] === lid && pair[1] === phone)) return true;
  }
  return false;
}

async function* readPages(
  tx: Database,
  affected: AffectedReports,
): AsyncGenerator<readonly ReportedMessage[]> {
  if (affected.contactIds.length + affected.authorIds.length === 0) return;
  const ids = await listReportedIds(tx, affected);
  for (let at = 0; at < ids.length; at += PAGE_MAX) {
    yield await lockReportedMessages(tx, ids.slice(at, at + PAGE_MAX));
  }
}

/** Adds who is an admin to who is who. Only authors of revocations need to be looked up. */
export async function withAdmins(
  tx: Database,
  messages: readonly ReportedMessage[],
  contactOf: Identities["contactOf"],
): Promise<Identities> {
  const authors = messages.flatMap(({ group_id, reports }) =>
    reports.flatMap((report) =>
      report.kind === "revoke"
        ? report.author_ids.flatMap((id) => ({ group_id, contact_id: contactOf(id) }))
        : [],
    ),
  );
  const known = authors.flatMap(({ group_id, contact_id }) =>
    contact_id === undefined ? [] : [{ group_id, contact_id }],
  );
  const admins = known.length === 0 ? new Set<string>() : await findAdmins(tx, known);
  return { contactOf, isAdmin: (groupId, contactId) => admins.has(`${groupId} ${contactId}`) };
}
