-- Pages of partners and of tokens of scripts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS applications_by_creation ON applications (created_at, application_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS operator_tokens_by_creation ON operator_tokens (created_at, token_id);
