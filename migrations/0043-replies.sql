-- A dealer's reply to his own post says that the watch is sold, or asks another price.

alter table occurrence add column reply_to_raw_id text collate "C";

-- The replies to a post, and the replies with a text.
create index occurrence_reply on occurrence (group_id, reply_to_raw_id) where reply_to_raw_id is not null;
create index occurrence_reply_message on occurrence (canonical_message_id) where reply_to_raw_id is not null;

-- Which raw ids the changed replies of a queued message quote: ids of `reported_message`, which may not be stored yet.
alter table message_queue add column quoted_ids uuid[] not null default '{}';

-- What was asked at which time, if a reply gave the ask: the ask of the text first, then those of replies.
alter table listing add column asks jsonb check (jsonb_typeof(asks) = 'array');

-- Stored events tell which messages are replies.
insert into replay_request (reason)
select 'replies are read' where exists (select from raw_event)
on conflict do nothing;
