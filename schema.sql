-- What the migrations make, as PostgreSQL tells it. Generated: change it with a migration.
-- It is for reading and for comparing; a database is made by the migrations.

-- Extensions

CREATE EXTENSION btree_gist;

-- Functions

CREATE OR REPLACE FUNCTION public.audit_line(entry_id bigint, happened_at timestamp with time zone, actor text, source text, action text, application_id uuid, reference text, details jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'public'
AS $function$
  SELECT jsonb_build_object('entryId', entry_id,
    'happenedAt', to_char(happened_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'actor', actor, 'source', source, 'action', action, 'applicationId', application_id,
    'reference', reference, 'details', details)::text
$function$;

CREATE OR REPLACE FUNCTION public.begin_application_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO application_changes (application_id, sequence, run, changed_at, kind, catalog_id, catalog_sequence)
    VALUES (NEW.application_id, 0, 0, clock_timestamp(), NULL, NEW.catalog_id,
      coalesce((SELECT told FROM change_counters WHERE catalog_id = NEW.catalog_id), 0));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.block_freed_nights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  conflict record;
  free datemultirange;
  has_calendars boolean;
  has_outside_stays boolean;
BEGIN
  -- Waits for a refresh or a change of outside stays in progress, whose conflicts are then seen. A calendar that is
  -- removed meanwhile is not found below. Transactions that free nights do not wait for each other.
  PERFORM FROM channel_calendars WHERE listing_id = OLD.listing_id ORDER BY calendar_id FOR KEY SHARE;
  has_calendars := FOUND;
  PERFORM FROM outside_homes WHERE listing_id = OLD.listing_id FOR KEY SHARE;
  has_outside_stays := FOUND;
  IF has_outside_stays THEN
    PERFORM take_outside_nights(outside_stay_id, OLD.nights) FROM (
      SELECT outside_stay_id FROM outside_stays
      WHERE listing_id = OLD.listing_id AND nights && OLD.nights
      ORDER BY created_at, outside_stay_id) wanting;
  END IF;
  IF NOT has_calendars THEN RETURN NULL; END IF;
  FOR conflict IN
    SELECT k.* FROM channel_calendars c JOIN channel_conflicts k ON k.calendar_id = c.calendar_id
    WHERE c.listing_id = OLD.listing_id AND k.nights && OLD.nights
    ORDER BY k.calendar_id, k.nights
  LOOP
    -- Only nights that this transaction has freed: nobody else can have taken them, so nothing waits here.
    free := datemultirange(conflict.nights * OLD.nights) - coalesce((
      SELECT range_agg(nights) FROM occupancies
      WHERE listing_id = OLD.listing_id AND nights && conflict.nights), '{}');
    CONTINUE WHEN isempty(free);
    INSERT INTO occupancies (listing_id, nights, kind, source, calendar_id, event_uid)
      SELECT OLD.listing_id, part, 'block', 'channel', conflict.calendar_id, conflict.event_uid
      FROM unnest(free) AS part ON CONFLICT DO NOTHING;
    DELETE FROM channel_conflicts WHERE calendar_id = conflict.calendar_id AND nights = conflict.nights;
    INSERT INTO channel_conflicts (calendar_id, nights, event_uid, occupancy_id, kind, reference, found_at)
      SELECT conflict.calendar_id, part, conflict.event_uid, conflict.occupancy_id, conflict.kind,
        conflict.reference, conflict.found_at
      FROM unnest(datemultirange(conflict.nights) - free) AS part ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.chain_audit_entries(at_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  head record;
  entry record;
  chained integer := 0;
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  FOR entry IN
    SELECT e.* FROM audit_unchained u JOIN audit_entries e USING (entry_id)
    WHERE NOT has_audit_text(e.action, e.details) ORDER BY entry_id LIMIT at_most
  LOOP
    head.position := head.position + 1;
    head.hash := sha256(head.hash || convert_to(audit_line(entry.entry_id, entry.happened_at, entry.actor,
      entry.source, entry.action, entry.application_id, entry.reference, entry.details), 'UTF8'));
    INSERT INTO audit_chain (position, entry_id, hash) VALUES (head.position, entry.entry_id, head.hash);
    DELETE FROM audit_unchained WHERE entry_id = entry.entry_id;
    chained := chained + 1;
  END LOOP;
  UPDATE audit_head SET position = head.position, hash = head.hash WHERE chained > 0;
  RETURN chained;
END $function$;

CREATE OR REPLACE FUNCTION public.check_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  payment record;
  refunded bigint;
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id FOR NO KEY UPDATE;
  SELECT coalesce(sum(amount_minor), 0) INTO refunded FROM payment_refunds
    WHERE payment_id = NEW.payment_id AND state NOT IN ('refused', 'failed');
  IF payment.state <> 'captured' OR refunded + NEW.amount_minor > payment.amount_minor THEN
    RAISE EXCEPTION 'payment % has not % left to refund', NEW.payment_id, NEW.amount_minor
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.clock_timestamp()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
AS $function$ SELECT pg_catalog.clock_timestamp() + current_setting('latchkey.clock_shift')::interval $function$;

CREATE OR REPLACE FUNCTION public.collectable_total(charges json)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT (charges ->> 'total')::bigint - coalesce((
    SELECT sum((one ->> 'amount')::bigint) FROM json_array_elements(charges -> 'schedule') one
    WHERE one ->> 'at' = 'property'), 0)
$function$;

CREATE OR REPLACE FUNCTION public.decline_change_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE change_requests SET state = 'declined', decided_at = now(),
    reason = CASE NEW.state WHEN 'cancelled' THEN 'The reservation was cancelled otherwise.'
      ELSE 'The reservation was changed otherwise.' END
  WHERE reference = NEW.reference AND state = 'open';
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.end_payment_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE payment_links SET ended_at = now() WHERE payment_id = NEW.payment_id AND ended_at IS NULL;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.enter_dispute_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at)
  SELECT application_id, checkout_id, 'disputed', 'disputed ' || NEW.dispute_reference, NEW.amount_minor, NEW.currency,
    NEW.opened_at
  FROM payment_intents WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.enter_gone_back(application uuid, checkout uuid, payment uuid, refund uuid, kind_of text, gone bigint, of_currency text, about json)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  balance record;
  begun record;
  amount bigint;
  of_owed bigint;
  of_surplus bigint;
BEGIN
  PERFORM FROM payment_accounts WHERE checkout_id = checkout AND application_id = application FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
      amount_minor, currency, details)
    VALUES (application, checkout, payment, refund, kind_of, 'open', 'refunded', gone, of_currency, about);
    RETURN;
  END IF;
  SELECT * INTO balance FROM payment_balance(application, checkout);
  SELECT coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'owed'), 0) AS owed,
      coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'open'), 0) AS surplus INTO begun
    FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = checkout AND i.application_id = application AND f.state IN ('requested', 'unknown');
  amount := least(gone, greatest(balance.collected - balance.refunded - begun.owed - begun.surplus, 0));
  of_owed := least(amount, greatest(balance.owed - begun.owed, 0));
  of_surplus := least(amount - of_owed, greatest(-(balance.open + balance.owed) - begun.surplus, 0));
  INSERT INTO payment_entries
    (application_id, checkout_id, payment_id, refund_id, kind, debit, credit, amount_minor, currency, details)
  SELECT application, checkout, payment, refund, one.kind, one.debit, one.credit, one.amount, of_currency, about
  FROM (VALUES (kind_of, 'owed', 'refunded', of_owed),
      (kind_of, 'open', 'refunded', amount - of_owed),
      ('uncovered', 'due', 'open', amount - of_owed - of_surplus),
      ('lost', 'losses', 'provider', gone - amount)) AS one (kind, debit, credit, amount)
  WHERE one.amount > 0;
END  $function$;

CREATE OR REPLACE FUNCTION public.enter_lost_dispute()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  payment record;
  about json := json_build_object('disputeReference', NEW.dispute_reference);
BEGIN
  IF NEW.outcome <> 'lost' OR TG_OP = 'UPDATE' AND OLD.outcome = 'lost' THEN RETURN NULL; END IF;
  SELECT i.* INTO payment FROM payment_intents i
    JOIN payment_accounts a ON a.checkout_id = i.checkout_id AND a.application_id = i.application_id
    WHERE i.payment_id = NEW.payment_id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM enter_gone_back(payment.application_id, payment.checkout_id, payment.payment_id, NULL, 'charged_back',
    NEW.amount_minor, NEW.currency, about);
  INSERT INTO payment_entries
    (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency, details)
  SELECT payment.application_id, payment.checkout_id, payment.payment_id, 'dispute_fee', 'fees', 'provider',
    NEW.fee_minor, NEW.currency, about
  WHERE NEW.fee_minor > 0;
  PERFORM wake_payment_account(payment.application_id, payment.checkout_id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.enter_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.state IN ('captured', 'voided', 'refused') THEN
    INSERT INTO payment_entries
      (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency)
    SELECT application_id, checkout_id, payment_id, 'released', 'holds', 'authorized', amount_minor, currency
    FROM payment_entries WHERE payment_id = NEW.payment_id AND kind = 'authorized';
  END IF;
  -- A capture that is not known leaves the hold as it is.
  IF NEW.state = 'authorized' AND EXISTS
    (SELECT FROM payment_entries WHERE payment_id = NEW.payment_id AND kind = 'authorized') THEN
    RETURN NULL;
  END IF;
  INSERT INTO payment_entries
    (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency, details)
  VALUES (NEW.application_id, NEW.checkout_id, NEW.payment_id, NEW.state,
    CASE NEW.state WHEN 'authorized' THEN 'authorized' WHEN 'captured' THEN 'collected' END,
    CASE NEW.state WHEN 'authorized' THEN 'holds' WHEN 'captured' THEN 'open' END,
    NEW.amount_minor, NEW.currency,
    json_strip_nulls(json_build_object('purpose', NEW.purpose, 'dueOn', NEW.due_on,
      'providerReference', NEW.provider_reference, 'declineCode', NEW.decline_code, 'round', NEW.round)));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.enter_payment_record()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- A decline before there is a reservation is the guest's own try: the checkout has failed.
  IF NEW.amount_minor IS NULL OR NOT (NEW.kind IN ('captured', 'collected_elsewhere', 'refunded',
      'refunded_elsewhere', 'refund_refused', 'refund_failed', 'charged_back', 'written_off')
    OR NEW.kind = 'refused' AND NEW.details ->> 'purpose' IS DISTINCT FROM 'booking') THEN
    RETURN NULL;
  END IF;
  INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at)
  VALUES (NEW.application_id, NEW.checkout_id,
    CASE NEW.kind WHEN 'captured' THEN 'collected' WHEN 'collected_elsewhere' THEN 'collected'
      WHEN 'refused' THEN 'declined' WHEN 'refunded_elsewhere' THEN 'refunded'
      WHEN 'refund_refused' THEN 'refund_failed' ELSE NEW.kind END,
    concat_ws(' ', NEW.kind, coalesce(NEW.debit, ''), coalesce(NEW.details ->> 'refundReference',
      NEW.details ->> 'disputeReference', NEW.details ->> 'providerReference', NEW.at::text),
      NEW.details ->> 'round'),
    NEW.amount_minor, NEW.currency,
    CASE WHEN (NEW.details ->> 'happenedOn')::date < (NEW.at AT TIME ZONE 'UTC')::date
      THEN (NEW.details ->> 'happenedOn')::timestamp AT TIME ZONE 'UTC' ELSE NEW.at END);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.enter_price_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  paid_there bigint := (OLD.charges ->> 'total')::bigint - collectable_total(OLD.charges);
BEGIN
  IF NEW.state = 'cancelled' THEN
    INSERT INTO reservation_price_changes VALUES (NEW.reference, NEW.version, NEW.application_id, 'cancelled',
      kept_of(NEW.reference) - (OLD.charges ->> 'total')::bigint, -paid_there, OLD.charges ->> 'currency', NEW.updated_at);
    RETURN NULL;
  END IF;
  -- A change of the currency takes one price back and adds another.
  INSERT INTO reservation_price_changes
  SELECT NEW.reference, NEW.version, NEW.application_id, 'changed', sum(one.amount), sum(one.property), one.currency,
    NEW.updated_at
  FROM (VALUES (-(OLD.charges ->> 'total')::bigint, -paid_there, OLD.charges ->> 'currency'),
      ((NEW.charges ->> 'total')::bigint, (NEW.charges ->> 'total')::bigint - collectable_total(NEW.charges),
        NEW.charges ->> 'currency')) AS one (amount, property, currency)
  GROUP BY one.currency HAVING sum(one.amount) <> 0 OR sum(one.property) <> 0;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.enter_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  payment record;
  lost bigint := 0;
  beyond bigint;
  about json := json_strip_nulls(json_build_object('reason', NEW.reason, 'refundReference', NEW.refund_reference,
    'declineCode', NEW.decline_code, 'round', NEW.round));
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id;
  IF NEW.state = 'done' AND NEW.made_elsewhere THEN
    PERFORM enter_gone_back(payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id,
      'refunded', NEW.amount_minor, payment.currency, about);
    RETURN NULL;
  END IF;
  IF NEW.state = 'failed' AND NEW.made_elsewhere THEN
    SELECT coalesce(sum(amount_minor), 0) INTO lost FROM payment_entries
      WHERE payment_id = NEW.payment_id AND refund_id = NEW.refund_id AND kind = 'lost';
  END IF;
  INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
    amount_minor, currency, details)
  SELECT payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id, one.kind, one.debit,
    one.credit, one.amount, payment.currency, about
  FROM (VALUES (CASE NEW.state WHEN 'done' THEN 'refunded' ELSE 'refund_' || NEW.state END,
      CASE NEW.state WHEN 'done' THEN NEW.of_account WHEN 'failed' THEN 'refunded' END,
      CASE NEW.state WHEN 'done' THEN 'refunded' WHEN 'failed' THEN NEW.of_account END, NEW.amount_minor - lost),
    ('recovered', 'provider', 'losses', lost)) AS one (kind, debit, credit, amount)
  WHERE one.amount > 0;
  IF NEW.state = 'done' AND EXISTS (SELECT FROM reservations r
      WHERE r.booking_id = payment.checkout_id AND r.application_id = payment.application_id AND r.state = 'cancelled') THEN
    SELECT least(NEW.amount_minor, balance.open + balance.owed) INTO beyond
      FROM payment_balance(payment.application_id, payment.checkout_id) balance;
    INSERT INTO payment_entries (application_id, checkout_id, payment_id, refund_id, kind, debit, credit,
      amount_minor, currency, details)
    SELECT payment.application_id, payment.checkout_id, payment.payment_id, NEW.refund_id, 'uncovered', 'due', 'open',
      beyond, payment.currency, about
    WHERE beyond > 0;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.enter_reservation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  account record;
  balance record;
  forgiven bigint;
  change bigint;
