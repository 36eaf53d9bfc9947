-- A token has a role instead of a flag, and knows which token made it and when its person last looked.

alter table api_token
  add column role text collate "C" check (role in ('market', 'desk', 'owner')),
  add column created_by_token_id uuid references api_token,
  add column last_looked_at_ms bigint;

update api_token set role = case when is_read_only then 'market' else 'owner' end;

alter table api_token alter column role set not null;

-- The flag stays for processes of the previous version, which write and read it while this one starts. Another version removes it.
create function set_token_role() returns trigger language plpgsql as $$
begin
  if new.role is null then
    new.role := case when new.is_read_only then 'market' else 'owner' end;
  end if;
  new.is_read_only := new.role = 'market';
  return new;
end
$$;
create trigger api_token_role before insert or update of role on api_token
  for each row execute function set_token_role();

-- Not on last_used_at_ms and last_looked_at_ms: nobody must hear of these.
drop trigger api_token_changed on api_token;
create trigger api_token_changed
  after insert or delete or update of sha256, role, expires_at_ms, revoked_at_ms
  on api_token for each statement execute function announce_change('api_token');
