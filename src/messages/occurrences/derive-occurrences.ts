/**
 * Derives the occurrences of a raw id from everything that is reported about it.
 *
 * Messages with the same second belong together; of these, each sender has one occurrence, whichever sessions received it.
 * A message whose sender no session names belongs to the only sender of that second, and else forms an occurrence without
 * a contact. An edit counts for the occurrences of its author, and without an author for the first one. A message that the
 * gateway only listed may be an edit of one that is known, see `listed-edits.ts`. A revocation counts if it comes from the
 * sender, from one who was an admin of the group then, or if its author is not named. A message that a session reported and
 * no longer lists counts as revoked, until something shows that it is still there.
 *
 * Invariant: a pure function of the reports and of who is who. So neither the order of events nor their repeats matter,
 * and when contacts change, the occurrences are derived again.
 *
 * Example: Lena sends AA01 at 09:00:00, session "a" reports it from lid:1999 and session "b" from phone:447700900120. At
 * 10:30:00 Marc sends a message that also has the id AA01, and edits it. Lena has one occurrence with two sessions, Marc
 * has one with his edit, and Lena's text does not change.
 */
import { groupBy } from "../../base/group-by.ts";
import { toStableId } from "../../base/ids.ts";
import { type Pair, pairOf } from "../contacts/contact.ts";
import { boundTime } from "../gateway-event.ts";
import { canonicalMessageIdOf, identitySha256, sha256 } from "../message.ts";
import { type ContactOf, type Edit, separateEdits } from "./listed-edits.ts";
import type { DerivedOccurrence, Version } from "./occurrence.ts";
import type { CheckReport, MessageReport, ReportedMessage, RevokeReport } from "./report.ts";

/** A contact in a group at a time. */
export interface AdminAt {
  readonly group_id: string;
  readonly contact_id: string;
  readonly at_ms: number;
}

/** Who is who, at the moment of deriving. */
export interface Identities {
  /** Returns the contact of an identifier, or undefined if the identifier is unknown. */
  contactOf(identifier: string): string | undefined;
  /** True if the contact had the rights of an admin at that time. */
  isAdmin(admin: AdminAt): boolean;
}

/** The messages of one second and one sender. */
interface Sent {
  readonly second: number;
  readonly contactId: string | null;
  readonly messages: readonly MessageReport[];
}

export function deriveOccurrences(
  message: ReportedMessage,
  identities: Identities,
): readonly DerivedOccurrence[] {
  const [only] = message.reports;
  if (message.reports.length === 1 && only?.kind === "message") {
    return [deriveOnly(message, only, identities)];
  }
  const revokes = message.reports.filter((report) => report.kind === "revoke");
  const checks = message.reports.filter((report) => report.kind === "check");
  const contactOf = joinPairs(pairsIn(message), identities);
  const { messages, edits } = separateEdits(message.reports, contactOf);
  const sent = [...groupBySecond(messages)].flatMap(([second, reports]) =>
    groupBySender(reports, contactOf).map((group) => ({ ...group, second })),
  );
  const first = findFirst(sent);
  return sent.map((group) => {
    const own = edits.filter((edit) =>
      isEditOf(edit, { group, contactOf, isFirst: group === first }),
    );
    const isRevoked = revokes.some((revoke) =>
      isRevokeOf(revoke, { message, group, contactOf, identities }),
    );
    return toOccurrence(message, group, {
      edits: own,
      isRevoked: isRevoked || isMissing(checks, group, own),
    });
  });
}

/** The usual case: one session has reported the message, and nothing else is known about its raw id. */
function deriveOnly(
  message: ReportedMessage,
  report: MessageReport,
  identities: Identities,
): DerivedOccurrence {
  const contactId = joinPairs([], identities)(report.sender_ids) ?? null;
  const sent = { second: report.second, contactId, messages: [report] };
  return toOccurrence(message, sent, { edits: [], isRevoked: false });
}

/**
 * Returns the pairs of a LID and a phone number that the messages prove to be one person: an event that names both, or two
 * events for one text and second of which one names only the LID and the other only the phone number. If a second names
 * two LIDs or two phone numbers, then two persons used the raw id, and nothing is proved.
 */
