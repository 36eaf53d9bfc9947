import type { MessageDraft } from "./message-store.ts";
import type { PlainOccurrence } from "./occurrence-store.ts";

/** The messages that new occurrences make, as if there were no others. */
export function draftMessages(occurrences: readonly PlainOccurrence[]): readonly MessageDraft[] {
  const drafts = new Map<string, MessageDraft>();
  for (const occurrence of occurrences) {
    const draft = toDraft(occurrence);
    const last = drafts.get(draft.id);
    drafts.set(draft.id, last === undefined ? draft : joinDrafts(last, draft));
  }
  return [...drafts.values()];
}

function toDraft(occurrence: PlainOccurrence): MessageDraft {
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

/** The earlier one is where the text comes from. */
function joinDrafts(left: MessageDraft, right: MessageDraft): MessageDraft {
  return {
    ...(isBefore(right, left) ? right : left),
    first_seen_at_ms: Math.min(left.first_seen_at_ms, right.first_seen_at_ms),
    last_seen_at_ms: Math.max(left.last_seen_at_ms, right.last_seen_at_ms),
    occurrence_count: left.occurrence_count + right.occurrence_count,
    group_ids: [...new Set([...left.group_ids, ...right.group_ids])].sort(),
    is_own: left.is_own || right.is_own,
    has_media: left.has_media || right.has_media,
  };
}

/** By time, group and raw id, as the store orders them. */
function isBefore(left: MessageDraft, right: MessageDraft): boolean {
  if (left.source_sent_at_ms !== right.source_sent_at_ms) {
    return left.source_sent_at_ms < right.source_sent_at_ms;
  }
  if (left.source_group_id !== right.source_group_id) {
    return left.source_group_id < right.source_group_id;
  }
  const [a, b] = [left.source_raw_id, right.source_raw_id];
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
}
