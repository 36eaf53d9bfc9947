-- Stored messages are read again, the newest first, so that the text of each listing is its own.
-- They go to the backlog: what the gateway sends meanwhile is read before them, and nothing that they change fires an alert. Until
-- then the old texts serve.
insert into message_queue (canonical_message_id)
select message.id
  from canonical_message as message
  join message_extraction as extraction on extraction.canonical_message_id = message.id
 order by message.last_seen_at_ms desc nulls last, message.id
on conflict (canonical_message_id) do nothing;
