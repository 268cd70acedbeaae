-- Who pays for a booking: the partner's company as it was called at submit; null: the guest's card, or a booking
-- that was submitted before.
ALTER TABLE bookings ADD COLUMN payer text;
