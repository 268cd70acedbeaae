-- A partner's own reference on a checkout, which need not be unique: that of a request stays in `partner_reference`,
-- which is. And what changed where a booking failed because price or policies did.

ALTER TABLE bookings ADD COLUMN checkout_reference text;
ALTER TABLE bookings ADD COLUMN failure_details json;
