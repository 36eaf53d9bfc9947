/**
 * Derives canonical messages from occurrences that were just changed: how often each message occurs, and which messages
 * the listing step must read again.
 *
 * A message that only gained plain occurrences is made or extended from these, and so are its roll-ups; this is cheap, and
 * the usual case. Any other message is recounted from the store: roll-ups are counted from occurrences, and messages are
 * summed up from roll-ups.
 *
 * Invariant: the result depends only on stored occurrences and versions, so deriving twice equals deriving once. A
 * message is locked before it is counted, so the last worker to count it sees all of its occurrences.
 *
 * Example: occurrence AA01 of 20 August in group g has the text "126610LN 98k" and belongs to message m. An edit to
 * "126610LN 95k" arrives, so it belongs to message n now. The roll-up (m, 20 August, g) is deleted if nothing else is
 * counted there, (n, 20 August, g) is counted, then m and n are summed up and queued for the listing step. Had AA01 moved
 * because contacts merged, no version would be left in m: m would be deleted, and its id would become an alias of n.
 */
import type { Database } from "../db/database.ts";
import type { Pair } from "./contacts/contact.ts";
import { findAdmins, lockIdentifiers } from "./contacts/contact-store.ts";
import {
  moveQueuedAlerts,
  noteQuoted,
  type QuotingMessage,
  queueMessages,
} from "./message-queue-store.ts";
import {
  extendMessages,
  lockMessages,
  type MessageDraft,
  refreshMessages,
  removeEmptyMessages,
  saveMessageAliases,
} from "./message-write-store.ts";
import {
  type AdminAt,
  deriveOccurrences,
  type Identities,
  pairsIn,
} from "./occurrences/derive-occurrences.ts";
import {
  countOccurrences,
  type DerivedOccurrence,
  type MessageMove,
  type OccurrenceChanges,
  type OccurrencePlace,
  type RollupKey,
  rollupKeyOf,
  rollupName,
} from "./occurrences/occurrence.ts";
import {
  addToRollups,
  listReplyMessages,
  recountRollups,
  removeEmptyRollups,
} from "./occurrences/occurrence-store.ts";
import { identifiersIn, type ReportedMessage, reportedMessageIdOf } from "./occurrences/report.ts";
import { listReportedIds, lockReportedMessages } from "./occurrences/reported-message-store.ts";
import { saveDerived } from "./occurrences/save-occurrences.ts";
import { isPairKept } from "./privacy/retention-store.ts";

/** A hundred thousand years: no limit. */
const ALERT_MS_MAX = 3_155_760_000_000_000;

interface MessageChanges extends OccurrenceChanges {
  /** Messages to derive again although none of their occurrences changed. */
  readonly otherMessageIds?: readonly string[];
  readonly alertLimits?: AlertLimits;
  /** Occurrences that may fire alerts from now on, changed or not. */
  readonly opened?: readonly OccurrencePlace[];
}

/**
 * By occurrence: its message fires alerts only if it was sent at this time or later. Without an entry it fires none.
 */
type AlertLimits = ReadonlyMap<string, number>;

export async function deriveMessages(tx: Database, changes: MessageChanges): Promise<void> {
  const formerIds = [
    ...changes.before.map((place) => place.canonical_message_id),
    ...changes.formerIds,
    ...(changes.otherMessageIds ?? []),
  ];
  const recountedIds = new Set([...changes.contactIds.keys(), ...formerIds]);
  const gained = changes.plain.filter((row) => !recountedIds.has(row.canonical_message_id));
  const drafts = draftMessages(gained);
  const openedIds = new Set((changes.opened ?? []).map((place) => place.canonical_message_id));
  const windows = { alertMs: alertTimes(changes), openedIds };
  const quoting = listQuoting(changes);
  if (recountedIds.size + drafts.length === 0) {
    if (openedIds.size > 0) await queueMessages(tx, [...openedIds], windows);
    if (quoting.length > 0) await noteQuoted(tx, quoting);
    return;
  }
  const newIds = await lockMessages(tx, { contactIds: changes.contactIds, drafts }, formerIds);
  const extended = drafts.filter(({ id }) => !newIds.has(id));
  // Whether a reply is a post of its own depends on what it quotes.
  const replyIds = changes.before.length === 0 ? [] : await listReplyMessages(tx, changes.before);
  const queuedIds = [...recountedIds, ...drafts.map(({ id }) => id), ...openedIds, ...replyIds];
  // Sent in this order without waiting for the results. Messages are summed up from their roll-ups.
  await Promise.all([
    gained.length > 0 ? addToRollups(tx, countOccurrences(gained)) : undefined,
    extended.length > 0 ? extendMessages(tx, extended) : undefined,
    recountedIds.size > 0 ? recountMessages(tx, changes, [...recountedIds]) : undefined,
    queueMessages(tx, queuedIds, windows),
    quoting.length > 0 ? noteQuoted(tx, quoting) : undefined,
  ]);
  if (changes.moves.length > 0) await moveQueuedAlerts(tx, changes.moves);
}

