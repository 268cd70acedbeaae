-- Since when the home has its present nights of preparation: calendars of other channels have shown them from then on.
ALTER TABLE listing_members ADD COLUMN preparation_since timestamptz NOT NULL DEFAULT now();

CREATE FUNCTION note_preparation_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.preparation_since := now();
  RETURN NEW;
END $$;
CREATE TRIGGER listing_members_preparation_since BEFORE UPDATE ON listing_members
  FOR EACH ROW WHEN (NEW.preparation_nights <> OLD.preparation_nights) EXECUTE FUNCTION note_preparation_since();
