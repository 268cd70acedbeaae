-- The home and the dates that a call was about, so that staff and partners find a refused quote without its body.
ALTER TABLE request_log ADD COLUMN listing_id uuid, ADD COLUMN check_in date, ADD COLUMN check_out date;
