-- channel_calendars_due_of_host does what it did.
DROP INDEX channel_calendars_due_by_host;
