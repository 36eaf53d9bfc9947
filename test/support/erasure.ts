import type { Database, DatabasePool } from "../../src/db/database.ts";
import { joinSql, rawSql, sql } from "../../src/db/sql.ts";
import type { NewRawEvent } from "../../src/intake/raw-event-store.ts";
import { leaveOutSecrets } from "../../src/messages/gateways/waha-kept.ts";
import { rawEvent } from "./drain.ts";
import { digestStore } from "./files.ts";
import { NOW_MS } from "./test-app.ts";
import {
  aGroupEvent,
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  envelope,
  GROUP,
  SESSION_A,
  SESSION_B,
} from "./waha.ts";

/** The person who is erased. Only what she wrote contains WORDS. */
export const LENA = { phone: "447700900140", lid: "199900000000240", name: "Lena Hartmann" };
export type Dealer = typeof LENA;
export const MARC = { phone: "447700900150", lid: "199900000000250", name: "Marc B." };
export const WORDS = "zanzibar";
/** What must not be found anywhere after the erasure. */
const TRACES = [LENA.phone, LENA.lid, LENA.name, WORDS];
export const SHARED_TEXT = "WTS 126610LN 2024 full set EUR 9,500";
export const OWN_TEXT = `WTS 5711/1A-010 2020 full set EUR 90,000 ${WORDS}`;
const GROUP_NAME = "HK Dealers";

const AT_S = NOW_MS / 1000 - 600;

/** Events that have something of Lena, in all the ways in which a gateway names a person, and events of others. */
export function lenasMarket(): readonly NewRawEvent[] {
  const unreadable = rawEvent(`not JSON, "from": "${GROUP}" ${LENA.phone}@c.us ${WORDS}`);
  return [
    aGroupEvent({ name: GROUP_NAME, atMs: AT_S * 1000 }),
    aMember("promote", [{ id: `${LENA.lid}@lid`, role: "admin" }, aListed(MARC)]),
    ...hers(),
    ...others(),
    aPull("lids", [
      { lid: `${LENA.lid}@lid`, pn: `${LENA.phone}@c.us` },
      { lid: `${MARC.lid}@lid`, pn: `${MARC.phone}@c.us` },
    ]),
    aPull("messages", [
      aMessageEvent({ rawId: "L5", sender: LENA, text: `${OWN_TEXT} 5`, atS: AT_S }).payload,
      aMessageEvent({ rawId: "M5", sender: MARC, text: `${SHARED_TEXT} 5`, atS: AT_S }).payload,
    ]),
  ]
    .map((body) => rawEvent(body))
    .concat({ ...unreadable, body: Buffer.from(leaveOutSecrets(unreadable.body).body) })
    .concat(
      exported("E1", { sender_name: LENA.name }, OWN_TEXT),
      exported("E2", { sender_name: MARC.name }, SHARED_TEXT),
    );
}

function hers() {
  const own = { sender: LENA, text: OWN_TEXT, atS: AT_S };
  return [
    aMessageEvent({ ...own, rawId: "L1", text: SHARED_TEXT }),
    aMessageEvent({ ...own, rawId: "L2" }),
    aMessageEvent({ ...own, rawId: "L2", session: SESSION_B, addressing: "phone" }),
    // No session names its sender, but it is the message of the one who is named elsewhere.
    aMessageEvent({
      ...own,
      rawId: "L2",
      session: { ...SESSION_A, name: "c" },
      addressing: "none",
    }),
    aMessageEvent({ ...own, rawId: "L3", addressing: "lid" }),
    anEditEvent({ rawId: "L3", author: LENA, text: `${OWN_TEXT} edited`, atS: AT_S + 5 }),
    anEditEvent({ rawId: "L3", addressing: "none", text: `${OWN_TEXT} again`, atS: AT_S + 6 }),
    aRevokeEvent({ rawId: "M2", author: LENA, atS: AT_S + 7 }),
    envelope(SESSION_A, AT_S * 1000, "message.reaction", {
      id: `false_${GROUP}_L9_${LENA.lid}@lid`,
      from: GROUP,
      participant: `${LENA.lid}@lid`,
      reaction: { text: "+", messageId: `false_${GROUP}_M1_${MARC.lid}@lid` },
      _data: { Info: { PushName: LENA.name } },
    }),
    envelope(SESSION_A, AT_S * 1000, "message.novelty", {
      id: `false_${GROUP}_L8_${LENA.lid}@lid`,
      from: GROUP,
      body: WORDS,
    }),
  ];
}

