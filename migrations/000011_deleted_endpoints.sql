-- Deliveries of a deleted endpoint are removed in one walk through those of its application: up to when
-- the walk has come. No index of deliveries begins with the endpoint, and one would cost every delivery.
ALTER TABLE webhook_endpoints ADD COLUMN swept_until timestamptz NOT NULL DEFAULT '-infinity';
CREATE INDEX webhook_endpoints_deleted ON webhook_endpoints (deleted_at) WHERE deleted_at IS NOT NULL;
