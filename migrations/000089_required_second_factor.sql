-- Whether every member of staff with a password needs a second factor.
ALTER TABLE installation ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false;
