-- A link that a person has made is worth what its session is: it ends with it, and what it opens lasts no longer.
ALTER TABLE portal_links ADD COLUMN issued_in uuid;
-- When the person came by a link of staff. Null: when the session began.
ALTER TABLE portal_sessions ADD COLUMN admitted_at timestamptz;