export function pairsIn({ reports }: ReportedMessage): readonly Pair[] {
  const [only] = reports;
  if (reports.length === 1 && only?.kind === "message") {
    const pair = pairOf(only.sender_ids);
    return pair === undefined ? [] : [pair];
  }
  const messages = reports.filter((report) => report.kind === "message");
  const pairs = new Map<string, Pair>();
  for (const [, group] of groupBySecond(messages)) {
    const pair = pairOf(group.flatMap(({ sender_ids }) => sender_ids));
    if (pair !== undefined && isProved(pair, group)) pairs.set(pair.join(" "), pair);
  }
  return [...pairs.values()];
}

function isProved([lid, phone]: Pair, group: readonly MessageReport[]): boolean {
  if (group.some(({ sender_ids }) => pairOf(sender_ids) !== undefined)) return true;
  const textsOf = (identifier: string) =>
    new Set(
      group.flatMap(({ sender_ids, text }) =>
        sender_ids.includes(identifier) ? [identitySha256(text) ?? ""] : [],
      ),
    );
  const lidTexts = textsOf(lid);
  return [...textsOf(phone)].some((text) => lidTexts.has(text));
}

/** A pair counts at once for its own message, even if its contacts are not merged yet. */
function joinPairs(pairs: readonly Pair[], identities: Identities): ContactOf {
  const phoneOf = new Map(pairs.map(([lid, phone]) => [lid, phone]));
  return (identifiers) => {
    // The phone number first, because it is the key of a contact.
    const identifier = identifiers.find((id) => id.startsWith("phone:")) ?? identifiers[0];
    return identifier === undefined
      ? undefined
      : identities.contactOf(phoneOf.get(identifier) ?? identifier);
  };
}

function groupBySecond(
  messages: readonly MessageReport[],
): ReadonlyMap<number, readonly MessageReport[]> {
  return groupBy(messages, ({ second }) => second);
}

function groupBySender(
  messages: readonly MessageReport[],
  contactOf: ContactOf,
): readonly Omit<Sent, "second">[] {
  const groups = groupBy(messages, ({ sender_ids }) => contactOf(sender_ids) ?? null);
  const [contactId, other] = [...groups.keys()].filter((id) => id !== null);
  if (contactId !== undefined && other === undefined) return [{ contactId, messages }];
  return [...groups].map(([id, group]) => ({ contactId: id, messages: group }));
}

/** Returns the earliest message of the raw id, the original; undefined if two were sent in its second. */
function findFirst(sent: readonly Sent[]): Sent | undefined {
  const second = Math.min(...sent.map((group) => group.second));
  const [first, other] = sent.filter((group) => group.second === second);
  return other === undefined ? first : undefined;
}

function isEditOf(
  edit: Edit,
  of: { readonly group: Sent; readonly contactOf: ContactOf; readonly isFirst: boolean },
): boolean {
  if (edit.author_ids.length === 0) return of.isFirst;
  return isFrom(edit.author_ids, of.group, of.contactOf);
}

function isRevokeOf(
  { author_ids, revoked_at_ms }: RevokeReport,
  of: {
    readonly message: ReportedMessage;
    readonly group: Sent;
    readonly contactOf: ContactOf;
    readonly identities: Identities;
  },
): boolean {
  if (author_ids.length === 0 || isFrom(author_ids, of.group, of.contactOf)) return true;
  const contact_id = of.contactOf(author_ids);
  if (contact_id === undefined) return false;
  return of.identities.isAdmin({
    group_id: of.message.group_id,
    contact_id,
    at_ms: revoked_at_ms,
  });
}

/**
 * True if a session that reported the message does not list it, and nothing of a later time shows that it is there: a list
 * or a report of any session, or an edit.
 */
