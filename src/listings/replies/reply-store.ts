/**
 * The chains of replies. A dealer replies to his post, then to that reply, and so on: each quotes the one before it, in one
 * group. A message that is revoked or by someone else is no link, so the chain ends there. A chain with more than `LINKS_MAX`
 * links counts for nothing, also if it leads back to itself. The walk is over occurrences; one raw id may have several.
 *
 * Example: SOLD quotes "now 9,900", which quotes the post. SOLD has two posts above it, and the post has two replies below it.
 */
import type { Database } from "../../db/database.ts";
import { rawSql, type Sql, sql } from "../../db/sql.ts";
import { REPLY_LENGTH_MAX, type Reply } from "./reply.ts";

/** How many replies to a message count, the newest first. Dealers write one or two. */
const REPLIES_MAX = 50;

/** How long a chain may be, from a reply up to the first post. Dealers write one or two links. */
const LINKS_MAX = 4;

/** For each row so far, the occurrences that `isWanted` selects. `offset 0` keeps the planner from reading the whole table instead. */
function each(name: "post" | "reply", isWanted: Sql): Sql {
  const row = rawSql(name);
  return sql`cross join lateral (
    select ${row}.id, ${row}.group_id, ${row}.raw_id, ${row}.reply_to_raw_id, ${row}.contact_id, ${row}.canonical_message_id,
           ${row}.is_revoked
      from occurrence as ${row}
     where ${isWanted}
    offset 0) as ${row}`;
}

/**
 * Recursive: `below` has the replies below the posts of these messages. It goes one link further than what counts, because a
 * longer chain stops counting.
 */
function below(messageIds: readonly string[]): Sql {
  const columns = sql`reply.id, reply.group_id, reply.raw_id, reply.reply_to_raw_id, reply.contact_id, reply.canonical_message_id,
                      reply.is_revoked`;
  return sql`
    below as (
      select ${columns}, reply.contact_id = post.contact_id as is_by_sender, 1 as length
        from unnest(${[...messageIds]}::uuid[]) as wanted (id)
        ${each("post", sql`post.canonical_message_id = wanted.id`)}
        ${each("reply", sql`reply.group_id = post.group_id and reply.reply_to_raw_id = post.raw_id`)}
       union
      select ${columns}, reply.contact_id = below.contact_id, below.length + 1
        from below
        ${each("reply", sql`reply.group_id = below.group_id and reply.reply_to_raw_id = below.raw_id`)}
       where below.is_by_sender and not below.is_revoked and below.length <= ${LINKS_MAX}
    )`;
}

/**
 * Recursive: `chain` has the posts above the replies that `start` selects (id, message_id, group_id, reply_to_raw_id), with
 * their distance. All posts above a reply are by one contact, who need not be that of the reply.
 */
function chain(start: Sql): Sql {
  const columns = sql`post.id as post_id, post.group_id, post.reply_to_raw_id, post.contact_id, post.canonical_message_id`;
  return sql`
    link as (
      select start.id as reply_id, start.message_id, ${columns}, 1 as length
        from (${start}) as start
        ${each(
          "post",
          sql`post.group_id = start.group_id and post.raw_id = start.reply_to_raw_id and not post.is_revoked
              and post.canonical_message_id <> start.message_id`,
        )}
       union
      select link.reply_id, link.message_id, ${columns}, link.length + 1
        from link
        ${each(
          "post",
          sql`post.group_id = link.group_id and post.raw_id = link.reply_to_raw_id and not post.is_revoked
              and post.contact_id = link.contact_id and post.canonical_message_id <> link.canonical_message_id`,
        )}
       where link.length <= ${LINKS_MAX}
    ), measured as (
      select link.*, max(length) over (partition by reply_id, message_id, contact_id) as chain_length from link
    ), chain as (
      select reply_id, message_id, contact_id, canonical_message_id, min(length) as length
        from measured
       where chain_length <= ${LINKS_MAX} and canonical_message_id <> message_id
       group by reply_id, message_id, contact_id, canonical_message_id
    )`;
}

/** By message, the replies that its sender wrote and did not revoke, the newest first. */
export async function findReplies(
  tx: Database,
  messageIds: readonly string[],
): Promise<readonly Reply[]> {
  if (messageIds.length === 0) return [];
  const isWanted = sql`reply.sender_id = chain.contact_id and not reply.is_revoked`;
  return selectReplies(tx, messageIds, isWanted);
}

/** All replies to the posts of a message, by any sender, also revoked ones. The newest first. */
export async function listRepliesTo(db: Database, messageId: string): Promise<readonly Reply[]> {
  return selectReplies(db, [messageId], sql`true`);
}

