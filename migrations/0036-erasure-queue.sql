-- An erasure can be cut off and goes on: what is left to erase, and which raw events were searched.

-- What is to be erased, as it is. A row is deleted when nothing of it is left outside of raw events.
create table erasure_queue (
  subject text collate "C" primary key,
  number bigint not null default nextval('queue_number')
);

-- How far the stored raw events were searched for what was erased.
create table erasure_scan (
  is_only boolean primary key default true check (is_only),
  after_raw_event_id bigint not null,
  last_raw_event_id bigint not null
);
