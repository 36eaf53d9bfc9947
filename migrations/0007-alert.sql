-- Alerts and what they matched: one match per alert and resource, for ever.

-- The configurations that the filters of an alert name, in lower case as PostgreSQL writes ids; empty: any.
create function configuration_ids_of(filters jsonb) returns text[]
language sql immutable parallel safe
return array(
  select lower(id)
    from jsonb_array_elements_text(
           case jsonb_typeof(filters -> 'configuration_ids')
             when 'array' then filters -> 'configuration_ids' else '[]' end) as id
);

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
  configuration_ids text[] generated always as (configuration_ids_of(filters)) stored,
  -- Of its latest change: an alert on buys says nothing of what came before.
  since_sequence bigint not null default nextval('news_sequence'),
  -- The system alert of a configuration is the one that it was made with.
  unique (configuration_id),
  check (is_system = (configuration_id is not null))
);

create function renew_alert() returns trigger
language plpgsql as $$
begin
  if (new.filters, new.is_enabled, new.strategy, new.view_id)
     is distinct from (old.filters, old.is_enabled, old.strategy, old.view_id) then
    new.since_sequence := nextval('news_sequence');
  end if;
  return new;
end
$$;

create trigger alert_renewed before update on alert for each row execute function renew_alert();

create index alert_newest on alert (created_at_ms desc, id);

-- The users' price_engine alerts: those that name configurations, and those for all of them.
create index alert_of_configurations on alert using gin (configuration_ids)
  where strategy = 'price_engine' and is_enabled and not is_system;
create index alert_of_any_configuration on alert (id)
  where strategy = 'price_engine' and is_enabled and not is_system and configuration_ids = '{}';

-- A feed number: see match_writers_take_turns.
create sequence alert_match_sequence;

create table alert_match (
  alert_id uuid not null references alert on delete cascade,
  resource text not null check (resource in ('watch_listing', 'message')),
  resource_id uuid not null,
  listing_id uuid,
  canonical_message_id uuid not null,
  matched_at_ms bigint not null,
  seen_at_ms bigint,
  match_context jsonb not null check (jsonb_typeof(match_context) = 'object'),
  -- Whether it may leave the house: not when it follows from a profile in shadow.
  is_outward boolean not null default true,
  sequence bigint not null default nextval('alert_match_sequence'),
  primary key (alert_id, resource, resource_id),
  check ((resource = 'watch_listing') = (listing_id is not null))
);

-- With all that finds a row, so that an offset is skipped in the index alone.
create index alert_match_newest on alert_match (alert_id, matched_at_ms desc, resource_id) include (resource);
create index alert_match_unseen on alert_match (alert_id, matched_at_ms desc, resource_id) include (resource)
  where seen_at_ms is null;
create index alert_match_unseen_of_all on alert_match (matched_at_ms, alert_id, resource_id) include (resource)
  where seen_at_ms is null;
create index alert_match_resource on alert_match (resource_id);
create unique index alert_match_by_sequence on alert_match (sequence);

-- Whoever writes matches holds the lock until the commit. So the numbers become visible in their order, and who has read
-- up to a number has missed none below it; and nobody waits in a circle for the counters below.
create function take_match_turn() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4170007);
  return null;
end
$$;

create trigger match_writers_take_turns
  before insert or update or delete on alert_match for each statement execute function take_match_turn();

-- How many matches an alert has, so that nobody counts them: kept by triggers, whoever writes.
create table alert_match_count (
  alert_id uuid primary key references alert on delete cascade,
  total bigint not null default 0 check (total >= 0),
  unseen bigint not null default 0 check (unseen between 0 and total)
) with (fillfactor = 50);

create function begin_match_count() returns trigger
language plpgsql as $$
begin
  insert into alert_match_count (alert_id) select id from added;
  return null;
end
$$;

create trigger alert_counted after insert on alert
  referencing new table as added for each statement execute function begin_match_count();

create function count_matches() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update alert_match_count as counted
       set total = counted.total + change.total, unseen = counted.unseen + change.unseen
      from (select alert_id, count(*) as total, count(*) filter (where seen_at_ms is null) as unseen
              from added group by alert_id) as change
     where counted.alert_id = change.alert_id;
  elsif tg_op = 'DELETE' then
    update alert_match_count as counted
       set total = counted.total - change.total, unseen = counted.unseen - change.unseen
      from (select alert_id, count(*) as total, count(*) filter (where seen_at_ms is null) as unseen
              from removed group by alert_id) as change
     where counted.alert_id = change.alert_id;
  else
    update alert_match_count as counted
       set total = counted.total + change.total, unseen = counted.unseen + change.unseen
      from (select alert_id, sum(sign) as total, coalesce(sum(sign) filter (where seen_at_ms is null), 0) as unseen
              from (select alert_id, seen_at_ms, 1 as sign from added
                    union all
                    select alert_id, seen_at_ms, -1 from removed) as both_sides
             group by alert_id) as change
     where counted.alert_id = change.alert_id and (change.total <> 0 or change.unseen <> 0);
  end if;
  return null;
end
$$;

create trigger alert_match_inserted after insert on alert_match
  referencing new table as added for each statement execute function count_matches();
create trigger alert_match_deleted after delete on alert_match
  referencing old table as removed for each statement execute function count_matches();
create trigger alert_match_updated after update on alert_match
  referencing old table as removed new table as added for each statement execute function count_matches();

create trigger alert_match_changed
  after insert on alert_match for each statement execute function announce_change('alert_match');

-- A message that became another one is queued by its old id, so that its matches follow. An update even where it waits
-- already: it locks the entry, so that nobody takes it before this is visible.
create function queue_moved_messages() returns trigger
language plpgsql as $$
begin
  insert into match_queue as queued (resource, resource_id)
  select 'message', old_id from moved order by old_id
  on conflict (resource, resource_id) do update set alert_ms = queued.alert_ms;
  return null;
end
$$;

create trigger message_alias_inserted after insert on message_alias
  referencing new table as moved for each statement execute function queue_moved_messages();
create trigger message_alias_updated after update on message_alias
  referencing new table as moved for each statement execute function queue_moved_messages();
