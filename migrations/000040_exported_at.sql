-- What the channel of a calendar has read of ours, and what our requests to it name themselves.

ALTER TABLE channel_calendars
  -- The channel has everything that was taken before this instant: it read its own export of the home then.
  ADD COLUMN exported_at timestamptz,
  -- The `User-Agent` of requests to it. Null: the usual one.
  ADD COLUMN user_agent text CHECK (length(user_agent) BETWEEN 1 AND 200);

-- Held nights are not exported, so a stay is in our calendars since it was confirmed.
ALTER TABLE occupancies ADD COLUMN confirmed_at timestamptz;
