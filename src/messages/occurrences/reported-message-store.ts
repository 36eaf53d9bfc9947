import type { Database } from "../../db/database.ts";
import { recordset, rowset, sql } from "../../db/sql.ts";
import { addReports, type Report, type ReportedMessage, reportedMessageIdOf } from "./report.ts";

/** A raw id about which something new was reported, as it is now. Its row is locked until the transaction ends. */
export interface TouchedMessage {
  readonly message: ReportedMessage;
  /** Undefined if it was not stored. */
  readonly before: ReportedMessage | undefined;
}

/**
 * Adds reports to the stored ones. Returns those raw ids about which they say something new, and locks them: another
 * worker that has a report about one of them waits. New rows are added before stored ones are locked, both in the order
 * of their ids, so workers do not deadlock.
 */
export async function saveReports(
  tx: Database,
  reported: readonly ReportedMessage[],
): Promise<readonly TouchedMessage[]> {
  if (reported.length === 0) return [];
  const addedIds = await addMessages(tx, reported);
  const added = reported.filter(({ id }) => addedIds.has(id));
  const others = new Map(
    reported.filter(({ id }) => !addedIds.has(id)).map((message) => [message.id, message]),
  );
  const stored = others.size === 0 ? [] : await lockReportedMessages(tx, [...others.keys()]);
  const touched = stored.flatMap((before) => {
    const added = others.get(before.id);
    const message = added === undefined ? undefined : addReports(before, added);
    return message === undefined ? [] : [{ message, before }];
  });
  if (touched.length > 0)
    await updateReports(
      tx,
      touched.map(({ message }) => message),
    );
  return [...added.map((message) => ({ message, before: undefined })), ...touched];
}

async function addMessages(
  tx: Database,
  messages: readonly ReportedMessage[],
): Promise<ReadonlySet<string>> {
  const sorted = messages.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const rows = await tx.query<{ id: string }>(sql`
    insert into reported_message (id, group_id, raw_id, first_received_at_ms, heard_at_ms, edit_alert_since_ms, oldest_at_ms, reports,
           author_ids)
    select id, group_id, raw_id, first_received_at_ms, heard_at_ms, edit_alert_since_ms, oldest_at_ms, reports,
           author_ids
      from ${rowset("added", sorted, {
        id: "uuid",
        group_id: "uuid",
        raw_id: "text",
        first_received_at_ms: "bigint",
        heard_at_ms: "bigint",
        edit_alert_since_ms: "bigint",
        oldest_at_ms: "bigint",
        reports: "jsonb",
        author_ids: "text[]",
      })}
    on conflict (id) do nothing
    returning id`);
  return new Set(rows.map(({ id }) => id));
}

export async function lockReportedMessages(
  tx: Database,
  ids: readonly string[],
): Promise<readonly ReportedMessage[]> {
  return tx.query<ReportedMessage>(sql`
    select id, group_id, raw_id, first_received_at_ms, heard_at_ms, edit_alert_since_ms, oldest_at_ms, reports,
           author_ids
      from reported_message
     where id = any(${[...ids]}::uuid[])
     order by id
       for update`);
}

/** Keeps the alert windows of edits that wait for their message, for when a replay reads the edits again. */
export async function carryEdits(tx: Database): Promise<void> {
  await tx.execute(sql`
    insert into carried_edit as known (reported_message_id, alert_since_ms)
    select id, edit_alert_since_ms from reported_message where edit_alert_since_ms is not null order by id
    on conflict (reported_message_id) do update
       set alert_since_ms = least(known.alert_since_ms, excluded.alert_since_ms)`);
}

/** Returns the kept windows by raw id, and forgets them: the edits have them again. */
export async function takeCarriedEdits(
  tx: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<{ id: string; since_ms: number }>(sql`
    with taken as materialized (
      select reported_message_id as id
        from carried_edit
       where reported_message_id = any(${[...ids]}::uuid[])
       order by reported_message_id
         for update
    )
    delete from carried_edit using taken
     where reported_message_id = taken.id
    returning reported_message_id as id, alert_since_ms as since_ms`);
  return new Map(rows.map(({ id, since_ms }) => [id, since_ms]));
}

export async function dropCarriedEdits(tx: Database): Promise<void> {
  await tx.execute(sql`delete from carried_edit`);
}

/** Returns what is reported, by id. */
export async function findReports(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Report[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<Pick<ReportedMessage, "id" | "reports">>(sql`
    select id, reports from reported_message where id = any(${[...ids]}::uuid[])`);
  return new Map(rows.map(({ id, reports }) => [id, reports]));
}

export async function updateReports(
  tx: Database,
  messages: readonly ReportedMessage[],
): Promise<void> {
  await tx.execute(sql`
    update reported_message as stored
       set first_received_at_ms = joined.first_received_at_ms, heard_at_ms = joined.heard_at_ms,
           edit_alert_since_ms = joined.edit_alert_since_ms, oldest_at_ms = joined.oldest_at_ms, reports = joined.reports, author_ids = joined.author_ids
      from ${recordset(messages)} as joined
           (id uuid, first_received_at_ms bigint, heard_at_ms bigint, edit_alert_since_ms bigint, oldest_at_ms bigint,
            reports jsonb, author_ids text[])
     where stored.id = joined.id`);
}

/** Stores the reports as they are now. A raw id without any is deleted. */
export async function replaceReports(
  tx: Database,
  messages: readonly ReportedMessage[],
): Promise<void> {
  const left = messages.filter(({ reports }) => reports.length > 0);
  const emptyIds = messages.filter(({ reports }) => reports.length === 0).map(({ id }) => id);
  if (left.length > 0) await updateReports(tx, left);
  if (emptyIds.length > 0) await removeReportedMessages(tx, emptyIds);
}

/** Returns the ids of all raw ids with an occurrence of a contact, or with an edit or a revocation by an author. */
export async function listReportedIds(
  tx: Database,
  {
    contactIds,
    authorIds,
  }: { readonly contactIds: readonly string[]; readonly authorIds: readonly string[] },
): Promise<readonly string[]> {
  const sent = await tx.query<{ group_id: string; raw_id: string }>(sql`
    select distinct group_id, raw_id from occurrence where contact_id = any(${[...contactIds]}::uuid[])`);
  const authored = await tx.query<{ id: string }>(sql`
    select id from reported_message
     where author_ids is not null and author_ids && ${[...authorIds]}::text[]`);
  const ids = [
    ...sent.map(({ group_id, raw_id }) => reportedMessageIdOf(group_id, raw_id)),
    ...authored.map(({ id }) => id),
  ];
  return [...new Set(ids)].sort();
}

/** Returns the first raw ids with a report that leaves before `floorMs`, in the order in which they are locked. */
export async function listOldReports(
  db: Database,
  floorMs: number,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from reported_message where oldest_at_ms < ${floorMs} order by oldest_at_ms, id limit ${limit}`);
  return rows.map(({ id }) => id).sort();
}

/** Returns true if a report is left that leaves before `floorMs`. */
export async function hasOldReports(db: Database, floorMs: number): Promise<boolean> {
  return (await listOldReports(db, floorMs, 1)).length > 0;
}

export async function removeReportedMessages(tx: Database, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from reported_message where id = any(${[...ids]}::uuid[])`);
}
