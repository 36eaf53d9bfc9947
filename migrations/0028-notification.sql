-- Notifications for people: targets of other kinds than signed webhooks, quiet hours, and one bundle of matches at a time.
alter table webhook_target
  add column kind text not null default 'standard' check (kind in ('standard', 'ntfy', 'telegram', 'email')),
  -- The chat of a telegram target, the address of an email target.
  add column recipient text,
  -- {from, to, time_zone}: nothing is sent while the clock of the zone shows a time between them.
  add column quiet_hours jsonb,
  -- Nothing is sent to the target before. While a bundle is under way: when its process counts as dead.
  add column next_send_at_ms bigint not null default 0,
  alter column url drop not null,
  -- The key of a standard target, the token of an ntfy or telegram target.
  alter column secret drop not null,
  add check (case kind
    when 'standard' then url is not null and secret is not null and recipient is null
    when 'ntfy' then url is not null and recipient is null
    when 'telegram' then url is null and secret is not null and recipient is not null
    else url is null and secret is null and recipient is not null end);

create or replace function revive_webhook_target() returns trigger
language plpgsql as $$
begin
  new.gone_at_ms := null;
  new.next_send_at_ms := 0;
  return new;
end
$$;

drop trigger webhook_target_declared on webhook_target;
create trigger webhook_target_declared
  before update of kind, url, secret, recipient, alert_ids, quiet_hours on webhook_target for each row
  when ((old.kind, old.url, old.secret, old.recipient, old.alert_ids, old.quiet_hours)
        is distinct from (new.kind, new.url, new.secret, new.recipient, new.alert_ids, new.quiet_hours))
  execute function revive_webhook_target();

-- One page of a target's deliveries, newest first.
create index webhook_delivery_of_target on webhook_delivery (target_id, created_at_ms desc, id);
