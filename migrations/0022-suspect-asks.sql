-- An ask far from the others of its cell was most likely misread: it must neither move a price nor fire a buy.
alter table price_profile
  add column implausible_below_bps integer not null default 5000 check (implausible_below_bps between 0 and 10000),
  add column implausible_above_bps integer not null default 30000
    check (implausible_above_bps between 10000 and 1000000);
-- The defaults are those of `apply`. Here they are for existing profiles only.
alter table price_profile
  alter column implausible_below_bps drop default,
  alter column implausible_above_bps drop default;

-- Null with fewer than three asks or a median of 0, and until the next calculation.
alter table price_cell
  -- The lowest and the highest comparable ask that are not suspect.
  add column plausible_min_eur_minor bigint,
  add column plausible_max_eur_minor bigint,
  -- Of all asks, suspect ones and outliers included; rounded half up.
  add column ask_median_eur_minor bigint,
  add column suspect_count integer not null default 0 check (suspect_count >= 0),
  add check ((plausible_min_eur_minor is null) = (plausible_max_eur_minor is null)
             and (plausible_min_eur_minor is null) = (ask_median_eur_minor is null)
             and (plausible_min_eur_minor is not null or suspect_count = 0));

-- Without waiting for the hourly schedule, so that misread asks leave the prices at once.
insert into refresh_queue (configuration_id, queued_at_ms)
select id, (extract(epoch from now()) * 1000)::bigint from price_configuration
on conflict (configuration_id) do nothing;
