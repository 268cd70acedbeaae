-- Why a call was refused, and which booking it is about. Values that a caller sent are never stored.
ALTER TABLE request_log
  ADD COLUMN reason text,
  ADD COLUMN invalid_fields json,
  ADD COLUMN about text;
CREATE INDEX request_log_by_request ON request_log (request_id);
CREATE INDEX request_log_about ON request_log (about, at DESC, request_id DESC) WHERE about IS NOT NULL;

-- Deliveries with a failed attempt: those that are tried again, and those that were given up.
CREATE INDEX webhook_deliveries_retrying ON webhook_deliveries (application_id, created_at, delivery_id)
  WHERE state = 'pending' AND attempts > 0;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_id, state, last_attempt_at)
  WHERE state = 'exhausted' OR (state = 'pending' AND attempts > 0);

-- Whether partners issue and revoke their own keys in the portal.
ALTER TABLE applications ADD COLUMN portal_keys boolean NOT NULL DEFAULT false;
UPDATE applications SET portal_keys = true
  WHERE EXISTS (SELECT FROM installation WHERE environment = 'simulation');
