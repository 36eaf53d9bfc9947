import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { DatabasePool } from "../../src/db/database.ts";
import { sql } from "../../src/db/sql.ts";
import { IGNORED_KINDS } from "../../src/messages/gateways/content.ts";
import {
  EVENT_KINDS,
  inGo,
  MESSAGE_KINDS,
  type MessageKind,
  OFFER,
  OFFER_PRICE_MINOR,
  TARGET,
} from "../fixtures/waha/kinds.ts";
import { process } from "../support/drain.ts";
import { openTestDatabase } from "../support/test-database.ts";
import {
  aMessageEvent,
  anEditEvent,
  aRevokeEvent,
  envelope,
  SESSION_A,
  type WahaSession,
} from "../support/waha.ts";

const ENGINES = ["NOWEB", "GOWS", "WEBJS", "WPP"] as const;
type Engine = (typeof ENGINES)[number];
const AT_S = 1_787_217_330;

test("the tables of docs/gateways.md have every kind of message, and every event that is read", () => {
  const page = readFileSync("docs/gateways.md", "utf8");
  const rows = page.split("\n").filter((line) => /^\| [^|-]/.test(line));

  const kinds = MESSAGE_KINDS.map(
    ({ name, proto, page: record, outcome }) =>
      `| ${name} | ${markerOf(proto)} | ${record === undefined ? "" : `\`${record.type}\``} | ${outcome} |`,
  );
  const events = Object.entries(EVENT_KINDS)
    .filter(([, outcome]) => !outcome.startsWith("ignored: "))
    .map(([event, outcome]) => `| \`${event}\` | ${outcome} |`);
  const heads = ["| Message | NOWEB, GOWS | WEBJS, WPP | Becomes |", "| Event | Becomes |"];
  assert.deepEqual(rows, [heads[0], ...kinds, heads[1], ...events]);
  assert.deepEqual(
    IGNORED_KINDS.filter((kind) => !page.includes(kind)),
    [],
  );
});

for (const engine of ENGINES) {
  const kinds = MESSAGE_KINDS.filter((kind) => recordOf(engine, kind) !== undefined);

  test(`every kind of message of ${engine} becomes what the table says, posted or listed`, async (t) => {
    const { pool } = await openTestDatabase(t);
    const posted = kinds.map((kind, at) => toEvents(engine, kind, `POSTED${at}`));
    const listed = kinds.map((kind, at) => toEvents(engine, kind, `LISTED${at}`));
    const pulls = listed.map(([target, event]) => [target, toPull(event)] as const);

    await process(pool, [...posted.flat(), ...pulls.flat()]);

    for (const [at, { name, outcome }] of kinds.entries()) {
      assert.equal(await outcomeOf(pool, `POSTED${at}`), outcome, name);
      assert.equal(await outcomeOf(pool, `LISTED${at}`), outcome, `${name}, listed`);
    }
  });
}

for (const engine of ENGINES) {
  test(`the events of ${engine} for an edit and a revocation change their message`, async (t) => {
    const { pool } = await openTestDatabase(t);
    const session: WahaSession = { ...SESSION_A, engine };
    const [edited, revoked] = [groupOf("EDITED"), groupOf("REVOKED")];
    const target = { session, rawId: TARGET, text: "126610LN 12,000 EUR" };

    await process(pool, [
      anEditEvent({ session, group: edited, rawId: TARGET, text: OFFER, atS: AT_S + 60 }),
      aRevokeEvent({ session, group: revoked, rawId: TARGET, atS: AT_S + 60 }),
      ...[edited, revoked].map((group) => aMessageEvent({ ...target, group })),
    ]);

    const found = await pool.query(sql`
      select gateway_group_id as "group", is_edited, occurrence.is_revoked, message.text
        from occurrence
        join market_group on market_group.id = occurrence.group_id
        join canonical_message as message on message.id = occurrence.canonical_message_id
       order by is_edited desc`);
    assert.deepEqual(
      found.map((row) => ({ ...row })),
      [
        { group: edited, is_edited: true, is_revoked: false, text: OFFER },
        { group: revoked, is_edited: false, is_revoked: true, text: target.text },
      ],
    );
  });
}

