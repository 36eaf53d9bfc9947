-- Named sets of groups to send to. They may name groups that were not seen yet, hence no foreign key.
create table group_preset (
  id uuid primary key,
  name text not null unique check (length(name) between 1 and 120),
  description text check (length(description) <= 500),
  group_ids uuid[] not null check (cardinality(group_ids) <= 100),
  created_at_ms bigint not null,
  updated_at_ms bigint not null
);
