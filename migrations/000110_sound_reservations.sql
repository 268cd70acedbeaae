-- As in the migrations before, for reservations.
CREATE FUNCTION reservation_is_sound(r reservations) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN r.state IN ('confirmed', 'cancelled', 'pending')
    AND (r.state = 'cancelled') = (r.cancelled_at IS NOT NULL)
    AND (r.announced_change IS NULL) = (r.announced_for IS NULL)
    AND (r.announced_change IS NULL OR r.announced_change IN ('cancelled', 'moved_one_day'))
    AND (r.collected_minor IS NULL OR r.collected_minor >= 0)
    AND (r.refund_minor IS NULL OR r.refund_minor >= 0)
    AND (r.guest_email_digest IS NULL OR octet_length(r.guest_email_digest) IN (0, 32));
END $$;
ALTER TABLE reservations
  DROP CONSTRAINT reservations_announced_change_check, DROP CONSTRAINT reservations_check,
  DROP CONSTRAINT reservations_check1, DROP CONSTRAINT reservations_collected_minor_check,
  DROP CONSTRAINT reservations_guest_email_digest_check, DROP CONSTRAINT reservations_refund_minor_check,
  DROP CONSTRAINT reservations_state_check,
  ADD CONSTRAINT reservations_sound CHECK (reservation_is_sound(reservations)) NOT VALID;
