-- What a restore has found and staff have not closed.
CREATE INDEX CONCURRENTLY IF NOT EXISTS adopted_effects_open ON adopted_effects (noticed_at)
  WHERE outcome = 'unmatched' AND closed_at IS NULL;
