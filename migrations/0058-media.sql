-- Pictures of messages: what is known about each, and the pictures themselves in a table of their own.

-- A picture that a message has, whether it was fetched or not. Nothing that fires or prices reads these tables.
create table media (
  id uuid primary key,
  group_id uuid not null,
  raw_id text collate "C" not null,
  second bigint not null,
  sent_at_ms bigint not null,
  -- As far as events name them, so that an erasure finds the picture even while a replay is under way.
  sender_ids text[] not null default '{}',
  -- The event that has its address at the gateway, the latest one that has it, and its thumbnail.
  raw_event_id bigint not null,
  has_path boolean not null,
  album_raw_id text collate "C",
  -- The post with which it is shown: its own, the one with the text of the album, or one beside it. Null until it is wanted.
  shown_raw_id text collate "C",
  shown_second bigint,
  is_beside boolean not null default false,
  -- When that is looked for again, because another text may have come.
  place_due_at_ms bigint,
  state text collate "C" not null check (state in ('noted', 'queued', 'stored', 'gone')),
  -- Why it is gone, or why there is only a thumbnail.
  reason text collate "C",
  is_thumbnail_only boolean not null default false,
  file_sha256 bytea check (octet_length(file_sha256) = 32),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  queued_at_ms bigint,
  due_at_ms bigint,
  check ((state = 'queued') = (due_at_ms is not null) and (due_at_ms is null) = (queued_at_ms is null)),
  check (state <> 'stored' or file_sha256 is not null),
  check ((shown_raw_id is null) = (shown_second is null))
);
create index media_shown on media (group_id, shown_raw_id) where shown_raw_id is not null;
create index media_raw_id on media (group_id, raw_id);
create index media_album on media (group_id, album_raw_id) where album_raw_id is not null;
create index media_queued on media (queued_at_ms desc) where due_at_ms is not null;
create index media_elsewhere on media (group_id, sent_at_ms) where shown_raw_id <> raw_id;
create index media_place_due on media (place_due_at_ms, id) where place_due_at_ms is not null;
create index media_by_file on media (file_sha256) where file_sha256 is not null;
create index media_by_time on media (sent_at_ms);
create index media_by_sender on media using gin (sender_ids);
create trigger media_queued after insert on media for each statement execute function announce_change('media');

-- A picture made small, by the hash of the file as it came: the same file in ten groups is stored once.
create table media_file (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  picture bytea not null,
  thumb bytea not null,
  byte_count integer not null check (byte_count > 0),
  -- What it looks like; null for thumbnails. `bands` are its four quarters, each with its place.
  look bit(64),
  bands integer[],
  stored_at_ms bigint not null,
  check ((look is null) = (bands is null))
);
-- WebP does not get smaller.
alter table media_file alter column picture set storage external, alter column thumb set storage external;
create index media_file_bands on media_file using gin (bands);
create index media_file_oldest on media_file (stored_at_ms, sha256) include (byte_count);

-- Files that look the same, each pair once.
create table media_twin (
  sha256 bytea not null references media_file (sha256) on delete cascade,
  other_sha256 bytea not null references media_file (sha256) on delete cascade,
  primary key (sha256, other_sha256),
  check (sha256 < other_sha256)
);
create index media_twin_other on media_twin (other_sha256);

-- Files that could not be made small. They are not tried again.
create table refused_media (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  reason text collate "C" not null,
  refused_at_ms bigint not null
);
