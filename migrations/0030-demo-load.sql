-- How far the demo market is loaded; only the demo's own database ever has a row here.
create table demo_load (
  is_only boolean primary key default true check (is_only),
  from_ms bigint not null,
  -- Everything before it is stored and processed; absent: the first load is under way or was cut off.
  until_ms bigint,
  -- Of the manifest that was applied last.
  manifest_sha256 text
);
