-- The matches of all alerts in one order, so that a list by watch reads only what it shows.
alter table alert_match
  add column strategy text collate "C" not null
    generated always as (coalesce(match_context ->> 'strategy', 'market_filter')) stored;
create index alert_match_of_all on alert_match
  (is_outward, strategy, matched_at_ms desc, resource_id, resource);
create index alert_match_unseen_of_strategy on alert_match
  (is_outward, strategy, matched_at_ms desc, resource_id, resource) where seen_at_ms is null;
