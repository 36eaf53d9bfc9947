-- Prices compare sets of one kind, and a configuration knows how much it restricts.

-- Which sets a price compares; `src/filters/language/sets.ts` says what each admits.
alter table price_profile
  add column sets text collate "C" not null default 'any' check (sets in ('any', 'papers', 'complete'));

-- Null: that of its profile.
alter table price_configuration
  add column sets text collate "C" check (sets in ('any', 'papers', 'complete')),
  add column specificity smallint not null default 0 check (specificity between 0 and 3);

-- What the matcher applies to the listings of a configuration. Null: any.
alter table saved_filter
  add column sets text collate "C" check (sets in ('papers', 'complete'));

-- One point each if its own filters restrict dial, variant, set. As `specificityOf` counts.
update price_configuration
   set specificity = (
         select count(distinct asked.what)
           from (values ('dial', 'dial_type'), ('dial', 'dial_types'), ('variant', 'variant'), ('variant', 'variants'),
                        ('set', 'full_set_status'), ('set', 'full_set_options')) as asked (what, member)
          where filters -> asked.member not in ('null', '""', '[]'));

-- Days on which the prices of a configuration changed for another reason than the market. `before` is null for what a
-- configuration begins with.
create table price_configuration_mark (
  configuration_id uuid not null references price_configuration on delete cascade,
  kind text collate "C" not null check (kind = 'sets'),
  at_ms bigint not null,
  before text collate "C",
  after text collate "C" not null,
  primary key (configuration_id, kind, at_ms)
);
