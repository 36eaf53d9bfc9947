/**
 * A report is what one event says about a raw id in a group: a message as one session saw it, an edit, a revocation, or
 * whether a session still lists the message.
 * Reports are stored as they came; occurrences are derived from them, see `derive-occurrences.ts`.
 *
 * A raw id is not an identity: the sender's client chooses it, so another member can use it again. What belongs together
 * is decided by time and sender, from all reports of the raw id.
 */

import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../base/clock.ts";
import { groupBy } from "../../base/group-by.ts";
import { toStableId } from "../../base/ids.ts";
import {
  boundTime,
  type CheckFact,
  type EditFact,
  type GatewayFact,
  type MessageFact,
  type RevokeFact,
} from "../gateway-event.ts";
import { sessionIdOf } from "../message.ts";

/** A fact about a single message. */
export type OccurrenceFact = MessageFact | EditFact | RevokeFact | CheckFact;

/** A message as one session saw it. */
export interface MessageReport {
  readonly kind: "message";
  /** As the gateway sent it. It may be wrong, see `boundTime`. */
  readonly sent_at_ms: number;
  /** The part of the time that identifies the message: its second, or its minute if it was exported. */
  readonly second: number;
  readonly received_at_ms: number;
  /** Null if the message was imported. */
  readonly session_id: string | null;
  readonly sender_ids: readonly string[];
  readonly is_own: boolean;
  readonly has_media: boolean;
  readonly text: string;
  /** The raw id of the message that it replies to. */
  readonly reply_to?: string;
  /** The gateway listed it and never posted it, so its text and time may be those of an edit. */
  readonly is_listed?: true;
}

export interface EditReport {
  readonly kind: "edit";
  readonly edited_at_ms: number;
  /** Empty if the gateway does not name the author. */
  readonly author_ids: readonly string[];
  readonly text: string;
}

export interface RevokeReport {
  readonly kind: "revoke";
  /** When the gateway posted it, or else the receipt. Whether its author was an admin then decides. */
  readonly revoked_at_ms: number;
  /** The latest receipt. */
  readonly received_at_ms: number;
  readonly author_ids: readonly string[];
}

/** Whether a session still lists the message, as of the last time that it said so. */
export interface CheckReport {
  readonly kind: "check";
  readonly is_listed: boolean;
  readonly session_id: string;
  readonly checked_at_ms: number;
  readonly author_ids: readonly [];
}

export type Report = MessageReport | EditReport | RevokeReport | CheckReport;

/** All that is reported about one raw id in one group. */
export interface ReportedMessage {
  readonly id: string;
  readonly group_id: string;
  readonly raw_id: string;
  /** The earliest receipt of one of its messages. */
  readonly first_received_at_ms: number | null;
  /** The earliest receipt that counts for alerts; null if it was only imported. */
  readonly heard_at_ms: number | null;
  /**
   * If an edit was read before its message: the message fires alerts only if it was sent at this time or later. During a
   * replay the message itself fires none, but the edit may be new.
   */
  readonly edit_alert_since_ms: number | null;
  /** When the first of the reports leaves, see `leavesAfterMs`. */
  readonly oldest_at_ms: number;
  readonly reports: readonly Report[];
  /** Authors of edits and revocations; null if there are none. */
  readonly author_ids: readonly string[] | null;
}

/** A fact with the time at which its event was received. */
export interface ReceivedFact {
  readonly fact: OccurrenceFact;
  readonly groupId: string;
  readonly receivedAtMs: number;
  /** The receipt counts for alerts. */
  readonly isHeard: boolean;
  /** See `EventFacts`. */
  readonly alertSinceMs: number | null;
}

/** Bounds of what is kept about one raw id, far above what people send. */
const AUTHORS_MAX = 100;
const REPORTS_PER_AUTHOR_MAX = 100;
const CHARACTERS_PER_AUTHOR_MAX = 250_000;
/** Edits and revocations stay a day longer than messages: clocks differ, and none may leave before its message. */
export const CHANGE_KEPT_MS = DAY_MS;

const OCCURRENCE_KINDS: ReadonlySet<string> = new Set<OccurrenceFact["kind"]>([
  "message",
  "edit",
  "revoke",
  "check",
]);

export function isOccurrenceFact(fact: GatewayFact): fact is OccurrenceFact {
  return OCCURRENCE_KINDS.has(fact.kind);
}

export function reportedMessageIdOf(groupId: string, rawId: string): string {
  return toStableId("reported message", groupId, rawId);
}

