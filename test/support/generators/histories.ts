import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { MINUTE_MS } from "../../../src/base/clock.ts";
import type { DatabasePool } from "../../../src/db/database.ts";
import { rawSql, sql } from "../../../src/db/sql.ts";
import type { NewRawEvent } from "../../../src/intake/raw-event-store.ts";
import { summarizeOccurrences } from "../../../src/messages/occurrences/occurrence.ts";
import { findOccurrenceRollups } from "../../../src/messages/occurrences/occurrence-store.ts";
import { listSessionLabels } from "../../../src/messages/session-store.ts";
import { rawEvent } from "../drain.ts";
import {
  type Addressing,
  aGroupEvent,
  aJoinEvent,
  aMessageEvent,
  anAdminEvent,
  anEditEvent,
  aRevokeEvent,
  aStatusEvent,
  aWindow,
  SESSION_A,
  SESSION_B,
} from "../waha.ts";

export const START_S = 1_787_200_000;
const GROUPS = ["120363000000000101@g.us", "120363000000000102@g.us"];
/** Prices, changed prices, sold marks, talk, reposts with other words, and emoji and empty lines, which do not count. */
export const TEXTS = [
  "126610LN 98k",
  "126610ln  98k 🔥",
  "5711/1A 92.000",
  "",
  "126500LN panda",
  "WTS\n126610LN 2024 full set €12,500",
  "wts\n\n🔥\n126610ln 2024 full set €12,500",
  "126610LN 2024 full set €12,500",
  "126610LN 2024 full set €12,100",
  "126610LN 2024 full set €13,000",
  "126610LN 2024 full set €5,500",
  "126610LN 2024 full set €11,800\n126610LN 2024 full set €11,700",
  "126610LN 2024 full set €12,500 SOLD",
  "126500LN N3/24 HKD 230,000\n126610LN 2024 full set €12,500",
  "Watched a 126610LN sell for €12,500 at the auction yesterday, crazy",
  "126500LN N3/24 HKD 230,000\nWatched a 126610LN sell for €12,500 at the auction yesterday, crazy",
];

/** What must be equal in the end. Aliases, times of receipt and of rows, sequences and queues may differ. */
export const STATE_TABLES = {
  market_group: "id, gateway_group_id, gateway_name, named_at_ms",
  messaging_session:
    "id, gateway_name, engine, engine_at_ms, phone_number, label, account_at_ms, status, is_restricted, last_status_at_ms, last_message_at_ms",
  contact: "id, key, phone_number, display_name, is_own",
  contact_identifier:
    "identifier, contact_id, first_seen_at_ms, name, name_words, named_on_ms, is_own",
  contact_pair: "left_identifier, right_identifier, is_listed",
  group_admin: "group_id, identifier, at_ms, is_admin",
  reported_message: "id, group_id, raw_id, first_received_at_ms, reports::text, author_ids",
  occurrence:
    "id, group_id, raw_id, second, sent_at_ms, sender_ids, contact_id, is_own, has_media, is_revoked, is_edited, session_ids, canonical_message_id, reply_to_raw_id",
  message_version: "occurrence_id, version_at_ms, text, canonical_message_id",
  canonical_message:
    "id, contact_id, source_occurrence_id, text, first_seen_at_ms, last_seen_at_ms, occurrence_count, group_ids, is_own, has_media, is_revoked",
  occurrence_rollup:
    "canonical_message_id, day_start_ms, group_id, occurrence_count, edited_count, revoked_count, media_count, own_count, first_seen_at_ms, last_seen_at_ms, live_first_seen_at_ms, live_last_seen_at_ms, session_ids",
  message_extraction: "canonical_message_id, extraction_version, catalogue_sha256, outcome",
  listing:
    "id, canonical_message_id, line, ordinal, side, message_type, brand, brand_folded, model, model_folded, reference, reference_normalized, dial_type, dial_type_folded, variant, variant_folded, year, card_month, condition, full_set_status, price_amount_minor, price_currency, alternative_price_amount_minor, alternative_price_currency, price_eur_minor, asks, status, contact_id, phone_number, group_ids, message_timestamp_ms, first_seen_at_ms, last_seen_at_ms, occurrence_count, has_media, is_duplicate, price_drop_from_minor, price_drop_bps, is_hidden, left_out_reason, is_revoked, is_found, ask_key, search_text, extraction_version, confidence, sources",
  ignored_event:
    "kind, (select encode(sha256, 'hex') from raw_event where id = raw_event_id) as event",
  correction:
    "id, encode(identity_sha256, 'hex') as identity, line, ordinal, reference_normalized, field, value, is_undone, default_currency, sender_country, corrected_at_ms",
  corrected_message: "canonical_message_id, encode(identity_sha256, 'hex') as identity, set_aside",
} as const;

