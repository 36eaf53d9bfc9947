/**
 * A draft is a canonical message made only from the new occurrences of a batch, without reading the store. A message
 * that is new is inserted as its draft; for one that is stored, the draft shows whether a new occurrence is its
 * earliest.
 *
 * Invariant: the draft of some occurrences equals what the store would calculate if they were all that exist.
 *
 * Example: dealer c posts "126610LN 98k" in group g2 at 09:00 and in group g1 at 09:05. Both occurrences have message
 * m, so there is one draft: id m, first_seen 09:00, last_seen 09:05, occurrence_count 2, group_ids [g1, g2], and the
 * occurrence in g2 as its source, because it is the earlier one.
 */
import type { DerivedOccurrence } from "./occurrences/occurrence.ts";

export interface MessageDraft {
  readonly id: string;
  readonly contact_id: string | null;
  /** The earliest occurrence: the message shows its text. */
  readonly source_occurrence_id: string;
  readonly source_group_id: string;
  readonly source_raw_id: string;
  readonly source_sent_at_ms: number;
  readonly text: string;
  readonly first_seen_at_ms: number;
  readonly last_seen_at_ms: number;
  readonly occurrence_count: number;
  readonly group_ids: readonly string[];
  readonly is_own: boolean;
  readonly has_media: boolean;
}

/** Returns one draft for each message that the occurrences belong to. */
export function draftMessages(occurrences: readonly DerivedOccurrence[]): readonly MessageDraft[] {
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
