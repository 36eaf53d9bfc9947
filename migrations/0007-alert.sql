-- Alerts and what they matched: one match per alert and resource, for ever.
create table alert (
  id uuid primary key,
  name text not null,
  is_enabled boolean not null,
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  strategy text not null check (strategy in ('market_filter', 'price_engine')),
  is_system boolean not null,
  view_id uuid,
  configuration_id uuid references price_configuration on delete cascade,
  managed_by text,
  created_by text,
  updated_by text,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  -- The system alert of a configuration is the one that it was made with.
  unique (configuration_id),
  check (is_system = (configuration_id is not null))
);

create index alert_newest on alert (created_at_ms desc, id);

create table alert_match (
  alert_id uuid not null references alert on delete cascade,
  resource text not null check (resource in ('watch_listing', 'message')),
  resource_id uuid not null,
  listing_id uuid,
  canonical_message_id uuid not null,
  matched_at_ms bigint not null,
  seen_at_ms bigint,
  match_context jsonb not null check (jsonb_typeof(match_context) = 'object'),
  primary key (alert_id, resource, resource_id),
  check ((resource = 'watch_listing') = (listing_id is not null))
);

create index alert_match_newest on alert_match (alert_id, matched_at_ms desc, resource_id);
create index alert_match_unseen on alert_match (alert_id, matched_at_ms desc, resource_id)
  where seen_at_ms is null;
