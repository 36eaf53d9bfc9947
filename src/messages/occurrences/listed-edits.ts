/**
 * Tells which of the messages that the gateway listed are edits of messages that are known.
 *
 * What the gateway posts is the text as it was sent. What it lists is the text of the moment: an edit whose event was lost
 * shows there only. Engines list an edited message in two ways. NOWEB gives it the time of the edit, and so another second;
 * WEBJS keeps its time. GOWS lists the text that was sent, which says nothing new.
 *
 * Invariant: depends on the reports only. Receipts are a part of these, so the order in which events are read does not matter.
 *
 * Example: Lena posts AA01 at 09:00:00, "126610LN 13,010". The event of her edit at 09:01:40 is lost. After a restart NOWEB
 * lists AA01 of 09:01:40, "126610LN 13,005". That is an edit at 09:01:40, not a second post. Had WEBJS listed AA01 of
 * 09:00:00 with the new text at 09:10:00, it would be an edit at 09:10:00.
 */
import { boundTime } from "../gateway-event.ts";
import { identitySha256 } from "../message.ts";
import type { EditReport, MessageReport, Report } from "./report.ts";

/** Returns the contact that the identifiers name. */
export type ContactOf = (identifiers: readonly string[]) => string | undefined;

export interface Edit extends Omit<EditReport, "kind"> {
  /** The message that was listed with the edited text. */
  readonly listed?: MessageReport;
}

/** The messages that were sent, and all edits. */
interface SeparatedReports {
  readonly messages: readonly MessageReport[];
  readonly edits: readonly Edit[];
}

export function separateEdits(reports: readonly Report[], contactOf: ContactOf): SeparatedReports {
  const messages = reports.filter((report) => report.kind === "message");
  const edits = reports.filter((report) => report.kind === "edit");
  if (!messages.some((report) => report.is_listed)) return { messages, edits };
  const found = new Map(
    messages.flatMap((report) => {
      const edit = report.is_listed ? findEdit(report, messages, contactOf) : undefined;
      return edit === undefined ? [] : [[report, edit] as const];
    }),
  );
  return {
    messages: messages.filter((report) => !found.has(report)),
    edits: [...edits, ...found.values()],
  };
}

function findEdit(
  listed: MessageReport,
  messages: readonly MessageReport[],
  contactOf: ContactOf,
): Edit | undefined {
  const identity = identitySha256(listed.text);
  // Without a text it says nothing about one.
  if (identity === undefined) return undefined;
  const contactId = contactOf(listed.sender_ids);
  const others = messages.filter(
    (report) =>
      listed.sender_ids.length === 0 ||
      (contactId !== undefined && contactOf(report.sender_ids) === contactId),
  );
  const same = others.filter((report) => report.second === listed.second);
  const toEdit = (edited_at_ms: number): Edit => ({
    edited_at_ms,
    author_ids: listed.sender_ids,
    text: listed.text,
    listed,
  });
  const isPosted = same.some((report) => !report.is_listed);
  if (!isPosted && others.some((report) => report.second < listed.second)) {
    return toEdit(boundTime(listed.sent_at_ms, listed.received_at_ms));
  }
  // Sessions of other engines may write one text in another way, so only what the same session reported counts.
  const isLater = same.some(
    (report) =>
      report.session_id === listed.session_id &&
      isBefore(report, listed) &&
      identitySha256(report.text) !== identity,
  );
  return isLater ? toEdit(listed.received_at_ms) : undefined;
}

/** What was posted comes first; of what was listed, the first receipt. */
function isBefore(left: MessageReport, right: MessageReport): boolean {
  if (!left.is_listed) return true;
  if (left.received_at_ms !== right.received_at_ms) {
    return left.received_at_ms < right.received_at_ms;
  }
  return Buffer.compare(Buffer.from(left.text), Buffer.from(right.text)) < 0;
}
