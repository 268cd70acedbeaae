-- A promotion of a percentage has up to four decimals. `off` stays in basis points, for processes of the release before,
-- whose changes of it count: see `off` in src/catalog/store/promotions.ts.
ALTER TABLE promotions ADD COLUMN off_millionths integer CHECK (off_millionths BETWEEN 1 AND 1000000);
