-- What a page about one listing needs: corrections that take effect at once, near configurations, and news of what changed.
create trigger correction_added after insert on correction
  for each statement execute function announce_change('correction');

create trigger alert_ids_inserted after insert on alert
  referencing new table as changed for each statement execute function announce_ids('alert_ids', 'id');
create trigger alert_ids_updated after update on alert
  referencing new table as changed for each statement execute function announce_ids('alert_ids', 'id');
create trigger alert_ids_deleted after delete on alert
  referencing old table as changed for each statement execute function announce_ids('alert_ids', 'id');
create trigger alert_ids_emptied after truncate on alert
  for each statement execute function announce_ids('alert_ids', 'id');

create function announce_row_id() returns trigger
language plpgsql as $$
begin
  perform pg_notify('assay_changes', tg_argv[0] || ' ' || case when tg_op = 'DELETE' then old.id else new.id end);
  return null;
end
$$;

-- Not with each message of a busy session: only one that comes after a minute of silence can change what is shown.
create trigger session_shown_added after insert or delete on messaging_session
  for each row execute function announce_row_id('session_shown');
create trigger session_shown_changed after update on messaging_session
  for each row when (
    (old.gateway_name, old.engine, old.phone_number, old.label, old.status, old.is_restricted, old.declared_role,
     old.declared_engine, old.declared_label, old.declared_phone_number, old.declared_connecting_user_id,
     old.declared_stale_after_ms)
    is distinct from
    (new.gateway_name, new.engine, new.phone_number, new.label, new.status, new.is_restricted, new.declared_role,
     new.declared_engine, new.declared_label, new.declared_phone_number, new.declared_connecting_user_id,
     new.declared_stale_after_ms)
    or new.last_message_at_ms > coalesce(old.last_message_at_ms, 0) + 60000)
  execute function announce_row_id('session_shown');
create trigger session_shown_emptied after truncate on messaging_session
  for each statement execute function announce_change('session_shown');

create index price_configuration_by_brand on price_configuration (brand_lower, configuration_key);
create index price_configuration_by_market_reference
  on price_configuration (market_reference_normalized, configuration_key);
create index alert_of_users on alert (id) where not is_system;
