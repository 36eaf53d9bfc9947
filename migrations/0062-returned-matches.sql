-- A match of a passed watch whose ask fell is told again, once.

-- When; null for most. Of several matches of what is one listing now, the one that was told again stays.
alter table alert_match add column returned_at_ms bigint;
