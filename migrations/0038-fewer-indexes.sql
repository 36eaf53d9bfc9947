-- Every index of `listing` slows each new listing down. These go, because others serve their queries; see docs/filters.md.

-- A scan in the other direction, and a sort of listings with the same value by id.
drop index listing_oldest;
drop index listing_dearest;
drop index listing_by_brand_dearest;
-- Without `nulls last`: a search asks for the listings with a value first, and for the others by themselves.
drop index listing_latest_year;
drop index listing_by_brand_year;
create index listing_latest_year on listing (year desc, id);
create index listing_by_brand_year on listing (brand_folded, year desc, id);

-- One index of references instead of two: its last columns are what a refresh reads, so it does not read the table.
drop index listing_population;
drop index listing_by_reference;
create index listing_by_reference on listing (reference_normalized, last_seen_at_ms desc, id)
  include (contact_id, year, condition, price_eur_minor, sequence, side, is_hidden, is_revoked);

-- By word instead of by three letters: a search asks for words and starts of words, and a text has a quarter as many words.
drop index listing_by_text;
-- Words are cut, because an index takes no word of 2,047 bytes; `src/listings/search-text.ts` cuts them in the same way. The table is
-- written again, because an index would also have the old versions of rows that this transaction updates.
do $$
begin
  if exists (select from listing where length(search_text) > 255 and search_text ~ '[^ \n]{255}[^ \n]') then
    alter table listing alter column search_text type text collate "C"
      using regexp_replace(search_text, '([^ \n]{255})[^ \n]+', '\1', 'g');
  end if;
end
$$;
create index listing_by_text on listing using gin ((search_text::tsvector));
-- The statistics of the words, which a search needs for its plan.
analyze listing;
