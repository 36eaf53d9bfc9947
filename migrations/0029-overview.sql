-- What the API shows of messages, queues, steps and rates: messages newest first, the age of queued work, items by step and hour, rates of the ECB.

-- Messages whose occurrences all moved to other texts are not listed.
create index canonical_message_newest on canonical_message (last_seen_at_ms desc, id) where occurrence_count > 0;
drop index canonical_message_contact;
create index canonical_message_contact on canonical_message (contact_id, last_seen_at_ms desc, id);

-- When the oldest work was queued. Null for a row that was set aside before this migration and queued again.
alter table message_queue add column queued_at_ms bigint default (extract(epoch from clock_timestamp()) * 1000);
alter table match_queue add column queued_at_ms bigint default (extract(epoch from clock_timestamp()) * 1000);
alter table identity_queue add column queued_at_ms bigint default (extract(epoch from clock_timestamp()) * 1000);

create table step_count (
  step text collate "C" not null,
  hour_start_ms bigint not null check (hour_start_ms % 3600000 = 0),
  item_count bigint not null check (item_count > 0),
  primary key (step, hour_start_ms)
);

create index quarantined_event_newest on quarantined_event (quarantined_at_ms desc, raw_event_id desc);
create index set_aside_item_newest on set_aside_item (set_aside_at_ms desc, id desc);

-- Between what is derived and what the operator declares.
alter type fx_rate_kind add value 'ecb' before 'declared';

create index fx_rate_newest on fx_rate (day desc, currency, kind);

-- One row: how the fetches of the ECB's rates went.
create table rate_fetch (
  is_only boolean primary key default true check (is_only),
  -- The latest fetch that was saved.
  fetched_at_ms bigint,
  -- The latest day of its rates.
  latest_day date,
  failed_count integer not null default 0 check (failed_count >= 0),
  failing_since_ms bigint,
  last_error text,
  next_at_ms bigint not null default 0
);