/** Returns one item for each raw id that the facts are about. */
export function groupFacts(facts: readonly ReceivedFact[]): readonly ReportedMessage[] {
  const sessionIds = new Map<string, string>();
  const idOfSession = (session: string): string => {
    const id = sessionIds.get(session) ?? sessionIdOf(session);
    sessionIds.set(session, id);
    return id;
  };
  const groups = groupBy(facts, ({ groupId, fact }) => rawName(groupId, fact.rawId));
  return [...groups.values()].flatMap((received) => {
    const [first] = received;
    if (first === undefined) return [];
    const { groupId: group_id, fact } = first;
    const id = reportedMessageIdOf(group_id, fact.rawId);
    const reports = received.map((item) => toReport(item, idOfSession));
    const heard = received.filter((item) => item.fact.kind === "message" && item.isHeard);
    const edits = received.filter((item) => item.fact.kind === "edit");
    const message = {
      id,
      group_id,
      raw_id: fact.rawId,
      heard_at_ms: earliest(heard.map(({ receivedAtMs }) => receivedAtMs)),
      edit_alert_since_ms: earliest(edits.map(({ alertSinceMs }) => alertSinceMs)),
    };
    return [withReports(message, reports)];
  });
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  // Without a limit, such as with `--with-alerts`, any time is late enough.
  return known.length === 0 ? null : Math.max(0, Math.min(...known));
}

/** A raw id in a group as a text, to be used in maps. */
export function rawName(groupId: string, rawId: string): string {
  return `${groupId} ${rawId}`;
}

function toReport(
  { fact, receivedAtMs }: ReceivedFact,
  idOfSession: (session: string) => string,
): Report {
  switch (fact.kind) {
    case "message":
      return {
        kind: "message",
        sent_at_ms: fact.sentAtMs,
        second: secondOf(fact),
        received_at_ms: receivedAtMs,
        session_id: fact.session === undefined ? null : idOfSession(fact.session),
        sender_ids: fact.senderIds,
        is_own: fact.isOwn,
        has_media: fact.hasMedia,
        text: fact.text,
        ...(fact.replyTo === undefined ? {} : { reply_to: fact.replyTo }),
        ...(fact.isListed === true ? { is_listed: true } : {}),
      };
    case "edit":
      return {
        kind: "edit",
        edited_at_ms: fact.editedAtMs,
        author_ids: fact.authorIds,
        text: fact.text,
      };
    case "revoke":
      return {
        kind: "revoke",
        revoked_at_ms: boundTime(fact.atMs ?? receivedAtMs, receivedAtMs),
        received_at_ms: receivedAtMs,
        author_ids: fact.authorIds,
      };
    case "check":
      return {
        kind: "check",
        is_listed: fact.isListed,
        session_id: idOfSession(fact.session),
        checked_at_ms: boundTime(fact.atMs, receivedAtMs),
        author_ids: [],
      };
  }
}

/** Some exports of a chat contain seconds and others do not, so an exported message is identified by its minute. */
export function secondOf({ session, sentAtMs }: Pick<MessageFact, "session" | "sentAtMs">): number {
  const unitMs = session === undefined ? MINUTE_MS : SECOND_MS;
  return (Math.floor(sentAtMs / unitMs) * unitMs) / SECOND_MS;
}

/** Adds reports to those that are stored. Returns undefined if they say nothing new. */
export function addReports(
  stored: ReportedMessage,
  added: Pick<ReportedMessage, "reports" | "heard_at_ms" | "edit_alert_since_ms">,
): ReportedMessage | undefined {
  const message = {
    ...stored,
    heard_at_ms: earliest([stored.heard_at_ms, added.heard_at_ms]),
    edit_alert_since_ms: earliest([stored.edit_alert_since_ms, added.edit_alert_since_ms]),
  };
  const joined = withReports(message, [...stored.reports, ...added.reports]);
  const isSame =
    joined.heard_at_ms === stored.heard_at_ms &&
    joined.edit_alert_since_ms === stored.edit_alert_since_ms &&
    joined.reports.length === stored.reports.length &&
    JSON.stringify(joined.reports) === JSON.stringify(withReports(stored, stored.reports).reports);
  return isSame ? undefined : joined;
}

/** Equal reports become one, see `joinEqual`. Their order does not depend on the order of arrival. */
export function withReports(
  message: Omit<
    ReportedMessage,
    "first_received_at_ms" | "oldest_at_ms" | "reports" | "author_ids"
  >,
  reports: readonly Report[],
): ReportedMessage {
  const distinct = reports.length === 1 ? reports : joinReports(reports);
  const messages = distinct.filter((report) => report.kind === "message");
  const authors = listAuthors(distinct);
  return {
    id: message.id,
    group_id: message.group_id,
    raw_id: message.raw_id,
    first_received_at_ms:
      messages.length === 0 ? null : Math.min(...messages.map((report) => report.received_at_ms)),
    heard_at_ms: message.heard_at_ms,
    edit_alert_since_ms: messages.length === 0 ? message.edit_alert_since_ms : null,
    oldest_at_ms: Math.min(...distinct.map(leavesAfterMs)),
    reports: distinct,
    author_ids: authors.length === 0 ? null : authors,
  };
}

