-- Every process follows what changed in the store: a table announces a change by its name, once per statement.
create function announce_change() returns trigger
language plpgsql as $$
begin
  perform pg_notify('assay_changes', tg_argv[0]);
  return null;
end
$$;
