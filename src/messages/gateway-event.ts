import { MINUTE_MS } from "../base/clock.ts";

/**
 * One statement of an event, in our own terms. Only `gateways/` knows the payloads of a gateway: to support another
 * one, add a file there that returns these facts.
 */
export type GatewayFact =
  | MessageFact
  | EditFact
  | RevokeFact
  | CheckFact
  | GroupFact
  | SessionFact
  | IdentityFact
  | AdminFact
  | HeardFact;

/** A message in a group, as one session saw it. */
export interface MessageFact {
  readonly kind: "message";
  readonly group: string;
  readonly rawId: string;
  /** At most one LID and one phone number, see contact.ts. Empty if the session does not name the sender. */
  readonly senderIds: readonly string[];
  readonly senderName?: string;
  readonly isOwn: boolean;
  readonly text: string;
  readonly hasMedia: boolean;
  readonly sentAtMs: number;
  /** The raw id of the message that it replies to. */
  readonly replyTo?: string;
  /** The session's name at the gateway; absent for an imported chat. */
  readonly session?: string;
  /** The gateway listed it when we asked, so the text is that of the moment and not the one that was sent. */
  readonly isListed?: true;
}

export interface EditFact {
  readonly kind: "edit";
  readonly group: string;
  /** Id of the message that was edited. */
  readonly rawId: string;
  /** Identifiers of who edited it. Empty if the session does not name the author. */
  readonly authorIds: readonly string[];
  readonly text: string;
  readonly editedAtMs: number;
}

export interface RevokeFact {
  readonly kind: "revoke";
  readonly group: string;
  /** Id of the message that was revoked. */
  readonly rawId: string;
  /** Identifiers of who revoked it: the sender or an admin. Empty if the session does not name the author. */
  readonly authorIds: readonly string[];
  /** When the gateway posted it: rights of admins are compared by this clock. The receipt counts if it is absent. */
  readonly atMs?: number;
}

/** Whether a session still lists a message that it reported, or that it no longer listed before. */
export interface CheckFact {
  readonly kind: "check";
  readonly group: string;
  readonly rawId: string;
  readonly session: string;
  readonly isListed: boolean;
  /** When the gateway was asked. */
  readonly atMs: number;
  /** A list names no one. */
  readonly authorIds: readonly [];
}

export interface GroupFact {
  readonly kind: "group";
  readonly group: string;
  readonly name: string;
  readonly atMs: number;
}

export interface SessionFact {
  readonly kind: "session";
  readonly name: string;
  readonly atMs: number;
  readonly engine?: string;
  readonly label?: string;
  /** Identifiers of the session's own account. */
  readonly identifiers: readonly string[];
  readonly status?: {
    readonly text: string;
    readonly atMs: number;
    readonly isRestricted: boolean;
  };
}

/** Identifiers that belong to one person. */
export interface IdentityFact {
  readonly kind: "identity";
  readonly identifiers: readonly string[];
  readonly atMs: number;
}

/** Whether a member is an admin of the group, from a time on. */
export interface AdminFact {
  readonly kind: "admin";
  readonly group: string;
  /** Empty: all whom no other fact of this time names, because the event has all members. */
  readonly identifiers: readonly string[];
  readonly isAdmin: boolean;
  /** He was demoted, so he was an admin until then. */
  readonly wasAdmin?: true;
  /** When the gateway posted it. The receipt counts if it is absent. */
  readonly atMs?: number;
}

/**
 * Something came from this group or session that gives no message, or its sender was erased. So the group and the session stay
 * as they are.
 */
export interface HeardFact {
  readonly kind: "heard";
  /** What it was, if it gives no message. */
  readonly ignoredAs?: string;
  readonly group?: string;
  readonly session?: string;
  /** Absent if it was not a message. */
  readonly sentAtMs?: number;
}

export type QuarantineReason =
  | "not_json"
  | "not_an_event"
  | `unknown_event: ${string}`
  | `unknown_message: ${string}`
  | "malformed_payload"
  | "unstorable_text"
  | "too_large"
  | "too_many_parts";

/** What a raw event says, or why it cannot be read. */
export type Content =
  | { readonly kind: "facts"; readonly facts: readonly GatewayFact[] }
  | { readonly kind: "quarantined"; readonly reason: QuarantineReason };

/** The result of reading a raw event. */
export type Reading = Content & {
  /** The event is, or may be, about a chat that is not a group. Its body is deleted. */
  readonly isPrivate: boolean;
};

/** Clocks of phones and gateways differ by less than this. */
const CLOCK_ERROR_MAX_MS = 10 * MINUTE_MS;

/**
 * A time that lies further in the future than clocks differ is wrong, and counts as the time of receipt. So a message
 * dated 2100 is an old message tomorrow.
 */
export function boundTime(atMs: number, receivedAtMs: number): number {
  return atMs > receivedAtMs + CLOCK_ERROR_MAX_MS ? receivedAtMs : atMs;
}
