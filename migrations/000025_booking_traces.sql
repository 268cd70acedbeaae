-- The trace in which a booking is processed, if a call was traced: workers continue it. Only processes that send
-- traces write and read it.
CREATE TABLE booking_traces (
  application_id uuid NOT NULL,
  booking_id uuid NOT NULL,
  traceparent text NOT NULL CHECK (traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (application_id, booking_id)
);
CREATE INDEX booking_traces_by_age ON booking_traces (created_at);
