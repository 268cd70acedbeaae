-- When the provider first did not have a payment, two minutes or more after it was asked for. Such a payment is
-- given up only after two minutes more: one step of the clock shortens one of the two times, never both.
ALTER TABLE payment_intents ADD COLUMN missing_at timestamptz;
