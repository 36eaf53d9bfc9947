-- A dealer is found by a part of a name without reading all names.

create index contact_by_name_part on contact using gin (display_name gin_trgm_ops) where display_name is not null;
create index contact_identifier_by_name_part on contact_identifier using gin (name gin_trgm_ops) where name is not null;
