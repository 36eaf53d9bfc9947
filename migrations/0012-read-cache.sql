-- What answers are kept of must announce every change, and say which ids it was about where one answer is about one id.

-- `topic id,id,…`: so many ids still fit the 8,000 bytes of a notification. With more, or after a truncate, the topic alone.
create function announce_ids() returns trigger
language plpgsql as $$
declare
  ids text[];
begin
  if tg_op <> 'TRUNCATE' then
    execute format('select array_agg(distinct %I) from changed', tg_argv[1]) into ids;
    if ids is null then
      return null;
    end if;
  end if;
  perform pg_notify('assay_changes',
                    tg_argv[0] || case when cardinality(ids) <= 200 then ' ' || array_to_string(ids, ',') else '' end);
  return null;
end
$$;

create trigger alert_changed
  after insert or update or delete or truncate on alert
  for each statement execute function announce_change('alert');

-- Not of a row that was written as it was, which is what most deliveries of a busy session do to the others.
drop trigger messaging_session_changed on messaging_session;
create trigger messaging_session_added
  after insert or delete on messaging_session
  for each row execute function announce_change('messaging_session');
create trigger messaging_session_changed
  after update on messaging_session for each row when (old.* is distinct from new.*)
  execute function announce_change('messaging_session');
create trigger messaging_session_emptied
  after truncate on messaging_session for each statement execute function announce_change('messaging_session');

-- A change of status is worth asking the gateway; a message is not.
create trigger messaging_session_status_added
  after insert on messaging_session for each row when (new.status is not null)
  execute function announce_change('session_status');
create trigger messaging_session_status_changed
  after update on messaging_session for each row when (old.status is distinct from new.status)
  execute function announce_change('session_status');

-- The profile of all of its configurations.
create trigger price_profile_changed
  after insert or update or delete or truncate on price_profile
  for each statement execute function announce_change('price_cells');

create trigger price_configuration_inserted after insert on price_configuration
  referencing new table as changed for each statement execute function announce_ids('price_cells', 'id');
create trigger price_configuration_updated after update on price_configuration
  referencing new table as changed for each statement execute function announce_ids('price_cells', 'id');
create trigger price_configuration_deleted after delete on price_configuration
  referencing old table as changed for each statement execute function announce_ids('price_cells', 'id');
create trigger price_configuration_emptied after truncate on price_configuration
  for each statement execute function announce_ids('price_cells', 'id');

create trigger price_snapshot_inserted after insert on price_snapshot
  referencing new table as changed for each statement execute function announce_ids('price_cells', 'configuration_id');
create trigger price_snapshot_updated after update on price_snapshot
  referencing new table as changed for each statement execute function announce_ids('price_cells', 'configuration_id');
create trigger price_snapshot_deleted after delete on price_snapshot
  referencing old table as changed for each statement execute function announce_ids('price_cells', 'configuration_id');
create trigger price_snapshot_emptied after truncate on price_snapshot
  for each statement execute function announce_ids('price_cells', 'configuration_id');

create trigger price_cell_inserted after insert on price_cell
  referencing new table as changed for each statement execute function announce_ids('price_cells', 'configuration_id');
create trigger price_cell_updated after update on price_cell
  referencing new table as changed for each statement execute function announce_ids('price_cells', 'configuration_id');
create trigger price_cell_deleted after delete on price_cell
  referencing old table as changed for each statement execute function announce_ids('price_cells', 'configuration_id');
create trigger price_cell_emptied after truncate on price_cell
  for each statement execute function announce_ids('price_cells', 'configuration_id');

-- By alert. An alert that goes takes its matches along, if it has any.
create trigger alert_matches_inserted after insert on alert_match
  referencing new table as changed for each statement execute function announce_ids('alert_matches', 'alert_id');
create trigger alert_matches_updated after update on alert_match
  referencing new table as changed for each statement execute function announce_ids('alert_matches', 'alert_id');
create trigger alert_matches_deleted after delete on alert_match
  referencing old table as changed for each statement execute function announce_ids('alert_matches', 'alert_id');
create trigger alert_matches_emptied after truncate on alert_match
  for each statement execute function announce_ids('alert_matches', 'alert_id');
create trigger alert_deleted after delete on alert
  referencing old table as changed for each statement execute function announce_ids('alert_matches', 'id');
