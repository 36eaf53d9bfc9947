-- Memberships in the order of their asks, cell by cell, so that the best asks of the market are found without reading the others.
alter table listing_model
  add column year integer,
  add column condition_bucket text,
  add column price_eur_minor bigint;

update listing_model as model
   set year = listing.year, condition_bucket = lower(listing.condition), price_eur_minor = listing.price_eur_minor
  from listing
 where listing.id = model.listing_id;

create index listing_model_by_ask on listing_model
  (configuration_id, year, condition_bucket, source_market, price_eur_minor, listing_id);
-- The members of a configuration are found by the index above.
drop index listing_model_configuration;

-- The lowest comparable ask that is not suspect when the cell was calculated, null until then, and the profit that no ask of
-- the cell exceeds: in EUR, and in ten-thousandths of the average.
alter table price_cell add column lowest_ask_eur_minor bigint;
alter table price_cell
  add column profit_bound_eur_minor bigint generated always as
    (market_average_eur_minor - coalesce(lowest_ask_eur_minor, plausible_min_eur_minor, 0)) stored,
  add column profit_bound_bps bigint generated always as
    (case when market_average_eur_minor = 0 then 0
          else div((market_average_eur_minor - coalesce(lowest_ask_eur_minor, plausible_min_eur_minor, 0))::numeric * 10000,
                   market_average_eur_minor)::bigint end) stored;

create index price_cell_by_profit on price_cell
  (profit_bound_eur_minor desc, configuration_id, year, condition_bucket) where status = 'available';
create index price_cell_by_profit_bps on price_cell
  (profit_bound_bps desc, configuration_id, year, condition_bucket) where status = 'available';
