-- Which alerts fire does not depend on the order in which webhooks, fetches and replays bring a message.

-- The first receipt that counts for alerts, of a webhook or of a fetch. Messages of before that may still fire alerts have one.
alter table reported_message add column heard_at_ms bigint;
update reported_message set heard_at_ms = first_received_at_ms
 where first_received_at_ms > extract(epoch from now()) * 1000 - 172800000;

-- Of an edit that is read before its message: since when the message must have been sent to fire alerts.
alter table reported_message add column edit_alert_since_ms bigint;

-- An event that is replayed fires nothing, but it was heard.
alter table raw_event_queue drop constraint raw_event_queue_alerting_check;
alter table raw_event_queue add constraint raw_event_queue_alerting_check
  check (alerting in ('window', 'never', 'always', 'replayed'));

-- Its alert window opened, so its listings are matched even if none of them changed.
alter table message_queue add column has_new_window boolean not null default false;

-- What was left of the alert windows of messages that a replay took off the queues. It counts when they are queued again.
create table carried_alert (
  canonical_message_id uuid primary key,
  alert_ms bigint not null check (alert_ms >= 0)
);

-- It changed in something that filters read and that may come before or after the message, such as the name of its group. So it
-- is matched within what is left of the alert window of its listing.
alter table match_queue add column keeps_window boolean not null default false;
