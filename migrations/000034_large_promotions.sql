-- A promotion takes off up to a billion units of a currency with three decimals. The part of `off` above the
-- largest integer has a column of its own: another type of `off` would break the statements that processes of
-- the previous version have prepared.
ALTER TABLE promotions
  ADD COLUMN off_above bigint NOT NULL DEFAULT 0
    CHECK (off_above = 0 OR off_above > 0 AND off = 2147483647);