const dealer = (n: number) => ({
  phone: `44770090012${n}`,
  lid: `19990000000020${n}`,
  name: `Dealer ${n}`,
});
const sender = fc.integer({ min: 0, max: 2 }).map(dealer);
/** Mostly with a sender, and at times without one. */
const addressing = fc.constantFrom<Addressing>(
  "phone",
  "phone",
  "lid",
  "lid",
  "both",
  "both",
  "none",
);
/** What dealers reply to their posts. Some name a watch, and some say nothing about it. */
const REPLIES = ["SOLD", "now €12,000", "126610LN sold", "126610LN now 11,900", "thanks", ""];
const lid = sender.map((dealer) => dealer.lid);
const session = fc.constantFrom(SESSION_A, SESSION_B);
const group = fc.constantFrom(...GROUPS);
const rawId = fc.constantFrom("AA01", "AA02", "AA03", "AA04");
const REPLY_IDS = ["BB01", "BB02", "BB03", "BB04", "BB05", "BB06"];
const replyId = fc.constantFrom(...REPLY_IDS);
const anyId = fc.oneof(rawId, replyId);

/** A conversation, and any events of a gateway at some of the times. */
export function anyHistory(
  atS: fc.Arbitrary<number>,
  events: { readonly minLength: number; readonly maxLength: number },
) {
  return fc
    .tuple(conversation, fc.array(anyEvent(atS), events))
    .map(([first, others]) => [...first, ...others]);
}

function anyEvent(atS: fc.Arbitrary<number>) {
  const sent = {
    session,
    group,
    rawId,
    sender,
    addressing,
    text: fc.constantFrom(...TEXTS),
    atS,
    replyTo: fc.constantFrom(undefined, undefined, undefined, "AA01", "AA02"),
  };
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({
          ...sent,
          hasMedia: fc.boolean(),
          isOwn: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
          event: fc.constantFrom("message" as const, "message.any" as const),
        })
        .map(aMessageEvent),
    },
    {
      weight: 4,
      arbitrary: fc
        .record({
          ...sent,
          // Most are of one dealer to one of his posts, and later, so that many count.
          sender: fc.oneof(
            { weight: 2, arbitrary: fc.constant(dealer(0)) },
            { weight: 1, arbitrary: sender },
          ),
          group: fc.oneof(
            { weight: 2, arbitrary: fc.constant(GROUPS[0] ?? "") },
            { weight: 1, arbitrary: group },
          ),
          text: fc.constantFrom(...REPLIES),
          rawId: replyId,
          replyTo: fc.constantFrom("AA01", "AA01", "AA02", "AA03", "BB01", "BB04"),
          atS: fc.oneof({ weight: 2, arbitrary: atS.map((s) => s + 80_000) }, atS),
        })
        .map(aMessageEvent),
    },
    {
      weight: 2,
      arbitrary: fc.record(sent).map(aListedMessage),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ ...sent, other: rawId, content: fc.constantFrom(...CONTENTS) })
        .map(aRecordedMessage),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({
          session,
          group,
          rawId: anyId,
          text: fc.constantFrom(...TEXTS, ...REPLIES),
          atS,
          author: sender,
          addressing,
        })
        .map(anEditEvent),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ session, group, rawId: anyId, atS, author: sender, addressing })
        .map(aRevokeEvent),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          session: fc.constantFrom(SESSION_A, { ...SESSION_A, engine: "NOWEB" as const }),
          group,
          type: fc.constantFrom("promote", "promote", "demote", "leave"),
          lid,
          // Also between the revocations, which have whole seconds.
          atMs: fc.tuple(atS, fc.constantFrom(-500, 0, 500)).map(([s, ms]) => s * 1000 + ms),
        })
        .map(anAdminEvent),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          session,
          group,
          adminLids: fc.uniqueArray(lid, { maxLength: 2 }),
          atMs: atS.map((s) => s * 1000 + 250),
        })
        .map(aJoinEvent),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({
          session,
          group,
          missing: fc.uniqueArray(rawId, { maxLength: 3 }),
          listed: fc.uniqueArray(rawId, { maxLength: 2 }),
          atMs: atS.map((s) => s * 1000 + 60_000),
        })
        .map(aWindow),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ sender, other: sender, atMs: atS.map((s) => s * 1000) })
        .map(({ sender: { lid }, other: { phone }, atMs }) => aLidList({ lid, phone, atMs })),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          session,
          status: fc.constantFrom("WORKING", "STARTING", "FAILED"),
          atMs: atS.map((s) => s * 1000),
        })
        .map(aStatusEvent),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          session,
          group,
          name: fc.constantFrom("EU", "HK"),
          atMs: atS.map((s) => s * 1000),
        })
        .map(aGroupEvent),
    },
  );
}

