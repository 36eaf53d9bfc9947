-- Profiles hold the rules, configurations say what is priced, cells hold what came out.
create table price_profile (
  id uuid primary key,
  name text not null unique,
  status text not null check (status in ('shadow', 'live')),
  lookback_days integer not null check (lookback_days > 0),
  minimum_listings integer not null check (minimum_listings > 0),
  minimum_profit_eur_minor bigint not null,
  hk_markup_rate_bps integer not null check (hk_markup_rate_bps >= 0),
  hk_markup_fixed_eur_minor bigint not null check (hk_markup_fixed_eur_minor >= 0),
  consumer_low_quantile_bps integer not null check (consumer_low_quantile_bps between 0 and 10000),
  consumer_high_quantile_bps integer not null check (consumer_high_quantile_bps between 0 and 10000),
  consumer_margin_bps integer not null check (consumer_margin_bps between 0 and 1000000),
  stale_after_ms bigint not null check (stale_after_ms > 0),
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  check (consumer_low_quantile_bps <= consumer_high_quantile_bps)
);

-- A named filter. With a market it says which listings are asks in that market.
create table market_view (
  id uuid primary key,
  name text not null unique,
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  source_market text check (source_market in ('EU', 'HK')),
  created_at_ms bigint not null,
  updated_at_ms bigint not null
);

create table price_configuration (
  id uuid primary key,
  configuration_key text collate "C" not null unique,
  profile_id uuid not null references price_profile,
  brand text not null,
  brand_lower text not null,
  reference text not null,
  reference_normalized text not null,
  market_reference_normalized text not null,
  -- Declared; absent: the reference is the one that the market uses.
  market_reference text,
  label text,
  filters jsonb not null check (jsonb_typeof(filters) = 'object'),
  filter_summary text not null,
  minimum_profit_overrides jsonb not null check (jsonb_typeof(minimum_profit_overrides) = 'array'),
  exclude_outliers boolean not null,
  publish_enabled boolean not null,
  buy_signals_enabled boolean not null,
  image_url text,
  calculator_mapping_id uuid,
  imported_from_mapping_id uuid,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  last_attempt_at_ms bigint,
  last_success_at_ms bigint,
  last_refresh_error text,
  -- Counts the changes of what is declared: times of one millisecond, or of two machines, do not tell which came first.
  revision bigint not null default 1
);

create function revise_price_configuration() returns trigger
language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end
$$;

-- Everything but what a refresh writes.
create trigger price_configuration_revised
  before update of profile_id, brand, brand_lower, reference, reference_normalized, market_reference_normalized,
                   market_reference, label, filters, filter_summary, minimum_profit_overrides, exclude_outliers,
                   publish_enabled, buy_signals_enabled, image_url, calculator_mapping_id,
                   imported_from_mapping_id, updated_at_ms
  on price_configuration for each row when (old.* is distinct from new.*)
  execute function revise_price_configuration();

-- What the schedule looks for: the configurations that were not tried for the longest time.
create index price_configuration_due on price_configuration (coalesce(last_attempt_at_ms, 0), id);

-- The latest snapshot only; a refresh replaces it and its cells in one transaction.
create table price_snapshot (
  configuration_id uuid primary key references price_configuration on delete cascade,
  calculated_at_ms bigint not null,
  -- The highest sequence of the listings that were read.
  source_sequence bigint not null,
  calculation_version text not null,
  -- Of the configuration that was calculated.
  revision bigint not null default 1
);

create table price_cell (
  configuration_id uuid not null references price_configuration on delete cascade,
  year integer not null,
  condition_bucket text not null check (condition_bucket in ('new', 'like_new', 'used')),
  status text not null check (status in ('available', 'insufficient', 'pending')),
  lookback_days integer not null,
  listing_count integer not null check (listing_count >= 0),
  market_average_eur_minor bigint,
  market_median_eur_minor bigint,
  consumer_min_eur_minor bigint,
  consumer_max_eur_minor bigint,
  minimum_profit_eur_minor bigint not null,
  maximum_buy_eur_minor bigint,
  maximum_hk_ask_eur_minor bigint,
  primary key (configuration_id, year, condition_bucket),
  check ((status = 'available') = (market_average_eur_minor is not null))
);

-- In which configurations a listing lies, and through which source view it came. No foreign key to the listing: when one
-- goes, the matcher must still find in which configurations it lay, because those are to be calculated anew.
create table listing_model (
  listing_id uuid not null,
  configuration_id uuid not null references price_configuration on delete cascade,
  source_market text not null check (source_market in ('EU', 'HK')),
  primary key (listing_id, configuration_id)
);

create index listing_model_configuration on listing_model (configuration_id, listing_id);

-- What a calculation reads of a listing, by the reference that all listings of a model share; without the table, whose rows
-- are wide. The condition is that of the calculation, word for word.
create index listing_population on listing (reference_normalized, last_seen_at_ms desc, id)
  include (contact_id, year, condition, price_eur_minor, sequence)
  where side = 'for_sale' and not is_hidden and not is_revoked
    and price_eur_minor is not null and year is not null and condition is not null;

-- Configurations to be calculated. A row is locked while it is worked on, so that nobody else does the same. Whoever changed
-- something that a calculation reads must lock the row too (`on conflict do update`), so that it is not taken and calculated
-- before the change is visible.
create table refresh_queue (
  configuration_id uuid primary key references price_configuration on delete cascade,
  queued_at_ms bigint not null
);

create index refresh_queue_oldest on refresh_queue (queued_at_ms, configuration_id);

-- How a cell moved: one row for each change of a value.
create table price_cell_history (
  configuration_id uuid not null references price_configuration on delete cascade,
  year integer not null,
  condition_bucket text not null check (condition_bucket in ('new', 'like_new', 'used')),
  calculated_at_ms bigint not null,
  status text not null check (status in ('available', 'insufficient', 'pending', 'gone')),
  listing_count integer not null check (listing_count >= 0),
  market_average_eur_minor bigint,
  market_median_eur_minor bigint,
  consumer_min_eur_minor bigint,
  consumer_max_eur_minor bigint,
  maximum_buy_eur_minor bigint,
  primary key (configuration_id, year, condition_bucket, calculated_at_ms)
);

-- Until when a listing is news for alerts that follow from a calculation. What is older is forgotten.
-- News and alerts are numbered in one row, so that an alert can tell what came before it without trusting clocks.
create sequence news_sequence;

create table listing_news (
  listing_id uuid primary key,
  until_ms bigint not null,
  came_sequence bigint not null default nextval('news_sequence')
);

create index listing_news_until on listing_news (until_ms);
