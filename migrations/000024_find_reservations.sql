-- Staff find reservations by the email of the guest. The guest is sealed, so a keyed digest of the address is
-- written with the reservation. Empty: there is no guest. Null: the previous version wrote it; a background
-- task adds the digest.
ALTER TABLE reservations
  ADD COLUMN guest_email_digest bytea CHECK (octet_length(guest_email_digest) IN (0, 32));
CREATE INDEX reservations_by_guest_email ON reservations (guest_email_digest, check_in, reference);
CREATE INDEX reservations_without_email_digest ON reservations (confirmed_at)
  WHERE guest_email_digest IS NULL;
CREATE INDEX reservations_of_application ON reservations (application_id, check_in, reference);
