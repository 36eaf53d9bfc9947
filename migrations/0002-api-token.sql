-- Who may call the API. The token itself is never stored, only its SHA-256.
create table api_token (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  prefix text not null,
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  is_read_only boolean not null,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  revoked_at_ms bigint,
  last_used_at_ms bigint
);

-- A name is free again once its token is revoked.
create unique index api_token_live_name on api_token (name) where revoked_at_ms is null;

-- Not on last_used_at_ms: use is not a change that anybody must hear of.
create trigger api_token_changed
  after insert or delete or update of sha256, is_read_only, expires_at_ms, revoked_at_ms
  on api_token for each statement execute function announce_change('api_token');
