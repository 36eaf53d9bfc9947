-- Listings are found by their words without a walk over listings that have other ones.

-- To the planner every word looks alike: of two that never stand together it expects some, and walks the newest listings to
-- find them. Here it can use nothing but the index of words.
create function listings_with_words(asked tsquery, most integer) returns setof uuid
  language sql stable set enable_seqscan = off set enable_indexscan = off
as $$ select id from listing where search_text::tsvector @@ asked limit most $$;