/**
 * A post of a dealer and his replies, most of them to the reply before: chains, also of too many links. Single events that use
 * the same raw ids edit, revoke and branch them, or make them lead back.
 */
const conversation = fc
  .record({
    text: fc.constantFrom(...TEXTS.filter((text) => text.includes("126610"))),
    addressing,
    replies: fc.array(
      fc.record({
        text: fc.constantFrom(...REPLIES),
        isChained: fc.constantFrom(true, true, true, false),
        addressing: fc.constantFrom<Addressing>("phone", "lid", "both", "both"),
      }),
      { minLength: 2, maxLength: REPLY_IDS.length },
    ),
  })
  .map(({ replies, ...post }) => {
    const sent = { group: GROUPS[0] ?? "", sender: dealer(0) };
    return [
      aMessageEvent({ ...sent, ...post, rawId: "AA01", atS: START_S }),
      ...replies.map(({ isChained, ...reply }, at) =>
        aMessageEvent({
          ...sent,
          ...reply,
          rawId: REPLY_IDS[at] ?? "",
          replyTo: (isChained ? REPLY_IDS[at - 1] : undefined) ?? "AA01",
          atS: START_S + 170_000 + at * 60_000,
        }),
      ),
    ];
  });

/** Each event has its receipt. For some it is so early that the time of the event is wrong, and counts as the receipt. */
export function toRawEvent(body: { readonly timestamp: number }): NewRawEvent {
  const [byte = 0] = createHash("sha256").update(JSON.stringify(body)).digest();
  const receivedAtMs = body.timestamp + (byte % 4 === 0 ? -byte * MINUTE_MS : byte * 1000);
  return rawEvent(body, { receivedAtMs });
}

/** What a message can have that the gateway makes no text of. Twins, edits and revocations name another message. */
const CONTENTS = [
  (text: string, other: string) => ({
    messageContextInfo: {
      messageAssociation: { associationType: 10, parentMessageKey: { ID: other } },
    },
    associatedChildMessage: { message: { imageMessage: { caption: text } } },
  }),
  (title: string) => ({ productMessage: { product: { title } } }),
  () => ({ stickerMessage: {} }),
  (_: string, ID: string) => ({
    futureMessage: { message: { protocolMessage: { key: { ID }, type: 0 } } },
  }),
  (conversation: string, ID: string) => ({
    futureMessage: {
      message: { protocolMessage: { key: { ID }, type: 14, editedMessage: { conversation } } },
    },
  }),
];

