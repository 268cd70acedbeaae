-- The guest of a payment that the provider has, and this service did not make.
CREATE INDEX CONCURRENTLY IF NOT EXISTS payment_cards_of_customer ON payment_cards (customer_reference);
