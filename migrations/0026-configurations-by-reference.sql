-- Finds the configurations that are about the listings of a reference.
create index price_configuration_by_reference on price_configuration (market_reference_normalized, id);