async function recountMessages(
  tx: Database,
  changes: MessageChanges,
  messageIds: readonly string[],
): Promise<void> {
  const keys = listRollupKeys(changes, new Set(messageIds));
  await removeEmptyRollups(tx, keys);
  await recountRollups(tx, keys);
  const removedIds = await removeEmptyMessages(tx, messageIds);
  await refreshMessages(tx, messageIds);
  const aliases = distinctMoves(changes.moves.filter(({ from }) => removedIds.has(from)));
  if (aliases.length > 0) await saveMessageAliases(tx, aliases);
}

/** Returns by message, old and new, which raw ids its changed replies quote. */
function listQuoting({
  before,
  changed,
  plain,
  opened = [],
}: MessageChanges): readonly QuotingMessage[] {
  const quoting = new Map<string, Set<string>>();
  for (const place of [...before, ...changed, ...plain, ...opened]) {
    if (place.reply_to_raw_id === null) continue;
    const quoted = quoting.get(place.canonical_message_id) ?? new Set();
    quoted.add(reportedMessageIdOf(place.group_id, place.reply_to_raw_id));
    quoting.set(place.canonical_message_id, quoted);
  }
  return [...quoting].map(([canonical_message_id, quoted]) => ({
    canonical_message_id,
    quoted_ids: [...quoted],
  }));
}

/** Returns where the occurrences were counted before, and where they are counted now. */
function listRollupKeys(
  { before, changed, plain }: MessageChanges,
  messageIds: ReadonlySet<string>,
): readonly RollupKey[] {
  const places: readonly OccurrencePlace[] = [
    ...before,
    ...changed,
    ...plain.filter((row) => messageIds.has(row.canonical_message_id)),
  ];
  return [...new Map(places.map(rollupKeyOf).map((key) => [rollupName(key), key])).values()];
}

/** All versions of a message have one text, so they move to one message, unless they have different senders now. */
function distinctMoves(moves: readonly MessageMove[]): readonly MessageMove[] {
  const sorted = moves.toSorted((left, right) => (left.to < right.to ? 1 : -1));
  return [...new Map(sorted.map((move) => [move.from, move])).values()];
}

/** Returns, by message, how much of the alert window was left when one of its events arrived. */
function alertTimes(changes: MessageChanges): ReadonlyMap<string, number> {
  const { changed, plain, opened = [], alertLimits } = changes;
  const times = new Map<string, number>();
  for (const { id, canonical_message_id, sent_at_ms } of [...changed, ...plain, ...opened]) {
    const sinceMs = alertLimits?.get(id);
    if (sinceMs === undefined) continue;
    const leftMs = Math.min(sent_at_ms - sinceMs, ALERT_MS_MAX);
    if (leftMs >= 0) {
      times.set(canonical_message_id, Math.max(leftMs, times.get(canonical_message_id) ?? 0));
    }
  }
  return times;
}

/**
 * Returns one draft for each message that the occurrences belong to: a canonical message made only from the new
 * occurrences of a batch, without reading the store. A message that is new is inserted as its draft; for one that is
 * stored, the draft shows whether a new occurrence is its earliest.
 *
 * Invariant: the draft of some occurrences equals what the store would calculate if they were all that exist.
 *
 * Example: dealer c posts "126610LN 98k" in group g2 at 09:00 and in group g1 at 09:05. Both occurrences have message
 * m, so there is one draft: id m, first_seen 09:00, last_seen 09:05, occurrence_count 2, group_ids [g1, g2], and the
 * occurrence in g2 as its source, because it is the earlier one.
 */