function isMissing(
  checks: readonly CheckReport[],
  { messages }: Sent,
  edits: readonly Edit[],
): boolean {
  if (checks.length === 0) return false;
  const seen = [...messages, ...edits.flatMap(({ listed }) => listed ?? [])];
  const isReportedBy = ({ session_id, checked_at_ms }: CheckReport) =>
    messages.some((row) => row.session_id === session_id && row.received_at_ms < checked_at_ms);
  const thereAtMs = Math.max(
    ...checks.filter((check) => check.is_listed).map(({ checked_at_ms }) => checked_at_ms),
    ...seen.map(({ received_at_ms }) => received_at_ms),
    ...edits.map(({ edited_at_ms }) => edited_at_ms),
  );
  return checks.some(
    (check) => !check.is_listed && check.checked_at_ms > thereAtMs && isReportedBy(check),
  );
}

function isFrom(authorIds: readonly string[], { contactId }: Sent, contactOf: ContactOf): boolean {
  return contactId !== null && contactOf(authorIds) === contactId;
}

function toOccurrence(
  message: ReportedMessage,
  { second, contactId, messages }: Sent,
  { edits, isRevoked }: { readonly edits: readonly Edit[]; readonly isRevoked: boolean },
): DerivedOccurrence {
  const seen = [...messages, ...edits.flatMap(({ listed }) => listed ?? [])];
  const id = occurrenceIdOf(message, second, contactId);
  const version = toVersion({ occurrence_id: id, contactId, groupId: message.group_id });
  const versions = distinct([
    ...messages.map(({ text }) => version(text, 0)),
    ...edits.map(({ text, edited_at_ms }) => version(text, edited_at_ms)),
  ]);
  const current = versions.reduce((left, right) => (isNewer(right, left) ? right : left));
  const receivedAtMs = message.first_received_at_ms ?? Number.MAX_SAFE_INTEGER;
  return {
    id,
    group_id: message.group_id,
    raw_id: message.raw_id,
    second,
    sent_at_ms: boundTime(Math.min(...messages.map(({ sent_at_ms }) => sent_at_ms)), receivedAtMs),
    sender_ids: sortedSet(seen.flatMap(({ sender_ids }) => sender_ids)),
    contact_id: contactId,
    is_own: seen.some(({ is_own }) => is_own),
    has_media: seen.some(({ has_media }) => has_media),
    is_revoked: isRevoked,
    is_edited: current.version_at_ms > 0,
    // The least one, if a member used the raw id for two replies in one second.
    reply_to_raw_id: sortedSet(seen.flatMap(({ reply_to }) => reply_to ?? []))[0] ?? null,
    session_ids: sortedSet(seen.flatMap(({ session_id }) => session_id ?? [])),
    canonical_message_id: current.canonical_message_id,
    text: current.text,
    versions,
  };
}

/** The key of an occurrence. The participant as sent and the gateway's event id differ between sessions. */
function occurrenceIdOf(
  { group_id, raw_id }: ReportedMessage,
  second: number,
  contactId: string | null,
): string {
  return toStableId("occurrence", group_id, raw_id, String(second), contactId ?? "");
}

function toVersion(of: {
  readonly occurrence_id: string;
  readonly contactId: string | null;
  readonly groupId: string;
}) {
  return (text: string, version_at_ms: number): Version => {
    const identity_sha256 = identitySha256(text) ?? null;
    return {
      occurrence_id: of.occurrence_id,
      version_at_ms,
      text_sha256: sha256(text),
      text,
      identity_sha256,
      canonical_message_id: canonicalMessageIdOf({
        contactId: of.contactId,
        groupId: of.groupId,
        occurrenceId: of.occurrence_id,
        identitySha256: identity_sha256,
      }),
    };
  };
}

function distinct(versions: readonly Version[]): readonly Version[] {
  if (versions.length === 1) return versions;
  return [
    ...new Map(versions.map((row) => [`${row.version_at_ms} ${row.text_sha256}`, row])).values(),
  ];
}

/** The newest edit, else the sent text. The bytewise greatest text wins a tie, so an empty text loses. */
function isNewer(left: Version, right: Version): boolean {
  if (left.version_at_ms !== right.version_at_ms) return left.version_at_ms > right.version_at_ms;
  return Buffer.compare(Buffer.from(left.text), Buffer.from(right.text)) > 0;
}

function sortedSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}
