-- A replay is under way: no cells are calculated of a market that is only half there again.
create table market_rebuild (
  is_only boolean primary key default true check (is_only),
  -- The events up to this one are read again.
  last_raw_event_id bigint not null,
  -- When the last of them had been read; what they queued may still wait.
  read_at_ms bigint
);
