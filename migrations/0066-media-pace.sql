-- What people ask for makes the gateway download from WhatsApp, so that has a pace over all processes.

alter table media add column is_asked boolean not null default false;
create index media_queued_by_asked on media (is_asked, queued_at_ms desc) where due_at_ms is not null;

-- When such pictures were last fetched: as many times as a minute allows.
create table media_pace (
  is_only boolean primary key default true check (is_only),
  asked_at_ms bigint[] not null
);
