-- Payment links: a hosted page of the card provider, where a guest pays what is open with any card. Each is a payment,
-- so what it is for is not charged to the card meanwhile.
ALTER TABLE payment_intents DROP CONSTRAINT payment_intents_purpose_check;
ALTER TABLE payment_intents ADD CONSTRAINT payment_intents_purpose_check
  CHECK (purpose IN ('booking', 'instalment', 'difference', 'link'));

CREATE TABLE payment_links (
  payment_id uuid PRIMARY KEY REFERENCES payment_intents,
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  -- The provider's name of the page, and its address; null: it has not returned them.
  page_reference text UNIQUE,
  url text,
  expires_at timestamptz NOT NULL,
  -- When the provider is asked next what has become of it.
  look_at timestamptz NOT NULL,
  -- It was paid, or can no longer be; null: it is open.
  ended_at timestamptz,
  CHECK ((page_reference IS NULL) = (url IS NULL)),
  FOREIGN KEY (checkout_id, application_id) REFERENCES payment_accounts
);
CREATE UNIQUE INDEX payment_links_open ON payment_links (checkout_id, application_id) WHERE ended_at IS NULL;

CREATE FUNCTION end_payment_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE payment_links SET ended_at = now() WHERE payment_id = NEW.payment_id AND ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER payment_intents_link_ended AFTER UPDATE ON payment_intents FOR EACH ROW
  WHEN (NEW.purpose = 'link' AND NEW.state <> OLD.state AND NEW.state IN ('captured', 'voided', 'refused'))
  EXECUTE FUNCTION end_payment_link();
