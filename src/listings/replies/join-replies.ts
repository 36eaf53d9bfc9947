/**
 * Joins the messages of a batch with the replies to them: what the replies say goes into what was read.
 *
 * A listing depends on its message and on the replies below its posts, and a reply that names a watch is a post of its own
 * only if no message above it has the watch. So the messages above changed replies are read again with the batch, and so are
 * the replies below its messages, if they have watches.
 *
 * Invariant: the result depends on the stored messages only. The caller holds the listing lock, under which messages that are
 * not queued may be read: each change of one queues it in the same transaction.
 *
 * Example: the batch has the message "SOLD", whose new post quotes a post of message M. M was read last week. It is added to
 * the batch, read again with all replies to it, and its listing is sold now.
 */
import { groupBy } from "../../base/group-by.ts";
import type { Database } from "../../db/database.ts";
import type { Catalogue } from "../../extraction/catalogue/catalogue.ts";
import { findSourceMessages } from "../message-extraction-store.ts";
import {
  type ReadBatch,
  type ReadExtraction,
  type Reading,
  type Readings,
  type SourceMessage,
  toReading,
} from "../message-reading.ts";
import {
  applyReplies,
  dropUpdates,
  type QuotedMessage,
  type RepliedExtraction,
  type Reply,
  readReplies,
} from "./reply.ts";
import {
  findMessagesBelow,
  findQuotedMessages,
  findReplies,
  findUpdateMessages,
} from "./reply-store.ts";

/** How long the replies to a message may fire alerts. */
export interface ReplyWindow {
  readonly alertMs: number;
  /** It has just opened, so that listings with a reply are matched even if they did not change. */
  readonly isNew: boolean;
}

/** A batch with the messages that were added to it. */
interface RepliedBatch extends ReadBatch {
  /** By message, for listings whose ask is that of a reply. */
  readonly replyWindows: ReadonlyMap<string, ReplyWindow>;
}

interface ReadOptions {
  readonly catalogue: Catalogue;
  readonly read: (messages: readonly SourceMessage[]) => Promise<Readings>;
}

export async function joinReplies(
  tx: Database,
  batch: ReadBatch,
  options: ReadOptions,
): Promise<RepliedBatch> {
  const { replyWindows, messageIds } = await findQuoted(tx, batch);
  const belowIds = await findMessagesBelow(tx, idsOf(batch.messages));
  if (messageIds.length + belowIds.length === 0) {
    return { ...batch, readings: await withoutUpdates(tx, batch, options), replyWindows };
  }
  const quoted = await addMessages(tx, batch, { ids: messageIds, isWanted: isAny, ...options });
  const isWanted = ({ kind }: Reading) => kind === "listings";
  const joined = await addMessages(tx, quoted, { ids: belowIds, isWanted, ...options });
  // A reply to a message with several watches must name one, also if some of them are updates of other posts.
  const replied = withReplies(joined, await findReplies(tx, idsOf(joined.messages)), options);
  const readings = await withoutUpdates(tx, { ...joined, readings: replied }, options);
  return { ...joined, readings, replyWindows };
}

/** The messages above changed replies of the batch, and how long these replies may fire. */
async function findQuoted(tx: Database, { queued }: ReadBatch) {
  const quotedIds = [...new Set(queued.flatMap(({ quoted_ids }) => quoted_ids))];
  const found = await findQuotedMessages(tx, quotedIds);
  const replyWindows = new Map<string, ReplyWindow>();
  for (const { quoted_id, canonical_message_id } of found) {
    for (const { alert_ms, has_new_window, quoted_ids } of queued) {
      if (alert_ms === null || !quoted_ids.includes(quoted_id)) continue;
      const last = replyWindows.get(canonical_message_id);
      replyWindows.set(canonical_message_id, {
        alertMs: Math.max(alert_ms, last?.alertMs ?? 0),
        isNew: has_new_window || (last?.isNew ?? false),
      });
    }
  }
  const messageIds = found.map(({ canonical_message_id }) => canonical_message_id);
  return { replyWindows, messageIds };
}

