import type { Database } from "../db/database.ts";
import { deriveMessages, deriveStored } from "../messages/derive-messages.ts";
import { findMissingMessages } from "../messages/message-store.ts";
import type { RawKey } from "../messages/occurrences/occurrence-store.ts";
import {
  type MessageReport,
  type Report,
  type ReportedMessage,
  type RevokeReport,
  withReports,
} from "../messages/occurrences/report.ts";
import {
  lockReportedMessages,
  replaceReports,
} from "../messages/occurrences/reported-message-store.ts";
import {
  adminSubject,
  findErased,
  messageSubject,
  rememberErased,
  sightingSubject,
} from "../messages/privacy/erased-store.ts";

export interface ErasedReports {
  /** How many raw ids have changed. */
  readonly changedCount: number;
  /** When the first of their messages was received; 0 if that is not known. */
  readonly receivedSinceMs: number;
  /** The raw ids that have changed. */
  readonly raw: readonly RawKey[];
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
    receivedSinceMs: Math.min(...changed.map(({ message }) => message.first_received_at_ms ?? 0)),
    raw: changed.map(({ message: { group_id, raw_id } }) => ({ group_id, raw_id })),
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

interface SiftedReports {
  readonly kept: readonly Report[];
  readonly dropped: readonly Report[];
  /** Subjects to remember, because they lead to the erased person. */
  readonly remembered: readonly string[];
  /** All identifiers of what was dropped: the person's. */
  readonly identifiers: readonly string[];
}

/** Returns the subjects that decide which reports are dropped. */
function subjectsOfReports(message: ReportedMessage): readonly string[] {
  const { group_id, raw_id, reports } = message;
  return [
    messageSubject(group_id, raw_id),
    ...reports.flatMap((report) => [
      ...identifiersOf(report),
      ...(report.kind === "message" ? [sightingOf(message, report)] : []),
      ...(report.kind === "revoke"
        ? report.author_ids.map((identifier) => adminSubject(group_id, identifier))
        : []),
    ]),
  ];
}

/** The same rule as `siftFacts`, for what is stored already. Returns undefined if nothing is dropped. */
export function siftReports(
  message: ReportedMessage,
  isErased: (subject: string) => boolean,
): SiftedReports | undefined {
  const { group_id, raw_id, reports } = message;
  const messages = reports.filter((report) => report.kind === "message");
  const sightings = new Set(
    messages
      .filter((report) => report.sender_ids.some(isErased))
      .map((r) => sightingOf(message, r)),
  );
  const isHisSighting = (report: MessageReport) => {
    const sighting = sightingOf(message, report);
    return sightings.has(sighting) || isErased(sighting);
  };
  const isNamed = (report: Report): boolean =>
    identifiersOf(report).some(isErased) ||
    (report.kind === "message" && report.sender_ids.length > 0 && isHisSighting(report));
  const isHis = messages.some(isNamed) || isErased(messageSubject(group_id, raw_id));
  const isOfAdmin = (report: Report): report is RevokeReport =>
    report.kind === "revoke" &&
    !isHis &&
    report.author_ids.some((identifier) => isErased(adminSubject(group_id, identifier)));
  const isDropped = (report: Report): boolean =>
    isNamed(report) || (isHis && identifiersOf(report).length === 0);
  const dropped = reports.filter(isDropped);
  if (dropped.length === 0) return undefined;
  return {
    kept: reports.flatMap((report): readonly Report[] => {
      if (!isDropped(report)) return [report];
      return isOfAdmin(report) ? [{ ...report, author_ids: [] }] : [];
    }),
    dropped,
    remembered: dropped.flatMap((report) =>
      report.kind === "message"
        ? [messageSubject(group_id, raw_id), sightingOf(message, report)]
        : [],
    ),
    identifiers: [...new Set(dropped.flatMap(identifiersOf))],
  };
}

function identifiersOf(report: Report): readonly string[] {
  return report.kind === "message" ? report.sender_ids : report.author_ids;
}

function sightingOf({ group_id, raw_id }: ReportedMessage, report: MessageReport): string {
  const { second, text } = report;
  return sightingSubject({ groupId: group_id, rawId: raw_id, second, text });
}
