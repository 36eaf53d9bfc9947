import { canonicalMessageIdOf, sha256 } from "../message.ts";
import type { FactWithIds } from "./occurrence.ts";

/** One text of an occurrence, as a fact reports it. */
export interface NewVersion {
  readonly occurrence_id: string;
  /** The time of the edit; 0 for the text that was sent. */
  readonly version_at_ms: number;
  readonly text_sha256: string;
  readonly text: string;
  readonly identity_sha256: string | null;
  /** Null while the contact is unknown. */
  readonly canonical_message_id: string | null;
}

export interface StoredVersion {
  readonly occurrence_id: string;
  readonly version_at_ms: number;
  readonly text_sha256: string;
  readonly identity_sha256: string | null;
  readonly canonical_message_id: string | null;
  /** The contact of the occurrence. */
  readonly contact_id: string;
  /**
   * True for one version of each occurrence: the newest edit, else the sent text. The bytewise greatest text wins a
   * tie.
   */
  readonly is_current: boolean;
}

/** Returns undefined for a revocation, which has no text. */
export function toVersion(
  { fact, occurrenceId, identitySha256 }: FactWithIds,
  messageId: string | null,
): NewVersion | undefined {
  if (fact.kind === "revoke") return undefined;
  return {
    occurrence_id: occurrenceId,
    version_at_ms: fact.kind === "edit" ? fact.editedAtMs : 0,
    text_sha256: sha256(fact.text),
    text: fact.text,
    identity_sha256: identitySha256,
    canonical_message_id: messageId,
  };
}

/** Returns the id of the message that the version belongs to. It differs from the stored id after a merge. */
export function messageIdOf(version: StoredVersion): string {
  return canonicalMessageIdOf({
    contactId: version.contact_id,
    occurrenceId: version.occurrence_id,
    identitySha256: version.identity_sha256,
  });
}
