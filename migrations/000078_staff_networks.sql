-- From which networks members of staff have signed in lately: storms of wrong passwords from elsewhere do not delay them.
CREATE TABLE staff_networks (
  staff_id uuid NOT NULL REFERENCES staff_members (staff_id),
  network text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (staff_id, network)
);

CREATE INDEX staff_networks_by_age ON staff_networks (seen_at);
