-- From where a key gets tokens, and a token calls; null: from everywhere.
ALTER TABLE application_keys ADD COLUMN networks cidr[];
ALTER TABLE operator_tokens ADD COLUMN networks cidr[];
