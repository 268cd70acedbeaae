-- Until now the uppermost season of a night decided everything about it; each member is looked up by itself now. Once
-- after the upgrade the homes are compared whose nights have another price or rule: src/catalog/compare-layers.ts.
CREATE TABLE layer_comparison (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- The last home that was compared, in the order of their IDs.
  compared_to uuid,
  done_at timestamptz
);
INSERT INTO layer_comparison (done_at) SELECT CASE WHEN NOT EXISTS (SELECT FROM listings) THEN now() END;