BEGIN
  SELECT * INTO account FROM payment_accounts
    WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO balance FROM payment_balance(NEW.application_id, NEW.booking_id);
  IF NEW.state = 'cancelled' THEN
    change := least(balance.collected - balance.refunded - balance.owed, balance.due) - coalesce(NEW.refund_minor, 0);
    IF change < 0 THEN
      RAISE EXCEPTION 'the refund of % is more than was collected', NEW.reference
        USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    change := change - balance.due;
  ELSE
    SELECT coalesce(sum(amount_minor), 0) INTO forgiven FROM payment_entries
      WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id
        AND (kind IN ('reduced', 'written_off', 'uncovered', 'given_back')
          OR kind = 'lowered' AND details ->> 'by' = 'staff');
    change := greatest(collectable_total(NEW.charges) - forgiven, 0) - balance.due;
  END IF;
  IF change <> 0 THEN
    INSERT INTO payment_entries
      (application_id, checkout_id, kind, debit, credit, amount_minor, currency, details)
    VALUES (NEW.application_id, NEW.booking_id,
      CASE WHEN NEW.state = 'cancelled' THEN 'cancelled' WHEN change > 0 THEN 'raised' ELSE 'lowered' END,
      CASE WHEN change > 0 THEN 'open' ELSE 'due' END, CASE WHEN change > 0 THEN 'due' ELSE 'open' END,
      abs(change), account.currency, json_build_object('version', NEW.version));
  END IF;
  PERFORM wake_payment_account(NEW.application_id, NEW.booking_id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.erase_audit_texts(of_references text[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
DECLARE
  erased integer;
BEGIN
  UPDATE audit_texts t SET text_sealed = NULL, erased_at = now()
    FROM audit_entries e WHERE e.reference = ANY (of_references) AND t.entry_id = e.entry_id
      AND t.text_sealed IS NOT NULL;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $function$;

CREATE OR REPLACE FUNCTION public.follow_guest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM guest_digests WHERE booking_id = OLD.booking_id AND application_id = OLD.application_id AND kind = OLD.kind;
  ELSIF NEW.guest_sealed IS NULL THEN
    DELETE FROM guest_digests WHERE booking_id = NEW.booking_id AND application_id = NEW.application_id AND kind = NEW.kind;
  ELSE
    INSERT INTO guest_digests AS d (booking_id, application_id, kind)
    VALUES (NEW.booking_id, NEW.application_id, NEW.kind)
    ON CONFLICT (booking_id, application_id, kind) DO UPDATE
      SET email = NULL, phone = NULL, name = NULL, last_name = NULL, words = NULL, digested = false,
        generation = d.generation + 1;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.has_audit_text(action text, details jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT action NOT LIKE 'staff.%.fail'
    AND (jsonb_typeof(details -> 'reason') = 'string' OR jsonb_typeof(details -> 'method') = 'string') IS TRUE
$function$;

CREATE OR REPLACE FUNCTION public.has_preparation(kind text, source text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT kind <> 'block' OR source NOT IN ('file', 'staff') $function$;

CREATE OR REPLACE FUNCTION public.keep_preparation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  preparation integer;
BEGIN
  SELECT preparation_nights INTO preparation FROM listing_members WHERE listing_id = NEW.listing_id;
  IF coalesce(preparation, 0) = 0 THEN RETURN NEW; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('preparation ' || NEW.listing_id, 0));
  PERFORM FROM occupancies WHERE listing_id = NEW.listing_id AND has_preparation(kind, source)
    AND nights && daterange(lower(NEW.nights) - preparation, upper(NEW.nights) + preparation);
  IF FOUND THEN RETURN NULL; END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.kept_of(cancelled_reference text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  cancelled record;
  collected bigint;
BEGIN
  SELECT * INTO cancelled FROM reservations WHERE reference = cancelled_reference;
  IF cancelled.kind = 'checkout' THEN
    PERFORM FROM payment_accounts
      WHERE checkout_id = cancelled.booking_id AND application_id = cancelled.application_id;
    IF FOUND THEN
      RETURN (SELECT due FROM payment_balance(cancelled.application_id, cancelled.booking_id));
    END IF;
  END IF;
  collected := cancelled.collected_minor;
  IF collected IS NULL THEN
    collected := scheduled_by(cancelled.charges, (cancelled.cancelled_at AT TIME ZONE coalesce(
      (SELECT time_zone FROM listings WHERE listing_id = cancelled.listing_id), 'UTC'))::date);
  END IF;
  RETURN greatest(collected - coalesce(cancelled.refund_minor, collected), 0);
END $function$;

CREATE OR REPLACE FUNCTION public.line_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  SELECT pg_catalog.now() + coalesce(nullif(current_setting('latchkey.clock_shift', true), ''), '0')::interval $function$;

CREATE OR REPLACE FUNCTION public.log_application_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (application_id, kinds) VALUES (NEW.application_id, '{rates}');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_catalog_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (catalog_id, kinds) VALUES (coalesce(NEW.catalog_id, OLD.catalog_id), '{content}');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_changed_nights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    SELECT listing_id, with_preparation(listing_id, daterange(min(lower(nights)), max(upper(nights))))
    FROM changed GROUP BY listing_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_changed_preparation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    VALUES (coalesce(NEW.listing_id, OLD.listing_id), daterange(current_date - 10, current_date + 1000));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_epoch_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (kinds) VALUES ('{added}');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_homes_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (listing_id, kinds, nights)
    SELECT n.listing_id, CASE WHEN n.changed_revision = n.revision THEN n.changed_kinds END,
      CASE WHEN n.changed_revision = n.revision THEN n.changed_nights END
    FROM changed n JOIN earlier o USING (listing_id)
    WHERE n.revision <> o.revision AND (n.changed_revision IS DISTINCT FROM n.revision OR n.changed_kinds <> '{}');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_lost_places_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (listing_id, catalog_id, kinds)
    SELECT listing_id, catalog_id, '{removed}' FROM changed WHERE withdrawn_at IS NULL;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_moved_nights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO night_changes (listing_id, nights)
    VALUES (OLD.listing_id, with_preparation(OLD.listing_id, OLD.nights)),
      (NEW.listing_id, with_preparation(NEW.listing_id, NEW.nights));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_new_places_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (listing_id, catalog_id, kinds)
    SELECT listing_id, catalog_id, '{added}' FROM changed WHERE withdrawn_at IS NULL;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_nights_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (listing_id, kinds, nights)
    SELECT listing_id, '{availability}', daterange(min(lower(nights)), max(upper(nights))) FROM changed GROUP BY listing_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_places_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (listing_id, catalog_id, kinds)
    SELECT n.listing_id, n.catalog_id,
      CASE WHEN n.withdrawn_at IS NOT NULL THEN '{removed}'::text[]
        WHEN o.withdrawn_at IS NOT NULL THEN '{added}'::text[] ELSE '{content}'::text[] END
    FROM changed n JOIN earlier o USING (listing_id, catalog_id)
    WHERE (n.withdrawn_at IS NULL) <> (o.withdrawn_at IS NULL)
      OR (n.withdrawn_at IS NULL
        AND (n.position <> o.position OR n.collection_id IS DISTINCT FROM o.collection_id));
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_policy_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (catalog_id, kinds) VALUES (NEW.catalog_id, '{content,rules}');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_sandbox_nights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO pending_changes (application_id, kinds)
    VALUES (coalesce(NEW.application_id, OLD.application_id), '{availability}');
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.log_scenario_for_feed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  before jsonb := coalesce(OLD.effects, '{}');
  after jsonb := coalesce(NEW.effects, '{}');
BEGIN
  INSERT INTO pending_changes (application_id, kinds)
    SELECT NEW.application_id, array_agg(DISTINCT kind)
    FROM (VALUES ('raisePercent', 'rates'), ('currency', 'rates'), ('terms', 'content')) AS told (member, kind)
    WHERE before -> member IS DISTINCT FROM after -> member
    HAVING count(*) > 0;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.look_again(shown_from timestamp with time zone, shown_until timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  due_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '1 hour');
  due_until timestamptz := shown_until + interval '30 hours';
  made_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '30 seconds');
  made_until timestamptz := shown_until + interval '1 minute';
  invited_from timestamptz := greatest(shown_from, now() + interval '2 days');
BEGIN
  UPDATE bookings SET due_at = CASE state WHEN 'requires_action' THEN least(due_at, now() + interval '1 hour')
      ELSE now() END
    WHERE due_at BETWEEN greatest(shown_from - interval '1 minute', now() + interval '30 seconds') AND due_until;
  UPDATE payment_links SET look_at = now() WHERE ended_at IS NULL AND look_at BETWEEN due_from AND due_until;
  UPDATE payment_accounts SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE payment_returns SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE payment_records SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE customer_erasures SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE reservations SET records_due_at = now() WHERE records_due_at BETWEEN due_from AND due_until;
  UPDATE channel_calendars SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE channel_calendars SET reading_until = now() WHERE reading_until BETWEEN due_from AND due_until;
  UPDATE attention_items SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE webhook_deliveries SET due_at = now() WHERE state = 'pending' AND due_at BETWEEN due_from AND due_until;
  UPDATE sandbox_deliveries SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;
  UPDATE audit_receivers SET due_at = now() WHERE due_at BETWEEN due_from AND due_until;

  UPDATE staff_sessions SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE staff_sessions SET seen_at = now() WHERE seen_at BETWEEN made_from AND made_until;
  UPDATE staff_sessions SET confirmed_at = now() WHERE confirmed_at BETWEEN made_from AND made_until;
  UPDATE operator_tokens SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_links SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_sessions SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_sessions SET seen_at = now() WHERE seen_at BETWEEN made_from AND made_until;
  UPDATE application_keys SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE staff_invitations SET expires_at = now() + interval '1 day'
    WHERE expires_at BETWEEN invited_from AND shown_until + interval '2 days';
  DELETE FROM staff_challenges WHERE expires_at BETWEEN due_from AND due_until;
END $function$;

CREATE OR REPLACE FUNCTION public.look_again(shown_from timestamp with time zone, shown_until timestamp with time zone, at_most integer)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  due_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '1 hour');
  due_until timestamptz := shown_until + interval '30 hours';
  made_from timestamptz := greatest(shown_from - interval '1 minute', now() + interval '30 seconds');
  made_until timestamptz := shown_until + interval '1 minute';
  invited_from timestamptz := greatest(shown_from, now() + interval '2 days');
  changed integer;
  more boolean;
BEGIN
  -- What is due at the right time is in no batch again.
  UPDATE bookings SET due_at = CASE state WHEN 'requires_action' THEN now() + interval '1 hour' ELSE now() END
    WHERE ctid = ANY (ARRAY(SELECT ctid FROM bookings WHERE due_at BETWEEN made_from AND due_until
      AND (state <> 'requires_action' OR due_at > now() + interval '1 hour') LIMIT at_most FOR UPDATE));
  GET DIAGNOSTICS changed = ROW_COUNT;
  more := changed = at_most;
  more := make_due('payment_links', 'look_at', due_from, due_until, at_most, 'ended_at IS NULL') OR more;
  more := make_due('payment_accounts', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('payment_returns', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('payment_records', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('customer_erasures', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('reservations', 'records_due_at', due_from, due_until, at_most) OR more;
  more := make_due('channel_calendars', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('channel_calendars', 'reading_until', due_from, due_until, at_most) OR more;
  more := make_due('attention_items', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('webhook_deliveries', 'due_at', due_from, due_until, at_most, $q$state = 'pending'$q$) OR more;
  more := make_due('sandbox_deliveries', 'due_at', due_from, due_until, at_most) OR more;
  more := make_due('audit_receivers', 'due_at', due_from, due_until, at_most) OR more;

  -- What was made within two minutes is no more than people and programs can do in them.
  UPDATE staff_sessions SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE staff_sessions SET seen_at = now() WHERE seen_at BETWEEN made_from AND made_until;
  UPDATE staff_sessions SET confirmed_at = now() WHERE confirmed_at BETWEEN made_from AND made_until;
  UPDATE operator_tokens SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_links SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_sessions SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE portal_sessions SET seen_at = now() WHERE seen_at BETWEEN made_from AND made_until;
  UPDATE application_keys SET created_at = now(), expires_at = now() + (expires_at - created_at)
    WHERE created_at BETWEEN made_from AND made_until;
  UPDATE staff_invitations SET expires_at = now() + interval '1 day'
    WHERE expires_at BETWEEN invited_from AND shown_until + interval '2 days';
  DELETE FROM staff_challenges WHERE expires_at BETWEEN due_from AND due_until;
  RETURN more;
END $function$;

CREATE OR REPLACE FUNCTION public.make_due(of_table regclass, of_column name, due_from timestamp with time zone, due_until timestamp with time zone, at_most integer, only_where text DEFAULT 'true'::text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  changed integer;
BEGIN
  EXECUTE format(
    'UPDATE %1$s SET %2$I = now() WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM %1$s WHERE %2$I BETWEEN $1 AND $2 AND %3$s LIMIT $3 FOR UPDATE))',
    of_table, of_column, only_where) USING due_from, due_until, at_most;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed = at_most;
END $function$;

CREATE OR REPLACE FUNCTION public.make_records_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.records_due_at := now();
  NEW.records_attempts := 0;
  NEW.records_problem := NULL;
  RETURN NEW;
END
$function$;

CREATE OR REPLACE FUNCTION public.may_move_money()
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  current record;
BEGIN
  SELECT i.outside_off, i.server_started_at, i.database_oid, e.adopted_at INTO current
    FROM installation i CROSS JOIN LATERAL (SELECT adopted_at FROM epochs ORDER BY epoch DESC LIMIT 1) e;
  IF NOT FOUND THEN RETURN NOT EXISTS (SELECT FROM installation WHERE outside_off); END IF;
  RETURN NOT current.outside_off AND current.adopted_at IS NOT NULL
    AND current.server_started_at = pg_postmaster_start_time()
    AND NOT EXISTS (SELECT FROM pg_database
      WHERE datname = current_database() AND oid <> current.database_oid);
END $function$;

CREATE OR REPLACE FUNCTION public.move_audit_text(moved bigint, digest text, sealed bytea)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
BEGIN
  UPDATE audit_entries SET details = (details - 'reason' - 'method') || jsonb_build_object('textDigest', digest)
    WHERE entry_id = moved AND has_audit_text(action, details)
      AND EXISTS (SELECT FROM audit_unchained WHERE entry_id = moved);
  IF FOUND THEN
    INSERT INTO audit_texts (entry_id, text_sealed) VALUES (moved, sealed);
  END IF;
END $function$;

CREATE OR REPLACE FUNCTION public.move_sandbox_nights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  attempt uuid;
BEGIN
  IF NOT EXISTS (SELECT FROM sandbox_nights WHERE application_id = NEW.application_id) THEN
    RETURN NULL;
  END IF;
  SELECT attempt_id INTO attempt FROM bookings
    WHERE application_id = NEW.application_id AND kind = NEW.kind AND booking_id = NEW.booking_id;
  DELETE FROM sandbox_nights WHERE application_id = NEW.application_id AND attempt_id = attempt;
  IF FOUND AND NEW.state <> 'cancelled' THEN
    INSERT INTO sandbox_nights VALUES
      (NEW.application_id, attempt, NEW.listing_id, daterange(NEW.check_in, NEW.check_out))
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.note_preparation_since()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.preparation_since := now();
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.note_refunds_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE payment_intents SET refunds_changed_at = now() WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT pg_catalog.now() + current_setting('latchkey.clock_shift')::interval $function$;

CREATE OR REPLACE FUNCTION public.open_payment_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  total bigint := collectable_total(NEW.charges);
BEGIN
  IF NOT EXISTS (SELECT FROM payment_cards
      WHERE checkout_id = NEW.booking_id AND application_id = NEW.application_id)
    AND NOT EXISTS (SELECT FROM bookings b JOIN installation i ON i.environment <> 'simulation'
      WHERE b.booking_id = NEW.booking_id AND b.application_id = NEW.application_id AND b.kind = 'checkout'
        AND b.settlement = 'card') THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = NEW.booking_id AND i.application_id = NEW.application_id
      AND f.state NOT IN ('refused', 'failed')) THEN
    RAISE EXCEPTION 'the payment of % was given back', NEW.booking_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'reservations_paid', TABLE = 'reservations';
  END IF;
  INSERT INTO payment_accounts (application_id, checkout_id, reference, currency)
    VALUES (NEW.application_id, NEW.booking_id, NEW.reference, NEW.charges ->> 'currency');
  IF total > 0 THEN
    INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
      VALUES (NEW.application_id, NEW.booking_id, 'booked', 'open', 'due', total, NEW.charges ->> 'currency');
  END IF;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.open_payment_return()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO payment_returns (payment_id)
    SELECT payment_id FROM payment_intents
    WHERE attempt_id = NEW.attempt_id AND purpose = 'booking' AND state NOT IN ('voided', 'refused')
    ON CONFLICT (payment_id) DO UPDATE SET due_at = now(), fence = payment_returns.fence + 1;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.payment_balance(application uuid, checkout uuid)
 RETURNS TABLE(due bigint, collected bigint, open bigint, refunded bigint, owed bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN QUERY SELECT
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'due'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'due'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'collected'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.debit IN ('open', 'owed')), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.credit IN ('open', 'owed')), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'refunded'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'refunded'), 0)::bigint,
    coalesce(sum(e.amount_minor) FILTER (WHERE e.credit = 'owed'), 0)::bigint
      - coalesce(sum(e.amount_minor) FILTER (WHERE e.debit = 'owed'), 0)::bigint
  FROM payment_entries e WHERE e.checkout_id = checkout AND e.application_id = application;
END $function$;

CREATE OR REPLACE FUNCTION public.queue_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
BEGIN
  INSERT INTO audit_unchained (entry_id) VALUES (NEW.entry_id);
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details'
      AND NEW.details - 'textDigest' = OLD.details - 'reason' - 'method'
      AND jsonb_typeof(NEW.details -> 'textDigest') = 'string'
      AND EXISTS (SELECT FROM audit_unchained WHERE entry_id = OLD.entry_id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit trail cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_chain_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM audit_entries WHERE entry_id = OLD.entry_id AND happened_at <= now() - interval '2557 days')
    THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'the audit trail cannot be changed' USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_decided_change_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'change request % is %, which is final', OLD.change_request_id, OLD.state
    USING ERRCODE = 'check_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_entry_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - 'details' = to_jsonb(OLD) - 'details'
    AND NEW.details::jsonb = OLD.details::jsonb - 'reason' - 'method' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'a row of the ledger never changes' USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_final_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF OLD.state IN ('confirmed', 'failed', 'expired') AND NEW.state <> OLD.state OR NEW.version < OLD.version THEN
    RAISE EXCEPTION 'a % booking never changes its state, and a version never falls', OLD.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_payment_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NEW.payment_id <> OLD.payment_id OR NEW.application_id <> OLD.application_id
    OR NEW.checkout_id <> OLD.checkout_id OR NEW.attempt_id <> OLD.attempt_id
    OR NEW.purpose <> OLD.purpose OR NEW.due_on <> OLD.due_on OR NEW.amount_minor <> OLD.amount_minor
    OR NEW.currency <> OLD.currency OR NEW.provider <> OLD.provider
    OR NEW.round < OLD.round
    OR NEW.provider_reference IS DISTINCT FROM coalesce(OLD.provider_reference, NEW.provider_reference)
    OR NOT (CASE OLD.state
      WHEN 'requested' THEN true
      WHEN 'unknown' THEN true
      WHEN 'action_needed' THEN NEW.state <> 'requested'
      WHEN 'authorized' THEN NEW.state IN ('authorized', 'captured', 'voided', 'refused', 'unknown')
      WHEN 'voided' THEN NEW.state = 'voided' OR (OLD.provider_reference IS NULL
        AND NEW.provider_reference IS NOT NULL AND NEW.state IN ('action_needed', 'authorized', 'captured'))
      ELSE NEW.state = OLD.state
    END)
  THEN
    RAISE EXCEPTION 'payment % cannot go from % to %', OLD.payment_id, OLD.state, NEW.state
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_refund_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'refund % cannot go from % to %', OLD.refund_id, OLD.state, NEW.state
    USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.refuse_reservation_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'a cancelled reservation is final, and a version never falls'
    USING ERRCODE = 'integrity_constraint_violation';
END $function$;

CREATE OR REPLACE FUNCTION public.remove_old_audit_entries(at_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
DECLARE
  head record;
  link record;
  removed bigint[] := '{}';
BEGIN
  SELECT * INTO head FROM audit_head FOR UPDATE;
  FOR link IN
    SELECT c.position, c.entry_id, c.hash, e.happened_at FROM audit_chain c JOIN audit_entries e USING (entry_id)
    WHERE c.position > head.anchor_position ORDER BY c.position LIMIT at_most
  LOOP
    EXIT WHEN link.happened_at > now() - interval '2557 days';
    removed := removed || link.entry_id;
    head.anchor_position := link.position;
    head.anchor_hash := link.hash;
  END LOOP;
  IF cardinality(removed) = 0 THEN RETURN 0; END IF;
  DELETE FROM audit_chain WHERE entry_id = ANY (removed);
  DELETE FROM audit_texts WHERE entry_id = ANY (removed);
  DELETE FROM audit_entries WHERE entry_id = ANY (removed);
  UPDATE audit_head SET anchor_position = head.anchor_position, anchor_hash = head.anchor_hash;
  RETURN cardinality(removed);
END $function$;

CREATE OR REPLACE FUNCTION public.reseal_audit_text(resealed bigint, before bytea, sealed bytea)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
BEGIN
  UPDATE audit_texts SET text_sealed = sealed WHERE entry_id = resealed AND text_sealed = before;
END $function$;

CREATE OR REPLACE FUNCTION public.scheduled_by(charges json, day date)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(sum((one ->> 'amount')::bigint), 0)::bigint FROM json_array_elements(charges -> 'schedule') one
  WHERE one ->> 'at' IS DISTINCT FROM 'property' AND (one ->> 'dueOn')::date <= day
$function$;

CREATE OR REPLACE FUNCTION public.settle_payment_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  payment record;
BEGIN
  SELECT * INTO payment FROM payment_intents WHERE payment_id = NEW.payment_id;
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0,
    refusals = CASE NEW.state WHEN 'refused' THEN refusals + 1 WHEN 'failed' THEN refusals ELSE 0 END,
    last_refused_at = CASE NEW.state WHEN 'refused' THEN now() WHEN 'failed' THEN last_refused_at END,
    refund_failed_at = CASE NEW.state WHEN 'failed' THEN now() ELSE refund_failed_at END,
    attention = NULL, attention_since = NULL
  WHERE checkout_id = payment.checkout_id AND application_id = payment.application_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.start_payment_account(application uuid, checkout uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE payment_intents SET settled_at = now()
    WHERE checkout_id = checkout AND application_id = application AND state = 'refused' AND settled_at IS NULL;
  UPDATE payment_refunds f SET settled_at = now() FROM payment_intents i
    WHERE i.payment_id = f.payment_id AND i.checkout_id = checkout AND i.application_id = application
      AND f.state IN ('refused', 'failed') AND f.settled_at IS NULL;
  UPDATE payment_disputes d SET released_at = now() FROM payment_intents i
    WHERE i.payment_id = d.payment_id AND i.checkout_id = checkout AND i.application_id = application
      AND d.released_at IS NULL;
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0, refusals = 0, last_refused_at = NULL,
    refund_failed_at = NULL, attention = NULL, attention_since = NULL, stopped_at = NULL
  WHERE checkout_id = checkout AND application_id = application;
END $function$;

CREATE OR REPLACE FUNCTION public.take_outside_nights(stay uuid, within daterange)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  asked record;
  free datemultirange;
BEGIN
  SELECT * INTO asked FROM outside_stays WHERE outside_stay_id = stay;
  LOOP
    free := datemultirange(asked.nights * within) - coalesce((
      SELECT range_agg(nights) FROM occupancies
      WHERE listing_id = asked.listing_id AND nights && (asked.nights * within)), '{}');
    EXIT WHEN isempty(free);
    -- What somebody else takes meanwhile is seen by the next look.
    INSERT INTO occupancies
        (occupancy_id, listing_id, nights, kind, source, reason, outside_stay_id, moves, moved_at)
      SELECT CASE WHEN place = 1 AND NOT EXISTS (SELECT FROM occupancies WHERE occupancy_id = stay)
          THEN stay ELSE uuidv7() END,
        asked.listing_id, part, 'block', 'outside', asked.reason, stay, asked.moves, asked.moved_at
      FROM unnest(free) WITH ORDINALITY AS parts (part, place) ON CONFLICT DO NOTHING;
  END LOOP;
END $function$;

CREATE OR REPLACE FUNCTION public.tell_decided_change_request()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  next bigint;
BEGIN
  UPDATE event_counters SET last_sequence = last_sequence + 1 WHERE application_id = NEW.application_id
    RETURNING last_sequence INTO next;
  INSERT INTO events (application_id, sequence, type, data, created_at)
  VALUES (NEW.application_id, next, 'change_request.decided',
    format('{"reference":%s,"changeRequestId":%s,"state":%s}', to_json(NEW.reference),
      to_json(NEW.change_request_id), to_json(NEW.state))::json, clock_timestamp());
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.wake_payment_account(application uuid, checkout uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE payment_accounts SET due_at = now(), fence = fence + 1, tries = 0
  WHERE checkout_id = checkout AND application_id = application;
END $function$;

CREATE OR REPLACE FUNCTION public.wake_payment_return()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE payment_returns SET due_at = now(), fence = fence + 1 WHERE payment_id = NEW.payment_id;
  RETURN NULL;
END $function$;

CREATE OR REPLACE FUNCTION public.with_preparation(listing uuid, nights daterange)
 RETURNS daterange
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  preparation integer;
BEGIN
  SELECT preparation_nights INTO preparation FROM listing_members WHERE listing_id = listing;
  RETURN daterange(lower(nights) - coalesce(preparation, 0), upper(nights) + coalesce(preparation, 0));
END $function$;

-- Tables

CREATE TABLE adopted_effects (
  provider_reference text NOT NULL,
  epoch bigint NOT NULL,
  kind text NOT NULL,
  application_id uuid,
  checkout_id uuid,
  part text,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  outcome text NOT NULL,
  noticed_at timestamp with time zone DEFAULT line_now() NOT NULL,
  closed_at timestamp with time zone
);

CREATE TABLE application_changes (
  application_id uuid NOT NULL,
  sequence bigint NOT NULL,
  run bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  kind text,
  catalog_id uuid NOT NULL,
  catalog_sequence bigint NOT NULL
);

CREATE TABLE application_changes_sweep (
  only_row boolean DEFAULT true NOT NULL,
  looked_until timestamp with time zone NOT NULL
);

CREATE TABLE application_keys (
  key_id text NOT NULL,
  application_id uuid NOT NULL,
  secret_digest bytea NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  networks cidr[]
);

CREATE TABLE applications (
  application_id uuid NOT NULL,
  name text NOT NULL,
  settlement text NOT NULL,
  grants text[] NOT NULL,
  read_per_minute integer NOT NULL,
  search_per_minute integer NOT NULL,
  write_per_minute integer NOT NULL,
  signal_per_minute integer NOT NULL,
  suspended_at timestamp with time zone,
  suspended_reason text,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  portal_enabled_at timestamp with time zone,
  catalog_id uuid NOT NULL,
  adjust_percent numeric(7,2) DEFAULT 0 NOT NULL,
  reservations_per_day integer,
  portal_keys boolean DEFAULT false NOT NULL,
  commission_percent numeric(5,2),
  changes text DEFAULT 'ask'::text NOT NULL,
  require_report boolean DEFAULT false NOT NULL
);

CREATE TABLE attention_items (
  item_id uuid DEFAULT uuidv7() NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  item json NOT NULL,
  opened_at timestamp with time zone DEFAULT line_now() NOT NULL,
  closed_at timestamp with time zone,
  telling text DEFAULT 'opened'::text,
  due_at timestamp with time zone DEFAULT line_now(),
  attempts integer DEFAULT 0 NOT NULL,
  problem text
);

CREATE TABLE audit_chain (
  "position" bigint NOT NULL,
  entry_id bigint NOT NULL,
  hash bytea NOT NULL
);

CREATE TABLE audit_entries (
  entry_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  happened_at timestamp with time zone DEFAULT line_now() NOT NULL,
  actor text NOT NULL,
  action text NOT NULL,
  application_id uuid,
  details jsonb NOT NULL,
  reference text,
  source text
);

CREATE TABLE audit_head (
  only_row boolean DEFAULT true NOT NULL,
  "position" bigint DEFAULT 0 NOT NULL,
  hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL,
  anchor_position bigint DEFAULT 0 NOT NULL,
  anchor_hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL
);

CREATE TABLE audit_homes (
  listing text NOT NULL,
  entry_id bigint NOT NULL
);

CREATE TABLE audit_receivers (
  receiver text NOT NULL,
  "position" bigint DEFAULT 0 NOT NULL,
  due_at timestamp with time zone DEFAULT line_now() NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  problem text,
  failing_since timestamp with time zone
);

CREATE TABLE audit_texts (
  entry_id bigint NOT NULL,
  text_sealed bytea,
  erased_at timestamp with time zone
);

CREATE TABLE audit_unchained (
  entry_id bigint NOT NULL
);

CREATE TABLE booked_days (
  day date NOT NULL,
  application_id uuid NOT NULL,
  currency text NOT NULL,
  bookings integer NOT NULL,
  total_minor bigint NOT NULL
);

CREATE TABLE booking_traces (
  application_id uuid NOT NULL,
  booking_id uuid NOT NULL,
  traceparent text NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE bookings (
  application_id uuid NOT NULL,
  kind text NOT NULL,
  booking_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  settlement text NOT NULL,
  version integer NOT NULL,
  state text NOT NULL,
  guest_sealed bytea,
  promotion_code text,
  promotion_held boolean DEFAULT false NOT NULL,
  charges json,
  partner_reference text,
  session_nonce bytea,
  session_expires_at timestamp with time zone,
  payment_state text,
  payment_failure text,
  payment_attempts integer DEFAULT 0 NOT NULL,
  payment_requested_at timestamp with time zone,
  payment_reference text,
  payment_secret_sealed bytea,
  payment_method_id text,
  failure_reason text,
  reference text,
  attempt_id uuid DEFAULT uuidv7() NOT NULL,
  submitted_at timestamp with time zone,
  resolved_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone,
  fence bigint DEFAULT 0 NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  guest_removed_at timestamp with time zone,
  unknown_step text,
  cancellation json,
  counted_on date,
  payer text,
  checkout_reference text,
  failure_details json
);

CREATE TABLE calendar_addresses (
  listing_id uuid NOT NULL,
  nonce bytea NOT NULL,
  digest bytea NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE cancellation_rules (
  listing_id uuid NOT NULL,
  days_before integer NOT NULL,
  refund_percent numeric NOT NULL
);

CREATE TABLE catalog_listings (
  catalog_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  collection_id uuid,
  "position" integer NOT NULL,
  withdrawn_at timestamp with time zone
);

CREATE TABLE catalog_revision (
  only_row boolean DEFAULT true NOT NULL,
  revision bigint NOT NULL,
  changed_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE catalogs (
  catalog_id uuid DEFAULT uuidv7() NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  discovery text NOT NULL,
  policies json NOT NULL,
  standards json NOT NULL,
  revision bigint NOT NULL,
  changed_at timestamp with time zone DEFAULT line_now() NOT NULL,
  trader json,
  cancellation_text json
);

CREATE TABLE change_counters (
  catalog_id uuid NOT NULL,
  numbered bigint NOT NULL,
  told bigint NOT NULL
);

CREATE TABLE change_feed (
  only_row boolean DEFAULT true NOT NULL,
  run bigint NOT NULL,
  told_run bigint NOT NULL,
  joins bigint NOT NULL
);

CREATE TABLE change_requests (
  application_id uuid NOT NULL,
  change_request_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  reference text NOT NULL,
  kind text NOT NULL,
  check_in date,
  check_out date,
  party json,
  note_sealed bytea,
  preview json NOT NULL,
  state text DEFAULT 'open'::text NOT NULL,
  reason text,
  created_at timestamp(3) with time zone DEFAULT line_now() NOT NULL,
  decided_at timestamp(3) with time zone
);

CREATE TABLE channel_calendars (
  calendar_id uuid DEFAULT uuidv7() NOT NULL,
  listing_id uuid NOT NULL,
  url_sealed bytea,
  file_name text,
  source_digest bytea NOT NULL,
  due_at timestamp with time zone,
  fence bigint DEFAULT 0 NOT NULL,
  etag text,
  last_modified text,
  checked_at timestamp with time zone,
  refreshed_at timestamp with time zone,
  read_at timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  failing_since timestamp with time zone,
  problem text,
  problem_detail text,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  read_time_zone text,
  exported_at timestamp with time zone,
  user_agent text,
  host text,
  whole_at timestamp with time zone,
  seen_at timestamp with time zone,
  problems json DEFAULT '[]'::json NOT NULL,
  shrunk_since timestamp with time zone,
  kept_at timestamp with time zone,
  ignored_summaries text[] DEFAULT '{}'::text[] NOT NULL,
  event_end text DEFAULT 'checkout'::text NOT NULL,
  free_events text DEFAULT 'ignore'::text NOT NULL,
  outside_source text,
  options_changed boolean DEFAULT false NOT NULL,
  fetched_at timestamp with time zone,
  reading_until timestamp with time zone,
  late_at timestamp with time zone
);

CREATE TABLE channel_conflicts (
  calendar_id uuid NOT NULL,
  nights daterange NOT NULL,
  event_uid text NOT NULL,
  occupancy_id uuid NOT NULL,
  kind text NOT NULL,
  reference text,
  found_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE channel_events (
  calendar_id uuid NOT NULL,
  nights daterange NOT NULL,
  event_uid text NOT NULL,
  summary_sealed bytea,
  state text NOT NULL,
  reason text,
  copy_of text,
  first_seen_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone,
  missing_since timestamp with time zone
);

CREATE TABLE checkout_commands (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  operation text NOT NULL,
  expected_version integer NOT NULL,
  input_digest bytea NOT NULL,
  refused boolean NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE clock (
  only_row boolean DEFAULT true NOT NULL,
  held_since timestamp with time zone,
  line_less_wall_ms bigint,
  shown_from timestamp with time zone,
  shown_until timestamp with time zone,
  near_since timestamp with time zone,
  accepted bigint DEFAULT 0 NOT NULL,
  accepted_at timestamp with time zone
);

CREATE TABLE collections (
  collection_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  "position" integer NOT NULL,
  catalog_id uuid NOT NULL,
  withdrawn_at timestamp with time zone
);

CREATE TABLE conformance_calls (
  attempt_id uuid NOT NULL,
  request_id uuid NOT NULL,
  began_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NOT NULL,
  call json NOT NULL
);

CREATE TABLE conformance_reports (
  application_id uuid NOT NULL,
  run_id uuid NOT NULL,
  profile text NOT NULL,
  state text NOT NULL,
  wire_version text NOT NULL,
  contract_digest text NOT NULL,
  finished_at timestamp with time zone NOT NULL,
  verified_at timestamp with time zone NOT NULL
);

CREATE TABLE conformance_runs (
  run_id uuid DEFAULT uuidv7() NOT NULL,
  application_id uuid NOT NULL,
  profile text NOT NULL,
  wire_version text NOT NULL,
  scenario_set integer NOT NULL,
  contract_digest text NOT NULL,
  seed bigint NOT NULL,
  state text DEFAULT 'open'::text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone
);

CREATE TABLE conformance_scenarios (
  run_id uuid NOT NULL,
  scenario text NOT NULL,
  application_id uuid NOT NULL,
  place integer NOT NULL,
  state text NOT NULL,
  result text,
  skipped_for text,
  attempts integer DEFAULT 0 NOT NULL,
  findings json DEFAULT '[]'::json NOT NULL,
  request_ids json DEFAULT '[]'::json NOT NULL,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  attempt_id uuid,
  ends_at timestamp with time zone,
  task json,
  setting json,
  effects jsonb,
  submitted_at timestamp with time zone,
  provoked_at timestamp with time zone,
  plays_at timestamp with time zone
);

CREATE TABLE customer_erasures (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  customer_reference text,
  setup_reference text,
  email_sealed bytea NOT NULL,
  requested_at timestamp with time zone DEFAULT line_now() NOT NULL,
  due_at timestamp with time zone DEFAULT line_now() NOT NULL,
  tries integer DEFAULT 0 NOT NULL
);

CREATE TABLE dated_rates (
  listing_id uuid NOT NULL,
  nights daterange NOT NULL,
  nightly bigint,
  min_nights integer,
  arrival_days text[],
  members json
);

CREATE TABLE epochs (
  epoch bigint NOT NULL,
  began_at timestamp with time zone DEFAULT line_now() NOT NULL,
  reason text NOT NULL,
  explanation text,
  system_identifier text NOT NULL,
  timeline text NOT NULL,
  listed_since timestamp with time zone NOT NULL,
  adopted_at timestamp with time zone
);

CREATE TABLE event_counters (
  application_id uuid NOT NULL,
  last_sequence bigint DEFAULT 0 NOT NULL
);

CREATE TABLE events (
  application_id uuid NOT NULL,
  sequence bigint NOT NULL,
  event_id uuid DEFAULT uuidv7() NOT NULL,
  type text NOT NULL,
  data json NOT NULL,
  created_at timestamp with time zone NOT NULL
);

CREATE TABLE feed_readers (
  reader_id uuid NOT NULL,
  run bigint NOT NULL,
  beats bigint NOT NULL
);

CREATE TABLE fees (
  listing_id uuid NOT NULL,
  place integer NOT NULL,
  label text NOT NULL,
  kind text NOT NULL,
  per text,
  amount bigint,
  from_guest integer,
  taxed boolean,
  members json
);

CREATE TABLE funnel_progress (
  only_row boolean DEFAULT true NOT NULL,
  counted_until timestamp with time zone NOT NULL
);

CREATE TABLE funnel_refusals (
  week date NOT NULL,
  application_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  step text NOT NULL,
  reason text NOT NULL,
  refusals bigint NOT NULL
);

CREATE TABLE funnel_weeks (
  week date NOT NULL,
  application_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  searches bigint NOT NULL,
  views bigint NOT NULL,
  quotes bigint NOT NULL,
  checkouts bigint NOT NULL,
  submitted bigint NOT NULL,
  confirmed bigint NOT NULL
);

CREATE TABLE guest_digest_backlog (
  only_row boolean DEFAULT true NOT NULL,
  booking_id uuid NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  done boolean NOT NULL
);

CREATE TABLE guest_digests (
  booking_id uuid NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  email bytea,
  phone bytea,
  name bytea,
  last_name bytea,
  generation integer DEFAULT 1 NOT NULL,
  digested boolean DEFAULT false NOT NULL,
  words bytea[]
);

CREATE TABLE installation (
  only_row boolean DEFAULT true NOT NULL,
  environment text NOT NULL,
  master_key_check bytea NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  base_url text,
  alive_at timestamp with time zone,
  server_started_at timestamp with time zone,
  outside_off boolean DEFAULT false NOT NULL,
  zone_rules text,
  second_factor_required boolean DEFAULT false NOT NULL,
  database_oid oid
);

CREATE TABLE inventory_changes (
  catalog_id uuid NOT NULL,
  sequence bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  kind text NOT NULL,
  listing_id uuid,
  nights daterange,
  installation_sequence bigint
);

CREATE TABLE keyed_creates (
  actor text NOT NULL,
  operation text NOT NULL,
  key_digest bytea NOT NULL,
  input_digest bytea NOT NULL,
  reply_sealed bytea,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  reference text
);

CREATE TABLE layer_comparison (
  only_row boolean DEFAULT true NOT NULL,
  compared_to uuid,
  done_at timestamp with time zone
);

CREATE TABLE length_discounts (
  listing_id uuid NOT NULL,
  min_nights integer NOT NULL,
  label text NOT NULL,
  percent numeric,
  amount bigint
);

CREATE TABLE listing_members (
  listing_id uuid NOT NULL,
  members json NOT NULL,
  preparation_nights integer DEFAULT 0 NOT NULL,
  preparation_since timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE listings (
  listing_id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  description text,
  blurb text,
  time_zone text,
  destination text,
  sleeps integer,
  bedrooms double precision,
  bathrooms double precision,
  amenities json NOT NULL,
  policies json NOT NULL,
  spaces json NOT NULL,
  latitude double precision,
  longitude double precision,
  indexable boolean NOT NULL,
  check_in_from text,
  check_out_until text,
  images json NOT NULL,
  currency text NOT NULL,
  revision bigint NOT NULL,
  nightly bigint,
  weekday_prices bigint[] NOT NULL,
  due_now_percent numeric(5,2) NOT NULL,
  balance_days_before integer NOT NULL,
  min_nights integer NOT NULL,
  max_nights integer NOT NULL,
  arrival_days text[] NOT NULL,
  departure_days text[] NOT NULL,
  advance_notice_days integer NOT NULL,
  booking_horizon_days integer NOT NULL,
  children_welcome boolean NOT NULL,
  infants_welcome boolean NOT NULL,
  max_pets integer NOT NULL,
  changed_revision bigint,
  changed_kinds text[],
  changed_nights daterange
);

CREATE TABLE master_keys (
  key_check bytea NOT NULL,
  added_at timestamp with time zone DEFAULT line_now() NOT NULL,
  retired_at timestamp with time zone
);

CREATE TABLE night_changes (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  listing_id uuid NOT NULL,
  nights daterange NOT NULL
);

CREATE TABLE night_changes_kept (
  only_row boolean DEFAULT true NOT NULL,
  since xid8 NOT NULL,
  next_since xid8 NOT NULL,
  next_at timestamp with time zone NOT NULL
);

CREATE TABLE occupancies (
  occupancy_id uuid DEFAULT uuidv7() NOT NULL,
  listing_id uuid NOT NULL,
  nights daterange NOT NULL,
  kind text NOT NULL,
  application_id uuid,
  booking_kind text,
  booking_id uuid,
  reference text,
  source text,
  reason text,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  calendar_id uuid,
  event_uid text,
  moves integer DEFAULT 0 NOT NULL,
  moved_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  outside_stay_id uuid
);

CREATE TABLE operator_tokens (
  token_id uuid NOT NULL,
  token_digest bytea NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  networks cidr[],
  scopes text[]
);

CREATE TABLE outside_homes (
  listing_id uuid NOT NULL
);

CREATE TABLE outside_stays (
  outside_stay_id uuid DEFAULT uuidv7() NOT NULL,
  source text NOT NULL,
  external_id text NOT NULL,
  listing_id uuid NOT NULL,
  nights daterange NOT NULL,
  reason text,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT line_now() NOT NULL,
  moves integer DEFAULT 0 NOT NULL,
  moved_at timestamp with time zone,
  contested boolean DEFAULT false NOT NULL
);

CREATE TABLE payment_accounts (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  reference text NOT NULL,
  currency text NOT NULL,
  opened_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, line_now()) NOT NULL,
  due_at timestamp with time zone DEFAULT line_now(),
  fence bigint DEFAULT 0 NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  refusals integer DEFAULT 0 NOT NULL,
  last_refused_at timestamp with time zone,
  attention text,
  attention_since timestamp with time zone,
  refund_failed_at timestamp with time zone,
  stopped_at timestamp with time zone,
  held_since timestamp with time zone
);

CREATE TABLE payment_cards (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  kind text DEFAULT 'checkout'::text NOT NULL,
  customer_reference text NOT NULL,
  setup_reference text,
  payment_method_reference text
);

CREATE TABLE payment_disputes (
  dispute_reference text NOT NULL,
  payment_id uuid NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  outcome text NOT NULL,
  evidence_due_at timestamp with time zone,
  fee_minor bigint,
  opened_at timestamp with time zone DEFAULT line_now() NOT NULL,
  released_at timestamp with time zone
);

CREATE TABLE payment_entries (
  entry_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  payment_id uuid,
  refund_id uuid,
  kind text NOT NULL,
  debit text,
  credit text,
  amount_minor bigint,
  currency text,
  at timestamp with time zone DEFAULT line_now() NOT NULL,
  details json
);

CREATE TABLE payment_intents (
  payment_id uuid DEFAULT uuidv7() NOT NULL,
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  attempt_id uuid NOT NULL,
  purpose text NOT NULL,
  due_on date NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  state text DEFAULT 'requested'::text NOT NULL,
  provider text NOT NULL,
  provider_reference text,
  decline_code text,
  round smallint DEFAULT 0 NOT NULL,
  key_spent boolean DEFAULT false NOT NULL,
  asked_at timestamp with time zone DEFAULT line_now() NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT line_now() NOT NULL,
  missing_at timestamp with time zone,
  first_try smallint,
  refused_as text,
  settled_at timestamp with time zone,
  refunds_changed_at timestamp with time zone
);

CREATE TABLE payment_links (
  payment_id uuid NOT NULL,
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  page_reference text,
  url text,
  expires_at timestamp with time zone NOT NULL,
  look_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone
);

CREATE TABLE payment_record_counters (
  epoch bigint NOT NULL,
  last_sequence bigint NOT NULL
);

CREATE TABLE payment_records (
  record_id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  amount_minor bigint NOT NULL,
  currency text NOT NULL,
  happened_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  epoch bigint,
  sequence bigint,
  due_at timestamp with time zone DEFAULT line_now(),
  attempts integer DEFAULT 0 NOT NULL,
  problem text
);

CREATE TABLE payment_refunds (
  refund_id uuid DEFAULT uuidv7() NOT NULL,
  payment_id uuid NOT NULL,
  amount_minor bigint NOT NULL,
  state text DEFAULT 'requested'::text NOT NULL,
  refund_reference text,
  decline_code text,
  reason text NOT NULL,
  round smallint DEFAULT 0 NOT NULL,
  key_spent boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT line_now() NOT NULL,
  check_at timestamp with time zone,
  checks smallint DEFAULT 0 NOT NULL,
  number smallint,
  refused_as text,
  settled_at timestamp with time zone,
  of_account text DEFAULT 'open'::text NOT NULL,
  made_elsewhere boolean DEFAULT false NOT NULL
);

CREATE TABLE payment_returns (
  payment_id uuid NOT NULL,
  opened_at timestamp with time zone DEFAULT line_now() NOT NULL,
  due_at timestamp with time zone DEFAULT line_now(),
  fence bigint DEFAULT 0 NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  attention text,
  attention_since timestamp with time zone
);

CREATE TABLE payment_waits (
  application_id uuid NOT NULL,
  checkout_id uuid NOT NULL,
  kind text NOT NULL,
  part text NOT NULL,
  amount_minor bigint NOT NULL,
  reason text NOT NULL,
  code text,
  since timestamp with time zone NOT NULL
);

CREATE TABLE pending_changes (
  listing_id uuid,
  catalog_id uuid,
  application_id uuid,
  kinds text[],
  nights daterange
);

CREATE TABLE pictures (
  picture_id text NOT NULL,
  state text NOT NULL,
  look_at timestamp with time zone NOT NULL
);

CREATE TABLE portal_links (
  link_digest bytea NOT NULL,
  application_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  person_id uuid,
  issued_in uuid
);

CREATE TABLE portal_people (
  person_id uuid DEFAULT gen_random_uuid() NOT NULL,
  application_id uuid NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE portal_sessions (
  session_digest bytea NOT NULL,
  application_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  person_id uuid,
  session_id uuid,
  seen_at timestamp with time zone,
  user_agent text,
  admitted_at timestamp with time zone
);

CREATE TABLE processes (
  process_id uuid NOT NULL,
  roles text[] NOT NULL,
  host text NOT NULL,
  port integer NOT NULL,
  started_at timestamp with time zone DEFAULT line_now() NOT NULL,
  seen_at timestamp with time zone DEFAULT line_now() NOT NULL,
  master_key bytea
);

CREATE TABLE promotions (
  code text NOT NULL,
  label text NOT NULL,
  kind text NOT NULL,
  off integer NOT NULL,
  currency text,
  stay_from date,
  stay_to date,
  book_from timestamp with time zone,
  book_to timestamp with time zone,
  listing_ids uuid[],
  collection_ids uuid[],
  min_nights integer DEFAULT 1 NOT NULL,
  max_uses integer,
  uses integer DEFAULT 0 NOT NULL,
  catalog_id uuid NOT NULL,
  withdrawn_at timestamp with time zone,
  off_above bigint DEFAULT 0 NOT NULL,
  off_millionths integer,
  paused_at timestamp with time zone
);

CREATE TABLE quote_sweep (
  only_row boolean DEFAULT true NOT NULL,
  looked_until timestamp with time zone NOT NULL
);

CREATE TABLE quotes (
  application_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  listing_id uuid NOT NULL,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  charges json NOT NULL,
  terms json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  promotion json
);

CREATE TABLE rate_undos (
  change_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  made_at timestamp with time zone DEFAULT line_now() NOT NULL,
  dates_before jsonb NOT NULL,
  dates_after jsonb NOT NULL
);

CREATE TABLE request_log (
  application_id uuid NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  request_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  operation text,
  status integer NOT NULL,
  code text,
  duration_ms integer NOT NULL,
  reason text,
  invalid_fields json,
  about text,
  fault text,
  listing_id uuid,
  check_in date,
  check_out date
);

CREATE TABLE reservation_days (
  application_id uuid NOT NULL,
  day date NOT NULL,
  reservations integer NOT NULL,
  at_most integer
);

CREATE TABLE reservation_notes (
  note_id uuid NOT NULL,
  reference text NOT NULL,
  author text NOT NULL,
  text_sealed bytea NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE reservation_price_changes (
  reference text NOT NULL,
  version integer NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  amount_minor bigint NOT NULL,
  property_minor bigint NOT NULL,
  currency text NOT NULL,
  at timestamp with time zone NOT NULL
);

CREATE TABLE reservations (
  reference text NOT NULL,
  application_id uuid NOT NULL,
  kind text NOT NULL,
  booking_id uuid NOT NULL,
  state text NOT NULL,
  listing_id uuid NOT NULL,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  charges json NOT NULL,
  confirmed_at timestamp with time zone NOT NULL,
  cancelled_at timestamp with time zone,
  updated_at timestamp with time zone NOT NULL,
  materialized_at timestamp with time zone,
  announced_change text,
  announced_for timestamp with time zone,
  version integer DEFAULT 1 NOT NULL,
  refund_minor bigint,
  records_due_at timestamp with time zone DEFAULT line_now(),
  records_attempts integer DEFAULT 0 NOT NULL,
  records_problem text,
  cancellation json,
  guest_email_digest bytea,
  collected_minor bigint
);

CREATE TABLE revoked_tokens (
  application_id uuid NOT NULL,
  token_id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL
);

CREATE TABLE sandbox_deliveries (
  delivery_id uuid DEFAULT uuidv7() NOT NULL,
  application_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  due_at timestamp with time zone,
  bad_signature boolean NOT NULL,
  skew_seconds integer NOT NULL,
  ended_at timestamp with time zone,
  status integer,
  attempt_id uuid,
  forged_id uuid
);

CREATE TABLE sandbox_nights (
  application_id uuid NOT NULL,
  attempt_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  nights daterange NOT NULL
);

CREATE TABLE sandbox_states (
  application_id uuid NOT NULL,
  fault_rules json,
  fault_seed bigint,
  fault_counts json DEFAULT '{}'::json NOT NULL,
  fault_hits json DEFAULT '[]'::json NOT NULL,
  fault_revision bigint DEFAULT 0 NOT NULL,
  tokens_end_at timestamp with time zone,
  kept_token text,
  next_outcome text,
  next_price bigint,
  next_ordered_at timestamp with time zone,
  occupies_since timestamp with time zone
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  digest text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE search_observations (
  observation_id uuid NOT NULL,
  application_id uuid NOT NULL,
  journey_id uuid,
  check_in date NOT NULL,
  check_out date NOT NULL,
  party json NOT NULL,
  collection_id uuid,
  results integer NOT NULL,
  observed_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE seasons (
  listing_id uuid NOT NULL,
  place integer NOT NULL,
  name text NOT NULL,
  first_night text NOT NULL,
  last_night text NOT NULL,
  change_percent numeric,
  nightly bigint,
  weekday_prices bigint[],
  min_nights integer,
  arrival_days text[],
  priority integer,
  members json
);

CREATE TABLE signals (
  application_id uuid NOT NULL,
  signal_id uuid NOT NULL,
  input_digest bytea NOT NULL,
  name text NOT NULL,
  route_family text NOT NULL,
  occurred_at timestamp with time zone,
  received_at timestamp with time zone DEFAULT line_now() NOT NULL,
  referrer_origin text,
  device_class text,
  correlation_id uuid,
  consent text,
  search_observation_id uuid,
  listing_id uuid,
  quote_id uuid,
  checkout_id uuid
);

CREATE TABLE simulated_attempts (
  attempt_id uuid NOT NULL,
  outcome text NOT NULL,
  known_at timestamp with time zone,
  decided_at timestamp with time zone DEFAULT line_now() NOT NULL,
  price bigint
);

CREATE TABLE staff_challenges (
  challenge text NOT NULL,
  staff_id uuid NOT NULL,
  purpose text NOT NULL,
  expires_at timestamp with time zone NOT NULL
);

CREATE TABLE staff_invitations (
  staff_id uuid NOT NULL,
  invitation_digest bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL
);

CREATE TABLE staff_members (
  staff_id uuid DEFAULT gen_random_uuid() NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  password_hash text,
  second_factor bytea,
  pending_factor bytea,
  last_code_step bigint,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  signed_in_at timestamp with time zone,
  disabled_at timestamp with time zone
);

CREATE TABLE staff_networks (
  staff_id uuid NOT NULL,
  network text NOT NULL,
  seen_at timestamp with time zone DEFAULT line_now() NOT NULL
);

CREATE TABLE staff_passkeys (
  passkey_id uuid DEFAULT gen_random_uuid() NOT NULL,
  staff_id uuid NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  used_at timestamp with time zone
);

CREATE TABLE staff_sessions (
  session_id uuid DEFAULT gen_random_uuid() NOT NULL,
  session_digest bytea NOT NULL,
  staff_id uuid NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  seen_at timestamp with time zone DEFAULT line_now() NOT NULL,
  confirmed_at timestamp with time zone DEFAULT line_now() NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL
);

CREATE TABLE taxes (
  listing_id uuid NOT NULL,
  place integer NOT NULL,
  label text NOT NULL,
  taxed_parts text[],
  percent numeric,
  per text,
  amount bigint,
  adults_only boolean,
  max_nights integer,
  stays_up_to_nights integer,
  members json
);

CREATE TABLE text_undos (
  change_id uuid NOT NULL,
  listing_id uuid NOT NULL,
  made_at timestamp with time zone DEFAULT line_now() NOT NULL,
  texts_before jsonb NOT NULL,
  texts_after jsonb NOT NULL
);

CREATE TABLE token_signing_keys (
  key_id text NOT NULL,
  public_jwk jsonb NOT NULL,
  private_sealed bytea NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  retired_at timestamp with time zone
);

CREATE TABLE unusual_rates (
  change_id uuid DEFAULT uuidv7() NOT NULL,
  set_at timestamp with time zone DEFAULT line_now() NOT NULL,
  listing_id uuid NOT NULL,
  price_minor bigint NOT NULL,
  currency text NOT NULL,
  about text NOT NULL
);

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL,
  number integer NOT NULL,
  started_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  status integer,
  error text,
  response bytea
);

CREATE TABLE webhook_deliveries (
  delivery_id uuid DEFAULT uuidv7() NOT NULL,
  endpoint_id uuid NOT NULL,
  application_id uuid NOT NULL,
  event_id uuid DEFAULT uuidv7() NOT NULL,
  event_type text NOT NULL,
  sequence bigint,
  test_event json,
  state text DEFAULT 'pending'::text NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  attempts_begun integer DEFAULT 0 NOT NULL,
  due_at timestamp with time zone DEFAULT line_now(),
  leased boolean DEFAULT false NOT NULL,
  fence bigint DEFAULT 0 NOT NULL,
  last_attempt_at timestamp with time zone,
  last_status integer,
  last_error text,
  created_at timestamp with time zone DEFAULT date_trunc('milliseconds'::text, line_now()) NOT NULL,
  delivered_at timestamp with time zone
);

CREATE TABLE webhook_endpoints (
  endpoint_id uuid DEFAULT uuidv7() NOT NULL,
  application_id uuid NOT NULL,
  url text NOT NULL,
  description text DEFAULT ''::text NOT NULL,
  event_types text[],
  state text DEFAULT 'active'::text NOT NULL,
  state_reason text,
  state_since timestamp with time zone DEFAULT line_now() NOT NULL,
  secret_sealed bytea NOT NULL,
  previous_secret_sealed bytea,
  previous_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  fanned_out_to bigint NOT NULL,
  missed_after bigint,
  missed_until bigint,
  claims bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone DEFAULT line_now() NOT NULL,
  updated_at timestamp with time zone DEFAULT line_now() NOT NULL,
  deleted_at timestamp with time zone,
  swept_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
);

CREATE TABLE wrong_times (
  shown_from timestamp with time zone NOT NULL,
  shown_until timestamp with time zone NOT NULL,
  noticed_at timestamp with time zone NOT NULL
);

-- Functions of rows

CREATE OR REPLACE FUNCTION public.booking_is_sound(b bookings)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN b.version > 0
    AND b.settlement IN ('card', 'partner')
    AND CASE b.kind
      WHEN 'checkout' THEN b.state IN ('needs_guest', 'needs_payment', 'ready', 'pending', 'requires_action',
        'confirmed', 'uncertain', 'failed', 'expired')
      WHEN 'request' THEN b.settlement = 'partner' AND b.state IN ('pending', 'unresolved', 'confirmed', 'failed')
      ELSE false
    END
    AND (b.kind = 'checkout') = (b.session_nonce IS NOT NULL)
    AND (b.state = 'confirmed') = (b.reference IS NOT NULL)
    AND (b.settlement = 'card' OR b.payment_state IS NULL AND b.state NOT IN ('needs_payment', 'requires_action'))
    AND (b.failure_reason IS NULL OR b.failure_reason IN ('sold_out', 'quote_expired', 'price_changed',
      'policy_changed', 'authority_revoked', 'refused'))
    AND (b.payment_state IS NULL OR b.payment_state IN ('pending', 'ready', 'failed'))
    AND (b.payment_failure IS NULL OR b.payment_failure IN ('unavailable', 'unresolved', 'not_authorized'))
    AND (b.unknown_step IS NULL OR b.unknown_step IN ('hold', 'authorize', 'confirm', 'capture', 'undo'));
END $function$;

CREATE OR REPLACE FUNCTION public.occupancy_is_sound(o occupancies)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN o.kind IN ('held', 'confirmed', 'block')
    AND (o.kind = 'block') = (o.source IS NOT NULL)
    AND (o.kind = 'block') = (o.booking_id IS NULL)
    AND (o.kind = 'confirmed') = (o.reference IS NOT NULL)
    AND num_nulls(o.application_id, o.booking_kind, o.booking_id) IN (0, 3)
    AND (o.calendar_id IS NULL) = (o.event_uid IS NULL)
    AND (o.calendar_id IS NULL OR o.source IS NULL OR o.source = 'channel')
    AND (o.source IS NULL OR o.source IN ('file', 'staff', 'channel', 'outside'))
    AND (o.outside_stay_id IS NOT NULL) = (o.source IS NOT DISTINCT FROM 'outside')
    AND NOT isempty(o.nights) AND NOT lower_inf(o.nights) AND NOT upper_inf(o.nights);
END $function$;

CREATE OR REPLACE FUNCTION public.payment_entry_is_sound(e payment_entries)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN (e.amount_minor IS NULL OR e.amount_minor > 0)
    AND (e.amount_minor IS NULL) = (e.currency IS NULL)
    AND (e.debit IS NULL OR e.amount_minor IS NOT NULL)
    AND CASE e.kind
      WHEN 'booked' THEN e.debit IS NOT DISTINCT FROM 'open' AND e.credit IS NOT DISTINCT FROM 'due'
      WHEN 'raised' THEN e.debit IS NOT DISTINCT FROM 'open' AND e.credit IS NOT DISTINCT FROM 'due'
      WHEN 'lowered' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'cancelled' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'reduced' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'written_off' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'uncovered' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'given_back' THEN e.debit IS NOT DISTINCT FROM 'due' AND e.credit IS NOT DISTINCT FROM 'owed'
      WHEN 'authorized' THEN e.debit IS NOT DISTINCT FROM 'authorized' AND e.credit IS NOT DISTINCT FROM 'holds'
      WHEN 'released' THEN e.debit IS NOT DISTINCT FROM 'holds' AND e.credit IS NOT DISTINCT FROM 'authorized'
      WHEN 'captured' THEN e.debit IS NOT DISTINCT FROM 'collected' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'collected_elsewhere' THEN e.debit IS NOT DISTINCT FROM 'collected' AND e.credit IS NOT DISTINCT FROM 'open'
      WHEN 'refunded' THEN e.debit IN ('open', 'owed') AND e.debit IS NOT NULL AND e.credit IS NOT DISTINCT FROM 'refunded'
      WHEN 'refunded_elsewhere' THEN e.debit IN ('open', 'owed') AND e.debit IS NOT NULL
        AND e.credit IS NOT DISTINCT FROM 'refunded'
      WHEN 'charged_back' THEN e.debit IN ('open', 'owed') AND e.debit IS NOT NULL
        AND e.credit IS NOT DISTINCT FROM 'refunded'
      WHEN 'refund_failed' THEN e.debit IS NOT DISTINCT FROM 'refunded' AND e.credit IN ('open', 'owed')
        AND e.credit IS NOT NULL
      WHEN 'lost' THEN e.debit IS NOT DISTINCT FROM 'losses' AND e.credit IS NOT DISTINCT FROM 'provider'
      WHEN 'recovered' THEN e.debit IS NOT DISTINCT FROM 'provider' AND e.credit IS NOT DISTINCT FROM 'losses'
      WHEN 'dispute_fee' THEN e.debit IS NOT DISTINCT FROM 'fees' AND e.credit IS NOT DISTINCT FROM 'provider'
      ELSE e.kind IN ('requested', 'action_needed', 'voided', 'refused', 'unknown', 'refund_requested',
          'refund_refused', 'refund_unknown', 'disputed', 'stopped', 'started')
        AND e.debit IS NULL AND e.credit IS NULL
    END;
END $function$;

CREATE OR REPLACE FUNCTION public.payment_is_sound(p payment_intents)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN p.amount_minor > 0
    AND p.purpose IN ('booking', 'instalment', 'difference', 'link')
    AND p.state IN ('requested', 'action_needed', 'authorized', 'captured', 'voided', 'refused', 'unknown')
    AND (p.provider_reference IS NOT NULL OR p.state NOT IN ('action_needed', 'authorized', 'captured'))
    AND (p.first_try IS NULL OR p.first_try > 0)
    AND (p.refused_as IS NULL OR p.refused_as IN ('funds', 'card', 'guest', 'amount', 'account'));
END $function$;

CREATE OR REPLACE FUNCTION public.reservation_is_sound(r reservations)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN r.state IN ('confirmed', 'cancelled', 'pending')
    AND (r.state = 'cancelled') = (r.cancelled_at IS NOT NULL)
    AND (r.announced_change IS NULL) = (r.announced_for IS NULL)
    AND (r.announced_change IS NULL OR r.announced_change IN ('cancelled', 'moved_one_day'))
    AND (r.collected_minor IS NULL OR r.collected_minor >= 0)
    AND (r.refund_minor IS NULL OR r.refund_minor >= 0)
    AND (r.guest_email_digest IS NULL OR octet_length(r.guest_email_digest) IN (0, 32));
END $function$;

-- Constraints

ALTER TABLE adopted_effects ADD CONSTRAINT adopted_effects_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'refund'::text, 'link'::text]))) NOT VALID;
ALTER TABLE adopted_effects ADD CONSTRAINT adopted_effects_outcome_check CHECK ((outcome = ANY (ARRAY['booked'::text, 'unmatched'::text, 'ended'::text]))) NOT VALID;
ALTER TABLE adopted_effects ADD CONSTRAINT adopted_effects_pkey PRIMARY KEY (provider_reference);
ALTER TABLE application_changes ADD CONSTRAINT application_changes_check CHECK (((kind IS NULL) = (sequence = 0)));
ALTER TABLE application_changes ADD CONSTRAINT application_changes_kind_check CHECK ((kind = ANY (ARRAY['added'::text, 'rates'::text, 'availability'::text, 'content'::text, 'removed'::text]))) NOT VALID;
ALTER TABLE application_changes ADD CONSTRAINT application_changes_pkey PRIMARY KEY (application_id, sequence);
ALTER TABLE application_changes_sweep ADD CONSTRAINT application_changes_sweep_only_row_check CHECK (only_row);
ALTER TABLE application_changes_sweep ADD CONSTRAINT application_changes_sweep_pkey PRIMARY KEY (only_row);
ALTER TABLE application_keys ADD CONSTRAINT application_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE applications ADD CONSTRAINT applications_adjust_percent_check CHECK (((adjust_percent >= ('-100'::integer)::numeric) AND (adjust_percent <= (1000)::numeric)));
ALTER TABLE applications ADD CONSTRAINT applications_changes_check CHECK ((changes = ANY (ARRAY['ask'::text, 'cancel'::text])));
ALTER TABLE applications ADD CONSTRAINT applications_commission_percent_check CHECK (((commission_percent >= (0)::numeric) AND (commission_percent <= (100)::numeric)));
ALTER TABLE applications ADD CONSTRAINT applications_grants_check CHECK ((grants <@ ARRAY['catalog'::text, 'search'::text, 'quotes'::text, 'checkout'::text, 'signals'::text, 'changes'::text]));
ALTER TABLE applications ADD CONSTRAINT applications_pkey PRIMARY KEY (application_id);
ALTER TABLE applications ADD CONSTRAINT applications_read_per_minute_check CHECK ((read_per_minute > 0));
ALTER TABLE applications ADD CONSTRAINT applications_reservations_per_day_check CHECK ((reservations_per_day >= 0));
ALTER TABLE applications ADD CONSTRAINT applications_search_per_minute_check CHECK ((search_per_minute > 0));
ALTER TABLE applications ADD CONSTRAINT applications_settlement_check CHECK ((settlement = ANY (ARRAY['card'::text, 'partner'::text])));
ALTER TABLE applications ADD CONSTRAINT applications_signal_per_minute_check CHECK ((signal_per_minute > 0));
ALTER TABLE applications ADD CONSTRAINT applications_write_per_minute_check CHECK ((write_per_minute > 0));
ALTER TABLE attention_items ADD CONSTRAINT attention_items_check CHECK (((telling IS NULL) = (due_at IS NULL)));
ALTER TABLE attention_items ADD CONSTRAINT attention_items_pkey PRIMARY KEY (item_id);
ALTER TABLE attention_items ADD CONSTRAINT attention_items_telling_check CHECK ((telling = ANY (ARRAY['opened'::text, 'closed'::text])));
ALTER TABLE audit_chain ADD CONSTRAINT audit_chain_entry_id_key UNIQUE (entry_id);
ALTER TABLE audit_chain ADD CONSTRAINT audit_chain_hash_check CHECK ((octet_length(hash) = 32));
ALTER TABLE audit_chain ADD CONSTRAINT audit_chain_pkey PRIMARY KEY ("position");
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_pkey PRIMARY KEY (entry_id);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_only_row_check CHECK (only_row);
ALTER TABLE audit_head ADD CONSTRAINT audit_head_pkey PRIMARY KEY (only_row);
ALTER TABLE audit_homes ADD CONSTRAINT audit_homes_pkey PRIMARY KEY (listing, entry_id);
ALTER TABLE audit_receivers ADD CONSTRAINT audit_receivers_check CHECK (((problem IS NULL) = (failing_since IS NULL)));
ALTER TABLE audit_receivers ADD CONSTRAINT audit_receivers_pkey PRIMARY KEY (receiver);
ALTER TABLE audit_texts ADD CONSTRAINT audit_texts_check CHECK (((text_sealed IS NULL) = (erased_at IS NOT NULL)));
ALTER TABLE audit_texts ADD CONSTRAINT audit_texts_pkey PRIMARY KEY (entry_id);
ALTER TABLE audit_unchained ADD CONSTRAINT audit_unchained_pkey PRIMARY KEY (entry_id);
ALTER TABLE booked_days ADD CONSTRAINT booked_days_bookings_check CHECK ((bookings > 0));
ALTER TABLE booked_days ADD CONSTRAINT booked_days_pkey PRIMARY KEY (day, application_id, currency);
ALTER TABLE booking_traces ADD CONSTRAINT booking_traces_pkey PRIMARY KEY (application_id, booking_id);
ALTER TABLE booking_traces ADD CONSTRAINT booking_traces_traceparent_check CHECK ((traceparent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'::text));
ALTER TABLE bookings ADD CONSTRAINT bookings_partner_reference UNIQUE (partner_reference, application_id);
ALTER TABLE bookings ADD CONSTRAINT bookings_pkey PRIMARY KEY (booking_id, application_id, kind);
ALTER TABLE bookings ADD CONSTRAINT bookings_quote_used_once UNIQUE (quote_id, application_id);
ALTER TABLE bookings ADD CONSTRAINT bookings_sound CHECK (booking_is_sound(bookings.*)) NOT VALID;
ALTER TABLE calendar_addresses ADD CONSTRAINT calendar_addresses_digest_key UNIQUE (digest);
ALTER TABLE calendar_addresses ADD CONSTRAINT calendar_addresses_pkey PRIMARY KEY (listing_id);
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_days_before_check CHECK ((days_before >= 0));
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_pkey PRIMARY KEY (listing_id, days_before);
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_refund_percent_check CHECK (((refund_percent >= (0)::numeric) AND (refund_percent <= (100)::numeric)));
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_pkey PRIMARY KEY (listing_id, catalog_id);
ALTER TABLE catalog_revision ADD CONSTRAINT catalog_revision_only_row_check CHECK (only_row);
ALTER TABLE catalog_revision ADD CONSTRAINT catalog_revision_pkey PRIMARY KEY (only_row);
ALTER TABLE catalogs ADD CONSTRAINT catalogs_discovery_check CHECK ((discovery = ANY (ARRAY['brand'::text, 'portfolio'::text])));
ALTER TABLE catalogs ADD CONSTRAINT catalogs_pkey PRIMARY KEY (catalog_id);
ALTER TABLE catalogs ADD CONSTRAINT catalogs_slug_check CHECK ((slug <> ''::text));
ALTER TABLE catalogs ADD CONSTRAINT catalogs_slug_key UNIQUE (slug);
ALTER TABLE change_counters ADD CONSTRAINT change_counters_check CHECK ((told <= numbered));
ALTER TABLE change_counters ADD CONSTRAINT change_counters_pkey PRIMARY KEY (catalog_id);
ALTER TABLE change_feed ADD CONSTRAINT change_feed_check CHECK (((told_run >= (run - 1)) AND (told_run <= run)));
ALTER TABLE change_feed ADD CONSTRAINT change_feed_only_row_check CHECK (only_row);
ALTER TABLE change_feed ADD CONSTRAINT change_feed_pkey PRIMARY KEY (only_row);
ALTER TABLE change_requests ADD CONSTRAINT change_requests_check CHECK (((state = 'open'::text) = (decided_at IS NULL)));
ALTER TABLE change_requests ADD CONSTRAINT change_requests_check1 CHECK (((kind = 'change'::text) OR ((check_in IS NULL) AND (check_out IS NULL) AND (party IS NULL))));
ALTER TABLE change_requests ADD CONSTRAINT change_requests_kind_check CHECK ((kind = ANY (ARRAY['cancel'::text, 'change'::text])));
ALTER TABLE change_requests ADD CONSTRAINT change_requests_pkey PRIMARY KEY (change_request_id, application_id);
ALTER TABLE change_requests ADD CONSTRAINT change_requests_state_check CHECK ((state = ANY (ARRAY['open'::text, 'accepted'::text, 'declined'::text, 'withdrawn'::text])));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check CHECK ((num_nonnulls(url_sealed, file_name) = 1));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check1 CHECK (((due_at IS NULL) = (url_sealed IS NULL)));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check2 CHECK (((problem IS NULL) = (failing_since IS NULL)));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check3 CHECK (((problem IS NULL) = (failures = 0)));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_check4 CHECK (((kept_at IS NULL) OR (shrunk_since IS NOT NULL)));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_event_end_check CHECK ((event_end = ANY (ARRAY['checkout'::text, 'night'::text])));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_failures_check CHECK ((failures >= 0));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_free_events_check CHECK ((free_events = ANY (ARRAY['ignore'::text, 'count'::text])));
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_listing_id_source_digest_key UNIQUE (listing_id, source_digest);
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_pkey PRIMARY KEY (calendar_id);
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_user_agent_check CHECK (((length(user_agent) >= 1) AND (length(user_agent) <= 200)));
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_check CHECK (((kind = 'confirmed'::text) = (reference IS NOT NULL)));
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_kind_check CHECK ((kind = ANY (ARRAY['held'::text, 'confirmed'::text, 'block'::text])));
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_nights_check CHECK (((NOT isempty(nights)) AND (NOT lower_inf(nights)) AND (NOT upper_inf(nights))));
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_pkey PRIMARY KEY (calendar_id, nights);
ALTER TABLE channel_events ADD CONSTRAINT channel_events_check CHECK (((state = 'missing'::text) = (missing_since IS NOT NULL)));
ALTER TABLE channel_events ADD CONSTRAINT channel_events_nights_check CHECK (((NOT isempty(nights)) AND (NOT lower_inf(nights)) AND (NOT upper_inf(nights))));
ALTER TABLE channel_events ADD CONSTRAINT channel_events_pkey PRIMARY KEY (calendar_id, nights, event_uid);
ALTER TABLE channel_events ADD CONSTRAINT channel_events_state_check CHECK ((state = ANY (ARRAY['taken'::text, 'conflict'::text, 'missing'::text, 'echo'::text, 'ignored'::text])));
ALTER TABLE checkout_commands ADD CONSTRAINT checkout_commands_pkey PRIMARY KEY (checkout_id, application_id, operation, expected_version, input_digest);
ALTER TABLE clock ADD CONSTRAINT clock_check CHECK ((num_nulls(held_since, line_less_wall_ms, shown_from, shown_until) = ANY (ARRAY[0, 4])));
ALTER TABLE clock ADD CONSTRAINT clock_check1 CHECK (((near_since IS NULL) OR (held_since IS NOT NULL)));
ALTER TABLE clock ADD CONSTRAINT clock_only_row_check CHECK (only_row);
ALTER TABLE clock ADD CONSTRAINT clock_pkey PRIMARY KEY (only_row);
ALTER TABLE collections ADD CONSTRAINT collections_catalog_id_slug_key UNIQUE (catalog_id, slug);
ALTER TABLE collections ADD CONSTRAINT collections_collection_id_catalog_id_key UNIQUE (collection_id, catalog_id);
ALTER TABLE collections ADD CONSTRAINT collections_pkey PRIMARY KEY (collection_id);
ALTER TABLE conformance_calls ADD CONSTRAINT conformance_calls_pkey PRIMARY KEY (attempt_id, request_id);
ALTER TABLE conformance_reports ADD CONSTRAINT conformance_reports_pkey PRIMARY KEY (application_id, run_id);
ALTER TABLE conformance_runs ADD CONSTRAINT conformance_runs_check CHECK (((state = 'open'::text) = (finished_at IS NULL)));
ALTER TABLE conformance_runs ADD CONSTRAINT conformance_runs_pkey PRIMARY KEY (run_id);
ALTER TABLE conformance_runs ADD CONSTRAINT conformance_runs_profile_check CHECK ((profile = ANY (ARRAY['checkout'::text, 'card'::text, 'request'::text])));
ALTER TABLE conformance_runs ADD CONSTRAINT conformance_runs_state_check CHECK ((state = ANY (ARRAY['open'::text, 'passed'::text, 'failed'::text, 'incomplete'::text, 'abandoned'::text])));
ALTER TABLE conformance_scenarios ADD CONSTRAINT conformance_scenarios_check CHECK (((state <> 'running'::text) OR ((attempt_id IS NOT NULL) AND (ends_at IS NOT NULL) AND (task IS NOT NULL))));
ALTER TABLE conformance_scenarios ADD CONSTRAINT conformance_scenarios_check1 CHECK (((state = ANY (ARRAY['judged'::text, 'skipped'::text])) = (result IS NOT NULL)));
ALTER TABLE conformance_scenarios ADD CONSTRAINT conformance_scenarios_pkey PRIMARY KEY (run_id, scenario);
ALTER TABLE conformance_scenarios ADD CONSTRAINT conformance_scenarios_result_check CHECK ((result = ANY (ARRAY['passed'::text, 'failed'::text, 'warned'::text, 'skipped'::text])));
ALTER TABLE conformance_scenarios ADD CONSTRAINT conformance_scenarios_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'judged'::text, 'skipped'::text])));
ALTER TABLE customer_erasures ADD CONSTRAINT customer_erasures_pkey PRIMARY KEY (checkout_id, application_id);
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_never_overlap EXCLUDE USING gist (listing_id WITH =, nights WITH &&);
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_nightly_check CHECK ((nightly >= 0));
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_nights_check CHECK (((NOT isempty(nights)) AND (NOT lower_inf(nights)) AND (NOT upper_inf(nights))));
ALTER TABLE epochs ADD CONSTRAINT epochs_check CHECK (((reason = 'declared'::text) = (explanation IS NOT NULL)));
ALTER TABLE epochs ADD CONSTRAINT epochs_pkey PRIMARY KEY (epoch);
ALTER TABLE epochs ADD CONSTRAINT epochs_reason_check CHECK ((reason = ANY (ARRAY['first'::text, 'gap'::text, 'server'::text, 'outside_off'::text, 'declared'::text])));
ALTER TABLE event_counters ADD CONSTRAINT event_counters_pkey PRIMARY KEY (application_id);
ALTER TABLE events ADD CONSTRAINT events_event_id_key UNIQUE (event_id);
ALTER TABLE events ADD CONSTRAINT events_pkey PRIMARY KEY (application_id, sequence);
ALTER TABLE events ADD CONSTRAINT events_type_check CHECK ((type = ANY (ARRAY['checkout.resolved'::text, 'reservation.confirmed'::text, 'reservation.cancelled'::text, 'reservation.changed'::text, 'change_request.decided'::text]))) NOT VALID;
ALTER TABLE feed_readers ADD CONSTRAINT feed_readers_pkey PRIMARY KEY (reader_id);
ALTER TABLE fees ADD CONSTRAINT fees_amount_check CHECK ((amount >= 0));
ALTER TABLE fees ADD CONSTRAINT fees_from_guest_check CHECK ((from_guest > 0));
ALTER TABLE fees ADD CONSTRAINT fees_kind_check CHECK ((kind = ANY (ARRAY['cleaning'::text, 'fee'::text])));
ALTER TABLE fees ADD CONSTRAINT fees_per_check CHECK ((per = ANY (ARRAY['stay'::text, 'night'::text, 'guest'::text, 'guest_night'::text, 'pet'::text, 'pet_night'::text])));
ALTER TABLE fees ADD CONSTRAINT fees_pkey PRIMARY KEY (listing_id, place);
ALTER TABLE funnel_progress ADD CONSTRAINT funnel_progress_only_row_check CHECK (only_row);
ALTER TABLE funnel_progress ADD CONSTRAINT funnel_progress_pkey PRIMARY KEY (only_row);
ALTER TABLE funnel_refusals ADD CONSTRAINT funnel_refusals_pkey PRIMARY KEY (week, application_id, listing_id, step, reason);
ALTER TABLE funnel_refusals ADD CONSTRAINT funnel_refusals_step_check CHECK ((step = ANY (ARRAY['search'::text, 'quote'::text, 'checkout'::text, 'submit'::text, 'confirm'::text])));
ALTER TABLE funnel_weeks ADD CONSTRAINT funnel_weeks_pkey PRIMARY KEY (week, application_id, listing_id);
ALTER TABLE guest_digest_backlog ADD CONSTRAINT guest_digest_backlog_only_row_check CHECK (only_row);
ALTER TABLE guest_digest_backlog ADD CONSTRAINT guest_digest_backlog_pkey PRIMARY KEY (only_row);
ALTER TABLE guest_digests ADD CONSTRAINT guest_digests_pkey PRIMARY KEY (booking_id, application_id, kind);
ALTER TABLE installation ADD CONSTRAINT installation_environment_check CHECK ((environment = ANY (ARRAY['simulation'::text, 'test'::text, 'live'::text])));
ALTER TABLE installation ADD CONSTRAINT installation_only_row_check CHECK (only_row);
ALTER TABLE installation ADD CONSTRAINT installation_pkey PRIMARY KEY (only_row);
ALTER TABLE inventory_changes ADD CONSTRAINT inventory_changes_kind_check CHECK ((kind = ANY (ARRAY['added'::text, 'content'::text, 'rates'::text, 'rules'::text, 'availability'::text, 'removed'::text])));
ALTER TABLE inventory_changes ADD CONSTRAINT inventory_changes_pkey PRIMARY KEY (catalog_id, sequence);
ALTER TABLE keyed_creates ADD CONSTRAINT keyed_creates_pkey PRIMARY KEY (actor, operation, key_digest);
ALTER TABLE layer_comparison ADD CONSTRAINT layer_comparison_only_row_check CHECK (only_row);
ALTER TABLE layer_comparison ADD CONSTRAINT layer_comparison_pkey PRIMARY KEY (only_row);
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_amount_check CHECK ((amount >= 0));
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_check CHECK (((percent IS NULL) <> (amount IS NULL)));
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_percent_check CHECK (((percent >= (0)::numeric) AND (percent <= (100)::numeric)));
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_pkey PRIMARY KEY (listing_id, min_nights);
ALTER TABLE listing_members ADD CONSTRAINT listing_members_pkey PRIMARY KEY (listing_id);
ALTER TABLE listing_members ADD CONSTRAINT listing_members_preparation_nights_check CHECK (((preparation_nights >= 0) AND (preparation_nights <= 7)));
ALTER TABLE listings ADD CONSTRAINT listings_advance_notice_days_check CHECK ((advance_notice_days >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_balance_days_before_check CHECK ((balance_days_before >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_bathrooms_check CHECK ((bathrooms >= (0)::double precision));
ALTER TABLE listings ADD CONSTRAINT listings_bedrooms_check CHECK ((bedrooms >= (0)::double precision));
ALTER TABLE listings ADD CONSTRAINT listings_booking_horizon_days_check CHECK ((booking_horizon_days >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_check CHECK (((latitude IS NULL) = (longitude IS NULL)));
ALTER TABLE listings ADD CONSTRAINT listings_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text));
ALTER TABLE listings ADD CONSTRAINT listings_due_now_percent_check CHECK (((due_now_percent >= (0)::numeric) AND (due_now_percent <= (100)::numeric)));
ALTER TABLE listings ADD CONSTRAINT listings_latitude_check CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)));
ALTER TABLE listings ADD CONSTRAINT listings_longitude_check CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)));
ALTER TABLE listings ADD CONSTRAINT listings_max_nights_check CHECK ((max_nights > 0));
ALTER TABLE listings ADD CONSTRAINT listings_max_pets_check CHECK ((max_pets >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE listings ADD CONSTRAINT listings_nightly_check CHECK ((nightly >= 0));
ALTER TABLE listings ADD CONSTRAINT listings_pkey PRIMARY KEY (listing_id);
ALTER TABLE listings ADD CONSTRAINT listings_sleeps_check CHECK ((sleeps > 0));
ALTER TABLE listings ADD CONSTRAINT listings_slug_check CHECK ((slug <> ''::text));
ALTER TABLE listings ADD CONSTRAINT listings_slug_key UNIQUE (slug);
ALTER TABLE listings ADD CONSTRAINT listings_time_zone_check CHECK ((time_zone <> ''::text));
ALTER TABLE listings ADD CONSTRAINT listings_weekday_prices_check CHECK ((cardinality(weekday_prices) = 7));
ALTER TABLE master_keys ADD CONSTRAINT master_keys_key_check_check CHECK ((octet_length(key_check) = 32));
ALTER TABLE master_keys ADD CONSTRAINT master_keys_pkey PRIMARY KEY (key_check);
ALTER TABLE night_changes_kept ADD CONSTRAINT night_changes_kept_only_row_check CHECK (only_row);
ALTER TABLE night_changes_kept ADD CONSTRAINT night_changes_kept_pkey PRIMARY KEY (only_row);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_never_overlap EXCLUDE USING gist (listing_id WITH =, nights WITH &&);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_pkey PRIMARY KEY (occupancy_id);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_sound CHECK (occupancy_is_sound(occupancies.*)) NOT VALID;
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_pkey PRIMARY KEY (token_id);
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_role_check CHECK ((role = ANY (ARRAY['administrator'::text, 'reservations'::text, 'content'::text, 'finance'::text, 'viewer'::text])));
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_scopes_check CHECK ((cardinality(scopes) > 0));
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_token_digest_check CHECK ((octet_length(token_digest) = 32));
ALTER TABLE operator_tokens ADD CONSTRAINT operator_tokens_token_digest_key UNIQUE (token_digest);
ALTER TABLE outside_homes ADD CONSTRAINT outside_homes_pkey PRIMARY KEY (listing_id);
ALTER TABLE outside_stays ADD CONSTRAINT outside_stays_external_id_check CHECK (((char_length(external_id) >= 1) AND (char_length(external_id) <= 200)));
ALTER TABLE outside_stays ADD CONSTRAINT outside_stays_nights_check CHECK (((NOT isempty(nights)) AND (NOT lower_inf(nights)) AND (NOT upper_inf(nights))));
ALTER TABLE outside_stays ADD CONSTRAINT outside_stays_pkey PRIMARY KEY (outside_stay_id);
ALTER TABLE outside_stays ADD CONSTRAINT outside_stays_source_check CHECK ((source ~ '^[a-z0-9-]{1,40}$'::text));
ALTER TABLE outside_stays ADD CONSTRAINT outside_stays_source_external_id_key UNIQUE (source, external_id);
ALTER TABLE payment_accounts ADD CONSTRAINT payment_accounts_attention_check CHECK ((attention = ANY (ARRAY['declined'::text, 'refund_refused'::text, 'refund_failed'::text, 'unknown'::text])));
ALTER TABLE payment_accounts ADD CONSTRAINT payment_accounts_check CHECK (((attention IS NULL) = (attention_since IS NULL)));
ALTER TABLE payment_accounts ADD CONSTRAINT payment_accounts_pkey PRIMARY KEY (checkout_id, application_id);
ALTER TABLE payment_accounts ADD CONSTRAINT payment_accounts_reference_key UNIQUE (reference);
ALTER TABLE payment_cards ADD CONSTRAINT payment_cards_kind_check CHECK ((kind = 'checkout'::text));
ALTER TABLE payment_cards ADD CONSTRAINT payment_cards_pkey PRIMARY KEY (checkout_id, application_id);
ALTER TABLE payment_cards ADD CONSTRAINT payment_cards_whole_check CHECK (((setup_reference IS NULL) = (payment_method_reference IS NULL))) NOT VALID;
ALTER TABLE payment_disputes ADD CONSTRAINT payment_disputes_amount_minor_check CHECK ((amount_minor > 0));
ALTER TABLE payment_disputes ADD CONSTRAINT payment_disputes_outcome_check CHECK ((outcome = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text])));
ALTER TABLE payment_disputes ADD CONSTRAINT payment_disputes_pkey PRIMARY KEY (dispute_reference);
ALTER TABLE payment_entries ADD CONSTRAINT payment_entries_pkey PRIMARY KEY (entry_id);
ALTER TABLE payment_entries ADD CONSTRAINT payment_entries_sound CHECK (payment_entry_is_sound(payment_entries.*)) NOT VALID;
ALTER TABLE payment_intents ADD CONSTRAINT payment_intents_pkey PRIMARY KEY (payment_id);
ALTER TABLE payment_intents ADD CONSTRAINT payment_intents_provider_reference_key UNIQUE (provider_reference);
ALTER TABLE payment_intents ADD CONSTRAINT payment_intents_sound CHECK (payment_is_sound(payment_intents.*)) NOT VALID;
ALTER TABLE payment_links ADD CONSTRAINT payment_links_check CHECK (((page_reference IS NULL) = (url IS NULL)));
ALTER TABLE payment_links ADD CONSTRAINT payment_links_page_reference_key UNIQUE (page_reference);
ALTER TABLE payment_links ADD CONSTRAINT payment_links_pkey PRIMARY KEY (payment_id);
ALTER TABLE payment_record_counters ADD CONSTRAINT payment_record_counters_pkey PRIMARY KEY (epoch);
ALTER TABLE payment_records ADD CONSTRAINT payment_records_check CHECK (((epoch IS NULL) = (sequence IS NULL)));
ALTER TABLE payment_records ADD CONSTRAINT payment_records_epoch_sequence_key UNIQUE (epoch, sequence);
ALTER TABLE payment_records ADD CONSTRAINT payment_records_kind_check CHECK ((kind = ANY (ARRAY['collected'::text, 'declined'::text, 'refunded'::text, 'refund_failed'::text, 'disputed'::text, 'charged_back'::text, 'written_off'::text])));
ALTER TABLE payment_records ADD CONSTRAINT payment_records_pkey PRIMARY KEY (record_id);
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_amount_minor_check CHECK ((amount_minor > 0));
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_check CHECK (((state <> 'done'::text) OR (refund_reference IS NOT NULL)));
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_number_check CHECK ((number > 0));
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_of_account_check CHECK ((of_account = ANY (ARRAY['open'::text, 'owed'::text])));
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_pkey PRIMARY KEY (refund_id);
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_refund_reference_key UNIQUE (refund_reference);
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_refused_as_check CHECK ((refused_as = ANY (ARRAY['funds'::text, 'card'::text, 'guest'::text, 'amount'::text, 'account'::text])));
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_state_check CHECK ((state = ANY (ARRAY['requested'::text, 'done'::text, 'refused'::text, 'unknown'::text, 'failed'::text])));
ALTER TABLE payment_returns ADD CONSTRAINT payment_returns_attention_check CHECK ((attention = ANY (ARRAY['refund_refused'::text, 'refund_failed'::text, 'unknown'::text])));
ALTER TABLE payment_returns ADD CONSTRAINT payment_returns_check CHECK (((attention IS NULL) = (attention_since IS NULL)));
ALTER TABLE payment_returns ADD CONSTRAINT payment_returns_pkey PRIMARY KEY (payment_id);
ALTER TABLE payment_waits ADD CONSTRAINT payment_waits_kind_check CHECK ((kind = ANY (ARRAY['declined'::text, 'stopped'::text, 'no_card'::text, 'refund_refused'::text, 'refund_failed'::text, 'unknown'::text, 'adopted'::text]))) NOT VALID;
ALTER TABLE payment_waits ADD CONSTRAINT payment_waits_pkey PRIMARY KEY (checkout_id, application_id, kind, part);
ALTER TABLE pictures ADD CONSTRAINT pictures_picture_id_check CHECK ((picture_id ~ '^[0-9a-f]{32}$'::text));
ALTER TABLE pictures ADD CONSTRAINT pictures_pkey PRIMARY KEY (picture_id);
ALTER TABLE pictures ADD CONSTRAINT pictures_state_check CHECK ((state = ANY (ARRAY['used'::text, 'unused'::text, 'removing'::text])));
ALTER TABLE portal_links ADD CONSTRAINT portal_links_pkey PRIMARY KEY (link_digest);
ALTER TABLE portal_people ADD CONSTRAINT portal_people_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254)));
ALTER TABLE portal_people ADD CONSTRAINT portal_people_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));
ALTER TABLE portal_people ADD CONSTRAINT portal_people_pkey PRIMARY KEY (person_id);
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (session_digest);
ALTER TABLE processes ADD CONSTRAINT processes_pkey PRIMARY KEY (process_id);
ALTER TABLE promotions ADD CONSTRAINT promotions_check CHECK (((kind = 'amount'::text) = (currency IS NOT NULL)));
ALTER TABLE promotions ADD CONSTRAINT promotions_check1 CHECK (((kind <> 'percent'::text) OR (off <= 10000)));
ALTER TABLE promotions ADD CONSTRAINT promotions_check2 CHECK (((uses >= 0) AND ((max_uses IS NULL) OR (uses <= max_uses))));
ALTER TABLE promotions ADD CONSTRAINT promotions_check3 CHECK (((off_above = 0) OR ((off_above > 0) AND (off = 2147483647))));
ALTER TABLE promotions ADD CONSTRAINT promotions_kind_check CHECK ((kind = ANY (ARRAY['percent'::text, 'amount'::text])));
ALTER TABLE promotions ADD CONSTRAINT promotions_max_uses_check CHECK ((max_uses > 0));
ALTER TABLE promotions ADD CONSTRAINT promotions_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE promotions ADD CONSTRAINT promotions_off_check CHECK ((off > 0));
ALTER TABLE promotions ADD CONSTRAINT promotions_off_millionths_check CHECK (((off_millionths >= 1) AND (off_millionths <= 1000000)));
ALTER TABLE promotions ADD CONSTRAINT promotions_pkey PRIMARY KEY (code);
ALTER TABLE quote_sweep ADD CONSTRAINT quote_sweep_only_row_check CHECK (only_row);
ALTER TABLE quote_sweep ADD CONSTRAINT quote_sweep_pkey PRIMARY KEY (only_row);
ALTER TABLE quotes ADD CONSTRAINT quotes_check CHECK (((check_out > check_in) AND ((check_out - check_in) <= 90)));
ALTER TABLE quotes ADD CONSTRAINT quotes_pkey PRIMARY KEY (quote_id, application_id);
ALTER TABLE rate_undos ADD CONSTRAINT rate_undos_pkey PRIMARY KEY (change_id, listing_id);
ALTER TABLE request_log ADD CONSTRAINT request_log_duration_ms_check CHECK ((duration_ms >= 0));
ALTER TABLE request_log ADD CONSTRAINT request_log_pkey PRIMARY KEY (application_id, at, request_id);
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_pkey PRIMARY KEY (day, application_id);
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_reservations_check CHECK ((reservations >= 0));
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_within_limit CHECK ((reservations <= at_most));
ALTER TABLE reservation_notes ADD CONSTRAINT reservation_notes_pkey PRIMARY KEY (note_id);
ALTER TABLE reservation_price_changes ADD CONSTRAINT reservation_price_changes_kind_check CHECK ((kind = ANY (ARRAY['changed'::text, 'cancelled'::text])));
ALTER TABLE reservation_price_changes ADD CONSTRAINT reservation_price_changes_pkey PRIMARY KEY (reference, version, currency);
ALTER TABLE reservations ADD CONSTRAINT reservations_booking_id_application_id_kind_key UNIQUE (booking_id, application_id, kind);
ALTER TABLE reservations ADD CONSTRAINT reservations_pkey PRIMARY KEY (reference);
ALTER TABLE reservations ADD CONSTRAINT reservations_sound CHECK (reservation_is_sound(reservations.*)) NOT VALID;
ALTER TABLE revoked_tokens ADD CONSTRAINT revoked_tokens_pkey PRIMARY KEY (application_id, token_id);
ALTER TABLE sandbox_deliveries ADD CONSTRAINT sandbox_deliveries_pkey PRIMARY KEY (delivery_id);
ALTER TABLE sandbox_nights ADD CONSTRAINT sandbox_nights_once EXCLUDE USING gist (application_id WITH =, listing_id WITH =, nights WITH &&);
ALTER TABLE sandbox_nights ADD CONSTRAINT sandbox_nights_pkey PRIMARY KEY (application_id, attempt_id);
ALTER TABLE sandbox_states ADD CONSTRAINT sandbox_states_pkey PRIMARY KEY (application_id);
ALTER TABLE schema_migrations ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE search_observations ADD CONSTRAINT search_observations_pkey PRIMARY KEY (observation_id);
ALTER TABLE seasons ADD CONSTRAINT seasons_check CHECK ((length(first_night) = length(last_night)));
ALTER TABLE seasons ADD CONSTRAINT seasons_check1 CHECK (((change_percent IS NULL) OR ((nightly IS NULL) AND (weekday_prices IS NULL))));
ALTER TABLE seasons ADD CONSTRAINT seasons_min_nights_check CHECK ((min_nights > 0));
ALTER TABLE seasons ADD CONSTRAINT seasons_nightly_check CHECK ((nightly >= 0));
ALTER TABLE seasons ADD CONSTRAINT seasons_pkey PRIMARY KEY (listing_id, place);
ALTER TABLE seasons ADD CONSTRAINT seasons_weekday_prices_check CHECK ((cardinality(weekday_prices) = 7));
ALTER TABLE signals ADD CONSTRAINT signals_pkey PRIMARY KEY (signal_id, application_id);
ALTER TABLE simulated_attempts ADD CONSTRAINT simulated_attempts_pkey PRIMARY KEY (attempt_id);
ALTER TABLE staff_challenges ADD CONSTRAINT staff_challenges_pkey PRIMARY KEY (challenge);
ALTER TABLE staff_challenges ADD CONSTRAINT staff_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['add'::text, 'sign_in'::text, 'step_up'::text])));
ALTER TABLE staff_invitations ADD CONSTRAINT staff_invitations_invitation_digest_check CHECK ((octet_length(invitation_digest) = 32));
ALTER TABLE staff_invitations ADD CONSTRAINT staff_invitations_invitation_digest_key UNIQUE (invitation_digest);
ALTER TABLE staff_invitations ADD CONSTRAINT staff_invitations_pkey PRIMARY KEY (staff_id);
ALTER TABLE staff_members ADD CONSTRAINT staff_members_email_check CHECK (((email = lower(email)) AND ((length(email) >= 3) AND (length(email) <= 254))));
ALTER TABLE staff_members ADD CONSTRAINT staff_members_email_key UNIQUE (email);
ALTER TABLE staff_members ADD CONSTRAINT staff_members_pkey PRIMARY KEY (staff_id);
ALTER TABLE staff_members ADD CONSTRAINT staff_members_role_check CHECK ((role = ANY (ARRAY['administrator'::text, 'reservations'::text, 'content'::text, 'finance'::text, 'viewer'::text])));
ALTER TABLE staff_networks ADD CONSTRAINT staff_networks_pkey PRIMARY KEY (staff_id, network);
ALTER TABLE staff_passkeys ADD CONSTRAINT staff_passkeys_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1500)));
ALTER TABLE staff_passkeys ADD CONSTRAINT staff_passkeys_credential_id_key UNIQUE (credential_id);
ALTER TABLE staff_passkeys ADD CONSTRAINT staff_passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)));
ALTER TABLE staff_passkeys ADD CONSTRAINT staff_passkeys_pkey PRIMARY KEY (passkey_id);
ALTER TABLE staff_sessions ADD CONSTRAINT staff_sessions_pkey PRIMARY KEY (session_id);
ALTER TABLE staff_sessions ADD CONSTRAINT staff_sessions_session_digest_check CHECK ((octet_length(session_digest) = 32));
ALTER TABLE staff_sessions ADD CONSTRAINT staff_sessions_session_digest_key UNIQUE (session_digest);
ALTER TABLE taxes ADD CONSTRAINT taxes_amount_check CHECK ((amount >= 0));
ALTER TABLE taxes ADD CONSTRAINT taxes_max_nights_check CHECK ((max_nights > 0));
ALTER TABLE taxes ADD CONSTRAINT taxes_per_check CHECK ((per = ANY (ARRAY['stay'::text, 'night'::text, 'guest'::text, 'guest_night'::text])));
ALTER TABLE taxes ADD CONSTRAINT taxes_percent_check CHECK (((percent >= (0)::numeric) AND (percent <= (100)::numeric)));
ALTER TABLE taxes ADD CONSTRAINT taxes_pkey PRIMARY KEY (listing_id, place);
ALTER TABLE taxes ADD CONSTRAINT taxes_stays_up_to_nights_check CHECK ((stays_up_to_nights > 0));
ALTER TABLE text_undos ADD CONSTRAINT text_undos_pkey PRIMARY KEY (change_id, listing_id);
ALTER TABLE token_signing_keys ADD CONSTRAINT token_signing_keys_pkey PRIMARY KEY (key_id);
ALTER TABLE unusual_rates ADD CONSTRAINT unusual_rates_pkey PRIMARY KEY (change_id);
ALTER TABLE webhook_attempts ADD CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, number);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check CHECK (((sequence IS NULL) = (test_event IS NOT NULL)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check1 CHECK (((state = 'pending'::text) = (due_at IS NOT NULL)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check2 CHECK (((state = 'delivered'::text) = (delivered_at IS NOT NULL)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check3 CHECK (((state = 'pending'::text) OR (NOT leased)));
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_event_once UNIQUE (event_id, endpoint_id);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (delivery_id);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'exhausted'::text])));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_check CHECK (((state = 'active'::text) = (state_reason IS NULL)));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_check1 CHECK (((previous_secret_sealed IS NULL) = (previous_secret_until IS NULL)));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_check2 CHECK (((missed_after IS NULL) = (missed_until IS NULL)));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_event_types_check CHECK ((event_types <@ ARRAY['checkout.resolved'::text, 'reservation.confirmed'::text, 'reservation.cancelled'::text, 'reservation.changed'::text, 'change_request.decided'::text]));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (endpoint_id);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])));
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_state_reason_check CHECK ((state_reason = ANY (ARRAY['by_hand'::text, 'failing'::text, 'gone'::text])));
ALTER TABLE adopted_effects ADD CONSTRAINT adopted_effects_epoch_fkey FOREIGN KEY (epoch) REFERENCES epochs(epoch);
ALTER TABLE application_keys ADD CONSTRAINT application_keys_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE applications ADD CONSTRAINT applications_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE audit_homes ADD CONSTRAINT audit_homes_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entries(entry_id) ON DELETE CASCADE;
ALTER TABLE bookings ADD CONSTRAINT bookings_promotion_code_fkey FOREIGN KEY (promotion_code) REFERENCES promotions(code);
ALTER TABLE bookings ADD CONSTRAINT bookings_quote_id_application_id_fkey FOREIGN KEY (quote_id, application_id) REFERENCES quotes(quote_id, application_id);
ALTER TABLE calendar_addresses ADD CONSTRAINT calendar_addresses_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE cancellation_rules ADD CONSTRAINT cancellation_rules_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_collection_id_catalog_id_fkey FOREIGN KEY (collection_id, catalog_id) REFERENCES collections(collection_id, catalog_id);
ALTER TABLE catalog_listings ADD CONSTRAINT catalog_listings_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE change_requests ADD CONSTRAINT change_requests_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE change_requests ADD CONSTRAINT change_requests_reference_fkey FOREIGN KEY (reference) REFERENCES reservations(reference);
ALTER TABLE channel_calendars ADD CONSTRAINT channel_calendars_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE channel_conflicts ADD CONSTRAINT channel_conflicts_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES channel_calendars(calendar_id) ON DELETE CASCADE;
ALTER TABLE channel_events ADD CONSTRAINT channel_events_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES channel_calendars(calendar_id) ON DELETE CASCADE;
ALTER TABLE collections ADD CONSTRAINT collections_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE conformance_reports ADD CONSTRAINT conformance_reports_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id) ON DELETE CASCADE;
ALTER TABLE conformance_runs ADD CONSTRAINT conformance_runs_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id) ON DELETE CASCADE;
ALTER TABLE conformance_scenarios ADD CONSTRAINT conformance_scenarios_run_id_fkey FOREIGN KEY (run_id) REFERENCES conformance_runs(run_id) ON DELETE CASCADE;
ALTER TABLE dated_rates ADD CONSTRAINT dated_rates_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE event_counters ADD CONSTRAINT event_counters_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE fees ADD CONSTRAINT fees_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE length_discounts ADD CONSTRAINT length_discounts_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE listing_members ADD CONSTRAINT listing_members_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_calendar_id_fkey FOREIGN KEY (calendar_id) REFERENCES channel_calendars(calendar_id);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE occupancies ADD CONSTRAINT occupancies_outside_stay_id_fkey FOREIGN KEY (outside_stay_id) REFERENCES outside_stays(outside_stay_id);
ALTER TABLE outside_homes ADD CONSTRAINT outside_homes_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE outside_stays ADD CONSTRAINT outside_stays_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE payment_accounts ADD CONSTRAINT payment_accounts_reference_fkey FOREIGN KEY (reference) REFERENCES reservations(reference);
ALTER TABLE payment_cards ADD CONSTRAINT payment_cards_checkout_id_application_id_kind_fkey FOREIGN KEY (checkout_id, application_id, kind) REFERENCES bookings(booking_id, application_id, kind) ON DELETE CASCADE;
ALTER TABLE payment_disputes ADD CONSTRAINT payment_disputes_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment_intents(payment_id);
ALTER TABLE payment_entries ADD CONSTRAINT payment_entries_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment_intents(payment_id);
ALTER TABLE payment_entries ADD CONSTRAINT payment_entries_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES payment_refunds(refund_id);
ALTER TABLE payment_links ADD CONSTRAINT payment_links_checkout_id_application_id_fkey FOREIGN KEY (checkout_id, application_id) REFERENCES payment_accounts(checkout_id, application_id);
ALTER TABLE payment_links ADD CONSTRAINT payment_links_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment_intents(payment_id);
ALTER TABLE payment_refunds ADD CONSTRAINT payment_refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment_intents(payment_id);
ALTER TABLE payment_returns ADD CONSTRAINT payment_returns_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment_intents(payment_id);
ALTER TABLE payment_waits ADD CONSTRAINT payment_waits_checkout_id_application_id_fkey FOREIGN KEY (checkout_id, application_id) REFERENCES payment_accounts(checkout_id, application_id);
ALTER TABLE portal_links ADD CONSTRAINT portal_links_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE portal_links ADD CONSTRAINT portal_links_person_id_fkey FOREIGN KEY (person_id) REFERENCES portal_people(person_id) ON DELETE CASCADE;
ALTER TABLE portal_people ADD CONSTRAINT portal_people_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE portal_sessions ADD CONSTRAINT portal_sessions_person_id_fkey FOREIGN KEY (person_id) REFERENCES portal_people(person_id) ON DELETE CASCADE;
ALTER TABLE promotions ADD CONSTRAINT promotions_catalog_id_fkey FOREIGN KEY (catalog_id) REFERENCES catalogs(catalog_id);
ALTER TABLE quotes ADD CONSTRAINT quotes_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE reservation_days ADD CONSTRAINT reservation_days_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE reservation_notes ADD CONSTRAINT reservation_notes_reference_fkey FOREIGN KEY (reference) REFERENCES reservations(reference) ON DELETE CASCADE;
ALTER TABLE reservation_price_changes ADD CONSTRAINT reservation_price_changes_reference_fkey FOREIGN KEY (reference) REFERENCES reservations(reference);
ALTER TABLE reservations ADD CONSTRAINT reservations_booking_id_application_id_kind_fkey FOREIGN KEY (booking_id, application_id, kind) REFERENCES bookings(booking_id, application_id, kind);
ALTER TABLE revoked_tokens ADD CONSTRAINT revoked_tokens_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE sandbox_deliveries ADD CONSTRAINT sandbox_deliveries_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id) ON DELETE CASCADE;
ALTER TABLE sandbox_nights ADD CONSTRAINT sandbox_nights_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id) ON DELETE CASCADE;
ALTER TABLE sandbox_states ADD CONSTRAINT sandbox_states_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id) ON DELETE CASCADE;
ALTER TABLE search_observations ADD CONSTRAINT search_observations_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE seasons ADD CONSTRAINT seasons_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE signals ADD CONSTRAINT signals_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);
ALTER TABLE staff_challenges ADD CONSTRAINT staff_challenges_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(staff_id) ON DELETE CASCADE;
ALTER TABLE staff_invitations ADD CONSTRAINT staff_invitations_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(staff_id);
ALTER TABLE staff_networks ADD CONSTRAINT staff_networks_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(staff_id);
ALTER TABLE staff_passkeys ADD CONSTRAINT staff_passkeys_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(staff_id) ON DELETE CASCADE;
ALTER TABLE staff_sessions ADD CONSTRAINT staff_sessions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(staff_id);
ALTER TABLE taxes ADD CONSTRAINT taxes_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listings(listing_id);
ALTER TABLE webhook_endpoints ADD CONSTRAINT webhook_endpoints_application_id_fkey FOREIGN KEY (application_id) REFERENCES applications(application_id);

