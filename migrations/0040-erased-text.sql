-- Texts that erased persons wrote and that have a correction. The correction is deleted if no one else posted the text, which is
-- known once all events that were stored before are read.
create table erased_text (
  identity_sha256 bytea primary key,
  last_raw_event_id bigint not null
);
