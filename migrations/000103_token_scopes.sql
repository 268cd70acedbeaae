-- What the token of a script may do of what its role may; null: everything.
ALTER TABLE operator_tokens ADD COLUMN scopes text[] CHECK (cardinality(scopes) > 0);
