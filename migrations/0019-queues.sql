-- An item that fails on its own leaves its queue, with the reason, so that the others go on. It is tried again later.
create table set_aside_item (
  id bigint generated always as identity primary key,
  step text collate "C" not null,
  -- Of the item in its queue.
  key text collate "C" not null,
  -- The row of the queue, to put it back.
  queue_row jsonb not null,
  reason text not null,
  attempt_count integer not null check (attempt_count > 0),
  set_aside_at_ms bigint not null,
  next_attempt_at_ms bigint not null,
  unique (step, key)
);
create index set_aside_item_due on set_aside_item (next_attempt_at_ms, id);

-- Fresh work goes first: what the gateway sends now, before imports, replays and re-extractions. A transaction that works
-- on fresh items says so with a setting of its own, and then everything that it queues is fresh too.
create function is_fresh_work() returns boolean language sql stable as $$
  select coalesce(current_setting('assay.is_fresh', true), '') = 'on'
$$;
-- Numbers the rows of the queues, so that the oldest goes first and a command can wait for what it queued.
create sequence queue_number;

alter table raw_event_queue add column is_fresh boolean not null default false;
create index raw_event_queue_fresh on raw_event_queue (raw_event_id) where is_fresh;

alter table message_queue
  add column is_fresh boolean not null default is_fresh_work(),
  add column number bigint not null default nextval('queue_number');
create index message_queue_number on message_queue (number);
create index message_queue_fresh on message_queue (number) where is_fresh;

alter table match_queue
  add column is_fresh boolean not null default is_fresh_work(),
  add column number bigint not null default nextval('queue_number');
create index match_queue_number on match_queue (number);
create index match_queue_fresh on match_queue (number) where is_fresh;

alter table refresh_queue
  add column is_fresh boolean not null default is_fresh_work(),
  add column number bigint not null default nextval('queue_number');
create index refresh_queue_fresh on refresh_queue (queued_at_ms, configuration_id) where is_fresh;

alter table webhook_delivery add column is_fresh boolean not null default is_fresh_work();
create index webhook_delivery_fresh on webhook_delivery (target_id, next_attempt_at_ms, id)
  where status = 'pending' and is_fresh;

create or replace function queue_moved_messages() returns trigger language plpgsql as $$
begin
  insert into match_queue as queued (resource, resource_id)
  select 'message', old_id from moved order by old_id
  on conflict (resource, resource_id) do update
     set alert_ms = queued.alert_ms, is_fresh = queued.is_fresh or excluded.is_fresh;
  return null;
end
$$;
