import { MINUTE_MS } from "../base/clock.ts";
import type { Database } from "../db/database.ts";
import { recordset, sql } from "../db/sql.ts";
import { phoneOf } from "./contacts/contact.ts";
import type { SessionFact } from "./gateway-event.ts";
import { sessionIdOf } from "./message.ts";
import type { SessionFacts, SessionRole } from "./session.ts";

export interface SessionRow extends SessionFacts {
  readonly id: string;
  readonly gateway_name: string;
  readonly engine: string | null;
  readonly label: string | null;
  readonly phone_number: string | null;
  readonly connecting_user_id: string | null;
}

const STALE_AFTER_MS = 30 * MINUTE_MS;

/** Returns the sessions of a role, or of both, in the order of their gateway names. Declared values take precedence. */
export async function listSessions(
  db: Database,
  role: SessionRole | undefined,
): Promise<readonly SessionRow[]> {
  return db.query<SessionRow>(sql`
    select id, gateway_name, coalesce(declared_role, 'receiving') as role,
           coalesce(declared_engine, engine) as engine, status, is_restricted,
           coalesce(declared_label, label) as label,
           coalesce(declared_phone_number, phone_number) as phone_number,
           declared_connecting_user_id as connecting_user_id,
           coalesce(declared_stale_after_ms, ${STALE_AFTER_MS}) as stale_after_ms,
           last_status_at_ms, last_message_at_ms
      from messaging_session
     where ${role ?? null}::text is null or coalesce(declared_role, 'receiving') = ${role ?? null}
     order by gateway_name, id
     limit 10000`);
}

/** What the back-fill needs to know about a session. */
interface SessionTimes {
  readonly engine: string | null;
  readonly last_down_at_ms: number | null;
}

export async function findSessionTimes(
  db: Database,
  name: string,
): Promise<SessionTimes | undefined> {
  const [row] = await db.query<SessionTimes>(sql`
    select coalesce(declared_engine, engine) as engine, last_down_at_ms
      from messaging_session
     where gateway_name = ${name}`);
  return row;
}

/** Returns labels by session id: declared, else that of the account, else the gateway's name of the session. */
export async function listSessionLabels(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; label: string }>(sql`
    select id, coalesce(declared_label, label, gateway_name) as label from messaging_session`);
  return new Map(rows.map(({ id, label }) => [id, label]));
}

/** That a session received a message, and when it was sent. */
export interface SentMessage {
  readonly session: string;
  readonly sentAtMs: number;
}

/** Each column keeps its newest value, ties by the greater text, so the order of events does not matter. */
export async function saveSessions(
  tx: Database,
  facts: readonly SessionFact[],
  messages: readonly SentMessage[],
): Promise<void> {
  const latest = new Map<string, number>();
  for (const { session, sentAtMs } of messages) {
    latest.set(session, Math.max(latest.get(session) ?? 0, sentAtMs));
  }
  const names = [...new Set([...facts.map(({ name }) => name), ...latest.keys()])];
  const rows = names
    .map((name) =>
      toRow(
        name,
        facts.filter((fact) => fact.name === name),
        latest.get(name),
      ),
    )
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  await tx.execute(sql`
    insert into messaging_session as stored
           (id, gateway_name, engine, engine_at_ms, phone_number, label, account_at_ms, status, is_restricted,
            last_status_at_ms, last_down_at_ms, last_message_at_ms)
    select id, gateway_name, engine, engine_at_ms, phone_number, label, account_at_ms, status, is_restricted,
           last_status_at_ms, last_down_at_ms, last_message_at_ms
      from ${recordset(rows)} as reported
           (id uuid, gateway_name text, engine text, engine_at_ms bigint, phone_number text, label text,
            account_at_ms bigint, status text, is_restricted boolean, last_status_at_ms bigint,
            last_down_at_ms bigint, last_message_at_ms bigint)
    on conflict (id) do update set
      (engine, engine_at_ms) = (
        select case when is_newer then excluded.engine else stored.engine end,
               case when is_newer then excluded.engine_at_ms else stored.engine_at_ms end
          from (select (excluded.engine_at_ms, excluded.engine)
                       > (coalesce(stored.engine_at_ms, -1), coalesce(stored.engine, ''))) as test (is_newer)),
      (phone_number, label, account_at_ms) = (
        select case when is_newer then excluded.phone_number else stored.phone_number end,
               case when is_newer then excluded.label else stored.label end,
               case when is_newer then excluded.account_at_ms else stored.account_at_ms end
          from (select (excluded.account_at_ms, coalesce(excluded.phone_number, ''), coalesce(excluded.label, ''))
                       > (coalesce(stored.account_at_ms, -1), coalesce(stored.phone_number, ''),
                          coalesce(stored.label, ''))) as test (is_newer)),
      (status, is_restricted, last_status_at_ms) = (
        select case when is_newer then excluded.status else stored.status end,
               case when is_newer then excluded.is_restricted else stored.is_restricted end,
               case when is_newer then excluded.last_status_at_ms else stored.last_status_at_ms end
          from (select (excluded.last_status_at_ms, excluded.status, excluded.is_restricted)
                       > (coalesce(stored.last_status_at_ms, -1), coalesce(stored.status, ''),
                          stored.is_restricted)) as test (is_newer)),
      last_down_at_ms = greatest(stored.last_down_at_ms, excluded.last_down_at_ms),
      last_message_at_ms = greatest(stored.last_message_at_ms, excluded.last_message_at_ms)`);
}

