-- One watch in one canonical message, with all that a filter reads of it, so that filtering joins nothing.
create extension if not exists pg_trgm;

create sequence listing_sequence;

-- A feed number: whoever changes listings holds the lock until the commit, so numbers become visible in their order.
create function take_listing_sequence() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(4170006);
  new.sequence := nextval('listing_sequence');
  return new;
end
$$;

create table listing (
  id uuid primary key,
  canonical_message_id uuid not null,
  -- Where it stands in its message: the first source line, and the how-manieth watch of that line.
  line integer not null default 0 check (line >= 0),
  ordinal integer not null default 0 check (ordinal >= 0),
  side text not null check (side in ('for_sale', 'want_to_buy')),
  message_type text not null default 'unknown'
    check (message_type in ('selling', 'buying', 'personal', 'unknown')),
  brand text,
  brand_folded text collate "C" check (brand_folded <> ''),
  model text,
  model_folded text collate "C" check (model_folded <> ''),
  reference text,
  reference_normalized text collate "C" check (reference_normalized <> ''),
  dial_type text,
  dial_type_folded text collate "C" check (dial_type_folded <> ''),
  variant text,
  variant_folded text collate "C" check (variant_folded <> ''),
  year integer check (year between 1 and 9999),
  card_month integer check (card_month between 1 and 12),
  condition text check (condition in ('NEW', 'LIKE_NEW', 'USED')),
  full_set_status text[] not null default '{}'
    check (full_set_status <@ array['FULL_SET', 'WATCH_AND_CARD', 'WATCH_AND_BOX', 'WATCH']),
  price_amount_minor bigint check (price_amount_minor >= 0),
  price_currency text collate "C" check (price_currency ~ '^[A-Z]{3,5}$'),
  alternative_price_amount_minor bigint check (alternative_price_amount_minor >= 0),
  alternative_price_currency text collate "C" check (alternative_price_currency ~ '^[A-Z]{3,5}$'),
  price_eur_minor bigint check (price_eur_minor >= 0),
  status text check (status in ('sold', 'on_hold')),
  contact_id uuid,
  phone_number text collate "C" check (phone_number ~ '^[0-9]+$'),
  -- Of the occurrences that are not revoked, or of all of them if all are.
  group_ids uuid[] not null default '{}',
  message_timestamp_ms bigint not null check (message_timestamp_ms >= 0),
  first_seen_at_ms bigint not null,
  last_seen_at_ms bigint not null check (last_seen_at_ms >= first_seen_at_ms),
  occurrence_count integer not null default 1 check (occurrence_count >= 0),
  has_media boolean not null default false,
  is_duplicate boolean not null default false,
  is_hidden boolean not null default false,
  is_revoked boolean not null default false,
  -- False: a newer extraction no longer finds it. It is hidden, and all else is as it was.
  is_found boolean not null default true,
  -- One for each (contact, reference, dial, year, condition, set): asks that follow each other. Absent without a reference.
  ask_key uuid,
  -- Normalised words joined by blanks, fields separated by line breaks; see docs/filters.md.
  search_text text collate "C" not null default '',
  extraction_version integer not null default 1,
  confidence double precision not null default 1 check (confidence between 0 and 1),
  sources jsonb not null default '{}' check (jsonb_typeof(sources) = 'object'),
  sequence bigint not null,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  check ((price_amount_minor is null) = (price_currency is null)),
  check ((alternative_price_amount_minor is null) = (alternative_price_currency is null))
);

create trigger listing_numbered
  before insert or update on listing for each row execute function take_listing_sequence();
create trigger listing_changed
  after insert or update or delete on listing for each statement execute function announce_change('listing');

create unique index listing_by_message on listing (canonical_message_id, line, ordinal);
create index listing_by_ask on listing (ask_key, message_timestamp_ms, id);
create unique index listing_by_sequence on listing (sequence);

-- One index for each order of a search, each ending in the id, which breaks ties.
create index listing_newest on listing (last_seen_at_ms desc, id);
create index listing_oldest on listing (last_seen_at_ms, id);
create index listing_cheapest on listing (price_eur_minor, id);
create index listing_dearest on listing (price_eur_minor desc nulls last, id);
create index listing_latest_year on listing (year desc nulls last, id);

-- One index for each attribute that narrows a search well by itself.
create index listing_by_reference on listing (reference_normalized, last_seen_at_ms desc, id);
create index listing_by_model on listing (model_folded, last_seen_at_ms desc, id);
create index listing_by_contact on listing (contact_id, last_seen_at_ms desc, id);
create index listing_by_phone on listing (phone_number, last_seen_at_ms desc, id);
-- A brand narrows less and is asked for most, and prices go by brand: each order within a brand has an index too.
create index listing_by_brand_newest on listing (brand_folded, last_seen_at_ms desc, id);
create index listing_by_brand_cheapest on listing (brand_folded, price_eur_minor, id);
create index listing_by_brand_dearest on listing (brand_folded, price_eur_minor desc nulls last, id);
create index listing_by_brand_year on listing (brand_folded, year desc nulls last, id);
create index listing_by_groups on listing using gin (group_ids);
create index listing_by_text on listing using gin (search_text gin_trgm_ops);

-- By what each message was last read, also one without a listing, so that what is outdated can be found. No foreign key: it
-- would wait for those who count the message anew, and they wait for the message's place in the queue.
create table message_extraction (
  canonical_message_id uuid primary key,
  extraction_version integer not null,
  catalogue_sha256 text collate "C" not null,
  -- `listings`, why there is none, or `failed`.
  outcome text collate "C" not null
);

create index message_extraction_reader on message_extraction (extraction_version, catalogue_sha256);
create index message_extraction_failed on message_extraction (canonical_message_id) where outcome = 'failed';

-- Ids that were handed out before contacts merged lead to the listing that stands in their place.
create table listing_alias (
  old_id uuid primary key,
  listing_id uuid not null
);

create index listing_alias_listing on listing_alias (listing_id);

-- What changed and is still to be held against filters: listings always, also those that are no more, and messages that
-- may fire alerts.
create table match_queue (
  resource text not null check (resource in ('watch_listing', 'message')),
  resource_id uuid not null,
  -- As in message_queue.
  alert_ms bigint check (alert_ms >= 0),
  primary key (resource, resource_id)
);
