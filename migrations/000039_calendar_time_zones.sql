-- The time zone of the home with which the nights of a calendar were read. Null: none, or not known.
ALTER TABLE channel_calendars ADD COLUMN read_time_zone text;