const isAny = () => true;

interface Addition extends ReadOptions {
  readonly ids: readonly string[];
  readonly isWanted: (reading: Reading) => boolean;
}

/** Adds messages to the batch that are not in it. They open no alert window. */
async function addMessages(
  tx: Database,
  batch: ReadBatch,
  { ids, isWanted, read }: Addition,
): Promise<ReadBatch> {
  const known = new Set(batch.queued.map((row) => row.canonical_message_id));
  const missing = [...new Set(ids)].filter((id) => !known.has(id)).sort();
  if (missing.length === 0) return batch;
  const sources = await findSourceMessages(tx, missing);
  const readings = await read(sources);
  const found = sources.flatMap((message) => {
    const reading = readings.get(message.id);
    return reading !== undefined && isWanted(reading) ? [{ message, reading }] : [];
  });
  return {
    ...batch,
    queued: [
      ...batch.queued,
      ...found.map(({ message }) => ({
        canonical_message_id: message.id,
        alert_ms: null,
        has_new_names: false,
        has_new_window: false,
        quoted_ids: [],
      })),
    ],
    messages: [...batch.messages, ...found.map(({ message }) => message)],
    readings: new Map([
      ...batch.readings,
      ...found.map(({ message, reading }) => [message.id, reading] as const),
    ]),
  };
}

function idsOf(messages: readonly SourceMessage[]): readonly string[] {
  return messages.map(({ id }) => id);
}

/** What was read, without the watches that are updates of other posts. */
async function withoutUpdates(
  tx: Database,
  batch: ReadBatch,
  { read }: ReadOptions,
): Promise<Readings> {
  const withListings = listQuotable(batch);
  const updates = await findUpdateMessages(tx, idsOf(withListings.map(({ message }) => message)));
  if (updates.length === 0) return batch.readings;
  const readings = new Map(batch.readings);
  const quotedIds = new Set(updates.flatMap(({ quoted }) => quoted.flat()));
  const others = [...quotedIds].filter((id) => !readings.has(id));
  const above = others.length === 0 ? [] : await findSourceMessages(tx, others);
  const quoted = new Map([...readings, ...(await read(above))]);
  const byId = new Map(withListings.map((item) => [item.message.id, item]));
  for (const update of updates) {
    const item = byId.get(update.reply_message_id);
    if (item === undefined) continue;
    const extraction = dropUpdates(
      item,
      update.quoted.map((ids) => ids.flatMap((id) => extractionIn(quoted.get(id)))),
    );
    readings.set(item.message.id, toReading(extraction, "reply"));
  }
  return readings;
}

/** Replies are about offers only. */
function extractionIn(reading: Reading | undefined): readonly ReadExtraction[] {
  return reading?.kind === "listings" ? [reading.extraction] : [];
}

function listQuotable({ messages, readings }: ReadBatch): readonly QuotedMessage[] {
  return messages.flatMap((message) =>
    extractionIn(readings.get(message.id)).map((extraction) => ({ message, extraction })),
  );
}

/** What was read, with what replies say about it. */
function withReplies(
  batch: ReadBatch,
  replies: readonly Reply[],
  { catalogue }: ReadOptions,
): Readings {
  if (replies.length === 0) return batch.readings;
  const byMessage = groupBy(replies, ({ canonical_message_id }) => canonical_message_id);
  const readings = new Map(batch.readings);
  for (const item of listQuotable(batch)) {
    const ofMessage = byMessage.get(item.message.id);
    if (ofMessage === undefined) continue;
    const replied = readReplies(item, ofMessage, catalogue);
    const extraction: RepliedExtraction = applyReplies(item, replied);
    readings.set(item.message.id, { kind: "listings", extraction });
  }
  return readings;
}
