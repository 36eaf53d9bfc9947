-- A link belongs to the session that made it, and so do the sessions that it opens: what a stolen cookie made can be ended with it.

alter table console_code add column made_by_session_id uuid references console_session on delete cascade;
create index console_code_by_session on console_code (made_by_session_id) where made_by_session_id is not null;

-- The session that made the link, and those that it came from in turn, as far as they were there when the link was used.
alter table console_session add column made_by_session_ids uuid[] not null default '{}';
