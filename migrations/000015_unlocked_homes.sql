-- Not unique: an update of a column of a unique index locks the row against rows that refer to it. While an
-- import changes a home, bookings must be able to take its nights.
DROP INDEX listings_by_revision;
CREATE INDEX listings_by_revision ON listings (revision, listing_id);
