-- Matches on their way to webhook targets: written with the match, kept until they arrived or were given up.
create table webhook_delivery (
  -- Of target, alert and resource, so that it is the same however often it is made.
  id uuid primary key,
  target_id uuid not null references webhook_target on delete cascade,
  alert_id uuid not null references alert on delete cascade,
  resource text not null check (resource in ('watch_listing', 'message')),
  resource_id uuid not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  -- While an attempt is under way: from when on its process counts as gone.
  next_attempt_at_ms bigint not null,
  -- As it was first sent; every attempt sends the same. Emptied once it arrived.
  body text,
  -- What the latest attempt met: a status, or why there is none.
  last_result text,
  created_at_ms bigint not null,
  finished_at_ms bigint,
  check ((status = 'pending') = (finished_at_ms is null))
);

create index webhook_delivery_due on webhook_delivery (target_id, next_attempt_at_ms, id) where status = 'pending';
create index webhook_delivery_newest on webhook_delivery (created_at_ms desc, id);
create index webhook_delivery_finished on webhook_delivery (status, finished_at_ms, id);
create index webhook_delivery_resource on webhook_delivery (resource_id);

create trigger webhook_delivery_added
  after insert on webhook_delivery for each statement execute function announce_change('webhook_delivery');
