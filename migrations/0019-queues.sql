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
