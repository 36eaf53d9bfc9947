-- A hash of the cells as they were last saved. A calculation with the same result has no cell to write.
alter table price_snapshot add column cells_hash text;
