-- A replay ends its own rebuild only: a second one that began meanwhile has a row of its own.
alter table market_rebuild add column id uuid not null default gen_random_uuid();
