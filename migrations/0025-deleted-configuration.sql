-- A deleted configuration keeps its row, its history and its system alert with the matches, so that its key can revive it.
alter table price_configuration
  add column deleted_at_ms bigint,
  -- A deleted configuration does not keep its profile from being deleted.
  alter column profile_id drop not null,
  drop constraint price_configuration_profile_id_fkey,
  add foreign key (profile_id) references price_profile on delete set null,
  add check (profile_id is not null or deleted_at_ms is not null),
  drop constraint price_configuration_configuration_key_key;

create unique index price_configuration_key on price_configuration (configuration_key) where deleted_at_ms is null;
create index price_configuration_deleted_key on price_configuration (configuration_key, deleted_at_ms desc, id)
  where deleted_at_ms is not null;

-- What the schedule looks for.
drop index price_configuration_due;
create index price_configuration_due on price_configuration (coalesce(last_attempt_at_ms, 0), id)
  where deleted_at_ms is null;
-- The configurations of a changed profile; also what a deleted profile is checked against.
create index price_configuration_profile on price_configuration (profile_id, id);
