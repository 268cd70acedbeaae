-- One key signs: processes that start or rotate at the same instant agree on it.

UPDATE token_signing_keys SET retired_at = now()
WHERE retired_at IS NULL AND key_id <> (
  SELECT key_id FROM token_signing_keys WHERE retired_at IS NULL ORDER BY created_at DESC, key_id LIMIT 1);

CREATE UNIQUE INDEX token_signing_keys_one_signs ON token_signing_keys ((true)) WHERE retired_at IS NULL;
