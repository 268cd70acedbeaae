-- The address under which partners reach the service, as the last start that served had it: the command
-- line prints it. A version before this one neither reads nor writes it.
ALTER TABLE installation ADD COLUMN base_url text;
