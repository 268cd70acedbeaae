-- Those of 000136 and 000137 do what these did.
DROP INDEX guest_digests_by_email;
DROP INDEX channel_calendars_failing;
DROP INDEX channel_calendars_shrunk;
