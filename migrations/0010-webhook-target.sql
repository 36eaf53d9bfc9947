-- Where matches are sent to; declared, never learnt.
create table webhook_target (
  id uuid primary key,
  name text not null unique,
  url text not null,
  -- Kept readable, because every delivery is signed with it.
  secret text not null,
  -- Absent: all alerts.
  alert_ids uuid[],
  created_at_ms bigint not null,
  updated_at_ms bigint not null
);