-- Indexes

CREATE INDEX adopted_effects_by_epoch ON public.adopted_effects USING btree (epoch, provider_reference);
CREATE INDEX adopted_effects_open ON public.adopted_effects USING btree (noticed_at) WHERE ((outcome = 'unmatched'::text) AND (closed_at IS NULL));
CREATE INDEX application_changes_by_age ON public.application_changes USING btree (changed_at);
CREATE INDEX application_changes_by_run ON public.application_changes USING btree (run);
CREATE INDEX application_keys_by_application ON public.application_keys USING btree (application_id);
CREATE INDEX applications_by_creation ON public.applications USING btree (created_at, application_id);
CREATE INDEX attention_items_by_end ON public.attention_items USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX attention_items_due ON public.attention_items USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE UNIQUE INDEX attention_items_open ON public.attention_items USING btree (kind, subject) WHERE (closed_at IS NULL);
CREATE INDEX audit_entries_by_action ON public.audit_entries USING btree (action, entry_id);
CREATE INDEX audit_entries_by_actor ON public.audit_entries USING btree (actor, entry_id);
CREATE INDEX audit_entries_by_age ON public.audit_entries USING btree (happened_at);
CREATE INDEX audit_entries_by_application ON public.audit_entries USING btree (application_id, entry_id) WHERE (application_id IS NOT NULL);
CREATE INDEX audit_entries_by_reference ON public.audit_entries USING btree (reference, entry_id) WHERE (reference IS NOT NULL);
CREATE INDEX audit_homes_by_entry ON public.audit_homes USING btree (entry_id);
CREATE INDEX booking_traces_by_age ON public.booking_traces USING btree (created_at);
CREATE INDEX bookings_due ON public.bookings USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX bookings_failed ON public.bookings USING btree (resolved_at) WHERE (failure_reason IS NOT NULL);
CREATE INDEX bookings_newest_of_checkout_reference ON public.bookings USING btree (application_id, checkout_reference, resolved_at DESC, reference DESC) WHERE (checkout_reference IS NOT NULL);
CREATE INDEX bookings_promotion_held ON public.bookings USING btree (application_id, quote_id) WHERE (promotion_held AND (submitted_at IS NULL));
CREATE INDEX bookings_requests_newest ON public.bookings USING btree (application_id, created_at DESC, booking_id DESC) WHERE (kind = 'request'::text);
CREATE INDEX bookings_uncertain ON public.bookings USING btree (submitted_at) WHERE (state = ANY (ARRAY['uncertain'::text, 'unresolved'::text]));
CREATE INDEX bookings_without_reservation ON public.bookings USING btree (created_at) WHERE ((reference IS NULL) AND (due_at IS NULL) AND (guest_removed_at IS NULL));
CREATE INDEX catalog_listings_by_catalog ON public.catalog_listings USING btree (catalog_id, listing_id);
CREATE INDEX catalog_listings_by_position ON public.catalog_listings USING btree (catalog_id, "position");
CREATE INDEX catalog_listings_withdrawn ON public.catalog_listings USING btree (catalog_id, withdrawn_at, listing_id) WHERE (withdrawn_at IS NOT NULL);
CREATE INDEX change_requests_newest ON public.change_requests USING btree (created_at, application_id, change_request_id);
CREATE INDEX change_requests_of_application ON public.change_requests USING btree (application_id, created_at, change_request_id);
CREATE INDEX change_requests_of_application_and_state ON public.change_requests USING btree (application_id, state, created_at, change_request_id);
CREATE INDEX change_requests_of_reservation ON public.change_requests USING btree (reference, created_at, change_request_id);
CREATE INDEX change_requests_of_state ON public.change_requests USING btree (state, created_at, application_id, change_request_id);
CREATE UNIQUE INDEX change_requests_open ON public.change_requests USING btree (reference) WHERE (state = 'open'::text);
CREATE INDEX channel_calendars_being_read ON public.channel_calendars USING btree (reading_until) WHERE (reading_until IS NOT NULL);
CREATE INDEX channel_calendars_by_last_read ON public.channel_calendars USING btree (COALESCE(refreshed_at, created_at)) WHERE (url_sealed IS NOT NULL);
CREATE INDEX channel_calendars_due ON public.channel_calendars USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX channel_calendars_due_of_host ON public.channel_calendars USING btree (host, (((failures > 0) OR (refreshed_at IS NULL))), due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX channel_calendars_failing_by_age ON public.channel_calendars USING btree (COALESCE(failing_since, checked_at, created_at)) WHERE (problem IS NOT NULL);
CREATE INDEX channel_calendars_shrunk_by_age ON public.channel_calendars USING btree (shrunk_since) WHERE ((problem IS NULL) AND (shrunk_since IS NOT NULL) AND (kept_at IS NULL));
CREATE INDEX channel_conflicts_by_age ON public.channel_conflicts USING btree (found_at);
CREATE INDEX channel_conflicts_by_end ON public.channel_conflicts USING btree (upper(nights));
CREATE INDEX channel_events_by_end ON public.channel_events USING btree (upper(nights));
CREATE INDEX checkout_commands_by_age ON public.checkout_commands USING btree (created_at);
CREATE INDEX conformance_runs_newest ON public.conformance_runs USING btree (application_id, run_id);
CREATE UNIQUE INDEX conformance_runs_open ON public.conformance_runs USING btree (application_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX conformance_scenarios_running ON public.conformance_scenarios USING btree (application_id) WHERE (state = 'running'::text);
CREATE INDEX customer_erasures_due ON public.customer_erasures USING btree (due_at);
CREATE INDEX events_by_application_and_age ON public.events USING btree (application_id, created_at, sequence);
CREATE INDEX events_of_changes ON public.events USING btree (((data ->> 'reference'::text))) WHERE (type = ANY (ARRAY['reservation.changed'::text, 'reservation.cancelled'::text]));
CREATE INDEX guest_digests_by_last_name ON public.guest_digests USING btree (last_name) WHERE (last_name IS NOT NULL);
CREATE INDEX guest_digests_by_name ON public.guest_digests USING btree (name) WHERE (name IS NOT NULL);
CREATE INDEX guest_digests_by_phone ON public.guest_digests USING btree (phone) WHERE (phone IS NOT NULL);
CREATE INDEX guest_digests_by_words ON public.guest_digests USING gin (words) WHERE (words IS NOT NULL);
CREATE INDEX guest_digests_of_email ON public.guest_digests USING btree (email, booking_id, application_id, kind) WHERE (email IS NOT NULL);
CREATE INDEX guest_digests_to_make ON public.guest_digests USING btree (booking_id) WHERE (NOT digested);
CREATE INDEX guest_digests_without_words ON public.guest_digests USING btree (booking_id) WHERE (words IS NULL);
CREATE INDEX inventory_changes_by_age ON public.inventory_changes USING btree (changed_at);
CREATE UNIQUE INDEX inventory_changes_of_installation ON public.inventory_changes USING btree (installation_sequence) WHERE (installation_sequence IS NOT NULL);
CREATE INDEX keyed_creates_by_age ON public.keyed_creates USING btree (created_at);
CREATE INDEX listings_by_revision ON public.listings USING btree (revision, listing_id);
CREATE INDEX listings_with_uploads ON public.listings USING gin (((images)::jsonb) jsonb_path_ops) WHERE ((images)::jsonb @? '$[*]."file"?(@ starts with "pictures/uploaded/")'::jsonpath);
CREATE INDEX night_changes_by_xid ON public.night_changes USING btree (xid);
CREATE INDEX occupancies_blocks ON public.occupancies USING btree (listing_id, lower(nights)) WHERE (kind = 'block'::text);
CREATE INDEX occupancies_by_calendar ON public.occupancies USING btree (calendar_id) WHERE (calendar_id IS NOT NULL);
CREATE INDEX occupancies_by_outside_stay ON public.occupancies USING btree (outside_stay_id) WHERE (outside_stay_id IS NOT NULL);
CREATE INDEX occupancies_held ON public.occupancies USING btree (created_at) WHERE (kind = 'held'::text);
CREATE INDEX operator_tokens_by_creation ON public.operator_tokens USING btree (created_at, token_id);
CREATE INDEX outside_stays_contested ON public.outside_stays USING btree (upper(nights)) WHERE contested;
CREATE INDEX outside_stays_of_home ON public.outside_stays USING gist (listing_id, nights);
CREATE INDEX payment_accounts_due ON public.payment_accounts USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX payment_accounts_for_staff ON public.payment_accounts USING btree (opened_at, reference) WHERE (attention IS NOT NULL);
CREATE INDEX payment_accounts_listed ON public.payment_accounts USING btree (opened_at, reference);
CREATE INDEX payment_accounts_of_application ON public.payment_accounts USING btree (application_id, opened_at, reference);
CREATE INDEX payment_cards_of_customer ON public.payment_cards USING btree (customer_reference);
CREATE INDEX payment_disputes_of_payment ON public.payment_disputes USING btree (payment_id);
CREATE INDEX payment_disputes_open ON public.payment_disputes USING btree (opened_at) WHERE (outcome = 'open'::text);
CREATE INDEX payment_entries_by_time ON public.payment_entries USING btree (at, entry_id) WHERE (debit IS NOT NULL);
CREATE UNIQUE INDEX payment_entries_disputes ON public.payment_entries USING btree (((details ->> 'eventReference'::text))) WHERE (kind = 'disputed'::text);
CREATE INDEX payment_entries_of_checkout ON public.payment_entries USING btree (checkout_id, application_id, entry_id);
CREATE INDEX payment_entries_of_payment ON public.payment_entries USING btree (payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX payment_intents_by_time ON public.payment_intents USING btree (created_at, payment_id);
CREATE UNIQUE INDEX payment_intents_live ON public.payment_intents USING btree (checkout_id, application_id, purpose, due_on) WHERE (state <> ALL (ARRAY['refused'::text, 'voided'::text]));
CREATE UNIQUE INDEX payment_intents_of_attempt ON public.payment_intents USING btree (attempt_id) WHERE (purpose = 'booking'::text);
CREATE INDEX payment_intents_of_checkout ON public.payment_intents USING btree (checkout_id, application_id);
CREATE INDEX payment_intents_under_way ON public.payment_intents USING btree (created_at, state) WHERE (state <> ALL (ARRAY['captured'::text, 'voided'::text, 'refused'::text]));
CREATE UNIQUE INDEX payment_links_open ON public.payment_links USING btree (checkout_id, application_id) WHERE (ended_at IS NULL);
CREATE INDEX payment_records_by_age ON public.payment_records USING btree (created_at);
CREATE INDEX payment_records_due ON public.payment_records USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX payment_records_unnumbered ON public.payment_records USING btree (record_id) WHERE (sequence IS NULL);
CREATE INDEX payment_refunds_not_returned ON public.payment_refunds USING btree (payment_id) WHERE ((state = ANY (ARRAY['refused'::text, 'failed'::text])) AND (settled_at IS NULL));
CREATE INDEX payment_refunds_of_payment ON public.payment_refunds USING btree (payment_id);
CREATE INDEX payment_refunds_to_check ON public.payment_refunds USING btree (check_at) WHERE (check_at IS NOT NULL);
CREATE INDEX payment_refunds_under_way ON public.payment_refunds USING btree (created_at, state) WHERE (state = ANY (ARRAY['requested'::text, 'unknown'::text]));
CREATE INDEX payment_returns_due ON public.payment_returns USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX payment_returns_for_staff ON public.payment_returns USING btree (attention_since, payment_id) WHERE (attention IS NOT NULL);
CREATE INDEX payment_waits_by_time ON public.payment_waits USING btree (since, checkout_id);
CREATE INDEX pictures_by_look ON public.pictures USING btree (look_at);
CREATE INDEX portal_links_by_expiry ON public.portal_links USING btree (expires_at);
CREATE INDEX portal_links_by_person ON public.portal_links USING btree (person_id) WHERE (person_id IS NOT NULL);
CREATE UNIQUE INDEX portal_people_once ON public.portal_people USING btree (application_id, lower(email));
CREATE INDEX portal_sessions_by_application ON public.portal_sessions USING btree (application_id);
CREATE INDEX portal_sessions_by_expiry ON public.portal_sessions USING btree (expires_at);
CREATE INDEX portal_sessions_by_person ON public.portal_sessions USING btree (person_id) WHERE (person_id IS NOT NULL);
CREATE INDEX promotions_by_catalog ON public.promotions USING btree (catalog_id);
CREATE UNIQUE INDEX promotions_code_without_case ON public.promotions USING btree (upper((code COLLATE pg_c_utf8)));
CREATE INDEX quotes_by_expiry ON public.quotes USING btree (expires_at);
CREATE INDEX rate_undos_by_age ON public.rate_undos USING btree (made_at);
CREATE INDEX request_log_about ON public.request_log USING btree (about, at DESC, request_id DESC) WHERE (about IS NOT NULL);
CREATE INDEX request_log_by_age ON public.request_log USING btree (at);
CREATE INDEX request_log_by_request ON public.request_log USING btree (request_id);
CREATE INDEX reservation_notes_of_reservation ON public.reservation_notes USING btree (reference, created_at);
CREATE INDEX reservation_price_changes_by_time ON public.reservation_price_changes USING btree (application_id, at, reference);
CREATE INDEX reservations_by_check_in ON public.reservations USING btree (check_in, reference);
CREATE INDEX reservations_by_check_out ON public.reservations USING btree (check_out, reference) WHERE (state = 'confirmed'::text);
CREATE INDEX reservations_by_confirmation ON public.reservations USING btree (confirmed_at);
CREATE INDEX reservations_by_guest_email ON public.reservations USING btree (guest_email_digest, check_in, reference);
CREATE INDEX reservations_by_listing ON public.reservations USING btree (listing_id, check_in);
CREATE INDEX reservations_newest_of_application ON public.reservations USING btree (application_id, confirmed_at DESC, reference DESC);
CREATE INDEX reservations_not_confirmed ON public.reservations USING btree (state, check_in, reference) WHERE (state <> 'confirmed'::text);
CREATE INDEX reservations_not_confirmed_of_application ON public.reservations USING btree (application_id, state, check_in, reference) WHERE (state <> 'confirmed'::text);
CREATE INDEX reservations_of_application ON public.reservations USING btree (application_id, check_in, reference);
CREATE INDEX reservations_records_due ON public.reservations USING btree (records_due_at) WHERE (records_due_at IS NOT NULL);
CREATE INDEX reservations_records_refused ON public.reservations USING btree (updated_at, reference) WHERE ((records_due_at IS NOT NULL) AND (records_problem IS NOT NULL));
CREATE INDEX reservations_without_email_digest ON public.reservations USING btree (confirmed_at) WHERE (guest_email_digest IS NULL);
CREATE INDEX revoked_tokens_by_expiry ON public.revoked_tokens USING btree (expires_at);
CREATE INDEX sandbox_deliveries_by_application ON public.sandbox_deliveries USING btree (application_id);
CREATE INDEX sandbox_deliveries_by_attempt ON public.sandbox_deliveries USING btree (attempt_id) WHERE (attempt_id IS NOT NULL);
CREATE INDEX sandbox_deliveries_due ON public.sandbox_deliveries USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX sandbox_deliveries_ended ON public.sandbox_deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX search_observations_by_age ON public.search_observations USING btree (observed_at);
CREATE INDEX signals_by_age ON public.signals USING btree (received_at);
CREATE INDEX simulated_attempts_by_age ON public.simulated_attempts USING btree (decided_at) WHERE (known_at IS NOT NULL);
CREATE INDEX staff_challenges_of_member ON public.staff_challenges USING btree (staff_id);
CREATE INDEX staff_invitations_by_expiry ON public.staff_invitations USING btree (expires_at);
CREATE INDEX staff_networks_by_age ON public.staff_networks USING btree (seen_at);
CREATE INDEX staff_passkeys_of_member ON public.staff_passkeys USING btree (staff_id, created_at);
CREATE INDEX staff_sessions_by_expiry ON public.staff_sessions USING btree (expires_at);
CREATE INDEX staff_sessions_by_member ON public.staff_sessions USING btree (staff_id, created_at);
CREATE INDEX text_undos_by_age ON public.text_undos USING btree (made_at);
CREATE UNIQUE INDEX token_signing_keys_one_signs ON public.token_signing_keys USING btree ((true)) WHERE (retired_at IS NULL);
CREATE INDEX unusual_rates_by_age ON public.unusual_rates USING btree (set_at, change_id);
CREATE INDEX webhook_deliveries_exhausted ON public.webhook_deliveries USING btree (application_id, created_at, delivery_id) WHERE (state = 'exhausted'::text);
CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (endpoint_id, state, last_attempt_at) WHERE ((state = 'exhausted'::text) OR ((state = 'pending'::text) AND (attempts > 0)));
CREATE INDEX webhook_deliveries_newest ON public.webhook_deliveries USING btree (application_id, created_at, delivery_id);
CREATE INDEX webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, leased, due_at, sequence) WHERE (state = 'pending'::text);
CREATE INDEX webhook_deliveries_retrying ON public.webhook_deliveries USING btree (application_id, created_at, delivery_id) WHERE ((state = 'pending'::text) AND (attempts > 0));
CREATE INDEX webhook_endpoints_by_application ON public.webhook_endpoints USING btree (application_id, created_at);
CREATE INDEX webhook_endpoints_deleted ON public.webhook_endpoints USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX wrong_times_noticed_at ON public.wrong_times USING btree (noticed_at);

-- Storage

ALTER TABLE bookings SET (fillfactor=80, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE checkout_commands SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE event_counters SET (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE events SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE promotions SET (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
ALTER TABLE quotes SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE request_log SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE reservations SET (fillfactor=90, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE webhook_attempts SET (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE webhook_deliveries SET (fillfactor=90, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.02);
ALTER TABLE webhook_endpoints SET (fillfactor=20, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

-- Triggers

CREATE TRIGGER applications_for_feed AFTER UPDATE ON public.applications FOR EACH ROW WHEN (((old.catalog_id <> new.catalog_id) OR (old.adjust_percent <> new.adjust_percent))) EXECUTE FUNCTION log_application_for_feed();
CREATE TRIGGER applications_new_for_feed AFTER INSERT ON public.applications FOR EACH ROW EXECUTE FUNCTION begin_application_feed();
CREATE TRIGGER audit_chain_is_final BEFORE DELETE OR UPDATE ON public.audit_chain FOR EACH ROW EXECUTE FUNCTION refuse_chain_change();
CREATE TRIGGER audit_chain_is_not_emptied BEFORE TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_chain_change();
CREATE TRIGGER audit_entries_are_final BEFORE UPDATE ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_are_kept BEFORE DELETE ON public.audit_entries FOR EACH ROW WHEN ((old.happened_at > (now() - '2557 days'::interval))) EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_are_not_emptied BEFORE TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_entries_are_queued AFTER INSERT ON public.audit_entries FOR EACH ROW EXECUTE FUNCTION queue_audit_entry();
CREATE TRIGGER bookings_delete_guest AFTER DELETE ON public.bookings FOR EACH ROW WHEN ((old.guest_sealed IS NOT NULL)) EXECUTE FUNCTION follow_guest();
CREATE TRIGGER bookings_final_states BEFORE UPDATE ON public.bookings FOR EACH ROW EXECUTE FUNCTION refuse_final_change();
CREATE TRIGGER bookings_insert_guest AFTER INSERT ON public.bookings FOR EACH ROW WHEN ((new.guest_sealed IS NOT NULL)) EXECUTE FUNCTION follow_guest();
CREATE TRIGGER bookings_return_payment AFTER UPDATE ON public.bookings FOR EACH ROW WHEN (((new.resolved_at IS NOT NULL) AND (old.resolved_at IS NULL) AND (new.reference IS NULL) AND (new.settlement = 'card'::text) AND (new.submitted_at IS NOT NULL))) EXECUTE FUNCTION open_payment_return();
CREATE TRIGGER bookings_update_guest AFTER UPDATE OF guest_sealed ON public.bookings FOR EACH ROW WHEN ((old.guest_sealed IS DISTINCT FROM new.guest_sealed)) EXECUTE FUNCTION follow_guest();
CREATE TRIGGER catalog_listings_for_feed AFTER UPDATE ON public.catalog_listings REFERENCING OLD TABLE AS earlier NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_places_for_feed();
CREATE TRIGGER catalog_listings_lost_for_feed AFTER DELETE ON public.catalog_listings REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_lost_places_for_feed();
CREATE TRIGGER catalog_listings_new_for_feed AFTER INSERT ON public.catalog_listings REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_new_places_for_feed();
CREATE TRIGGER catalogs_for_feed AFTER UPDATE ON public.catalogs FOR EACH ROW WHEN (((old.slug <> new.slug) OR (old.name <> new.name) OR (old.discovery <> new.discovery) OR ((old.policies)::text <> (new.policies)::text) OR ((old.standards)::text <> (new.standards)::text) OR ((old.trader)::text IS DISTINCT FROM (new.trader)::text))) EXECUTE FUNCTION log_catalog_for_feed();
CREATE TRIGGER catalogs_policy_for_feed AFTER UPDATE ON public.catalogs FOR EACH ROW WHEN (((old.cancellation_text)::text IS DISTINCT FROM (new.cancellation_text)::text)) EXECUTE FUNCTION log_policy_for_feed();
CREATE TRIGGER change_requests_decided AFTER UPDATE OF state ON public.change_requests FOR EACH ROW WHEN (((old.state = 'open'::text) AND (new.state <> 'open'::text))) EXECUTE FUNCTION tell_decided_change_request();
CREATE TRIGGER change_requests_decided_at_once AFTER INSERT ON public.change_requests FOR EACH ROW WHEN ((new.state <> 'open'::text)) EXECUTE FUNCTION tell_decided_change_request();
CREATE TRIGGER change_requests_final BEFORE UPDATE OF state ON public.change_requests FOR EACH ROW WHEN (((old.state <> 'open'::text) AND (new.state IS DISTINCT FROM old.state))) EXECUTE FUNCTION refuse_decided_change_request();
CREATE TRIGGER collections_for_feed AFTER UPDATE ON public.collections FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION log_catalog_for_feed();
CREATE TRIGGER collections_lost_for_feed AFTER DELETE ON public.collections FOR EACH ROW EXECUTE FUNCTION log_catalog_for_feed();
CREATE TRIGGER collections_new_for_feed AFTER INSERT ON public.collections FOR EACH ROW EXECUTE FUNCTION log_catalog_for_feed();
CREATE TRIGGER scenarios_for_feed AFTER UPDATE OF effects ON public.conformance_scenarios FOR EACH ROW WHEN ((old.effects IS DISTINCT FROM new.effects)) EXECUTE FUNCTION log_scenario_for_feed();
CREATE TRIGGER epochs_for_feed AFTER INSERT ON public.epochs FOR EACH ROW WHEN ((new.reason <> 'first'::text)) EXECUTE FUNCTION log_epoch_for_feed();
CREATE TRIGGER listing_members_no_preparation AFTER DELETE ON public.listing_members FOR EACH ROW WHEN ((old.preparation_nights > 0)) EXECUTE FUNCTION log_changed_preparation();
CREATE TRIGGER listing_members_other_preparation AFTER UPDATE ON public.listing_members FOR EACH ROW WHEN ((new.preparation_nights <> old.preparation_nights)) EXECUTE FUNCTION log_changed_preparation();
CREATE TRIGGER listing_members_preparation AFTER INSERT ON public.listing_members FOR EACH ROW WHEN ((new.preparation_nights > 0)) EXECUTE FUNCTION log_changed_preparation();
CREATE TRIGGER listing_members_preparation_since BEFORE UPDATE ON public.listing_members FOR EACH ROW WHEN ((new.preparation_nights <> old.preparation_nights)) EXECUTE FUNCTION note_preparation_since();
CREATE TRIGGER listings_for_feed AFTER UPDATE ON public.listings REFERENCING OLD TABLE AS earlier NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_homes_for_feed();
CREATE TRIGGER night_changes_for_feed AFTER INSERT ON public.night_changes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_nights_for_feed();
CREATE CONSTRAINT TRIGGER occupancies_freed AFTER DELETE OR UPDATE OF listing_id, nights ON public.occupancies DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION block_freed_nights();
CREATE TRIGGER occupancies_keep_preparation BEFORE INSERT ON public.occupancies FOR EACH ROW WHEN ((new.kind = 'held'::text)) EXECUTE FUNCTION keep_preparation();
CREATE TRIGGER occupancies_log_delete AFTER DELETE ON public.occupancies REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_nights();
CREATE TRIGGER occupancies_log_insert AFTER INSERT ON public.occupancies REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION log_changed_nights();
CREATE TRIGGER occupancies_log_update AFTER UPDATE OF listing_id, nights ON public.occupancies FOR EACH ROW EXECUTE FUNCTION log_moved_nights();
CREATE TRIGGER payment_disputes_entered AFTER INSERT OR UPDATE ON public.payment_disputes FOR EACH ROW EXECUTE FUNCTION enter_lost_dispute();
CREATE TRIGGER payment_disputes_recorded AFTER INSERT ON public.payment_disputes FOR EACH ROW EXECUTE FUNCTION enter_dispute_record();
CREATE TRIGGER payment_entries_recorded AFTER INSERT ON public.payment_entries FOR EACH ROW EXECUTE FUNCTION enter_payment_record();
CREATE TRIGGER payment_entries_unchanged BEFORE DELETE OR UPDATE ON public.payment_entries FOR EACH ROW EXECUTE FUNCTION refuse_entry_change();
CREATE TRIGGER payment_intents_insert_entered AFTER INSERT ON public.payment_intents FOR EACH ROW EXECUTE FUNCTION enter_payment();
CREATE TRIGGER payment_intents_link_ended AFTER UPDATE ON public.payment_intents FOR EACH ROW WHEN (((new.purpose = 'link'::text) AND (new.state <> old.state) AND (new.state = ANY (ARRAY['captured'::text, 'voided'::text, 'refused'::text])))) EXECUTE FUNCTION end_payment_link();
CREATE TRIGGER payment_intents_return AFTER UPDATE ON public.payment_intents FOR EACH ROW WHEN (((new.state <> old.state) AND (new.state <> ALL (ARRAY['requested'::text, 'unknown'::text])))) EXECUTE FUNCTION wake_payment_return();
CREATE TRIGGER payment_intents_settled AFTER UPDATE ON public.payment_intents FOR EACH ROW WHEN (((new.state <> old.state) AND (new.state = ANY (ARRAY['captured'::text, 'voided'::text, 'refused'::text])))) EXECUTE FUNCTION settle_payment_account();
CREATE TRIGGER payment_intents_transitions BEFORE UPDATE ON public.payment_intents FOR EACH ROW EXECUTE FUNCTION refuse_payment_change();
CREATE TRIGGER payment_intents_update_entered AFTER UPDATE ON public.payment_intents FOR EACH ROW WHEN ((new.state <> old.state)) EXECUTE FUNCTION enter_payment();
CREATE TRIGGER payment_refunds_fit BEFORE INSERT ON public.payment_refunds FOR EACH ROW EXECUTE FUNCTION check_refund();
CREATE TRIGGER payment_refunds_insert_entered AFTER INSERT ON public.payment_refunds FOR EACH ROW EXECUTE FUNCTION enter_refund();
CREATE TRIGGER payment_refunds_return AFTER UPDATE ON public.payment_refunds FOR EACH ROW WHEN (((new.state <> old.state) AND (new.state <> ALL (ARRAY['requested'::text, 'unknown'::text])))) EXECUTE FUNCTION wake_payment_return();
CREATE TRIGGER payment_refunds_settled AFTER UPDATE ON public.payment_refunds FOR EACH ROW WHEN (((new.state <> old.state) AND (new.state = ANY (ARRAY['done'::text, 'refused'::text, 'failed'::text])))) EXECUTE FUNCTION settle_payment_account();
CREATE TRIGGER payment_refunds_settled_amount AFTER UPDATE ON public.payment_refunds FOR EACH ROW WHEN (((new.state = 'refused'::text) AND (old.state <> 'refused'::text) AND (new.refused_as = 'amount'::text))) EXECUTE FUNCTION note_refunds_changed();
CREATE TRIGGER payment_refunds_transitions BEFORE UPDATE ON public.payment_refunds FOR EACH ROW WHEN (((new.refund_id <> old.refund_id) OR (new.payment_id <> old.payment_id) OR (new.amount_minor <> old.amount_minor) OR (new.reason <> old.reason) OR (new.round < old.round) OR (new.refund_reference IS DISTINCT FROM COALESCE(old.refund_reference, new.refund_reference)) OR (NOT
        CASE old.state
            WHEN 'requested'::text THEN (new.state <> 'failed'::text)
            WHEN 'unknown'::text THEN (new.state <> 'failed'::text)
            WHEN 'done'::text THEN (new.state = ANY (ARRAY['done'::text, 'failed'::text]))
            ELSE (new.state = old.state)
        END))) EXECUTE FUNCTION refuse_refund_change();
CREATE TRIGGER payment_refunds_update_entered AFTER UPDATE ON public.payment_refunds FOR EACH ROW WHEN ((new.state <> old.state)) EXECUTE FUNCTION enter_refund();
CREATE TRIGGER move_sandbox_nights AFTER UPDATE OF state, listing_id, check_in, check_out ON public.reservations FOR EACH ROW EXECUTE FUNCTION move_sandbox_nights();
CREATE TRIGGER reservations_decline_change_request AFTER UPDATE OF version ON public.reservations FOR EACH ROW WHEN ((new.version > old.version)) EXECUTE FUNCTION decline_change_request();
CREATE TRIGGER reservations_enter AFTER UPDATE OF version ON public.reservations FOR EACH ROW WHEN (((new.kind = 'checkout'::text) AND (new.version > old.version))) EXECUTE FUNCTION enter_reservation();
CREATE TRIGGER reservations_enter_price_change AFTER UPDATE OF version ON public.reservations FOR EACH ROW WHEN ((new.version > old.version)) EXECUTE FUNCTION enter_price_change();
CREATE TRIGGER reservations_final_states BEFORE UPDATE ON public.reservations FOR EACH ROW WHEN (((new.version < old.version) OR ((old.state = 'cancelled'::text) AND ((new.version > old.version) OR (new.state <> 'cancelled'::text))))) EXECUTE FUNCTION refuse_reservation_change();
CREATE TRIGGER reservations_make_records_due BEFORE UPDATE OF version ON public.reservations FOR EACH ROW WHEN ((new.version > old.version)) EXECUTE FUNCTION make_records_due();
CREATE TRIGGER reservations_open_payment_account AFTER INSERT ON public.reservations FOR EACH ROW WHEN ((new.kind = 'checkout'::text)) EXECUTE FUNCTION open_payment_account();
CREATE TRIGGER log_sandbox_nights AFTER INSERT OR DELETE ON public.sandbox_nights FOR EACH ROW EXECUTE FUNCTION log_sandbox_nights();
