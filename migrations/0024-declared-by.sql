-- Who manages each declared object, who wrote it and which body created it, so that the API can write beside the manifest.
alter table market_view
  add column managed_by text collate "C" not null default 'manifest' check (managed_by in ('manifest', 'api')),
  add column created_by text,
  add column updated_by text,
  -- Of the request body that created the object: a repeated request has the same.
  add column created_hash text collate "C",
  add column sort text collate "C",
  add column columns text[];

alter table price_profile
  add column managed_by text collate "C" not null default 'manifest' check (managed_by in ('manifest', 'api')),
  add column created_by text,
  add column updated_by text,
  add column created_hash text collate "C";

alter table price_configuration
  add column managed_by text collate "C" not null default 'manifest' check (managed_by in ('manifest', 'api')),
  add column created_by text,
  add column updated_by text,
  add column created_hash text collate "C",
  -- Listings that arrived before this number are no buys of the configuration as it is now.
  add column since_sequence bigint not null default 0;
alter table price_configuration alter column since_sequence set default nextval('arrival_sequence');

alter table webhook_target
  add column managed_by text collate "C" not null default 'manifest' check (managed_by in ('manifest', 'api')),
  add column created_by text,
  add column updated_by text,
  add column created_hash text collate "C";

alter table group_preset
  add column managed_by text collate "C" not null default 'manifest' check (managed_by in ('manifest', 'api')),
  add column created_by text,
  add column updated_by text,
  add column created_hash text collate "C";

-- Null: the group is known from the gateway only.
alter table market_group
  add column managed_by text collate "C" check (managed_by in ('manifest', 'api')),
  add column updated_by text;
update market_group set managed_by = 'manifest'
 where num_nonnulls(declared_name, default_currency) > 0 or is_ignored;

alter table alert
  add constraint alert_managed_by_check check (managed_by in ('manifest', 'api', 'price_engine')),
  add column created_hash text collate "C",
  -- Matches that are made before this time are recorded and never sent.
  add column muted_until_ms bigint;
create index alert_by_name on alert (name) where not is_system;
create index alert_by_view on alert (view_id) where view_id is not null;

-- True: the alert was muted when it matched.
alter table alert_match add column is_muted boolean not null default false;

-- Configurations whose members must be selected again. Their cells are not calculated until that is done.
create table member_queue (
  configuration_id uuid primary key references price_configuration on delete cascade,
  number bigint not null default nextval('queue_number')
);
