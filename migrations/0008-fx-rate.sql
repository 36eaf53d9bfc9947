-- What one euro buys of another currency on a day; a declared rate wins over a built-in one of the same day.
create table fx_rate (
  currency text collate "C" not null check (currency ~ '^[A-Z]{3,5}$' and currency <> 'EUR'),
  day date not null,
  is_declared boolean not null,
  per_eur numeric not null check (per_eur > 0 and per_eur < 1e12),
  primary key (currency, day, is_declared)
);

create trigger fx_rate_changed
  after insert or update or delete on fx_rate for each statement execute function announce_change('fx_rate');
