-- Times that were written in the moment before a jump of this server's clock was noticed, or its end. A row with such a
-- time counts as written at `noticed_at`.
CREATE TABLE wrong_times (
  shown_from timestamptz NOT NULL,
  shown_until timestamptz NOT NULL,
  noticed_at timestamptz NOT NULL
);
CREATE INDEX wrong_times_noticed_at ON wrong_times (noticed_at);