function selectReplies(
  db: Database,
  messageIds: readonly string[],
  isWanted: Sql,
): Promise<readonly Reply[]> {
  const start = sql`select distinct id, canonical_message_id as message_id, group_id, reply_to_raw_id from below`;
  return db.query<Reply>(sql`
    with recursive ${below(messageIds)}, ${chain(start)}, answer as (
      select distinct on (chain.canonical_message_id, reply.replied_at_ms, reply.occurrence_id)
             reply.*, chain.canonical_message_id, chain.contact_id, chain.length,
             reply.sender_id is not distinct from chain.contact_id and chain.contact_id is not null as is_by_sender
        from chain
       cross join lateral (
          select reply.id as occurrence_id, reply.canonical_message_id as reply_message_id, reply.sent_at_ms as replied_at_ms,
                 left(message.text, ${REPLY_LENGTH_MAX + 1}) as text, market_group.default_currency, reply.is_revoked,
                 reply.contact_id as sender_id
            from occurrence as reply
            join canonical_message as message on message.id = reply.canonical_message_id
            left join market_group on market_group.id = reply.group_id
           where reply.id = chain.reply_id and message.text is not null
          offset 0) as reply
       where chain.canonical_message_id = any(${[...messageIds]}::uuid[]) and ${isWanted}
       order by chain.canonical_message_id, reply.replied_at_ms desc, reply.occurrence_id desc, is_by_sender desc, chain.length
    ), newest as (
      select *, row_number() over (partition by canonical_message_id order by replied_at_ms desc, occurrence_id desc) as number
        from answer
    )
    select occurrence_id, canonical_message_id, reply_message_id, replied_at_ms, text, default_currency, is_revoked, is_by_sender,
           array(select left(message.text, ${REPLY_LENGTH_MAX + 1})
                   from chain as nearer
                   join canonical_message as message on message.id = nearer.canonical_message_id
                  where nearer.reply_id = newest.occurrence_id and nearer.contact_id = newest.contact_id
                    and nearer.length < newest.length and message.text is not null
                  order by nearer.length, message.id
                  limit ${LINKS_MAX}) as links
      from newest
     where number <= ${REPLIES_MAX}
     order by replied_at_ms desc, occurrence_id desc`);
}

/** The messages of the replies below the posts of these messages, also of former texts. Each is by the sender of its post. */
export async function findMessagesBelow(
  tx: Database,
  messageIds: readonly string[],
): Promise<readonly string[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx.query<{ id: string }>(sql`
    with recursive ${below(messageIds)}
    select distinct version.canonical_message_id as id
      from below
     cross join lateral (
        select canonical_message_id from message_version where occurrence_id = below.id offset 0) as version
     where below.is_by_sender
     order by 1`);
  return rows.map(({ id }) => id);
}

/**
 * From the posts that replies quote, ids of `reported_message`, to their messages, and those of the posts above them. Posts
 * that are not stored are left out.
 */
export async function findQuotedMessages(
  tx: Database,
  quotedIds: readonly string[],
): Promise<readonly { readonly quoted_id: string; readonly canonical_message_id: string }[]> {
  if (quotedIds.length === 0) return [];
  return tx.query<{ quoted_id: string; canonical_message_id: string }>(sql`
    with recursive above as (
      select reported.id as quoted_id, post.group_id, post.reply_to_raw_id, post.contact_id, post.canonical_message_id, 1 as length
        from reported_message as reported
        ${each("post", sql`post.group_id = reported.group_id and post.raw_id = reported.raw_id`)}
       where reported.id = any(${[...quotedIds]}::uuid[])
       union
      select above.quoted_id, post.group_id, post.reply_to_raw_id, post.contact_id, post.canonical_message_id, above.length + 1
        from above
        ${each(
          "post",
          sql`post.group_id = above.group_id and post.raw_id = above.reply_to_raw_id and post.contact_id = above.contact_id`,
        )}
       where above.length < ${LINKS_MAX}
    )
    select distinct quoted_id, canonical_message_id from above order by 1, 2`);
}

/** A message all of whose posts, also former ones, are replies of a contact to his own posts. */
export interface UpdateMessage {
  readonly reply_message_id: string;
  /** By post, the messages above it. */
  readonly quoted: readonly (readonly string[])[];
}

/** Which of these messages are updates only. A reply that was edited belongs to another message, but its former text was a reply too. */
export async function findUpdateMessages(
  tx: Database,
  messageIds: readonly string[],
): Promise<readonly UpdateMessage[]> {
  if (messageIds.length === 0) return [];
  return tx.query<UpdateMessage>(sql`
    with recursive said as materialized (
      select distinct wanted.id as message_id, reply.id, reply.group_id, reply.reply_to_raw_id, reply.contact_id
        from unnest(${[...messageIds]}::uuid[]) as wanted (id)
        join canonical_message as message on message.id = wanted.id
        join message_version as version on version.canonical_message_id = wanted.id
        join occurrence as reply on reply.id = version.occurrence_id
       -- Most messages are no replies, and a text may have thousands of posts.
       where message.occurrence_count = 0
          or exists (select from occurrence as any_reply
                      where any_reply.canonical_message_id = wanted.id and any_reply.reply_to_raw_id is not null)
    ), ${chain(sql`select id, message_id, group_id, reply_to_raw_id from said`)}, quoted as (
      select reply_id, message_id, contact_id, jsonb_agg(canonical_message_id order by canonical_message_id) as ids
        from chain
       group by reply_id, message_id, contact_id
    )
    select said.message_id as reply_message_id, jsonb_agg(quoted.ids) as quoted
      from said
      left join quoted
        on quoted.reply_id = said.id and quoted.message_id = said.message_id and quoted.contact_id = said.contact_id
     group by said.message_id
    having bool_and(quoted.ids is not null)
     order by said.message_id`);
}
