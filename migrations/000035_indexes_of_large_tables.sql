-- Indexes of the three migrations before that concern existing tables. They are built concurrently.
CREATE INDEX CONCURRENTLY IF NOT EXISTS request_log_by_request ON request_log (request_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS request_log_about ON request_log (about, at DESC, request_id DESC)
  WHERE about IS NOT NULL;

-- Deliveries with a failed attempt: those that are tried again, and those that were given up.
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_retrying
  ON webhook_deliveries (application_id, created_at, delivery_id) WHERE state = 'pending' AND attempts > 0;
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_failed
  ON webhook_deliveries (endpoint_id, state, last_attempt_at)
  WHERE state = 'exhausted' OR (state = 'pending' AND attempts > 0);

-- Which homes have an uploaded picture.
CREATE INDEX CONCURRENTLY IF NOT EXISTS listings_with_uploads
  ON listings USING gin ((images::jsonb) jsonb_path_ops)
  WHERE images::jsonb @? '$[*].file ? (@ starts with "pictures/uploaded/")';

-- The last position in a catalog, where a home is added.
CREATE INDEX CONCURRENTLY IF NOT EXISTS catalog_listings_by_position ON catalog_listings (catalog_id, position);

-- The homes that a catalog no longer sells, the latest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS catalog_listings_withdrawn
  ON catalog_listings (catalog_id, withdrawn_at, listing_id) WHERE withdrawn_at IS NOT NULL;

-- Calendars of channels that cannot be read.
CREATE INDEX CONCURRENTLY IF NOT EXISTS channel_calendars_failing ON channel_calendars (calendar_id)
  WHERE problem IS NOT NULL;

-- Bookings that failed, which the funnel counts.
CREATE INDEX CONCURRENTLY IF NOT EXISTS bookings_failed ON bookings (resolved_at)
  WHERE failure_reason IS NOT NULL;
