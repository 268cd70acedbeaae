-- The provider may send an event about a dispute several times: the ledger notes it once.
CREATE UNIQUE INDEX payment_entries_disputes ON payment_entries ((details->>'eventReference'))
  WHERE kind = 'disputed';