/** Returns the message without the reports that leave before `floorMs`; undefined if none is left. */
export function dropOldReports(
  message: ReportedMessage,
  floorMs: number,
): ReportedMessage | undefined {
  const kept = message.reports.filter((report) => leavesAfterMs(report) >= floorMs);
  return kept.length === 0 ? undefined : withReports(message, kept);
}

function leavesAfterMs(report: Report): number {
  switch (report.kind) {
    case "message":
      return boundTime(report.sent_at_ms, report.received_at_ms);
    case "edit":
      return report.edited_at_ms + CHANGE_KEPT_MS;
    case "revoke":
      return report.received_at_ms + CHANGE_KEPT_MS;
    case "check":
      return report.checked_at_ms + CHANGE_KEPT_MS;
  }
}

/**
 * Each author has bounds of his own, so no member can push out what others reported. Of too many the first in a fixed order
 * are kept: whatever the order of arrival, these are the same.
 */
function joinReports(reports: readonly Report[]): readonly Report[] {
  const distinct = new Map<string, Report>();
  for (const report of reports) {
    const key = keyOf(report);
    const last = distinct.get(key);
    distinct.set(key, last === undefined ? report : joinEqual(last, report));
  }
  const byAuthor = groupBy([...distinct], ([, report]) => authorOf(report));
  return [...byAuthor]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .slice(0, AUTHORS_MAX)
    .flatMap(([, entries]) => keepFirst(entries));
}

function authorOf(report: Report): string {
  return (report.kind === "message" ? report.sender_ids : report.author_ids).join(" ");
}

/** The one that exceeds the bound is kept: without it, a later and shorter report could take a place that it would not have had at once. */
function keepFirst(entries: readonly (readonly [string, Report])[]): readonly Report[] {
  const sorted = entries.toSorted(([left], [right]) => (left < right ? -1 : 1));
  let characters = 0;
  const end = sorted.findIndex(([key], at) => {
    const isFull = at === REPORTS_PER_AUTHOR_MAX || characters > CHARACTERS_PER_AUTHOR_MAX;
    characters += key.length;
    return isFull;
  });
  return sorted.slice(0, end < 0 ? sorted.length : end).map(([, report]) => report);
}

/**
 * All that is reported but the receipt. If the time of a message is wrong, its receipt counts instead and is a part of this:
 * then each such report leaves at its own time. Member by member, because stored objects have another order of members. In the
 * order of these keys the messages of an author come first, then revocations, then edits, each the earliest first. Checks,
 * of which each session has two at most, come before them.
 */
function keyOf(report: Report): string {
  switch (report.kind) {
    case "message":
      return JSON.stringify([
        "1 message",
        report.sent_at_ms,
        report.session_id,
        report.sender_ids,
        report.is_own,
        report.has_media,
        report.text,
        ...(report.reply_to === undefined ? [] : [{ reply_to: report.reply_to }]),
        ...(isTimeWrong(report) ? [report.received_at_ms] : []),
      ]);
    case "edit":
      return JSON.stringify(["3 edit", report.edited_at_ms, report.author_ids, report.text]);
    case "revoke":
      return JSON.stringify(["2 revoke", report.author_ids, report.revoked_at_ms]);
    case "check":
      return JSON.stringify(["0 check", report.session_id, report.is_listed]);
  }
}

function isTimeWrong({ sent_at_ms, received_at_ms }: MessageReport): boolean {
  return boundTime(sent_at_ms, received_at_ms) !== sent_at_ms;
}

/**
 * A message counts from its earliest receipt, and as listed only if it was never posted. A revocation stays as long as the
 * latest of its events. Of checks with the same result, the latest counts.
 */
function joinEqual(left: Report, right: Report): Report {
  if (left.kind === "message" && right.kind === "message") {
    const first = right.received_at_ms < left.received_at_ms ? right : left;
    if (left.is_listed && right.is_listed) return first;
    const { is_listed: _, ...posted } = first;
    return posted;
  }
  if (left.kind === "revoke" && right.kind === "revoke") {
    return right.received_at_ms > left.received_at_ms ? right : left;
  }
  if (left.kind === "check" && right.kind === "check") {
    return right.checked_at_ms > left.checked_at_ms ? right : left;
  }
  return left;
}

function listAuthors(reports: readonly Report[]): readonly string[] {
  const authors = reports.flatMap((report) => (report.kind === "message" ? [] : report.author_ids));
  return [...new Set(authors)].sort();
}

/** Returns all identifiers that the reports name. */
export function identifiersIn({ reports }: ReportedMessage): readonly string[] {
  return reports.flatMap((report) =>
    report.kind === "message" ? report.sender_ids : report.author_ids,
  );
}
