-- A quote with a promotion code: the code, and the charges and refunds that it would have without it.
ALTER TABLE quotes ADD COLUMN promotion json;
