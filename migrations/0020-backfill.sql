-- Missed messages are asked for until they are fetched: how far each chat is complete must outlive a restart.

-- The chat is a group, or `all` where the gateway lists all chats at once. No foreign key: a replay empties sessions, but not this.
create table message_backfill (
  session_name text collate "C" not null,
  chat text collate "C" not null,
  -- Every message up to this time is stored. Moves only after a fetch that reached its last page.
  complete_to_ms bigint,
  -- When that fetch began.
  fetched_at_ms bigint,
  failed_count integer not null default 0 check (failed_count >= 0),
  failing_since_ms bigint,
  retry_at_ms bigint,
  last_error text,
  primary key (session_name, chat)
);

-- A time in the future may be wrong, and would hide what is missing.
insert into message_backfill (session_name, chat, complete_to_ms)
select gateway_name, 'all', least(last_message_at_ms, (extract(epoch from now()) * 1000)::bigint)
  from messaging_session
 where coalesce(declared_engine, engine) in ('GOWS', 'NOWEB') and last_message_at_ms is not null;

-- The newest time at which the session was not WORKING: a short interruption lies between two questions to the gateway.
alter table messaging_session add column last_down_at_ms bigint;

-- Events that were refused, by reason: `doctor` runs in another process than the one that refused them.
create table refused_event (
  reason text collate "C" primary key,
  refused_count bigint not null check (refused_count > 0),
  first_at_ms bigint not null,
  last_at_ms bigint not null
);