function aRecordedMessage({
  content,
  other,
  ...message
}: Parameters<typeof aMessageEvent>[0] & {
  readonly content: (text: string, other: string) => object;
  readonly other: string;
}) {
  const event = aMessageEvent({ ...message, session: SESSION_A });
  const { _data, ...payload } = event.payload as Readonly<Record<string, object>>;
  const Message = content(message?.text ?? "", other);
  return { ...event, payload: { ...payload, body: null, _data: { ..._data, Message } } };
}

/** A message that the gateway lists. At times it is known with another text, or another time. */
function aListedMessage(message: Parameters<typeof aMessageEvent>[0]) {
  const { timestamp, session, payload } = aMessageEvent(message);
  return {
    timestamp,
    assay_pull: "messages",
    session,
    at_ms: timestamp,
    data: [payload],
  };
}

/** An answer of the gateway that pairs a LID with a phone number, at times with that of another dealer. */
export function aLidList(listed: {
  readonly lid: string;
  readonly phone: string;
  readonly atMs: number;
}) {
  return {
    timestamp: listed.atMs,
    assay_pull: "lids",
    session: SESSION_A.name,
    at_ms: listed.atMs,
    data: [{ lid: `${listed.lid}@lid`, pn: `${listed.phone}@c.us` }],
  };
}

interface State {
  /** A line for each row, with its table. */
  readonly lines: readonly string[];
  readonly messageCount: number;
}

export async function stateOf(
  pool: DatabasePool,
  tables: Readonly<Record<string, string>> = STATE_TABLES,
): Promise<State> {
  const lines: string[] = [];
  for (const [table, columns] of Object.entries(tables)) {
    const rows = await pool.query(sql`select ${rawSql(columns)} from ${rawSql(table)}`);
    lines.push(...rows.map((row) => `${table} ${JSON.stringify(row)}`).sort());
  }
  const labels = await listSessionLabels(pool);
  const ids = await pool.query<{ id: string }>(sql`select id from canonical_message order by id`);
  const rollups = await findOccurrenceRollups(
    pool,
    ids.map(({ id }) => id),
  );
  for (const { id } of ids) {
    const summary = summarizeOccurrences(rollups.get(id) ?? [], labels);
    lines.push(`summary of ${id} ${JSON.stringify(summary)}`);
  }
  return { lines, messageCount: ids.length };
}

/** A failure shows the rows that differ, and few of them: a log that is cut still has the seed. */
export function assertSameState(found: State, expected: State, message = "states differ"): void {
  if (found.lines.join("\n") === expected.lines.join("\n")) return;
  const missing = expected.lines.filter((line) => !found.lines.includes(line));
  const added = found.lines.filter((line) => !expected.lines.includes(line));
  const shown = [
    ...missing.slice(0, 4).map((line) => `- ${line}`),
    ...added.slice(0, 4).map((line) => `+ ${line}`),
  ];
  const counts = `${missing.length} rows missing, ${added.length} added`;
  assert.fail(`${message}: ${counts}\n${shown.join("\n")}`);
}

/** Deletes instead of truncating: the tables are small, and new files for each of them would take longer. */
export async function emptyStore(pool: DatabasePool): Promise<void> {
  const tables = [
    "raw_event_queue",
    "late_event",
    "quarantined_event",
    "raw_event",
    ...Object.keys(STATE_TABLES).toReversed(),
    "identity_queue",
    "contact_alias",
    "message_alias",
    "listing_alias",
    "message_queue",
    "carried_alert",
    "carried_edit",
    "group_queue",
    "match_queue",
    "fresh_listing",
    "fresh_message",
    "market_rebuild",
    "match_anchor",
    "activity",
    "retention",
    "kept_identifier",
    "kept_pair",
  ];
  await pool.script(tables.map((table) => `delete from ${table};`).join("\n"));
}
