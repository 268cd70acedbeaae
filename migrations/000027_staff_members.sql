-- Members of staff, how they sign in, and an audit trail that nobody can change.

CREATE TABLE staff_members (
  staff_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  role text NOT NULL CHECK (role IN ('administrator', 'reservations', 'viewer')),
  -- argon2id with its parameters; null: no invitation has been accepted.
  password_hash text,
  -- The secret of the one-time codes, sealed; null: there is no second factor.
  second_factor bytea,
  -- A secret that waits for its first code.
  pending_factor bytea,
  -- The step of the last code that was used: each code counts once.
  last_code_step bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it last signed in.
  signed_in_at timestamptz,
  disabled_at timestamptz
);

-- A link for one use sets a password. A new link of a member replaces the one before.
CREATE TABLE staff_invitations (
  staff_id uuid PRIMARY KEY REFERENCES staff_members,
  invitation_digest bytea NOT NULL UNIQUE CHECK (octet_length(invitation_digest) = 32),
  expires_at timestamptz NOT NULL
);
CREATE INDEX staff_invitations_by_expiry ON staff_invitations (expires_at);

CREATE TABLE staff_sessions (
  session_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  session_digest bytea NOT NULL UNIQUE CHECK (octet_length(session_digest) = 32),
  staff_id uuid NOT NULL REFERENCES staff_members,
  created_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- When the member last proved who it is: by signing in, or by a password or code.
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL
);
CREATE INDEX staff_sessions_by_member ON staff_sessions (staff_id, created_at);
CREATE INDEX staff_sessions_by_expiry ON staff_sessions (expires_at);

-- From where it was done: `command line`, `console 203.0.113.5`. Null: not recorded, by an earlier version.
ALTER TABLE audit_entries ADD COLUMN source text;

-- Entries leave by age alone (docs/guides/retention.md).
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail cannot be changed'
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_entries_are_final BEFORE UPDATE ON audit_entries FOR EACH ROW
  EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_are_kept BEFORE DELETE ON audit_entries FOR EACH ROW
  WHEN (OLD.happened_at > now() - interval '2557 days')
  EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_are_not_emptied BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_audit_change();
