import type { Database } from "../../db/database.ts";
import { type Sql, sql } from "../../db/sql.ts";
import { REPLY_LENGTH_MAX, type Reply } from "./reply.ts";

/** How many replies to a message count, the newest first. Dealers write one or two. */
const REPLIES_MAX = 50;

/** True if `reply` answers `post`, which is a post of the same contact and stands in the group. */
const IS_ANSWER = sql`
  post.group_id = reply.group_id and post.raw_id = reply.reply_to_raw_id and not post.is_revoked
  and post.canonical_message_id <> reply.canonical_message_id and ${isNoUpdate()}`;

/** True if `post` does not itself reply to a post of its contact: then it updates that one. */
function isNoUpdate(): Sql {
  return sql`
    (post.reply_to_raw_id is null or not exists (
       select from occurrence as root
        where root.group_id = post.group_id and root.raw_id = post.reply_to_raw_id and not root.is_revoked
          and root.contact_id = post.contact_id and root.canonical_message_id <> post.canonical_message_id))`;
}

/** By message, the replies that its sender wrote and did not revoke, the newest first. */
export async function findReplies(
  tx: Database,
  messageIds: readonly string[],
): Promise<readonly Reply[]> {
  if (messageIds.length === 0) return [];
  const isWanted = sql`reply.contact_id = post.contact_id and not reply.is_revoked`;
  return selectReplies(tx, messageIds, isWanted);
}

/** All replies to the posts of a message, whoever wrote them, also revoked ones. The newest first. */
export async function listRepliesTo(db: Database, messageId: string): Promise<readonly Reply[]> {
  return selectReplies(db, [messageId], sql`true`);
}

function selectReplies(
  db: Database,
  messageIds: readonly string[],
  isWanted: Sql,
): Promise<readonly Reply[]> {
  return db.query<Reply>(sql`
    select answer.*
      from unnest(${[...messageIds]}::uuid[]) as wanted (id)
     cross join lateral (
        select reply.id as occurrence_id, post.canonical_message_id, reply.canonical_message_id as reply_message_id,
               reply.sent_at_ms as replied_at_ms, left(message.text, ${REPLY_LENGTH_MAX + 1}) as text,
               market_group.default_currency, reply.is_revoked,
               reply.contact_id is not distinct from post.contact_id and post.contact_id is not null as is_by_sender
          from occurrence as post
          join occurrence as reply on ${IS_ANSWER}
          join canonical_message as message on message.id = reply.canonical_message_id
          left join market_group on market_group.id = reply.group_id
         where post.canonical_message_id = wanted.id and message.text is not null and ${isWanted}
         order by reply.sent_at_ms desc, reply.id desc
         limit ${REPLIES_MAX}
      ) as answer
     order by answer.replied_at_ms desc, answer.occurrence_id desc`);
}

/** From the posts that replies quote, ids of `reported_message`, to their messages. Posts that are not stored are left out. */
export async function findQuotedMessages(
  tx: Database,
  quotedIds: readonly string[],
): Promise<readonly { readonly quoted_id: string; readonly canonical_message_id: string }[]> {
  if (quotedIds.length === 0) return [];
  return tx.query<{ quoted_id: string; canonical_message_id: string }>(sql`
    select distinct reported.id as quoted_id, occurrence.canonical_message_id
      from reported_message as reported
      join occurrence on occurrence.group_id = reported.group_id and occurrence.raw_id = reported.raw_id
     where reported.id = any(${[...quotedIds]}::uuid[])
     order by 1, 2`);
}

/** A message all of whose posts, also former ones, are replies of a contact to his own posts. */
export interface UpdateMessage {
  readonly reply_message_id: string;
  /** By post, the messages that it quotes. */
  readonly quoted: readonly (readonly string[])[];
}

/** Which of these messages are updates only. */
export async function findUpdateMessages(
  tx: Database,
  messageIds: readonly string[],
): Promise<readonly UpdateMessage[]> {
  if (messageIds.length === 0) return [];
  return tx.query<UpdateMessage>(sql`
    select said.reply_message_id, jsonb_agg(said.quoted) as quoted
      from (select distinct wanted.id as reply_message_id, reply.id,
                   (select jsonb_agg(distinct post.canonical_message_id)
                      from occurrence as post
                     where ${isOfWanted()}) as quoted
              from unnest(${[...messageIds]}::uuid[]) as wanted (id)
              join canonical_message as message on message.id = wanted.id
              join message_version as version on version.canonical_message_id = wanted.id
              join occurrence as reply on reply.id = version.occurrence_id
             -- Most messages are no replies, and a text may have thousands of posts.
             where message.occurrence_count = 0
                or exists (select from occurrence as any_reply
                            where any_reply.canonical_message_id = wanted.id and any_reply.reply_to_raw_id is not null)
           ) as said
     group by said.reply_message_id
    having bool_and(said.quoted is not null)
     order by said.reply_message_id`);
}

/** A reply that was edited belongs to another message now, but its former text was a reply too. */
function isOfWanted(): Sql {
  return sql`
    post.group_id = reply.group_id and post.raw_id = reply.reply_to_raw_id and not post.is_revoked
    and post.contact_id = reply.contact_id and post.canonical_message_id <> wanted.id and ${isNoUpdate()}`;
}
