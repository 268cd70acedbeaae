-- In PL/pgSQL, so that the function can be created before the table that it reads, as schema.sql does.
CREATE OR REPLACE FUNCTION with_preparation(listing uuid, nights daterange) RETURNS daterange LANGUAGE plpgsql STABLE AS $$
DECLARE
  preparation integer;
BEGIN
  SELECT preparation_nights INTO preparation FROM listing_members WHERE listing_id = listing;
  RETURN daterange(lower(nights) - coalesce(preparation, 0), upper(nights) + coalesce(preparation, 0));
END $$;
