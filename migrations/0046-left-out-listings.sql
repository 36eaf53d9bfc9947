-- A listing says why it is left out, so that what was read as talk is kept and can be found.

-- `not_an_offer`: the reader takes its text for talk. `corrected`: a person said that it is no listing.
alter table listing
  add column left_out_reason text collate "C"
    check (left_out_reason in ('not_an_offer', 'corrected'));

update listing set left_out_reason = 'corrected', is_hidden = true where sources ? 'is_listing';

alter table listing add check (left_out_reason is null or is_hidden);

-- For `GET /v2/messages?left_out=true` and `assay doctor`, newest first.
create index listing_left_out on listing (last_seen_at_ms desc, canonical_message_id)
  where left_out_reason = 'not_an_offer' and is_found;
