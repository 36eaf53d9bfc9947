-- Occurrences are derived from all reports of a raw id, so that two dealers who use one id have two. A replay fills this.

-- All that is reported about one raw id in one group. Its row is locked while its occurrences are derived.
create table reported_message (
  id uuid primary key,
  group_id uuid not null,
  raw_id text collate "C" not null,
  -- The earliest receipt of one of its messages; null while there are only edits and revocations.
  first_received_at_ms bigint,
  reports jsonb not null check (jsonb_typeof(reports) = 'array'),
  -- Authors of edits and revocations; null if there are none.
  author_ids text[]
);

create index reported_message_author on reported_message using gin (author_ids) where author_ids is not null;

-- Members who were ever seen as an admin of the group.
create table group_admin (
  group_id uuid not null,
  identifier text collate "C" not null,
  primary key (group_id, identifier)
);

-- A listed pair was stated outside of a message and is never withdrawn.
alter table contact_pair add column is_listed boolean not null default false;

-- Where the identifiers were seen: with a message, in a list of the gateway; or a pair that a message no longer supports.
alter table identity_queue
  add column evidence text not null default 'message' check (evidence in ('message', 'list', 'doubt')),
  -- An identifier is new, or became an admin: edits and revocations by it may count now.
  add column is_new boolean not null default false;

-- An edit that waits for its message is a report now, not an occurrence.
delete from occurrence where sent_at_ms is null or canonical_message_id is null;
alter table occurrence
  -- The second in which it was sent, as the gateway says; a part of its key. A replay fills it.
  add column second bigint not null default 0,
  alter column sent_at_ms set not null,
  alter column canonical_message_id set not null,
  drop constraint occurrence_group_id_raw_id_key;
create index occurrence_raw_id on occurrence (group_id, raw_id);

-- Null if no session named the sender.
alter table canonical_message alter column contact_id drop not null;

-- Where a match belongs while a replay rebuilds the listings: the message it came from, its text and its place.
create table match_anchor (
  resource text not null check (resource in ('watch_listing', 'message')),
  resource_id uuid not null,
  group_id uuid not null,
  raw_id text collate "C" not null,
  identity_sha256 bytea,
  sender_ids text[] not null,
  line integer,
  ordinal integer,
  primary key (resource, resource_id)
);

-- A replay that the next worker starts. There is at most one.
create table replay_request (
  is_only boolean primary key default true check (is_only),
  reason text not null
);

insert into replay_request (reason)
select 'messages and senders have new identities' where exists (select from raw_event);