function draftMessages(occurrences: readonly DerivedOccurrence[]): readonly MessageDraft[] {
  const drafts = new Map<string, MessageDraft>();
  for (const occurrence of occurrences) {
    const draft = toDraft(occurrence);
    const last = drafts.get(draft.id);
    drafts.set(draft.id, last === undefined ? draft : joinDrafts(last, draft));
  }
  return [...drafts.values()];
}

function toDraft(occurrence: DerivedOccurrence): MessageDraft {
  return {
    id: occurrence.canonical_message_id,
    contact_id: occurrence.contact_id,
    source_occurrence_id: occurrence.id,
    source_group_id: occurrence.group_id,
    source_raw_id: occurrence.raw_id,
    source_sent_at_ms: occurrence.sent_at_ms,
    text: occurrence.text,
    first_seen_at_ms: occurrence.sent_at_ms,
    last_seen_at_ms: occurrence.sent_at_ms,
    occurrence_count: 1,
    group_ids: [occurrence.group_id],
    is_own: occurrence.is_own,
    has_media: occurrence.has_media,
  };
}

function joinDrafts(left: MessageDraft, right: MessageDraft): MessageDraft {
  return {
    ...(isSourceEarlier(right, left) ? right : left),
    first_seen_at_ms: Math.min(left.first_seen_at_ms, right.first_seen_at_ms),
    last_seen_at_ms: Math.max(left.last_seen_at_ms, right.last_seen_at_ms),
    occurrence_count: left.occurrence_count + right.occurrence_count,
    group_ids: [...new Set([...left.group_ids, ...right.group_ids])].sort(),
    is_own: left.is_own || right.is_own,
    has_media: left.has_media || right.has_media,
  };
}

/** Compares by time, group, raw id and id, in the order of the store. */
function isSourceEarlier(left: MessageDraft, right: MessageDraft): boolean {
  if (left.source_sent_at_ms !== right.source_sent_at_ms) {
    return left.source_sent_at_ms < right.source_sent_at_ms;
  }
  if (left.source_group_id !== right.source_group_id) {
    return left.source_group_id < right.source_group_id;
  }
  if (left.source_raw_id === right.source_raw_id) {
    return left.source_occurrence_id < right.source_occurrence_id;
  }
  const [leftRawId, rightRawId] = [left.source_raw_id, right.source_raw_id];
  return Buffer.compare(Buffer.from(leftRawId), Buffer.from(rightRawId)) < 0;
}

/** How many raw ids are held in memory at once. A dealer may have years of them. */
const PAGE_MAX = 200;

/** Raw ids with an occurrence of a contact, or with an edit or a revocation by an author. */
interface AffectedReports {
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
  const identities = await lockIdentities(tx, messages);
  const derived = messages.map((message) => ({
    ...message,
    isNew: false,
    occurrences: deriveOccurrences(message, identities),
  }));
  return saveDerived(tx, derived);
}

/** Returns who is who in these messages, and locks it until the transaction ends. */
export async function lockIdentities(
  tx: Database,
  messages: readonly ReportedMessage[],
): Promise<Identities> {
  const identifiers = await lockIdentifiers(tx, [...new Set(messages.flatMap(identifiersIn))]);
  const contactIds = new Map(identifiers.map((row) => [row.identifier, row.contact_id]));
  return withAdmins(tx, messages, (id) => contactIds.get(id));
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
        ? report.author_ids.flatMap((id) => {
            const contact_id = contactOf(id);
            return contact_id === undefined
              ? []
              : [{ group_id, contact_id, at_ms: report.revoked_at_ms }];
          })
        : [],
    ),
  );
  const nameOf = (admin: AdminAt) => `${admin.group_id} ${admin.contact_id} ${admin.at_ms}`;
  const admins = authors.length === 0 ? [] : await findAdmins(tx, authors);
  const names = new Set(admins.map(nameOf));
  return { contactOf, isAdmin: (admin) => names.has(nameOf(admin)) };
}
