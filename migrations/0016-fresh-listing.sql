-- A listing that may still fire alerts is a fresh listing, in the store as in the docs; and a configuration is never
-- deleted without the filter that puts listings into it, so that the matcher finds only configurations that exist.
alter table listing_news rename to fresh_listing;
alter table fresh_listing rename constraint listing_news_pkey to fresh_listing_pkey;
alter index listing_news_until rename to fresh_listing_until;
-- Numbers the arrivals of listings and the changes of alerts: an alert matches what arrived after it.
alter sequence news_sequence rename to arrival_sequence;

create or replace function renew_alert() returns trigger language plpgsql as $$
begin
  if (new.filters, new.is_enabled, new.strategy, new.view_id)
     is distinct from (old.filters, old.is_enabled, old.strategy, old.view_id) then
    new.since_sequence := nextval('arrival_sequence');
  end if;
  return new;
end
$$;

create function delete_configuration_filters() returns trigger language plpgsql as $$
begin
  delete from saved_filter
   where owner_kind = 'configuration' and owner_id in (select id from removed);
  return null;
end
$$;

create trigger price_configuration_filters_deleted after delete on price_configuration
  referencing old table as removed for each statement execute function delete_configuration_filters();
