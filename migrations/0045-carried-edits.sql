-- An edit that waits for its message keeps its alert window through a replay.

-- As in `reported_message`, from which a replay takes it. It counts when the replay reads the edit again.
create table carried_edit (
  reported_message_id uuid primary key,
  alert_since_ms bigint not null check (alert_since_ms >= 0)
);
