-- The correction of a text that an erased person wrote is deleted only if no one else posted the text.

-- Such texts that have a correction. Whether someone else posted one is known once all events that were stored before are read.
create table erased_text (
  identity_sha256 bytea primary key,
  last_raw_event_id bigint not null
);
