-- What the matcher reads: the filters of alerts, configurations and views, and a log of their changes without gaps.
create sequence saved_filter_sequence;

create table saved_filter (
  owner_kind text collate "C" not null check (owner_kind ~ '^[a-z_]{1,40}$'),
  owner_id uuid not null,
  -- Filter objects that must all hold: an alert's own and its view's, for instance.
  filters jsonb not null check (jsonb_typeof(filters) = 'array'),
  reads_duplicates boolean not null,
  primary key (owner_kind, owner_id)
);

-- One row for each owner that ever had a filter: the number of its latest change.
create table saved_filter_change (
  owner_kind text collate "C" not null,
  owner_id uuid not null,
  sequence bigint not null unique,
  primary key (owner_kind, owner_id)
);

-- Whoever changes a filter holds the lock until the commit, so numbers become visible in their order: who has read up
-- to a number has missed none below it.
create function log_saved_filter_change() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4170009);
  insert into saved_filter_change (owner_kind, owner_id, sequence)
  select owner_kind, owner_id, nextval('saved_filter_sequence') from changed
  on conflict (owner_kind, owner_id) do update set sequence = excluded.sequence;
  perform pg_notify('assay_changes', 'saved_filter');
  return null;
end
$$;

create trigger saved_filter_inserted after insert on saved_filter
  referencing new table as changed for each statement execute function log_saved_filter_change();
create trigger saved_filter_updated after update on saved_filter
  referencing new table as changed for each statement execute function log_saved_filter_change();
create trigger saved_filter_deleted after delete on saved_filter
  referencing old table as changed for each statement execute function log_saved_filter_change();
