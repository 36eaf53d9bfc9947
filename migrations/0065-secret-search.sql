-- Earlier versions stored lists and states of sessions with all that the gateway has of them: keys of webhooks, passwords of proxies.

-- Searches of the bodies of stored events, after which they have no secret of the gateway. A step takes them when they are due.
create table secret_search (
  due_at_ms bigint primary key,
  after_raw_event_id bigint not null,
  rewritten_count bigint not null default 0
);

-- At once, and a day later what processes of the version before have stored meanwhile.
insert into secret_search (due_at_ms, after_raw_event_id)
select search.due_at_ms, search.after_raw_event_id
  from (select max(id) as last_id from raw_event) as stored
 cross join lateral (
    values (0::bigint, 0::bigint),
           ((extract(epoch from now()) * 1000)::bigint + 86400000, stored.last_id)) as search (due_at_ms, after_raw_event_id)
 where stored.last_id is not null;
