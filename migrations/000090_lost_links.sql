-- A payment link that a restore has lost is ended, and staff see it.
ALTER TABLE adopted_effects
  DROP CONSTRAINT adopted_effects_kind_check,
  ADD CONSTRAINT adopted_effects_kind_check CHECK (kind IN ('payment', 'refund', 'link')) NOT VALID,
  DROP CONSTRAINT adopted_effects_outcome_check,
  ADD CONSTRAINT adopted_effects_outcome_check CHECK (outcome IN ('booked', 'unmatched', 'ended')) NOT VALID;
