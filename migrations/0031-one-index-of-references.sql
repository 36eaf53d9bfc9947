-- The index with configuration_key behind the reference serves every query that this one served.
drop index price_configuration_by_reference;
