-- Why a call was refused, and which booking it is about. Values that a caller sent are never stored.
ALTER TABLE request_log
  ADD COLUMN reason text,
  ADD COLUMN invalid_fields json,
  ADD COLUMN about text;

-- Whether partners issue and revoke their own keys in the portal.
ALTER TABLE applications ADD COLUMN portal_keys boolean NOT NULL DEFAULT false;
UPDATE applications SET portal_keys = true
  WHERE EXISTS (SELECT FROM installation WHERE environment = 'simulation');
