-- The changes of prices from before they had rows: by the audit trail, what it does not have at the last update, and the
-- cancellations. What a trigger has entered meanwhile stays.
INSERT INTO reservation_price_changes
SELECT r.reference, (e.details #>> '{after,version}')::integer, r.application_id, 'changed',
  (e.details #>> '{after,total}')::bigint - (e.details #>> '{before,total}')::bigint, 0, r.charges ->> 'currency',
  e.happened_at
FROM audit_entries e JOIN reservations r ON r.reference = e.reference
WHERE e.action = 'reservation.change' AND e.details #>> '{after,version}' IS NOT NULL
  AND e.details #>> '{after,total}' IS DISTINCT FROM e.details #>> '{before,total}'
  AND e.details #>> '{before,total}' IS NOT NULL AND e.details #>> '{after,total}' IS NOT NULL
ON CONFLICT DO NOTHING;

INSERT INTO reservation_price_changes
SELECT r.reference, 1, r.application_id, 'changed', rest.amount, rest.property, r.charges ->> 'currency', r.updated_at
FROM reservations r
JOIN bookings b ON b.application_id = r.application_id AND b.kind = r.kind AND b.booking_id = r.booking_id
JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
CROSS JOIN LATERAL (
  SELECT coalesce(sum(amount_minor), 0) AS amount, coalesce(sum(property_minor), 0) AS property
  FROM reservation_price_changes c WHERE c.reference = r.reference AND c.kind = 'changed') known
CROSS JOIN LATERAL (
  SELECT coalesce(b.charges, q.charges) AS charges) confirmed
CROSS JOIN LATERAL (
  SELECT (r.charges ->> 'total')::bigint - (confirmed.charges ->> 'total')::bigint - known.amount AS amount,
    (r.charges ->> 'total')::bigint - collectable_total(r.charges) - (confirmed.charges ->> 'total')::bigint
      + collectable_total(confirmed.charges) - known.property AS property) rest
WHERE r.version > 1 AND (rest.amount <> 0 OR rest.property <> 0)
ON CONFLICT DO NOTHING;

INSERT INTO reservation_price_changes
SELECT r.reference, r.version, r.application_id, 'cancelled', kept_of(r.reference) - (r.charges ->> 'total')::bigint,
  collectable_total(r.charges) - (r.charges ->> 'total')::bigint, r.charges ->> 'currency', r.cancelled_at
FROM reservations r WHERE r.state = 'cancelled'
ON CONFLICT DO NOTHING;
