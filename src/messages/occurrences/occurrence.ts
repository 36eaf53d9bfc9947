/** One message in one group by one sender, whichever sessions received it. See `derive-occurrences.ts`. */
export interface Occurrence extends OccurrencePlace {
  readonly raw_id: string;
  /** The second in which it was sent, as the gateway says. A part of its key. */
  readonly second: number;
  readonly sender_ids: readonly string[];
  /** Null if no session named the sender. */
  readonly contact_id: string | null;
  readonly is_own: boolean;
  readonly has_media: boolean;
  readonly is_revoked: boolean;
  /** The current version is an edit. */
  readonly is_edited: boolean;
  readonly session_ids: readonly string[];
}

/** Where an occurrence is counted: its message, and the day and group of the roll-up. */
export interface OccurrencePlace {
  readonly id: string;
  readonly group_id: string;
  readonly sent_at_ms: number;
  /** The message of its current version. */
  readonly canonical_message_id: string;
}

/** An occurrence as its reports describe it. */
export interface DerivedOccurrence extends Occurrence {
  /** The text of the current version. */
  readonly text: string;
  /** At least one. */
  readonly versions: readonly Version[];
}

/** One text of an occurrence. */
export interface Version {
  readonly occurrence_id: string;
  /** The time of the edit; 0 for the text that was sent. */
  readonly version_at_ms: number;
  readonly text_sha256: string;
  readonly text: string;
  /** Hash of the characters that identify the text; null if there are none. */
  readonly identity_sha256: string | null;
  readonly canonical_message_id: string;
}

/** A version without its text. */
export type StoredVersion = Omit<Version, "text">;

/** What a batch or a merge did to occurrences; messages are derived from it. */
export interface OccurrenceChanges {
  /** New occurrences of raw ids that were not stored, with one version and not revoked: the usual case. */
  readonly plain: readonly DerivedOccurrence[];
  /** All other occurrences that were added or changed, as they are now. */
  readonly changed: readonly OccurrencePlace[];
  /** Those that were changed or removed, as they were. */
  readonly before: readonly OccurrencePlace[];
  /** Contacts by message, for every message of a changed version. The message may not be stored yet. */
  readonly contactIds: ReadonlyMap<string, string | null>;
  /** Messages that lost a version. */
  readonly formerIds: readonly string[];
  /** Texts that belong to another message now, because their sender became known or contacts changed. */
  readonly moves: readonly MessageMove[];
}

export interface MessageMove {
  readonly from: string;
  readonly to: string;
}
