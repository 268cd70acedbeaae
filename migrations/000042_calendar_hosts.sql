-- The host of a calendar's URL, so that the slots of a slow server are not those of others. The rest of the URL stays
-- sealed. Null: an earlier version has written the row; a worker fills it in. Empty: the URL cannot be opened.

ALTER TABLE channel_calendars ADD COLUMN host text;
