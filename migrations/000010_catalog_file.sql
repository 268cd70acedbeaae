-- Homes have the rules of the catalog file. The homes of the simulation are imported again at the
-- next start; promotions stay, with their uses. The version before this one keeps serving the homes
-- that it has in memory.

-- The refunds of a checkout with a promotion; null: those of its quote.
ALTER TABLE bookings ADD COLUMN cancellation json;

DELETE FROM listings;
DELETE FROM collections;
DELETE FROM site;

ALTER TABLE listings
  ADD COLUMN check_in_from text,
  ADD COLUMN check_out_until text,
  ADD COLUMN images json NOT NULL,
  ADD COLUMN currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  ADD COLUMN fees json NOT NULL,
  ADD COLUMN taxes json NOT NULL,
  ADD COLUMN payment json NOT NULL,
  ADD COLUMN party json NOT NULL,
  DROP COLUMN pictures,
  DROP COLUMN party_rules;