test("every event becomes what the table says", async (t) => {
  const { pool } = await openTestDatabase(t);
  const events = Object.entries(EVENT_KINDS).filter(
    ([, outcome]) => !/^(?:edit|rev)/.test(outcome),
  );

  await process(
    pool,
    events.map(([event], at) =>
      envelope(SESSION_A, AT_S * 1000 + at, event, {
        id: `false_${groupOf("X")}_EVENT${at}_199900000000201@lid`,
        timestamp: AT_S,
        group: { id: groupOf("X"), subject: "Dealers" },
      }),
    ),
  );

  for (const [at, [event, outcome]] of events.entries()) {
    assert.equal(await outcomeOf(pool, `EVENT${at}`), outcome.replace(/^read: .*/, "read"), event);
  }
});

/** The names of the content and of what it is wrapped in. */
function markerOf(proto: MessageKind["proto"]): string {
  const names: string[] = [];
  for (let content: unknown = proto; typeof content === "object" && content !== null; ) {
    const [name, value] =
      Object.entries(content).find(([key]) => key !== "messageContextInfo") ?? [];
    if (name === undefined) break;
    names.push(name);
    content = (value as { readonly message?: unknown }).message;
  }
  return names.length === 0 ? "" : `\`${names.join(".")}\``;
}

function recordOf(engine: Engine, { proto, page }: MessageKind): object | undefined {
  if (engine === "NOWEB") return proto && { message: proto };
  if (engine === "GOWS") return proto && { Message: inGo(proto) };
  return page;
}

/** The message that an edit or a revocation is about, and the event of the kind, in a group of their own. */
function toEvents(engine: Engine, kind: MessageKind, rawId: string) {
  const session: WahaSession = { ...SESSION_A, engine };
  const group = groupOf(rawId);
  const target = aMessageEvent({ session, group, rawId: TARGET, text: "126610LN 12,000 EUR" });
  const event = aMessageEvent({ session, group, rawId, text: "", atS: AT_S + 60 });
  const { _data: sender } = event.payload as { readonly _data: object };
  const payload = {
    ...event.payload,
    body: kind.body ?? null,
    hasMedia: kind.hasMedia ?? false,
    _data: { ...sender, ...recordOf(engine, kind) },
  };
  return [target, { ...event, payload }] as const;
}

function toPull({ payload }: ReturnType<typeof aMessageEvent>) {
  return { assay_pull: "messages", at_ms: AT_S * 1000, session: SESSION_A.name, data: [payload] };
}

function groupOf(rawId: string): string {
  return `${120_363_000_000_000n + BigInt(`0x${Buffer.from(rawId).toString("hex")}`)}@g.us`;
}

async function outcomeOf(pool: DatabasePool, rawId: string): Promise<string> {
  const [event] = await pool.query<{ ignored: string | null; reason: string | null }>(sql`
    select (select kind from ignored_event where raw_event_id = raw_event.id) as ignored,
           (select reason from quarantined_event where raw_event_id = raw_event.id) as reason
      from raw_event
     where position(${Buffer.from(`_${rawId}_`)}::bytea in body) > 0`);
  assert.ok(event !== undefined, rawId);
  if (event.reason !== null) return `quarantine: ${event.reason.replace(/:.*/, "")}`;
  if (event.ignored !== null) return `ignored: ${event.ignored}`;
  const found = await pool.query<{
    raw_id: string;
    text: string;
    is_edited: boolean;
    is_revoked: boolean;
    prices: readonly number[];
  }>(sql`
    select occurrence.raw_id, message.text, occurrence.is_edited, occurrence.is_revoked,
           array(select price_amount_minor from listing where canonical_message_id = message.id) as prices
      from occurrence
      join market_group on market_group.id = occurrence.group_id
      join canonical_message as message on message.id = occurrence.canonical_message_id
     where gateway_group_id = ${groupOf(rawId)}`);
  const own = found.find((row) => row.raw_id === rawId);
  const target = found.find((row) => row.raw_id === TARGET);
  if (own?.text === "") return "post without a text";
  if (own !== undefined) {
    assert.deepEqual(own.prices, [OFFER_PRICE_MINOR], `${rawId}: ${own.text}`);
    return "post";
  }
  if (target?.is_revoked === true) return "revocation";
  return target?.is_edited === true ? "edit" : "read";
}
