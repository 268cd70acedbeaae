-- The newest rules of time zones by which due times were computed; null: those of a version that did not write them.
ALTER TABLE installation ADD COLUMN zone_rules text;
