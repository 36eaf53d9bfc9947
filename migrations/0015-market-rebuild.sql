-- A replay is under way: no cells are calculated of a market that is only half there again.
create table market_rebuild (
  is_only boolean primary key default true check (is_only),
  -- The events up to this one are read again.
  last_raw_event_id bigint not null,
  -- Once they are: how much waited in the other queues at the least, when that was first so, and when it was looked at last.
  waiting_count bigint,
  shrunk_at_ms bigint,
  looked_at_ms bigint
);
