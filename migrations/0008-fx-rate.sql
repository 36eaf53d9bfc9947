-- What one euro buys of another currency on a day; of several rates of one day the kind that stands last here wins.
create type fx_rate_kind as enum ('built_in', 'pegged', 'declared');

create table fx_rate (
  currency text collate "C" not null check (currency ~ '^[A-Z]{3,5}$' and currency <> 'EUR'),
  day date not null,
  kind fx_rate_kind not null,
  per_eur numeric not null check (per_eur > 0 and per_eur < 1e12),
  primary key (currency, day, kind)
);

create trigger fx_rate_changed
  after insert or update or delete on fx_rate for each statement execute function announce_change('fx_rate');

-- Which release's built-in rates and pegs are in fx_rate.
create table fx_release (
  is_only boolean primary key default true check (is_only),
  version integer not null
);
