-- An admin can lose his rights, so who was an admin is known by time.

-- What was said of a member at a time. The identifier '' stands for every member whom a list of all members did not name as
-- an admin. What is stored so far has no time, and counts from the beginning.
alter table group_admin
  add column at_ms bigint not null default 0,
  add column is_admin boolean not null default true;
alter table group_admin
  alter column at_ms drop default,
  alter column is_admin drop default,
  drop constraint group_admin_pkey,
  add primary key (group_id, identifier, at_ms);

-- A revocation counts if its author was an admin then.
update reported_message
   set reports = (
         select jsonb_agg(case when report ->> 'kind' = 'revoke'
                               then report || jsonb_build_object('revoked_at_ms', report -> 'received_at_ms')
                               else report end
                          order by place)
           from jsonb_array_elements(reports) with ordinality as stored (report, place))
 where reports @> '[{"kind": "revoke"}]';

insert into replay_request (reason)
select 'admins have rights from a time to a time' where exists (select from raw_event)
on conflict do nothing;
