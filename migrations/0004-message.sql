-- Sessions of the gateway, groups, canonical messages, and how often each message occurred per day and group.
create table messaging_session (
  id uuid primary key,
  gateway_name text collate "C" not null unique,
  role text not null check (role in ('receiving', 'sending')),
  engine text,
  status text,
  is_restricted boolean not null default false,
  label text,
  phone_number text check (phone_number ~ '^[0-9]+$'),
  connecting_user_id text,
  stale_after_ms bigint not null default 1800000 check (stale_after_ms > 0),
  last_status_at_ms bigint,
  last_message_at_ms bigint
);

create table market_group (
  id uuid primary key,
  gateway_group_id text collate "C" not null unique,
  name text collate "C"
);

create table canonical_message (
  id uuid primary key
);

-- Recomputed per touched row, never incremented, so that any order and any repeat give the same counts.
create table occurrence_rollup (
  canonical_message_id uuid not null references canonical_message,
  day_start_ms bigint not null check (day_start_ms % 86400000 = 0),
  group_id uuid not null references market_group,
  occurrence_count integer not null check (occurrence_count > 0),
  edited_count integer not null,
  revoked_count integer not null,
  media_count integer not null,
  first_seen_at_ms bigint not null,
  last_seen_at_ms bigint not null check (last_seen_at_ms >= first_seen_at_ms),
  session_ids uuid[] not null,
  primary key (canonical_message_id, day_start_ms, group_id)
);
