-- What stands behind a price, and the price that a match was shown with.
alter table price_cell
  add column quartile_low_eur_minor bigint,
  add column quartile_high_eur_minor bigint;

-- By cell, as in {"2023 new": 1794000000000}. It changes with every post, and the snapshot is written then anyway.
alter table price_snapshot add column newest_at_ms jsonb not null default '{}';

-- The calculation of the listing's headline at the time of the match. Null if it is the one in match_context.
alter table alert_match add column headline jsonb;
