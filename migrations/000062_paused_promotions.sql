-- A paused promotion cannot be used until it is resumed; bookings that have it keep it.
ALTER TABLE promotions ADD COLUMN paused_at timestamptz;
