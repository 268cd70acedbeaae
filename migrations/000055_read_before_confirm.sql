-- Calendars that are read before a booking is confirmed.

ALTER TABLE channel_calendars
  -- Somebody reads it until this time: bookings of all processes wait for that read. Null: nobody.
  ADD COLUMN reading_until timestamptz,
  -- When a booking has last waited for it in vain.
  ADD COLUMN late_at timestamptz;
