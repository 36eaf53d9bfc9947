-- Old messages can leave: which days are kept, and how to find what is older.

create table retention (
  is_only boolean primary key default true check (is_only),
  -- The start of the first UTC day whose messages are kept. It only rises.
  floor_ms bigint not null check (floor_ms % 86400000 = 0),
  raised_at_ms bigint not null,
  -- Events that were older than this when they arrived. They were not stored.
  too_old_count bigint not null default 0 check (too_old_count >= 0),
  last_too_old_at_ms bigint
);

-- Events whose messages are days older than their receipt, as those of an import: they leave by the time of their messages.
create table late_event (
  raw_event_id bigint primary key,
  leaves_after_ms bigint not null
);
create index late_event_first on late_event (leaves_after_ms, raw_event_id);

-- When its first report leaves. Until now a revocation was stored without its receipt; this upper bound is late enough.
alter table reported_message add column oldest_at_ms bigint;
update reported_message
   set reports = (
         select jsonb_agg(case when report ->> 'kind' = 'revoke'
                               then report || jsonb_build_object('received_at_ms', (extract(epoch from now()) * 1000)::bigint)
                               else report end
                          order by place)
           from jsonb_array_elements(reports) with ordinality as stored (report, place))
 where reports @> '[{"kind": "revoke"}]';
update reported_message
   set oldest_at_ms = (
         select min(case report ->> 'kind'
                      when 'message' then
                        case when (report -> 'sent_at_ms')::bigint > (report -> 'received_at_ms')::bigint + 600000
                             then (report -> 'received_at_ms')::bigint else (report -> 'sent_at_ms')::bigint end
                      when 'edit' then (report -> 'edited_at_ms')::bigint + 86400000
                      else (report -> 'received_at_ms')::bigint + 86400000 end)
           from jsonb_array_elements(reports) as report);
delete from reported_message where oldest_at_ms is null;
alter table reported_message alter column oldest_at_ms set not null;
create index reported_message_oldest on reported_message (oldest_at_ms, id);