function toRow(name: string, facts: readonly SessionFact[], lastMessageAtMs: number | undefined) {
  const engine = newest(
    facts.filter((fact) => fact.engine !== undefined),
    (fact) => [fact.atMs, fact.engine ?? ""],
  );
  const account = newest(
    facts.filter((fact) => fact.identifiers.length > 0),
    (fact) => [fact.atMs, phoneIn(fact) ?? "", fact.label ?? ""],
  );
  const statuses = facts.flatMap((fact) => fact.status ?? []);
  const down = statuses.filter(({ text }) => text !== "WORKING").map(({ atMs }) => atMs);
  const status = newest(statuses, (entry) => [
    entry.atMs,
    entry.text,
    entry.isRestricted ? "true" : "false",
  ]);
  return {
    id: sessionIdOf(name),
    gateway_name: name,
    engine: engine?.engine ?? null,
    engine_at_ms: engine?.atMs ?? null,
    phone_number: account === undefined ? null : (phoneIn(account) ?? null),
    label: account?.label ?? null,
    account_at_ms: account?.atMs ?? null,
    status: status?.text ?? null,
    is_restricted: status?.isRestricted ?? false,
    last_status_at_ms: status?.atMs ?? null,
    last_down_at_ms: down.length === 0 ? null : Math.max(...down),
    last_message_at_ms: lastMessageAtMs ?? null,
  };
}

function phoneIn(fact: SessionFact): string | undefined {
  return fact.identifiers.map(phoneOf).find((phone) => phone !== undefined);
}

function newest<Item>(
  items: readonly Item[],
  rank: (item: Item) => readonly [number, ...string[]],
): Item | undefined {
  return items.reduce<Item | undefined>((best, next) => {
    if (best === undefined) return next;
    return isGreater(rank(next), rank(best)) ? next : best;
  }, undefined);
}

function isGreater(
  left: readonly (number | string)[],
  right: readonly (number | string)[],
): boolean {
  const differing = left.findIndex((value, at) => value !== right[at]);
  if (differing < 0) return false;
  const [a, b] = [left[differing], right[differing]];
  if (typeof a === "number" && typeof b === "number") return a > b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b))) > 0;
}

/** What the manifest declares about a session. It takes precedence over what the gateway reports. */
export interface DeclaredSession {
  readonly id: string;
  readonly gateway_name: string;
  readonly role: "receiving" | "sending" | null;
  readonly engine: string | null;
  readonly label: string | null;
  readonly phone_number: string | null;
  readonly connecting_user_id: string | null;
  readonly stale_after_ms: number | null;
}

/** Returns all sessions, including those that are not declared. */
export async function listDeclaredSessions(db: Database): Promise<readonly DeclaredSession[]> {
  return db.query<DeclaredSession>(sql`
    select id, gateway_name, declared_role as role, declared_engine as engine, declared_label as label,
           declared_phone_number as phone_number, declared_connecting_user_id as connecting_user_id,
           declared_stale_after_ms as stale_after_ms
      from messaging_session
     order by id
     limit 1000000`);
}

export async function saveDeclaredSessions(
  tx: Database,
  rows: readonly DeclaredSession[],
): Promise<void> {
  await tx.execute(sql`
    insert into messaging_session
           (id, gateway_name, declared_role, declared_engine, declared_label, declared_phone_number,
            declared_connecting_user_id, declared_stale_after_ms)
    select id, gateway_name, role, engine, label, phone_number, connecting_user_id, stale_after_ms
      from ${recordset(rows)} as declared
           (id uuid, gateway_name text, role text, engine text, label text, phone_number text,
            connecting_user_id text, stale_after_ms bigint)
     order by id
    on conflict (id) do update set
      declared_role = excluded.declared_role, declared_engine = excluded.declared_engine,
      declared_label = excluded.declared_label, declared_phone_number = excluded.declared_phone_number,
      declared_connecting_user_id = excluded.declared_connecting_user_id,
      declared_stale_after_ms = excluded.declared_stale_after_ms`);
}
