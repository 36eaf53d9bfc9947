-- Alerts, replays and erasures end the same on a busy service, whatever comes first and while more comes.

-- A message that may still fire alerts, until when, and when it arrived. Like `fresh_listing`, for alerts on messages.
create table fresh_message (
  canonical_message_id uuid primary key,
  until_ms bigint not null,
  came_sequence bigint not null default nextval('arrival_sequence')
);
create index fresh_message_until on fresh_message (until_ms);

-- A rebuild follows the replayed events from queue to queue: how many queues they have left behind, and up to which number of the
-- next one they are. It does not wait for what arrives later.
alter table market_rebuild rename column last_raw_event_id to up_to_number;
alter table market_rebuild add column passed_count integer not null default 0 check (passed_count >= 0);
alter table market_rebuild drop column waiting_count;
alter table market_rebuild drop column shrunk_at_ms;
alter table market_rebuild drop column looked_at_ms;

-- A name of an erased person is searched in exported chats only, because no other event knows senders by name.
alter table erasure_scan drop column is_only;
alter table erasure_scan add column scope text collate "C" not null default 'all' check (scope in ('all', 'chat'));
alter table erasure_scan alter column scope drop default;
alter table erasure_scan add primary key (scope);
create index raw_event_chat on raw_event (id) where gateway = 'chat';
