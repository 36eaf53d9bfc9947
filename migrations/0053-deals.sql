-- What a desk decided about a watch, and what it knows about a dealer.

-- One row per watch. The members of `watch` and the columns beside it are a copy of the listing as it is, so that a deal outlives it.
create table deal (
  listing_id uuid primary key,
  state text collate "C" not null check (state in ('shortlisted', 'contacted', 'offered', 'bought', 'passed')),
  reason text collate "C" check (reason in ('too_dear', 'gone', 'misread', 'no_papers', 'not_trusted', 'other')),
  note text check (length(note) between 1 and 2000),
  offer_amount_minor bigint check (offer_amount_minor >= 0),
  offer_currency text collate "C" check (offer_currency ~ '^[A-Z]{3,5}$'),
  assignee_token_id uuid,
  assignee_name text,
  paid_amount_minor bigint check (paid_amount_minor >= 0),
  paid_currency text collate "C" check (paid_currency ~ '^[A-Z]{3,5}$'),
  paid_at_ms bigint check (paid_at_ms >= 0),
  sold_amount_minor bigint check (sold_amount_minor >= 0),
  sold_currency text collate "C" check (sold_currency ~ '^[A-Z]{3,5}$'),
  sold_at_ms bigint check (sold_at_ms >= 0),
  cost_eur_minor bigint check (cost_eur_minor >= 0),
  -- When the deal counts in a summary: when it was paid, or else decided.
  day_ms bigint not null generated always as (coalesce(paid_at_ms, updated_at_ms)) stored,
  -- Counts what people wrote. What follows from the market does not change it.
  version integer not null default 1 check (version > 0),
  -- Names, null after an erasure.
  created_by text,
  created_by_token_id uuid,
  created_at_ms bigint not null,
  updated_by text,
  updated_by_token_id uuid,
  updated_at_ms bigint not null,

  -- At the decision: the ask, what was read as its reference, and the headline.
  asked_amount_minor bigint,
  asked_currency text collate "C",
  decided_reference text collate "C",
  configuration_id uuid,
  average_eur_minor bigint,
  landed_eur_minor bigint,
  profit_eur_minor bigint,
  -- The profit of the headline when the watch was bought.
  predicted_profit_eur_minor bigint,

  -- The listing as it is, or as it last was.
  canonical_message_id uuid,
  contact_id uuid,
  sender_ids text[] not null default '{}',
  ask_key uuid,
  side text collate "C",
  variant_folded text collate "C",
  price_amount_minor bigint,
  price_currency text collate "C",
  posted_at_ms bigint not null,
  watch jsonb not null check (jsonb_typeof(watch) = 'object'),
  -- Why it stands on no listing.
  detached_reason text collate "C" check (detached_reason in ('other_reference', 'removed', 'erased')),

  check (reason is null or state = 'passed'),
  check ((offer_amount_minor is null) = (offer_currency is null)),
  check ((paid_amount_minor is null) = (paid_currency is null) and (paid_amount_minor is null) = (paid_at_ms is null)),
  check ((sold_amount_minor is null) = (sold_currency is null) and (sold_amount_minor is null) = (sold_at_ms is null)),
  check (state = 'bought' or (paid_at_ms is null and sold_at_ms is null and cost_eur_minor is null)),
  check (sold_at_ms is null or paid_at_ms is not null)
);
create index deal_newest on deal (updated_at_ms desc, listing_id);
create index deal_by_state on deal (state, updated_at_ms desc, listing_id);
create index deal_by_assignee on deal (assignee_token_id, updated_at_ms desc, listing_id);
-- The deals that cover an ask.
create index deal_by_ask on deal (ask_key, posted_at_ms);
create index deal_by_contact on deal (contact_id);
create index deal_by_message on deal (canonical_message_id);
create index deal_by_sender on deal using gin (sender_ids);
-- For the summary.
create index deal_by_day on deal (state, day_ms);
-- Most watches were not passed, so most look-ups end here.
create index deal_passed on deal (ask_key) where state = 'passed';

create trigger deals_inserted after insert on deal
  referencing new table as changed for each statement execute function announce_ids('deals', 'listing_id');
create trigger deals_updated after update on deal
  referencing new table as changed for each statement execute function announce_ids('deals', 'listing_id');
create trigger deals_deleted after delete on deal
  referencing old table as changed for each statement execute function announce_ids('deals', 'listing_id');
create trigger deals_emptied after truncate on deal
  for each statement execute function announce_ids('deals', 'listing_id');

-- By identifier, because contacts are made again by merges and replays. A contact is blocked if one of its identifiers is.
create table contact_note (
  identifier text collate "C" primary key,
  note text check (length(note) between 1 and 2000),
  is_blocked boolean not null default false,
  updated_by text,
  updated_at_ms bigint not null,
  check (note is not null or is_blocked)
);
create index contact_note_blocked on contact_note (identifier) where is_blocked;
create trigger contact_note_changed after insert or update or delete or truncate on contact_note
  for each statement execute function announce_change('contact_note');
