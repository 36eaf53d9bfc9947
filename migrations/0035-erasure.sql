-- Erasure of a person: what was erased is remembered as keyed hashes, so that readers drop it when it comes again.

-- The key is made at the first erasure. A store without a row here has erased nothing.
create table erasure_key (
  is_only boolean primary key default true check (is_only),
  key bytea not null check (octet_length(key) = 32),
  dropped_event_count bigint not null default 0,
  last_dropped_at_ms bigint
);

-- HMAC-SHA-256 of a phone number, a LID, a name in a group, or a message.
create table erased_subject (
  hash bytea primary key check (octet_length(hash) = 32)
);
