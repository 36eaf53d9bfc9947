-- Saved filters read rates too: a change of rates gets a number in the log that every matcher reads to its end before it matches.
create function log_fx_rate_change() returns trigger
language plpgsql as $$
begin
  if not exists (select from changed) then
    return null;
  end if;
  perform pg_advisory_xact_lock(4170009);
  insert into saved_filter_change (owner_kind, owner_id, sequence)
  values ('fx_rate', '00000000-0000-0000-0000-000000000000', nextval('saved_filter_sequence'))
  on conflict (owner_kind, owner_id) do update set sequence = excluded.sequence;
  perform pg_notify('assay_changes', 'saved_filter');
  return null;
end
$$;

create trigger fx_rate_inserted after insert on fx_rate
  referencing new table as changed for each statement execute function log_fx_rate_change();
create trigger fx_rate_updated after update on fx_rate
  referencing new table as changed for each statement execute function log_fx_rate_change();
create trigger fx_rate_deleted after delete on fx_rate
  referencing old table as changed for each statement execute function log_fx_rate_change();

-- Nobody listens to it any more: who reads rates follows the log.
drop trigger fx_rate_changed on fx_rate;
