-- A token has a role instead of a flag, and knows which token made it and when its person last looked.

alter table api_token
  add column role text collate "C" check (role in ('market', 'desk', 'owner')),
  add column created_by_token_id uuid references api_token,
  add column last_looked_at_ms bigint;

update api_token set role = case when is_read_only then 'market' else 'owner' end;

alter table api_token alter column role set not null;

-- Not on last_used_at_ms and last_looked_at_ms: nobody must hear of these.
drop trigger api_token_changed on api_token;

alter table api_token drop column is_read_only;

create trigger api_token_changed
  after insert or delete or update of sha256, role, expires_at_ms, revoked_at_ms
  on api_token for each statement execute function announce_change('api_token');
