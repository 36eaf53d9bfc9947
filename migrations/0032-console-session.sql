-- Signing in to the console with a browser: a one-time code, or a token, opens a session of its own. Only hashes are stored.

-- Distinguishes stores that a browser reaches at one host: cookies are not separated by port. Written when it is first needed, so that
-- a database that is made as a copy of an unused one is a store of its own.
create table store_identity (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid()
);

create table console_code (
  sha256 bytea primary key check (octet_length(sha256) = 32),
  token_id uuid not null references api_token on delete cascade,
  created_at_ms bigint not null,
  expires_at_ms bigint not null
);

create table console_session (
  id uuid primary key default gen_random_uuid(),
  token_id uuid not null references api_token on delete cascade,
  sha256 bytea not null unique check (octet_length(sha256) = 32),
  label text not null check (length(label) between 1 and 100),
  created_at_ms bigint not null,
  last_used_at_ms bigint not null,
  expires_at_ms bigint not null
);

create index console_session_by_token on console_session (token_id, last_used_at_ms);

-- Processes keep the token of a session as they keep tokens. A session never changes, so only its end must be announced.
create trigger console_session_deleted after delete on console_session
  referencing old table as changed for each statement execute function announce_ids('api_token', 'id');
