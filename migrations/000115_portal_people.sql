-- The persons of a partner who use the portal by name. Their sessions last while they are used.
CREATE TABLE portal_people (
  person_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  application_id uuid NOT NULL REFERENCES applications,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  created_at timestamptz NOT NULL DEFAULT line_now()
);
CREATE UNIQUE INDEX portal_people_once ON portal_people (application_id, lower(email));

-- Null: a link, or a session, of nobody by name.
ALTER TABLE portal_links ADD COLUMN person_id uuid REFERENCES portal_people ON DELETE CASCADE;

ALTER TABLE portal_sessions ADD COLUMN person_id uuid REFERENCES portal_people ON DELETE CASCADE,
  ADD COLUMN session_id uuid,
  ADD COLUMN seen_at timestamptz,
  ADD COLUMN user_agent text;
