-- People find a dealer by a word of a name or by some digits of a number, so both have an index.
--
-- The words of a name are folded by the service, because PostgreSQL folds letters by its locale. Names with plain letters are
-- folded here; the service folds the others when it starts.
alter table contact_identifier add column name_words text collate "C";

update contact_identifier
   set name_words = btrim(regexp_replace(lower(name collate "C"), '[^a-z0-9]+', ' ', 'g'))
 where name collate "C" ~ '^[ -~]{1,200}$';

create index contact_identifier_by_name on contact_identifier using gin ((name_words::tsvector));
create index contact_identifier_unfolded on contact_identifier (identifier) where name is not null and name_words is null;
create index contact_identifier_by_digits on contact_identifier using gin (identifier gin_trgm_ops)
 where identifier like 'phone:%';
