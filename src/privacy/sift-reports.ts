import { adminSubject, messageSubject, sightingSubject } from "../messages/erasure/subject.ts";
import type {
  MessageReport,
  Report,
  ReportedMessage,
  RevokeReport,
} from "../messages/occurrences/report.ts";

interface SiftedReports {
  readonly kept: readonly Report[];
  readonly dropped: readonly Report[];
  /** Subjects to remember, because they lead to the erased person. */
  readonly remembered: readonly string[];
  /** All identifiers of what was dropped: the person's. */
  readonly identifiers: readonly string[];
}

/** Returns the subjects that decide which reports are dropped. */
export function subjectsOfReports(message: ReportedMessage): readonly string[] {
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
