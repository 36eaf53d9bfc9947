-- Workers write listings of different contacts side by side, and a repeated ask is found by its price.

-- No number is read as "all before this one are there", so they need not be in the order of the commits.
create or replace function take_listing_sequence() returns trigger language plpgsql as $$
begin
  new.sequence := nextval('listing_sequence');
  return new;
end
$$;
drop index listing_by_sequence;

-- However often a dealer posts a watch, the asks at one price are few.
create index listing_by_priced_ask on listing (ask_key, coalesce(price_amount_minor, -1), message_timestamp_ms, id);
