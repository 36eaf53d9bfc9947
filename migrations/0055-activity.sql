-- Who changed what: one row for each object that a person, a program or a command wrote.

create table activity (
  id uuid primary key default gen_random_uuid(),
  -- Orders rows of the same millisecond.
  sequence bigint not null generated always as identity unique,
  at_ms bigint not null,
  -- Null for commands. No foreign key: the log outlives a store that is restored without its tokens.
  actor_token_id uuid,
  actor_name text collate "C" not null check (length(actor_name) between 1 and 100),
  action text collate "C" not null,
  object_kind text collate "C" not null,
  object_id uuid not null,
  object_name text,
  -- json and not jsonb: its text is the one whose length is bounded.
  changes json not null check (octet_length(changes::text) <= 8192),
  -- The person whose data the row is about. It is erased with that contact.
  contact_id uuid,
  request_id text
);

create index activity_by_time on activity (at_ms, sequence);
create index activity_by_object on activity (object_id, at_ms, sequence);
create index activity_by_kind on activity (object_kind, at_ms, sequence);
create index activity_by_actor on activity (actor_name, at_ms, sequence);
create index activity_by_token on activity (actor_token_id, at_ms, sequence) where actor_token_id is not null;
create index activity_by_contact on activity (contact_id) where contact_id is not null;
