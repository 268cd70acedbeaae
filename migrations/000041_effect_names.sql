-- The name of an effect at the card provider survives the loss of our rows: it is made of the checkout, the part of
-- its money, and the number of the try. Null: written by a version that named effects by the ID of the row.
ALTER TABLE payment_intents ADD COLUMN first_try smallint CHECK (first_try > 0);
ALTER TABLE payment_refunds ADD COLUMN number smallint CHECK (number > 0);
