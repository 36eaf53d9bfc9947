-- From raw events to canonical messages: what came in, and what is made of it, all of it rebuilt by a replay.

-- A body exactly as it came, before anything is made of it. Only the body of a private chat is emptied.
create table raw_event (
  id bigint generated always as identity primary key,
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  gateway text not null check (gateway in ('waha', 'chat')),
  origin text not null check (origin in ('webhook', 'pull', 'import')),
  body bytea,
  received_at_ms bigint not null
);

create index raw_event_received on raw_event (received_at_ms, id);

-- What is still to be processed. A row is locked while it is worked on and deleted with the work's commit. No foreign
-- key: one statement writes both rows, raw events are never deleted, and the check was a fifth of that statement's time.
create table raw_event_queue (
  raw_event_id bigint primary key,
  -- Whether what is made of it may fire alerts: if its message is news by then, never, or whatever its age.
  alerting text not null check (alerting in ('window', 'never', 'always'))
);

create trigger raw_event_queue_changed
  after insert on raw_event_queue for each statement execute function announce_change('raw_event_queue');

create table quarantined_event (
  raw_event_id bigint primary key references raw_event,
  reason text not null,
  quarantined_at_ms bigint not null
);

-- What is declared wins over what the gateway says; the newest word of the gateway wins over its older ones.
create table messaging_session (
  id uuid primary key,
  gateway_name text collate "C" not null unique,
  engine text collate "C",
  engine_at_ms bigint,
  phone_number text collate "C" check (phone_number ~ '^[0-9]+$'),
  label text collate "C",
  account_at_ms bigint,
  status text collate "C",
  is_restricted boolean not null default false,
  last_status_at_ms bigint,
  last_message_at_ms bigint,
  declared_role text check (declared_role in ('receiving', 'sending')),
  declared_engine text,
  declared_label text,
  declared_phone_number text check (declared_phone_number ~ '^[0-9]+$'),
  declared_connecting_user_id text,
  declared_stale_after_ms bigint check (declared_stale_after_ms > 0)
);

create trigger messaging_session_changed
  after insert or update of status on messaging_session
  for each statement execute function announce_change('messaging_session');

create table market_group (
  id uuid primary key,
  gateway_group_id text collate "C" not null unique,
  gateway_name text collate "C",
  named_at_ms bigint,
  declared_name text collate "C",
  default_currency text,
  is_ignored boolean not null default false,
  name text collate "C" generated always as (coalesce(gateway_name, declared_name)) stored
);

-- A person or firm: the connected component of the identifiers that were seen together.
create table contact (
  id uuid primary key,
  key text collate "C" not null unique,
  phone_number text check (phone_number ~ '^[0-9]+$'),
  display_name text,
  is_own boolean not null default false
);

-- `phone:…`, `lid:…`, or the name of an exported chat's sender.
create table contact_identifier (
  identifier text collate "C" primary key,
  contact_id uuid not null,
  first_seen_at_ms bigint not null,
  name text,
  -- The UTC day of the name, so that a name that stays costs one write a day.
  named_on_ms bigint,
  is_own boolean not null default false
);

create index contact_identifier_contact on contact_identifier (contact_id);

create table contact_pair (
  left_identifier text collate "C" not null,
  right_identifier text collate "C" not null,
  primary key (left_identifier, right_identifier),
  check (left_identifier < right_identifier)
);

create index contact_pair_right on contact_pair (right_identifier);

-- What was learnt about identifiers and is still to be worked into contacts, by one process at a time.
create table identity_queue (
  id bigint generated always as identity primary key,
  identifiers text[] not null,
  at_ms bigint not null,
  name text,
  is_own boolean not null
);

-- Ids that were handed out before contacts merged lead to what they became.
create table contact_alias (
  old_id uuid primary key,
  contact_id uuid not null
);

create index contact_alias_contact on contact_alias (contact_id);

create table message_alias (
  old_id uuid primary key,
  canonical_message_id uuid not null
);

create index message_alias_message on message_alias (canonical_message_id);

-- One message in one group. Every column joins what several events say in a way that does not depend on their order.
create table occurrence (
  id uuid primary key,
  group_id uuid not null,
  raw_id text collate "C" not null,
  -- Absent until the message itself came: an edit or a revocation may come first, and waits.
  sent_at_ms bigint,
  sender_ids text[] not null,
  contact_id uuid,
  is_own boolean not null,
  has_media boolean not null,
  is_revoked boolean not null,
  is_edited boolean not null,
  session_ids uuid[] not null,
  canonical_message_id uuid,
  unique (group_id, raw_id)
);

create index occurrence_message on occurrence (canonical_message_id, group_id, sent_at_ms, raw_id);
create index occurrence_contact on occurrence (contact_id);

-- Every text that an occurrence ever had. version_at_ms is 0 for what was not an edit.
create table message_version (
  occurrence_id uuid not null,
  version_at_ms bigint not null,
  text_sha256 bytea not null,
  text text collate "C" not null,
  -- SHA-256 of the text's identity; absent when nothing of the text counts.
  identity_sha256 bytea,
  canonical_message_id uuid,
  primary key (occurrence_id, version_at_ms, text_sha256)
);

create index message_version_message on message_version (canonical_message_id);

-- Times, counts and groups are those of the occurrences that were not revoked, or of all if all were. Without any
-- occurrence, because edits took them all, the count is 0 and the rest is as of the versions that it had.
create table canonical_message (
  id uuid primary key,
  contact_id uuid not null,
  -- Where its text and the inputs of extraction come from: its earliest occurrence.
  source_occurrence_id uuid,
  text text,
  first_seen_at_ms bigint,
  last_seen_at_ms bigint,
  occurrence_count integer not null default 0,
  group_ids uuid[] not null default '{}',
  is_own boolean not null default false,
  has_media boolean not null default false,
  is_revoked boolean not null default false
);

create index canonical_message_contact on canonical_message (contact_id);

-- Recomputed per touched row, never incremented, so that any order and any repeat give the same counts. No foreign key:
-- the message is locked whenever a row is written, and the check of each row took a tenth of the step's time.
create table occurrence_rollup (
  canonical_message_id uuid not null,
  day_start_ms bigint not null check (day_start_ms % 86400000 = 0),
  group_id uuid not null,
  occurrence_count integer not null check (occurrence_count > 0),
  edited_count integer not null,
  revoked_count integer not null,
  media_count integer not null,
  first_seen_at_ms bigint not null,
  last_seen_at_ms bigint not null check (last_seen_at_ms >= first_seen_at_ms),
  session_ids uuid[] not null,
  -- Of what was not revoked; absent when all of it was.
  live_first_seen_at_ms bigint,
  live_last_seen_at_ms bigint,
  own_count integer not null,
  primary key (canonical_message_id, day_start_ms, group_id)
);

-- Messages of which something changed and whose listings are still to be worked out; also those that are no more.
create table message_queue (
  canonical_message_id uuid primary key,
  -- How much of the alert window was left when it came; absent: it fires nothing.
  alert_ms bigint check (alert_ms >= 0),
  -- A group of it has another name, which filters read and listings do not hold.
  has_new_names boolean not null default false
);

-- Groups that have another name or default currency, and whose messages are still to be queued.
create table group_queue (
  group_id uuid primary key,
  -- How far that has come, by the raw ids of its occurrences.
  after_raw_id text collate "C" not null default ''
);
