-- Prices, taxes and rules as operators have them. Members of the catalog file that no statement compares have no
-- column of their own: they are in `members`, as in the file. Null: there are none.

ALTER TABLE seasons ADD COLUMN members json, ALTER COLUMN change_percent TYPE numeric;
ALTER TABLE dated_rates ADD COLUMN members json;

-- Either a percentage or an amount.
ALTER TABLE length_discounts ALTER COLUMN percent TYPE numeric, ALTER COLUMN percent DROP NOT NULL,
  ADD COLUMN amount bigint CHECK (amount >= 0),
  ADD CHECK ((percent IS NULL) <> (amount IS NULL));

ALTER TABLE fees ADD COLUMN members json, ALTER COLUMN per DROP NOT NULL, ALTER COLUMN amount DROP NOT NULL;

-- A tax may name other lines, be a percentage for each guest and night, or have steps.
ALTER TABLE taxes ADD COLUMN members json, ALTER COLUMN percent TYPE numeric,
  DROP CONSTRAINT taxes_check, DROP CONSTRAINT taxes_check1, DROP CONSTRAINT taxes_check2,
  DROP CONSTRAINT taxes_taxed_parts_check;

ALTER TABLE cancellation_rules ALTER COLUMN refund_percent TYPE numeric;

-- A table of its own: programs of the version before read all columns of `listings`.
CREATE TABLE listing_members (
  listing_id uuid PRIMARY KEY REFERENCES listings,
  members json NOT NULL,
  -- Nights after each stay and after each event of another channel that partners do not get.
  preparation_nights integer NOT NULL DEFAULT 0 CHECK (preparation_nights BETWEEN 0 AND 7)
);

-- Who sells the homes of a catalog, and the text of its cancellation rules.
ALTER TABLE catalogs ADD COLUMN trader json, ADD COLUMN cancellation_text json;
