-- Remembers what events were that gave no message, so that no kind of event goes uncounted.
create table ignored_event (
  raw_event_id bigint not null,
  kind text collate "C" not null,
  primary key (raw_event_id, kind)
);
