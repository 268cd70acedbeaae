-- The rows of before are right: none is of an outside stay.
ALTER TABLE occupancies VALIDATE CONSTRAINT occupancies_source_check;
ALTER TABLE occupancies VALIDATE CONSTRAINT occupancies_outside_check;