function others() {
  const answer = aMessageEvent({ rawId: "M1", sender: MARC, text: SHARED_TEXT, atS: AT_S });
  const quoted = { participant: `${LENA.phone}@c.us`, body: OWN_TEXT };
  return [
    {
      ...answer,
      payload: {
        ...answer.payload,
        replyTo: { id: `false_${GROUP}_L2_${LENA.phone}@c.us`, ...quoted },
        mentionedIds: [`${LENA.lid}@lid`, `${MARC.lid}@lid`],
        _data: {
          ...("_data" in answer.payload ? Object(answer.payload._data) : {}),
          Message: { extendedTextMessage: { contextInfo: { ...quoted, quotedMessage: WORDS } } },
          quotedParticipant: { _serialized: `${LENA.phone}@c.us` },
          quotedMsg: { body: WORDS },
        },
      },
    },
    aMessageEvent({ rawId: "M2", sender: MARC, text: `${SHARED_TEXT} 2`, atS: AT_S }),
    // An admin who is not erased revokes a message of hers, and the event quotes it.
    envelope(SESSION_B, AT_S * 1000, "message.revoked", {
      revokedMessageId: "L1",
      before: { id: `false_${GROUP}_L1`, from: GROUP, body: WORDS },
      after: {
        id: `false_${GROUP}_R1_${MARC.lid}@lid`,
        from: GROUP,
        participant: `${MARC.lid}@lid`,
      },
    }),
  ];
}

export function aListed(person: { readonly phone: string; readonly lid: string }) {
  return { id: `${person.lid}@lid`, pn: `${person.phone}@c.us`, role: "participant" };
}

export function aMember(type: string, participants: readonly object[]) {
  return envelope(SESSION_A, AT_S * 1000, "group.v2.participants", {
    type,
    timestamp: AT_S * 1000,
    group: { id: GROUP, owner: `${LENA.phone}@c.us` },
    participants,
    _data: {},
  });
}

export function aPull(kind: string, data: readonly object[]) {
  return { assay_pull: kind, session: SESSION_A.name, at_ms: AT_S * 1000, data };
}

/** A message of an exported chat. */
export function exported(id: string, sender: object, text: string): NewRawEvent {
  const body = {
    assay_chat_export: 1,
    group: GROUP_NAME,
    ...sender,
    sent_at_ms: (AT_S - 3600) * 1000,
    text: `${text} ${id}`,
    has_media: false,
    repeat: 0,
  };
  return rawEvent(body, { gateway: "chat", origin: "import" });
}

/** Returns the tables in which one of the texts is found, in any case; bytes are read as text. */
export async function findTraces(db: Database, traces = TRACES): Promise<readonly string[]> {
  const tables = await db.query<{ name: string; bytes: string[] }>(sql`
    select table_name as name,
           coalesce(array_agg(column_name::text) filter (where data_type = 'bytea'), '{}') as bytes
      from information_schema.columns
     where table_schema = 'public' and table_name <> 'schema_migration'
     group by 1 order by 1 limit 1000`);
  const patterns = traces.map((trace) => `%${trace}%`);
  const found = tables.map(({ name, bytes }) => {
    const texts = [
      "row::text",
      ...bytes.map((column) => `coalesce(encode("${column}", 'escape'), '')`),
    ];
    return sql`(select ${name} as name from ${rawSql(`"${name}" as row`)}
                 where ${rawSql(texts.join(" || ' ' || "))} ilike any(${patterns}::text[]) limit 1)`;
  });
  const rows = await db.query<{ name: string }>(joinSql(found, " union all "), { isStatic: false });
  return rows.map(({ name }) => name);
}

/** Tables whose rows a replay does not make again, or that record when something was done. */
const OUTSIDE =
  /^(?:raw_event|late_event|.*_alias|.*_queue|.*_sequence|.*_seq|queue_number|step_count|fresh_.*|listing|reported_message|price_.*)$/;

/** The content of the tables that a replay must bring back as they were. */
export async function digestDerived(pool: DatabasePool): Promise<Record<string, string>> {
  const digests = await digestStore(pool);
  const kept = Object.entries(digests).filter(([name]) => !OUTSIDE.test(name));
  const [listings] = await pool.query<{ digest: string }>(sql`
    select count(*) || ' ' || coalesce(md5(string_agg(
             (to_jsonb(listing) - 'sequence' - 'created_at_ms' - 'updated_at_ms')::text, ' ' order by id)), '') as digest
      from listing`);
  // Without what decides on alerts: a replay fires none of its own.
  const [reports] = await pool.query<{ digest: string }>(sql`
    select count(*) || ' ' || coalesce(md5(string_agg(
             (to_jsonb(reported_message) - 'heard_at_ms' - 'edit_alert_since_ms')::text, ' ' order by id)), '') as digest
      from reported_message`);
  return {
    ...Object.fromEntries(kept),
    listing: listings?.digest ?? "",
    reported_message: reports?.digest ?? "",
  };
}

/** Deletes everything but the schema. */
export async function emptyAll(pool: DatabasePool): Promise<void> {
  const tables = await pool.query<{ name: string }>(sql`
    select tablename as name from pg_tables
     where schemaname = 'public' and tablename <> 'schema_migration' limit 1000`);
  await pool.script(`truncate ${tables.map(({ name }) => name).join(", ")}`);
}
