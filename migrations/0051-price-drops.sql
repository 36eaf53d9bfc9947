-- A listing says if its dealer asked more for the watch before, and how much more.

-- The ask that it is compared with, in the currency of the listing's own, and the fall in hundredths of a per cent; see
-- `priceDropOf` in `src/listings/offers.ts`.
alter table listing
  add column price_drop_from_minor bigint check (price_drop_from_minor > 0),
  add column price_drop_bps integer check (price_drop_bps between 1 and 5000),
  add check ((price_drop_from_minor is null) = (price_drop_bps is null));

-- Replies change few asks, and these count at other times than their messages.
create index listing_by_replied_ask on listing (ask_key) where asks is not null;

update listing
   set price_drop_from_minor = price_drop.from_minor, price_drop_bps = price_drop.bps
  from listing as ask
 cross join lateral (
       select latest.amount_minor as from_minor, fall.bps::integer as bps
         from (select earlier.listing_id, earlier.message_id, earlier.message_at_ms, earlier.amount_minor
                 from (select coalesce((ask.asks -> -1 ->> 'asked_at_ms')::bigint, ask.message_timestamp_ms) as at_ms)
                      as present
                cross join lateral (
                      (select posted.id as listing_id, posted.canonical_message_id as message_id,
                              posted.message_timestamp_ms as message_at_ms, posted.message_timestamp_ms as at_ms,
                              posted.price_amount_minor as amount_minor
                         from listing as posted
                        where posted.ask_key = ask.ask_key and posted.canonical_message_id <> ask.canonical_message_id
                          and not posted.is_hidden and not posted.is_revoked and posted.side = ask.side
                          and posted.variant_folded is not distinct from ask.variant_folded and posted.asks is null
                          and posted.price_currency = ask.price_currency
                          and posted.message_timestamp_ms < present.at_ms
                          and posted.message_timestamp_ms >= present.at_ms - 60 * 86400000::bigint
                        order by posted.message_timestamp_ms desc, posted.price_amount_minor, posted.id
                        limit 1)
                      union all
                      select replied.id, replied.canonical_message_id, replied.message_timestamp_ms, said.asked_at_ms,
                             said.amount_minor
                        from listing as replied
                       cross join lateral jsonb_to_recordset(replied.asks)
                             as said (asked_at_ms bigint, amount_minor bigint, currency text)
                       where (replied.id = ask.id or replied.canonical_message_id <> ask.canonical_message_id)
                         and replied.ask_key = ask.ask_key and replied.asks is not null
                         and not replied.is_hidden and not replied.is_revoked and replied.side = ask.side
                         and replied.variant_folded is not distinct from ask.variant_folded
                         and said.currency = ask.price_currency and said.asked_at_ms < present.at_ms
                         and said.asked_at_ms >= present.at_ms - 60 * 86400000::bigint) as earlier
                order by earlier.at_ms desc, earlier.amount_minor, earlier.listing_id
                limit 1) as latest
        cross join lateral (
              select trunc((latest.amount_minor - ask.price_amount_minor)::numeric * 10000
                           / nullif(latest.amount_minor, 0)) as bps) as fall
        where fall.bps between 1 and 5000
          -- Of two watches with the same key in a message nobody knows which is which.
          and not exists (select from listing as twin
                           where twin.ask_key = ask.ask_key and twin.message_timestamp_ms = ask.message_timestamp_ms
                             and twin.canonical_message_id = ask.canonical_message_id and twin.id <> ask.id
                             and twin.is_found and twin.left_out_reason is null)
          and not exists (select from listing as twin
                           where twin.ask_key = ask.ask_key and twin.message_timestamp_ms = latest.message_at_ms
                             and twin.canonical_message_id = latest.message_id and twin.id <> latest.listing_id
                             and twin.is_found and twin.left_out_reason is null)) as price_drop
 where listing.id = ask.id and ask.ask_key is not null and not ask.is_hidden and not ask.is_revoked;

-- A search for price drops reads these only, newest first; the fall is compared within the index.
create index listing_dropped on listing (last_seen_at_ms desc, id, price_drop_bps) where price_drop_bps is not null;
