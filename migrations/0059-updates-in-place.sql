-- What changes with every message or refresh is in no index, and its pages have room.
-- So these updates stay on their page and write no index entry. The scheduler read the whole index to find what is due, which a
-- table of configurations costs too.
drop index price_configuration_due;
alter table price_configuration set (fillfactor = 70);
alter table contact_identifier set (fillfactor = 70);
