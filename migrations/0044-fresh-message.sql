-- Alerts on messages do not depend on whether the name of a group or the number of a sender comes before or after the message.

-- A message that may still fire alerts, until when, and when it arrived. Like `fresh_listing`.
create table fresh_message (
  canonical_message_id uuid primary key,
  until_ms bigint not null,
  came_sequence bigint not null default nextval('arrival_sequence')
);
create index fresh_message_until on fresh_message (until_ms);
