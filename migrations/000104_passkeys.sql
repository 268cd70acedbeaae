-- Passkeys (WebAuthn) of members of staff: a second factor beside one-time codes.
CREATE TABLE staff_passkeys (
  passkey_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  staff_id uuid NOT NULL REFERENCES staff_members ON DELETE CASCADE,
  -- Base64url, as the authenticator names it.
  credential_id text NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 1 AND 1500),
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_at timestamptz NOT NULL DEFAULT line_now(),
  used_at timestamptz
);
CREATE INDEX staff_passkeys_of_member ON staff_passkeys (staff_id, created_at);

-- What a passkey is asked to sign, each once.
CREATE TABLE staff_challenges (
  challenge text PRIMARY KEY,
  staff_id uuid NOT NULL REFERENCES staff_members ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('add', 'sign_in', 'step_up')),
  expires_at timestamptz NOT NULL
);
CREATE INDEX staff_challenges_of_member ON staff_challenges (staff_id);
