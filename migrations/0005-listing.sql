-- One watch in one canonical message.
create table listing (
  id uuid primary key,
  canonical_message_id uuid not null references canonical_message,
  side text not null check (side in ('for_sale', 'want_to_buy')),
  brand text,
  model text,
  reference text,
  reference_normalized text collate "C",
  year integer,
  condition text check (condition in ('NEW', 'LIKE_NEW', 'USED')),
  price_amount_minor bigint,
  price_currency text check (price_currency ~ '^[A-Z]{3,5}$'),
  price_eur_minor bigint,
  is_hidden boolean not null default false,
  is_revoked boolean not null default false,
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  check ((price_amount_minor is null) = (price_currency is null))
);

create index listing_message on listing (canonical_message_id);
