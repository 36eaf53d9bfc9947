/**
 * What a gateway's event says, in our own words. Nothing outside `gateways/` knows a payload: a second gateway is one more
 * file there that gives these.
 */
export type GatewayFact =
  | MessageFact
  | EditFact
  | RevokeFact
  | GroupFact
  | SessionFact
  | IdentityFact;

/** A message in a group, as one session saw it. */
export interface MessageFact {
  readonly kind: "message";
  readonly group: string;
  readonly rawId: string;
  /** Identifiers of one sender, see contact.ts; all of them are the same person. */
  readonly senderIds: readonly string[];
  readonly senderName?: string;
  readonly isOwn: boolean;
  readonly text: string;
  readonly hasMedia: boolean;
  readonly sentAtMs: number;
  /** The session's name at the gateway; absent for an imported chat. */
  readonly session?: string;
}

export interface EditFact {
  readonly kind: "edit";
  readonly group: string;
  /** Of the message that was edited. */
  readonly rawId: string;
  readonly text: string;
  readonly editedAtMs: number;
}

export interface RevokeFact {
  readonly kind: "revoke";
  readonly group: string;
  /** Of the message that was revoked. */
  readonly rawId: string;
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
  /** Of the account itself. */
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

export type QuarantineReason =
  | "not_json"
  | "not_an_event"
  | "unknown_event"
  | "malformed_payload"
  | "unstorable_text"
  | "too_large";

/** What a raw event turned out to be. */
export type Reading =
  | {
      readonly kind: "facts";
      readonly facts: readonly GatewayFact[];
      /** It is about a chat that is not a group: its body is not kept. */
      readonly isPrivate: boolean;
    }
  | { readonly kind: "quarantined"; readonly reason: QuarantineReason };
