-- A deleted configuration takes its saved filter with it, so that the matcher finds only configurations that exist.
create function delete_configuration_filters() returns trigger language plpgsql as $$
begin
  delete from saved_filter
   where owner_kind = 'configuration' and owner_id in (select id from removed);
  return null;
end
$$;

create trigger price_configuration_filters_deleted after delete on price_configuration
  referencing old table as removed for each statement execute function delete_configuration_filters();
