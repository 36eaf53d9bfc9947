import type { QueuedMessage } from "../messages/message-queue-store.ts";
import type { MessageReading, SourceMessage } from "./listing-rows.ts";

/** The messages that one transaction of the step handles. */
export interface MessageBatch {
  readonly queued: readonly QueuedMessage[];
  /** Those of the queued messages that exist. */
  readonly messages: readonly SourceMessage[];
  /** For a queued message that a merge of contacts deleted: the id of the message that replaced it. */
  readonly movedTo: ReadonlyMap<string, string>;
}

/** By message id; `failed` if extraction threw an error. */
export type Readings = ReadonlyMap<string, MessageReading | { readonly kind: "failed" }>;

export interface ReadBatch extends MessageBatch {
  readonly readings: Readings;
}
