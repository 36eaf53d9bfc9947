import { isUuid } from "../base/ids.ts";
import type { Database } from "../db/database.ts";
import { parseCursor, toCursor, toQueryDigest } from "../db/page.ts";
import { messagesNotOffered } from "../listings/listing-store.ts";
import { toMessageText } from "../listings/search-text.ts";
import { findCurrentContactId } from "../messages/contacts/contact-store.ts";
import {
  listCandidates,
  type MessageCandidate,
  type MessagePosition,
  type MessageSelection,
} from "../messages/message-store.ts";
import type { TextClause, TextMode } from "./language/clause.ts";
import { parseFilter } from "./language/filter.ts";
import { holdsText } from "./language/predicate.ts";

interface MessageSearch extends Omit<MessageSelection, "among"> {
  /** Only messages with listings that were read as talk. */
  readonly isLeftOut?: boolean;
  readonly query: string;
  readonly mode: TextMode;
  readonly limit: number;
  readonly cursor?: string;
}

interface FoundMessages {
  readonly ids: readonly string[];
  /** Absent if all messages have been examined. */
  readonly nextCursor?: string;
}

/** How much one request may examine. A page that ends because of it may have fewer messages than asked for, even none. */
interface SearchBounds {
  readonly examinedMax: number;
  readonly elapsedMaxMs: number;
}

/** Reading and folding 20,000 texts of usual length takes about half a second. */
const BOUNDS: SearchBounds = { examinedMax: 20_000, elapsedMaxMs: 1_000 };
const CHUNK = 1_000;

/**
 * One page of messages, newest first. Messages have no index of their texts, because every message would pay for it. So a
 * text is looked for in one message after the other, and the cursor says how far the request came.
 */
export async function searchMessages(
  db: Database,
  search: MessageSearch,
  bounds: SearchBounds = BOUNDS,
): Promise<FoundMessages> {
  const { query, mode, limit, cursor, isLeftOut = false, ...members } = search;
  const asked = isLeftOut ? { ...members, among: messagesNotOffered() } : members;
  const text = toTextClause(query, mode);
  const { contactId, groupId, fromMs, toMs } = members;
  // A cursor from before there was `isLeftOut` still fits.
  const digest = toQueryDigest([
    text,
    contactId,
    groupId,
    fromMs,
    toMs,
    ...(isLeftOut ? [true] : []),
  ]);
  let after = cursor === undefined ? undefined : parseCursor(cursor, digest, toPosition);
  const selection = await resolveContact(db, asked);
  if (selection === undefined) return { ids: [] };
  const isScan = text !== undefined || selection.groupId !== undefined;
  const startedAtMs = performance.now();
  const found: MessageCandidate[] = [];
  for (let examined = 0; ; ) {
    // One message more than the page holds shows whether there is a next page.
    const examinedMax = isScan ? Math.min(CHUNK, bounds.examinedMax - examined) : limit + 1;
    const page = await listCandidates(db, selection, {
      examinedMax,
      withTexts: text !== undefined,
      ...(after === undefined ? {} : { after }),
    });
    found.push(...page.candidates.filter((message) => hasText(message, text)));
    if (found.length > limit) return toPage(found.slice(0, limit), digest);
    after = page.examinedTo;
    examined += page.examinedCount;
    if (after === undefined) return toPage(found);
    const isSpent =
      examined >= bounds.examinedMax || performance.now() - startedAtMs > bounds.elapsedMaxMs;
    if (isSpent) return toPage(found, digest, after);
  }
}

function toTextClause(query: string, mode: TextMode): TextClause | undefined {
  const { clauses } = parseFilter({ text_search: { query, mode } });
  return clauses.find((clause): clause is TextClause => clause.kind === "text");
}

/** An id from before a merge leads to the contact's id of today. Returns undefined if there is no such contact. */
async function resolveContact(
  db: Database,
  { contactId, ...rest }: MessageSelection,
): Promise<MessageSelection | undefined> {
  if (contactId === undefined) return rest;
  const current = await findCurrentContactId(db, contactId);
  return current === undefined ? undefined : { ...rest, contactId: current };
}

function hasText({ text }: MessageCandidate, clause: TextClause | undefined): boolean {
  if (clause === undefined) return true;
  return text !== undefined && holdsText(clause, toMessageText(text));
}

/** With a digest, the next page starts after `last`. */
function toPage(
  found: readonly MessageCandidate[],
  digest?: string,
  last: MessagePosition | undefined = found.at(-1),
): FoundMessages {
  const ids = found.map(({ id }) => id);
  if (digest === undefined || last === undefined) return { ids };
  return { ids, nextCursor: toCursor(digest, [last.lastSeenAtMs, last.id]) };
}

function toPosition([lastSeenAtMs, id]: readonly unknown[]): MessagePosition | undefined {
  if (!Number.isSafeInteger(lastSeenAtMs) || typeof id !== "string" || !isUuid(id))
    return undefined;
  return { lastSeenAtMs: lastSeenAtMs as number, id };
}
