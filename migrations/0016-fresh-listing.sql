-- A listing that may still fire alerts is a fresh listing, in the store as in the code and the docs.
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
