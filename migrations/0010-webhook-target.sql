-- Where matches are sent to; declared, never learnt.
create table webhook_target (
  id uuid primary key,
  name text not null unique,
  url text not null,
  -- Kept readable, because every delivery is signed with it.
  secret text not null,
  -- Absent: all alerts.
  alert_ids uuid[],
  created_at_ms bigint not null,
  updated_at_ms bigint not null,
  -- Since when the target says that it is gone (410): nothing is sent until it is declared otherwise or asked for.
  gone_at_ms bigint
);

create function revive_webhook_target() returns trigger
language plpgsql as $$
begin
  new.gone_at_ms := null;
  return new;
end
$$;

-- What is declared anew is tried anew.
create trigger webhook_target_declared
  before update of url, secret, alert_ids on webhook_target for each row
  when ((old.url, old.secret, old.alert_ids) is distinct from (new.url, new.secret, new.alert_ids))
  execute function revive_webhook_target();
