-- bookings_newest_of_checkout_reference and change_requests_of_state do what these did.
DROP INDEX bookings_by_checkout_reference;
DROP INDEX change_requests_newest_open;
