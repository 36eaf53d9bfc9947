-- What is known about senders outlives the events that said it: the ids of contacts depend on it.

-- What the events that left said about a sender. A replay reads this before the events that are still there.
create table kept_identifier (
  identifier text collate "C" primary key,
  first_seen_at_ms bigint not null,
  name text collate "C",
  named_on_ms bigint,
  is_own boolean not null
);

-- The pairs of a LID and a phone number that they proved.
create table kept_pair (
  lid text collate "C" not null,
  phone text collate "C" not null,
  is_listed boolean not null,
  primary key (lid, phone)
);
