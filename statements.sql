-- Every named SQL statement, as the service sends it, by the module that sends it. Generated: change it there.
-- The names are those of pg_prepared_statements. For pg_stat_statements and the log of PostgreSQL, look for the text.
-- Where filters can be combined freely, here are the texts without a filter, with each alone, and with all of them.
--
-- On a database with this schema, psql -f statements.sql prepares all of them, and executes none of them. Then:
--   SET plan_cache_mode = force_generic_plan;
--   EXPLAIN EXECUTE "find-checkout" (NULL, NULL);

BEGIN;

-- src/access/store/application-keys.ts

PREPARE "insert-key" AS
INSERT INTO application_keys (key_id, application_id, secret_digest, expires_at, networks)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5::cidr[]) RETURNING key_id AS "keyId", application_id AS "applicationId", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", networks::text[] AS networks,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at > now() THEN 'active'
    ELSE 'expired' END AS state;

PREPARE "find-usable-key" AS
SELECT secret_digest AS digest, networks::text[] AS networks FROM application_keys
    WHERE key_id = $1 AND application_id = $2 AND revoked_at IS NULL AND expires_at > now();

PREPARE "touch-key" AS
UPDATE application_keys SET last_used_at = now()
    WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute');

PREPARE "list-keys" AS
SELECT key_id AS "keyId", application_id AS "applicationId", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", networks::text[] AS networks,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at > now() THEN 'active'
    ELSE 'expired' END AS state FROM application_keys WHERE application_id = $1
    ORDER BY created_at, key_id;

PREPARE "revoke-key" AS
UPDATE application_keys SET revoked_at = coalesce(revoked_at, now())
    WHERE key_id = $1 RETURNING key_id AS "keyId", application_id AS "applicationId", created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", networks::text[] AS networks,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at > now() THEN 'active'
    ELSE 'expired' END AS state;

-- src/access/store/applications.ts

PREPARE "find-application" AS
SELECT application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt", ARRAY(
      SELECT key_id FROM application_keys k WHERE k.application_id = a.application_id
        AND k.revoked_at > now() - interval '20 minutes'
      UNION ALL
      SELECT token_id::text FROM revoked_tokens t
      WHERE t.application_id = a.application_id AND t.expires_at > now() - interval '5 minutes'
    ) AS revoked, ARRAY(
      SELECT json_build_array(key_id, networks::text[]) FROM application_keys k
      WHERE k.application_id = a.application_id AND networks IS NOT NULL
    ) AS "networksOfKeys", (
      SELECT json_build_object('plays', fault_rules IS NOT NULL,
        'tokensEndAt', extract(epoch FROM tokens_end_at) * 1000, 'keptToken', kept_token,
        'hasNights', occupies_since IS NOT NULL
          OR EXISTS (SELECT FROM sandbox_nights n WHERE n.application_id = s.application_id))
      FROM sandbox_states s WHERE s.application_id = a.application_id
    ) AS sandbox, (SELECT json_build_object('runId', running.run_id, 'scenario', running.scenario,
        'attemptId', running.attempt_id, 'effects', running.effects) FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS scenario
    FROM applications a WHERE application_id = $1;

PREPARE "find-applications-by-name" AS
SELECT application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt" FROM applications WHERE name = $1 ORDER BY created_at, application_id;

PREPARE "read-application-names" AS
SELECT application_id AS "applicationId", name FROM applications
    WHERE application_id = ANY ($1);

PREPARE "search-applications" AS
SELECT application_id AS "applicationId", name FROM applications
    WHERE strpos(lower(name), lower($1)) > 0 OR application_id::text = lower($1)
    ORDER BY lower(name), application_id LIMIT $2;

PREPARE "list-applications" AS
SELECT application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt" FROM applications
    WHERE (created_at, application_id) > (
      coalesce((SELECT created_at FROM applications WHERE application_id = $1), '-infinity'), coalesce($1, '00000000-0000-0000-0000-000000000000'))
    ORDER BY created_at, application_id LIMIT $2;

PREPARE "hold-application" AS
SELECT application_id FROM applications WHERE application_id = $1 FOR NO KEY UPDATE;

PREPARE "insert-application" AS
WITH application AS (
      INSERT INTO applications (application_id, name, settlement, grants, read_per_minute,
        search_per_minute, write_per_minute, signal_per_minute, catalog_id, adjust_percent,
        reservations_per_day, portal_keys, commission_percent, changes)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, (SELECT catalog_id FROM catalogs)), $10, $11, $12, $13, $14)
      RETURNING application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt"
    ), counter AS (
      INSERT INTO event_counters (application_id) SELECT "applicationId" FROM application
    )
    SELECT * FROM application;

PREPARE "write-quotas" AS
UPDATE applications SET read_per_minute = coalesce($2, read_per_minute),
      search_per_minute = coalesce($3, search_per_minute),
      write_per_minute = coalesce($4, write_per_minute),
      signal_per_minute = coalesce($5, signal_per_minute)
    WHERE application_id = $1 RETURNING application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt";

PREPARE "write-application" AS
UPDATE applications SET name = $2, grants = $3, catalog_id = $4, adjust_percent = $5,
      reservations_per_day = $6, portal_keys = $7, commission_percent = $8, changes = $9, require_report = $10
    WHERE application_id = $1 RETURNING application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt";

PREPARE "suspend-application" AS
UPDATE applications SET suspended_at = coalesce(suspended_at, now()),
      suspended_reason = coalesce($2, suspended_reason)
    WHERE application_id = $1 RETURNING application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt";

PREPARE "resume-application" AS
UPDATE applications SET suspended_at = NULL, suspended_reason = NULL
    WHERE application_id = $1 RETURNING application_id AS "applicationId", name, settlement, grants,
  json_build_object('read', read_per_minute, 'search', search_per_minute, 'write', write_per_minute,
    'signal', signal_per_minute) AS quotas,
  catalog_id AS "catalogId", adjust_percent::float8 AS "adjustPercent",
  reservations_per_day AS "reservationsPerDay", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason",
  portal_enabled_at AS "portalEnabledAt", portal_keys AS "portalKeys",
  commission_percent::float8 AS "commissionPercent", changes, require_report AS "requireReport",
  created_at AS "createdAt";

-- src/access/store/portal-links.ts

PREPARE "insert-portal-link" AS
WITH enabled AS (
      UPDATE applications SET portal_enabled_at = coalesce(portal_enabled_at, now())
      WHERE application_id = $1 RETURNING application_id
    )
    INSERT INTO portal_links (link_digest, application_id, expires_at, person_id, issued_in)
    SELECT $2, application_id, now() + make_interval(hours => $3), $4, $5 FROM enabled
    RETURNING expires_at;

PREPARE "use-portal-link" AS
WITH link AS (
      SELECT l.link_digest, coalesce(s.admitted_at, s.created_at) AS admitted_at FROM portal_links l
      LEFT JOIN portal_sessions s ON s.application_id = l.application_id AND s.session_id = l.issued_in
        AND s.expires_at > now()
      WHERE l.link_digest = $1 AND (l.issued_in IS NULL OR s.session_id IS NOT NULL)
    )
    UPDATE portal_links l SET used_at = now() FROM link, applications a
    WHERE l.link_digest = link.link_digest AND l.used_at IS NULL AND l.expires_at > now()
      AND a.application_id = l.application_id AND a.suspended_at IS NULL
    RETURNING l.application_id AS "applicationId", l.person_id AS "personId", link.admitted_at AS "admittedAt";

-- src/access/store/portal-people.ts

PREPARE "put-portal-person" AS
INSERT INTO portal_people (application_id, name, email)
    SELECT application_id, $2, $3 FROM applications WHERE application_id = $1
    ON CONFLICT (application_id, lower(email)) DO UPDATE SET name = excluded.name
    RETURNING person_id AS "personId", name, email, created_at AS "createdAt";

PREPARE "count-portal-people" AS
SELECT count(*)::integer AS count FROM portal_people WHERE application_id = $1;

PREPARE "list-portal-people" AS
SELECT person_id AS "personId", name, email, created_at AS "createdAt" FROM portal_people WHERE application_id = $1 ORDER BY lower(email);

PREPARE "remove-portal-person" AS
DELETE FROM portal_people WHERE application_id = $1 AND person_id = $2 RETURNING person_id AS "personId", name, email, created_at AS "createdAt";

-- src/access/store/portal-sessions.ts

PREPARE "insert-portal-session" AS
INSERT INTO portal_sessions
      (session_id, session_digest, application_id, person_id, user_agent, seen_at, admitted_at, expires_at)
    VALUES (gen_random_uuid(), $1, $2, $3, $4, now(), $5, CASE WHEN $3::uuid IS NULL
      THEN now() + interval '12 hours'
      ELSE least($5::timestamptz + interval '180 days', now() + interval '30 days') END);

PREPARE "find-portal-session" AS
WITH seen AS (
      UPDATE portal_sessions SET seen_at = now(), expires_at = CASE WHEN person_id IS NULL THEN expires_at
        ELSE least(coalesce(admitted_at, created_at) + interval '180 days', now() + interval '30 days') END
      WHERE session_digest = $1 AND expires_at > now() AND seen_at < now() - interval '1 hour'
    )
    SELECT s.session_id AS "sessionId", s.expires_at AS "expiresAt",
      json_build_object('applicationId', a.application_id, 'name', a.name, 'settlement', a.settlement) AS application,
      CASE WHEN p.person_id IS NOT NULL
        THEN json_build_object('personId', p.person_id, 'name', p.name, 'email', p.email) END AS person
    FROM portal_sessions s JOIN applications a ON a.application_id = s.application_id
    LEFT JOIN portal_people p ON p.person_id = s.person_id
    WHERE s.session_digest = $1 AND s.expires_at > now() AND a.suspended_at IS NULL;

PREPARE "delete-portal-session" AS
DELETE FROM portal_sessions WHERE session_digest = $1;

PREPARE "list-portal-sessions" AS
SELECT session_id AS "sessionId", person_id AS "personId", user_agent AS "userAgent",
      created_at AS "createdAt", seen_at AS "seenAt", expires_at AS "expiresAt"
    FROM portal_sessions WHERE application_id = $1 AND session_id IS NOT NULL AND expires_at > now()
    ORDER BY created_at DESC LIMIT 200;

PREPARE "end-portal-session" AS
DELETE FROM portal_sessions
    WHERE application_id = $1 AND session_id = $2 AND ($3::uuid IS NULL OR person_id = $3)
    RETURNING person_id AS "personId";

-- src/access/store/reports.ts

PREPARE "insert-verified-report" AS
INSERT INTO conformance_reports (application_id, run_id, profile, state, wire_version,
      contract_digest, finished_at, verified_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, now())
    ON CONFLICT (application_id, run_id) DO UPDATE SET verified_at = excluded.verified_at;

PREPARE "find-last-conformance-run" AS
SELECT * FROM (
      SELECT run_id AS "runId", profile, state, wire_version AS "wireVersion",
        contract_digest AS "contractDigest", finished_at AS "finishedAt"
      FROM conformance_runs
      WHERE application_id = $1 AND state IN ('passed', 'failed', 'incomplete')
      UNION ALL
      SELECT run_id, profile, state, wire_version, contract_digest, finished_at
      FROM conformance_reports WHERE application_id = $1) known
    ORDER BY "finishedAt" DESC LIMIT 1;

PREPARE "has-verified-report" AS
SELECT FROM conformance_reports WHERE application_id = $1 LIMIT 1;

-- src/access/store/revoked-tokens.ts

PREPARE "revoke-token" AS
INSERT INTO revoked_tokens (application_id, token_id, expires_at)
    VALUES ($1, $2, to_timestamp($3)) ON CONFLICT DO NOTHING;

-- src/access/store/signing-keys.ts

PREPARE "list-signing-keys" AS
SELECT key_id, public_jwk, private_sealed, created_at, retired_at FROM token_signing_keys
    WHERE retired_at IS NULL OR retired_at > now() - make_interval(secs => $1)
    ORDER BY created_at DESC, key_id;

PREPARE "insert-first-signing-key" AS
INSERT INTO token_signing_keys (key_id, public_jwk, private_sealed)
    VALUES ($1, $2, $3) ON CONFLICT DO NOTHING;

PREPARE "rotate-signing-key" AS
WITH retired AS (
      UPDATE token_signing_keys SET retired_at = now() WHERE retired_at IS NULL RETURNING key_id
    )
    INSERT INTO token_signing_keys (key_id, public_jwk, private_sealed)
    SELECT $1, $2, $3 FROM (SELECT count(*) FROM retired) done
    ON CONFLICT DO NOTHING RETURNING key_id;

PREPARE "replace-signing-keys" AS
WITH ended AS (DELETE FROM token_signing_keys RETURNING key_id)
    INSERT INTO token_signing_keys (key_id, public_jwk, private_sealed)
    SELECT $1, $2, $3 FROM (SELECT count(*) FROM ended) done
    ON CONFLICT DO NOTHING RETURNING key_id;

-- src/attention/store/alerts.ts

PREPARE "follow-attention" AS
WITH waiting AS (
      SELECT * FROM json_to_recordset($1) AS one(kind text, subject text, item json)
    ), closed AS (
      UPDATE attention_items a SET closed_at = now(),
        telling = coalesce(a.telling, 'closed'), due_at = coalesce(a.due_at, now())
      WHERE a.closed_at IS NULL
        AND NOT EXISTS (SELECT FROM waiting w WHERE w.kind = a.kind AND w.subject = a.subject)
      RETURNING item_id
    ), opened AS (
      INSERT INTO attention_items (kind, subject, item)
      SELECT kind, subject, item FROM waiting
      ON CONFLICT (kind, subject) WHERE closed_at IS NULL DO NOTHING
      RETURNING item_id
    )
    SELECT (SELECT count(*) FROM closed) + (SELECT count(*) FROM opened) AS changes;

PREPARE "claim-alerts" AS
UPDATE attention_items SET due_at = now() + make_interval(secs => $2), attempts = attempts + 1
    WHERE item_id = ANY (ARRAY(
      SELECT item_id FROM attention_items WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING item_id AS "itemId", telling AS type, kind, subject, item, attempts, now() AS now;

PREPARE "write-alert-result" AS
UPDATE attention_items SET problem = $3, attempts = CASE WHEN $3::text IS NULL THEN 0 ELSE attempts END,
      telling = CASE WHEN $3::text IS NOT NULL THEN telling
        WHEN telling = 'opened' AND closed_at IS NOT NULL THEN 'closed' END,
      due_at = CASE WHEN $3::text IS NOT NULL THEN now() + make_interval(secs => $4)
        WHEN telling = 'opened' AND closed_at IS NOT NULL THEN now() END
    WHERE item_id = $1 AND telling = $2;

-- src/attention/store/waiting.ts

PREPARE "list-attention-disputes" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT d.dispute_reference AS subject, 'disputed' AS kind, i.application_id, i.checkout_id, b.reference,
        b.listing_id, d.amount_minor AS amount, d.currency, d.reason, d.reason AS code, d.opened_at AS since,
        d.evidence_due_at AS deadline
      FROM payment_disputes d CROSS JOIN LATERAL (SELECT application_id, checkout_id, amount_minor, currency, decline_code, payment_id
        FROM payment_intents WHERE payment_id = d.payment_id OFFSET 0) i CROSS JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = i.checkout_id AND b.application_id = i.application_id
          AND b.kind = 'checkout' OFFSET 0) b
      WHERE d.outcome = 'open') waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-parts" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT w.checkout_id || ' ' || w.part AS subject, w.kind, w.application_id, w.checkout_id, a.reference,
        r.listing_id, w.amount_minor AS amount, a.currency, w.reason, w.code, w.since,
        NULL::timestamptz AS deadline
      FROM payment_waits w
      CROSS JOIN LATERAL (SELECT reference, currency FROM payment_accounts
        WHERE checkout_id = w.checkout_id AND application_id = w.application_id OFFSET 0) a
      CROSS JOIN LATERAL (SELECT listing_id FROM reservations WHERE reference = a.reference OFFSET 0) r) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-kept" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT i.payment_id::text AS subject,
        CASE WHEN f.is_sent_back THEN 'refund_failed' ELSE 'refund_refused' END AS kind,
        i.application_id, i.checkout_id, NULL::text AS reference, b.listing_id,
        i.amount_minor - ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = i.payment_id AND e.kind = 'refunded_elsewhere'))::bigint AS amount,
        i.currency, CASE WHEN f.is_sent_back THEN 'sent_back' ELSE coalesce(f.refused_as, 'funds') END AS reason,
        f.code, f.since, NULL::timestamptz AS deadline
      FROM (SELECT payment_id, bool_or(state = 'failed') AS is_sent_back, max(refused_as) AS refused_as,
          max(decline_code) AS code, min(updated_at) AS since
        FROM payment_refunds WHERE state IN ('refused', 'failed') AND settled_at IS NULL GROUP BY payment_id) f
      CROSS JOIN LATERAL (SELECT application_id, checkout_id, amount_minor, currency, decline_code, payment_id
        FROM payment_intents WHERE payment_id = f.payment_id OFFSET 0) i CROSS JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = i.checkout_id AND b.application_id = i.application_id
          AND b.kind = 'checkout' OFFSET 0) b
      WHERE b.reference IS NULL AND b.resolved_at IS NOT NULL AND i.amount_minor > ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = i.payment_id AND e.kind = 'refunded_elsewhere'))::bigint) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-unmatched effects" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT e.provider_reference AS subject, 'unmatched' AS kind, e.application_id, e.checkout_id,
        b.reference, b.listing_id, e.amount_minor AS amount, e.currency, e.kind AS reason,
        e.provider_reference AS code, e.noticed_at AS since, NULL::timestamptz AS deadline
      FROM adopted_effects e
      LEFT JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = e.checkout_id AND b.application_id = e.application_id
          AND b.kind = 'checkout' OFFSET 0) b ON true
      WHERE e.outcome = 'unmatched' AND e.closed_at IS NULL AND NOT EXISTS (
        SELECT FROM payment_intents i JOIN payment_accounts USING (application_id, checkout_id)
        WHERE i.provider_reference = e.provider_reference
        UNION ALL
        SELECT FROM payment_refunds f JOIN payment_intents i USING (payment_id)
        JOIN payment_accounts USING (application_id, checkout_id)
        WHERE f.refund_reference = e.provider_reference)) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-unknown returns" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT p.payment_id::text AS subject, p.attention AS kind, i.application_id, i.checkout_id,
        NULL::text AS reference, b.listing_id, i.amount_minor AS amount, i.currency, p.attention AS reason,
        i.decline_code AS code, p.attention_since AS since, NULL::timestamptz AS deadline
      FROM payment_returns p CROSS JOIN LATERAL (SELECT application_id, checkout_id, amount_minor, currency, decline_code, payment_id
        FROM payment_intents WHERE payment_id = p.payment_id OFFSET 0) i CROSS JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = i.checkout_id AND b.application_id = i.application_id
          AND b.kind = 'checkout' OFFSET 0) b
      WHERE p.attention = 'unknown' AND b.reference IS NULL) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-unusual-rates" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT change_id::text AS subject, 'unusual_prices' AS kind, NULL::uuid AS application_id,
      NULL::uuid AS checkout_id, NULL::text AS reference, listing_id, price_minor AS amount, currency,
      about AS reason, NULL::text AS code, set_at AS since, NULL::timestamptz AS deadline
    FROM unusual_rates) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-changes" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT c.application_id || ' ' || c.change_request_id AS subject, 'change_request' AS kind, c.application_id,
        CASE WHEN r.kind = 'checkout' THEN r.booking_id END AS checkout_id, c.reference, r.listing_id,
        coalesce((c.preview ->> 'difference')::bigint, (c.preview ->> 'refund')::bigint) AS amount,
        c.preview ->> 'currency' AS currency, c.kind AS reason, NULL::text AS code, c.created_at AS since,
        NULL::timestamptz AS deadline
      FROM change_requests c JOIN reservations r ON r.reference = c.reference WHERE c.state = 'open') waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-uncertain-checkouts" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT b.application_id || ' ' || b.booking_id AS subject, 'uncertain' AS kind, b.application_id,
      b.booking_id AS checkout_id, NULL::text AS reference, q.listing_id,
      (coalesce(b.charges, q.charges) ->> 'total')::bigint AS amount,
      coalesce(b.charges, q.charges) ->> 'currency' AS currency, b.state AS reason, NULL::text AS code,
      b.submitted_at AS since, NULL::timestamptz AS deadline
    FROM bookings b CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q WHERE b.state = 'uncertain') waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-uncertain-requests" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT b.application_id || ' ' || b.booking_id AS subject, 'uncertain' AS kind, b.application_id,
      b.booking_id AS checkout_id, NULL::text AS reference, q.listing_id,
      (coalesce(b.charges, q.charges) ->> 'total')::bigint AS amount,
      coalesce(b.charges, q.charges) ->> 'currency' AS currency, b.state AS reason, NULL::text AS code,
      b.submitted_at AS since, NULL::timestamptz AS deadline
    FROM bookings b CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q WHERE b.state = 'unresolved') waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-records" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT r.reference AS subject, 'record_refused' AS kind, r.application_id,
        CASE WHEN r.kind = 'checkout' THEN r.booking_id END AS checkout_id, r.reference, r.listing_id,
        NULL::bigint AS amount, NULL::text AS currency, 'record_refused' AS reason, r.records_problem AS code,
        r.updated_at AS since, NULL::timestamptz AS deadline
      FROM reservations r WHERE r.records_due_at IS NOT NULL AND r.records_problem IS NOT NULL) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-calendars" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM ((SELECT c.calendar_id::text AS subject, 'calendar_failing' AS kind, NULL::uuid AS application_id, NULL::uuid AS checkout_id, NULL::text AS reference,
        c.listing_id, NULL::bigint AS amount, NULL::text AS currency, c.problem AS reason, c.problem AS code,
        coalesce(c.failing_since, c.checked_at, c.created_at) AS since, NULL::timestamptz AS deadline
      FROM channel_calendars c WHERE c.problem IS NOT NULL
      ORDER BY coalesce(c.failing_since, c.checked_at, c.created_at) LIMIT $1)
      UNION ALL
      (SELECT c.calendar_id::text, 'calendar_shrunk', NULL::uuid, NULL::uuid, NULL::text, c.listing_id, NULL::bigint,
        NULL::text, 'shrunk', NULL::text, c.shrunk_since, NULL::timestamptz
      FROM channel_calendars c WHERE c.problem IS NULL AND c.shrunk_since IS NOT NULL AND c.kept_at IS NULL
      ORDER BY c.shrunk_since LIMIT $1)) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-conflicts" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT k.calendar_id || ' ' || lower(k.nights) AS subject, 'conflict' AS kind, r.application_id,
        CASE WHEN r.kind = 'checkout' THEN r.booking_id END AS checkout_id, k.reference, c.listing_id, NULL::bigint AS amount, NULL::text AS currency,
        k.kind AS reason, 'channel' AS code, k.found_at AS since, NULL::timestamptz AS deadline
      FROM (SELECT * FROM channel_conflicts k WHERE upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)
        ORDER BY k.found_at LIMIT $1) k
      JOIN channel_calendars c ON c.calendar_id = k.calendar_id
      LEFT JOIN LATERAL (
        SELECT application_id, booking_id, kind FROM reservations WHERE reference = k.reference OFFSET 0) r ON true
      UNION ALL
      SELECT s.source || '/' || s.external_id, 'conflict', NULL::uuid, NULL::uuid, o.reference, s.listing_id,
        NULL::bigint, NULL::text, 'outside_stay', NULL::text, s.updated_at, NULL::timestamptz
      FROM (SELECT * FROM outside_stays s WHERE s.contested AND upper(s.nights) > current_date AND EXISTS (
          SELECT FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id AND upper(o.nights) > current_date OFFSET 0)
        ORDER BY upper(s.nights) LIMIT $1) s
      CROSS JOIN LATERAL (
        SELECT o.reference FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id AND upper(o.nights) > current_date
        ORDER BY o.reference IS NULL, o.nights LIMIT 1) o) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-webhooks" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT e.application_id || ' ' || e.endpoint_id AS subject, 'webhook_failing' AS kind, e.application_id,
        NULL::uuid AS checkout_id, NULL::text AS reference, NULL::uuid AS listing_id, NULL::bigint AS amount,
        NULL::text AS currency, CASE WHEN e.failing_since IS NULL THEN 'stopped' ELSE 'failing' END AS reason,
        e.state_reason AS code, coalesce(e.failing_since, e.created_at) AS since, NULL::timestamptz AS deadline
      FROM webhook_endpoints e
      WHERE e.deleted_at IS NULL AND (e.failing_since IS NOT NULL OR e.state_reason IN ('failing', 'gone'))) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-clock" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT 'clock' AS subject, 'clock_jumped' AS kind, NULL::uuid AS application_id, NULL::uuid AS checkout_id,
      NULL::text AS reference, NULL::uuid AS listing_id, NULL::bigint AS amount, NULL::text AS currency,
      'clock_jumped' AS reason, NULL::text AS code, held_since AS since, NULL::timestamptz AS deadline
    FROM clock WHERE held_since IS NOT NULL) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "list-attention-audit" AS
SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (SELECT receiver AS subject, 'audit_not_accepted' AS kind, NULL::uuid AS application_id, NULL::uuid AS checkout_id,
      NULL::text AS reference, NULL::uuid AS listing_id, NULL::bigint AS amount, NULL::text AS currency,
      'audit_not_accepted' AS reason, problem AS code, failing_since AS since, NULL::timestamptz AS deadline
    FROM audit_receivers WHERE failing_since IS NOT NULL AND due_at > now() - interval '1 hour') waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject;

PREPARE "count-attention-disputes-parts-kept-unmatched effe-e803421890ca" AS
SELECT ((SELECT count(*) FROM (SELECT d.dispute_reference AS subject, 'disputed' AS kind, i.application_id, i.checkout_id, b.reference,
        b.listing_id, d.amount_minor AS amount, d.currency, d.reason, d.reason AS code, d.opened_at AS since,
        d.evidence_due_at AS deadline
      FROM payment_disputes d CROSS JOIN LATERAL (SELECT application_id, checkout_id, amount_minor, currency, decline_code, payment_id
        FROM payment_intents WHERE payment_id = d.payment_id OFFSET 0) i CROSS JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = i.checkout_id AND b.application_id = i.application_id
          AND b.kind = 'checkout' OFFSET 0) b
      WHERE d.outcome = 'open' LIMIT $1) one) + (SELECT count(*) FROM (SELECT w.checkout_id || ' ' || w.part AS subject, w.kind, w.application_id, w.checkout_id, a.reference,
        r.listing_id, w.amount_minor AS amount, a.currency, w.reason, w.code, w.since,
        NULL::timestamptz AS deadline
      FROM payment_waits w
      CROSS JOIN LATERAL (SELECT reference, currency FROM payment_accounts
        WHERE checkout_id = w.checkout_id AND application_id = w.application_id OFFSET 0) a
      CROSS JOIN LATERAL (SELECT listing_id FROM reservations WHERE reference = a.reference OFFSET 0) r LIMIT $1) one) + (SELECT count(*) FROM (SELECT i.payment_id::text AS subject,
        CASE WHEN f.is_sent_back THEN 'refund_failed' ELSE 'refund_refused' END AS kind,
        i.application_id, i.checkout_id, NULL::text AS reference, b.listing_id,
        i.amount_minor - ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = i.payment_id AND e.kind = 'refunded_elsewhere'))::bigint AS amount,
        i.currency, CASE WHEN f.is_sent_back THEN 'sent_back' ELSE coalesce(f.refused_as, 'funds') END AS reason,
        f.code, f.since, NULL::timestamptz AS deadline
      FROM (SELECT payment_id, bool_or(state = 'failed') AS is_sent_back, max(refused_as) AS refused_as,
          max(decline_code) AS code, min(updated_at) AS since
        FROM payment_refunds WHERE state IN ('refused', 'failed') AND settled_at IS NULL GROUP BY payment_id) f
      CROSS JOIN LATERAL (SELECT application_id, checkout_id, amount_minor, currency, decline_code, payment_id
        FROM payment_intents WHERE payment_id = f.payment_id OFFSET 0) i CROSS JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = i.checkout_id AND b.application_id = i.application_id
          AND b.kind = 'checkout' OFFSET 0) b
      WHERE b.reference IS NULL AND b.resolved_at IS NOT NULL AND i.amount_minor > ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = i.payment_id AND e.kind = 'refunded_elsewhere'))::bigint LIMIT $1) one) + (SELECT count(*) FROM (SELECT e.provider_reference AS subject, 'unmatched' AS kind, e.application_id, e.checkout_id,
        b.reference, b.listing_id, e.amount_minor AS amount, e.currency, e.kind AS reason,
        e.provider_reference AS code, e.noticed_at AS since, NULL::timestamptz AS deadline
      FROM adopted_effects e
      LEFT JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = e.checkout_id AND b.application_id = e.application_id
          AND b.kind = 'checkout' OFFSET 0) b ON true
      WHERE e.outcome = 'unmatched' AND e.closed_at IS NULL AND NOT EXISTS (
        SELECT FROM payment_intents i JOIN payment_accounts USING (application_id, checkout_id)
        WHERE i.provider_reference = e.provider_reference
        UNION ALL
        SELECT FROM payment_refunds f JOIN payment_intents i USING (payment_id)
        JOIN payment_accounts USING (application_id, checkout_id)
        WHERE f.refund_reference = e.provider_reference) LIMIT $1) one) + (SELECT count(*) FROM (SELECT p.payment_id::text AS subject, p.attention AS kind, i.application_id, i.checkout_id,
        NULL::text AS reference, b.listing_id, i.amount_minor AS amount, i.currency, p.attention AS reason,
        i.decline_code AS code, p.attention_since AS since, NULL::timestamptz AS deadline
      FROM payment_returns p CROSS JOIN LATERAL (SELECT application_id, checkout_id, amount_minor, currency, decline_code, payment_id
        FROM payment_intents WHERE payment_id = p.payment_id OFFSET 0) i CROSS JOIN LATERAL (SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = i.checkout_id AND b.application_id = i.application_id
          AND b.kind = 'checkout' OFFSET 0) b
      WHERE p.attention = 'unknown' AND b.reference IS NULL LIMIT $1) one))::integer AS count;

-- src/bookings/sandbox/end-now.ts

PREPARE "sandbox-end-quote" AS
UPDATE quotes SET expires_at = least(expires_at, now())
    WHERE application_id = $1 AND quote_id = $2 RETURNING quote_id;

PREPARE "sandbox-end-session" AS
UPDATE bookings SET session_expires_at = to_timestamp(0)
    WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2 RETURNING booking_id;

PREPARE "sandbox-move-version" AS
UPDATE bookings SET version = version + 1, updated_at = greatest(updated_at, now())
    WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2
      AND state IN ('needs_guest', 'needs_payment', 'ready')
    RETURNING booking_id;

-- src/bookings/staff/create-reservation.ts

PREPARE "time-of-database" AS
SELECT now() AS now;

-- src/bookings/store/abandoned-bookings.ts

PREPARE "sweep-abandoned-checkouts" AS
WITH abandoned AS (
      SELECT b.application_id, b.booking_id, b.quote_id FROM bookings b
      WHERE b.reference IS NULL AND b.due_at IS NULL AND b.guest_removed_at IS NULL
        AND b.created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE b.created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false)
        AND b.updated_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE b.updated_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND b.kind = 'checkout' AND NOT b.promotion_held
        AND (b.submitted_at IS NULL OR b.state = 'failed' OR b.state = 'expired')
        AND NOT EXISTS (SELECT FROM payment_intents i
          CROSS JOIN LATERAL (SELECT due_at, attention FROM payment_returns
            WHERE payment_id = i.payment_id OFFSET 0) r
          WHERE i.checkout_id = b.booking_id AND i.application_id = b.application_id
            AND (r.due_at IS NOT NULL OR r.attention IS NOT NULL OR EXISTS (SELECT FROM (
              SELECT state, check_at, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) f
              WHERE f.check_at IS NOT NULL OR f.state IN ('refused', 'failed') AND f.settled_at IS NULL)))
      ORDER BY b.created_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), commands AS (
      DELETE FROM checkout_commands c USING abandoned a
      WHERE c.checkout_id = ANY (ARRAY(SELECT booking_id FROM abandoned))
        AND c.checkout_id = a.booking_id AND c.application_id = a.application_id
    ), swept AS (
      DELETE FROM bookings b USING abandoned a
      WHERE b.booking_id = ANY (ARRAY(SELECT booking_id FROM abandoned))
        AND b.booking_id = a.booking_id AND b.application_id = a.application_id AND b.kind = 'checkout'
      RETURNING b.booking_id
    ), quotes AS (
      DELETE FROM quotes q USING abandoned a
      WHERE q.quote_id = ANY (ARRAY(SELECT quote_id FROM abandoned))
        AND q.quote_id = a.quote_id AND q.application_id = a.application_id
    )
    SELECT booking_id FROM swept;

PREPARE "remove-guests-of-failed-requests" AS
UPDATE bookings SET guest_sealed = NULL, guest_removed_at = now()
    WHERE ctid = ANY (ARRAY(
      SELECT b.ctid FROM bookings b
      WHERE b.reference IS NULL AND b.due_at IS NULL AND b.guest_removed_at IS NULL
        AND b.created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE b.created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false)
        AND b.updated_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE b.updated_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND b.kind = 'request' AND b.state = 'failed'
      ORDER BY b.created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING booking_id;

-- src/bookings/store/booking-claims.ts

PREPARE "claim-bookings" AS
WITH due AS (
      SELECT application_id, kind, booking_id FROM bookings
      WHERE due_at <= now() AND (settlement <> 'card' OR (SELECT may_move_money()))
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), b AS (
      UPDATE bookings b SET due_at = now() + make_interval(secs => $2), fence = b.fence + 1,
        tries = b.tries + 1
      FROM due WHERE b.application_id = due.application_id AND b.kind = due.kind
        AND b.booking_id = due.booking_id
      RETURNING b.*
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "read-claimed" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    JOIN applications a ON a.application_id = b.application_id
    WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3 AND b.fence = $4;

PREPARE "postpone-booking" AS
UPDATE bookings SET due_at = now() + make_interval(secs => $5),
      unknown_step = coalesce($6, unknown_step)
    WHERE application_id = $1 AND kind = $2 AND booking_id = $3 AND fence = $4 AND version = $7;

PREPARE "wake-uncertain-checkout" AS
UPDATE bookings SET due_at = now()
    WHERE booking_id = $2 AND application_id = $1 AND kind = 'checkout' AND state = 'uncertain'
      AND due_at > now()
    RETURNING booking_id;

PREPARE "wake-uncertain-checkouts" AS
UPDATE bookings SET due_at = now()
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM bookings
      WHERE state = 'uncertain' AND settlement = 'card' AND due_at > now() + interval '15 seconds'
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING booking_id;

-- src/bookings/store/bookings.ts

PREPARE "insert-booking" AS
INSERT INTO bookings (application_id, kind,
      booking_id, quote_id, input_digest, settlement, version, state, guest_sealed, partner_reference,
      session_nonce, session_expires_at, submitted_at, created_at, updated_at, due_at, counted_on, payer,
      checkout_reference, promotion_code, promotion_held)
    SELECT q.application_id, $2, $3, q.quote_id, $5, $6, 1, $7, $8, $9, $10::bytea,
      CASE WHEN $10::bytea IS NOT NULL THEN date_trunc('milliseconds', now()) + make_interval(hours => $11) END,
      CASE WHEN $2 = 'request' THEN date_trunc('milliseconds', now()) END, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
      CASE WHEN $2 = 'request' THEN now() + make_interval(secs => $14) END, NULL::date,
      CASE WHEN $2 = 'request' THEN (SELECT a.name FROM applications a WHERE a.application_id = $1) END,
      $12, $13::text, $13::text IS NOT NULL
    FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $4 AND q.expires_at > now()
      AND ($15::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $15) <= 60000)
    ON CONFLICT DO NOTHING
    RETURNING application_id, counted_on, attempt_id, created_at, session_expires_at, promotion_code;

PREPARE "insert-booking-promoted" AS
WITH made AS (INSERT INTO bookings (application_id, kind,
      booking_id, quote_id, input_digest, settlement, version, state, guest_sealed, partner_reference,
      session_nonce, session_expires_at, submitted_at, created_at, updated_at, due_at, counted_on, payer,
      checkout_reference, promotion_code, promotion_held)
    SELECT q.application_id, $2, $3, q.quote_id, $5, $6, 1, $7, $8, $9, $10::bytea,
      CASE WHEN $10::bytea IS NOT NULL THEN date_trunc('milliseconds', now()) + make_interval(hours => $11) END,
      CASE WHEN $2 = 'request' THEN date_trunc('milliseconds', now()) END, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
      CASE WHEN $2 = 'request' THEN now() + make_interval(secs => $14) END, NULL::date,
      CASE WHEN $2 = 'request' THEN (SELECT a.name FROM applications a WHERE a.application_id = $1) END,
      $12, $13::text, $13::text IS NOT NULL
    FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $4 AND q.expires_at > now()
      AND ($15::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $15) <= 60000)
    ON CONFLICT DO NOTHING
    RETURNING application_id, counted_on, attempt_id, created_at, session_expires_at, promotion_code), used AS (
    UPDATE promotions p SET uses = p.uses + 1 FROM made WHERE p.code = made.promotion_code
  ) SELECT * FROM made;

PREPARE "insert-booking-promoted-counted" AS
WITH made AS (INSERT INTO bookings (application_id, kind,
      booking_id, quote_id, input_digest, settlement, version, state, guest_sealed, partner_reference,
      session_nonce, session_expires_at, submitted_at, created_at, updated_at, due_at, counted_on, payer,
      checkout_reference, promotion_code, promotion_held)
    SELECT q.application_id, $2, $3, q.quote_id, $5, $6, 1, $7, $8, $9, $10::bytea,
      CASE WHEN $10::bytea IS NOT NULL THEN date_trunc('milliseconds', now()) + make_interval(hours => $11) END,
      CASE WHEN $2 = 'request' THEN date_trunc('milliseconds', now()) END, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
      CASE WHEN $2 = 'request' THEN now() + make_interval(secs => $14) END, (now() AT TIME ZONE 'UTC')::date,
      CASE WHEN $2 = 'request' THEN (SELECT a.name FROM applications a WHERE a.application_id = $1) END,
      $12, $13::text, $13::text IS NOT NULL
    FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $4 AND q.expires_at > now()
      AND ($15::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $15) <= 60000)
    ON CONFLICT DO NOTHING
    RETURNING application_id, counted_on, attempt_id, created_at, session_expires_at, promotion_code), used AS (
    UPDATE promotions p SET uses = p.uses + 1 FROM made WHERE p.code = made.promotion_code
  ), counted AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations, at_most)
      SELECT m.application_id, m.counted_on, 1, a.reservations_per_day
      FROM made m JOIN applications a ON a.application_id = m.application_id
      ON CONFLICT (day, application_id) DO UPDATE
        SET reservations = d.reservations + 1, at_most = excluded.at_most
    ) SELECT * FROM made;

PREPARE "insert-booking-counted" AS
WITH made AS (INSERT INTO bookings (application_id, kind,
      booking_id, quote_id, input_digest, settlement, version, state, guest_sealed, partner_reference,
      session_nonce, session_expires_at, submitted_at, created_at, updated_at, due_at, counted_on, payer,
      checkout_reference, promotion_code, promotion_held)
    SELECT q.application_id, $2, $3, q.quote_id, $5, $6, 1, $7, $8, $9, $10::bytea,
      CASE WHEN $10::bytea IS NOT NULL THEN date_trunc('milliseconds', now()) + make_interval(hours => $11) END,
      CASE WHEN $2 = 'request' THEN date_trunc('milliseconds', now()) END, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
      CASE WHEN $2 = 'request' THEN now() + make_interval(secs => $14) END, (now() AT TIME ZONE 'UTC')::date,
      CASE WHEN $2 = 'request' THEN (SELECT a.name FROM applications a WHERE a.application_id = $1) END,
      $12, $13::text, $13::text IS NOT NULL
    FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $4 AND q.expires_at > now()
      AND ($15::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $15) <= 60000)
    ON CONFLICT DO NOTHING
    RETURNING application_id, counted_on, attempt_id, created_at, session_expires_at, promotion_code), counted AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations, at_most)
      SELECT m.application_id, m.counted_on, 1, a.reservations_per_day
      FROM made m JOIN applications a ON a.application_id = m.application_id
      ON CONFLICT (day, application_id) DO UPDATE
        SET reservations = d.reservations + 1, at_most = excluded.at_most
    ) SELECT * FROM made;

PREPARE "release-expired-promotions" AS
WITH expired AS (
      UPDATE bookings b SET promotion_held = false
      FROM (
        SELECT b.application_id, b.kind, b.booking_id, b.promotion_code AS code
        FROM bookings b JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
        WHERE b.promotion_held AND b.submitted_at IS NULL AND q.expires_at <= now()
        ORDER BY b.application_id, b.quote_id LIMIT $1 FOR UPDATE OF b SKIP LOCKED
      ) held
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id
      RETURNING held.code
    ), freed AS (
      SELECT code, count(*)::integer AS uses FROM expired GROUP BY code
    ), locked AS (
      SELECT p.code FROM promotions p JOIN freed ON freed.code = p.code ORDER BY p.code FOR UPDATE OF p
    ), given_back AS (
      UPDATE promotions p SET uses = p.uses - freed.uses FROM freed, (SELECT count(*) FROM locked) waited
      WHERE p.code = freed.code
    )
    SELECT code FROM expired;

-- src/bookings/store/calendar-stays.ts

PREPARE "read-calendar-stays" AS
SELECT r.reference, r.listing_id AS "listingId", r.check_in AS "checkIn", r.check_out AS "checkOut",
      r.party, r.application_id AS "applicationId", r.application_id, r.booking_id, b.guest_sealed FROM reservations r CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id AND application_id = r.application_id
        AND kind = r.kind OFFSET 0) b WHERE r.reference = ANY ($1);

PREPARE "read-calendar-stays-of-homes" AS
SELECT r.reference, r.listing_id AS "listingId", r.check_in AS "checkIn", r.check_out AS "checkOut",
      r.party, r.application_id AS "applicationId", r.application_id, r.booking_id, b.guest_sealed FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (
      SELECT * FROM reservations WHERE listing_id = asked.id AND check_in < $3::date
        AND check_in > $2::date - 90 AND check_out > $2::date AND state <> 'cancelled' OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id AND application_id = r.application_id
        AND kind = r.kind OFFSET 0) b
    ORDER BY r.listing_id, r.check_in;

-- src/bookings/store/change-requests.ts

PREPARE "find-change-request" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt", c.input_digest AS "inputDigest" FROM change_requests c
    WHERE c.change_request_id = $2 AND c.application_id = $1;

PREPARE "find-open-change-request" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt" FROM change_requests c WHERE c.reference = $1 AND c.state = 'open';

PREPARE "count-change-requests" AS
SELECT count(*)::integer AS count FROM (
      SELECT FROM change_requests WHERE reference = $1 LIMIT $2) found;

PREPARE "insert-change-request" AS
WITH held AS (
      SELECT reference FROM reservations
      WHERE reference = $3 AND application_id = $1 AND version = $12 AND state = 'confirmed' FOR SHARE
    )
    INSERT INTO change_requests AS c (application_id, change_request_id, input_digest, reference, kind, check_in,
      check_out, party, note_sealed, preview, state, decided_at)
    SELECT $1, $2, $4, reference, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $11 <> 'open' THEN now() END FROM held
    ON CONFLICT DO NOTHING
    RETURNING c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt";

PREPARE "decide-change-request" AS
UPDATE change_requests c SET state = $3, reason = $4, decided_at = now()
    WHERE c.change_request_id = $2 AND c.application_id = $1 AND c.state = 'open'
    RETURNING c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt";

PREPARE "find-due-change-request" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId"
    FROM change_requests c WHERE c.reference = $2 AND c.application_id = $1 AND c.state = 'open'
      AND c.created_at <= now() - make_interval(secs => $3);

PREPARE "find-change-requests-by-id" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt", l.slug AS listing, l.name AS "listingName", a.name AS application,
  (r.charges ->> 'total')::bigint AS total FROM change_requests c CROSS JOIN LATERAL (
      SELECT charges, listing_id FROM reservations WHERE reference = c.reference OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = c.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true WHERE c.change_request_id = $1
    ORDER BY c.created_at;

PREPARE "list-change-requests-of-application-all-any" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt" FROM change_requests c
      WHERE c.application_id = ANY (ARRAY[$1::uuid]) AND (c.created_at, c.change_request_id) < ($2, $3)
      ORDER BY c.application_id DESC, c.created_at DESC, c.change_request_id DESC LIMIT $4;

PREPARE "list-change-requests-of-application-all-state" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt" FROM change_requests c
      WHERE c.application_id = ANY (ARRAY[$1::uuid]) AND c.state = ANY (ARRAY[$5::text]) AND (c.created_at, c.change_request_id) < ($2, $3)
      ORDER BY c.application_id DESC, c.state DESC, c.created_at DESC, c.change_request_id DESC LIMIT $4;

PREPARE "list-change-requests-of-application-reference-any" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt" FROM (SELECT * FROM change_requests WHERE reference = $5 OFFSET 0) c
      WHERE c.application_id = ANY (ARRAY[$1::uuid]) AND (c.created_at, c.change_request_id) < ($2, $3)
      ORDER BY c.application_id DESC, c.created_at DESC, c.change_request_id DESC LIMIT $4;

PREPARE "list-change-requests-of-application-reference-state" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt" FROM (SELECT * FROM change_requests WHERE reference = $5 OFFSET 0) c
      WHERE c.application_id = ANY (ARRAY[$1::uuid]) AND c.state = ANY (ARRAY[$6::text]) AND (c.created_at, c.change_request_id) < ($2, $3)
      ORDER BY c.application_id DESC, c.state DESC, c.created_at DESC, c.change_request_id DESC LIMIT $4;

PREPARE "list-change-requests-all-any" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt", l.slug AS listing, l.name AS "listingName", a.name AS application,
  (r.charges ->> 'total')::bigint AS total FROM (
        SELECT * FROM change_requests c
        WHERE (c.created_at, c.application_id, c.change_request_id) < ($1, $2, $3)
        ORDER BY c.created_at DESC, c.application_id DESC, c.change_request_id DESC LIMIT $4) c
    CROSS JOIN LATERAL (
      SELECT charges, listing_id FROM reservations WHERE reference = c.reference OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = c.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    ORDER BY c.created_at DESC, c.application_id DESC, c.change_request_id DESC;

PREPARE "list-change-requests-all-state" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt", l.slug AS listing, l.name AS "listingName", a.name AS application,
  (r.charges ->> 'total')::bigint AS total FROM (
        SELECT * FROM change_requests c
        WHERE c.state = ANY (ARRAY[$5::text]) AND (c.created_at, c.application_id, c.change_request_id) < ($1, $2, $3)
        ORDER BY c.state DESC, c.created_at DESC, c.application_id DESC, c.change_request_id DESC LIMIT $4) c
    CROSS JOIN LATERAL (
      SELECT charges, listing_id FROM reservations WHERE reference = c.reference OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = c.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    ORDER BY c.state DESC, c.created_at DESC, c.application_id DESC, c.change_request_id DESC;

PREPARE "list-change-requests-reference-any" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt", l.slug AS listing, l.name AS "listingName", a.name AS application,
  (r.charges ->> 'total')::bigint AS total FROM (
        SELECT * FROM (SELECT * FROM change_requests WHERE reference = $5 OFFSET 0) c
        WHERE (c.created_at, c.application_id, c.change_request_id) < ($1, $2, $3)
        ORDER BY c.created_at DESC, c.application_id DESC, c.change_request_id DESC LIMIT $4) c
    CROSS JOIN LATERAL (
      SELECT charges, listing_id FROM reservations WHERE reference = c.reference OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = c.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    ORDER BY c.created_at DESC, c.application_id DESC, c.change_request_id DESC;

PREPARE "list-change-requests-reference-state" AS
SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt", l.slug AS listing, l.name AS "listingName", a.name AS application,
  (r.charges ->> 'total')::bigint AS total FROM (
        SELECT * FROM (SELECT * FROM change_requests WHERE reference = $5 OFFSET 0) c
        WHERE c.state = ANY (ARRAY[$6::text]) AND (c.created_at, c.application_id, c.change_request_id) < ($1, $2, $3)
        ORDER BY c.state DESC, c.created_at DESC, c.application_id DESC, c.change_request_id DESC LIMIT $4) c
    CROSS JOIN LATERAL (
      SELECT charges, listing_id FROM reservations WHERE reference = c.reference OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = c.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    ORDER BY c.state DESC, c.created_at DESC, c.application_id DESC, c.change_request_id DESC;

-- src/bookings/store/checkouts.ts

PREPARE "find-checkout" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, (
      SELECT c.refused FROM checkout_commands c
      WHERE c.application_id = b.application_id AND c.checkout_id = b.booking_id
        AND c.operation = $3 AND c.expected_version = $4 AND c.input_digest = ANY ($5::bytea[])
      LIMIT 1
    ) AS refused
    FROM bookings b CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    WHERE b.application_id = $1 AND b.kind = 'checkout' AND b.booking_id = $2;

PREPARE "find-status" AS
SELECT b.version, b.state, b.failure_reason, b.failure_details, b.reference, b.payment_state, b.payment_failure,
      b.payment_requested_at, b.session_nonce, b.session_expires_at, b.submitted_at, b.resolved_at, b.updated_at,
      q.expires_at AS quote_expires_at, now() AS now
    FROM bookings b JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    WHERE b.application_id = $1 AND b.kind = 'checkout' AND b.booking_id = $2;

PREPARE "find-confirmation" AS
SELECT b.session_nonce, b.session_expires_at, b.state, b.resolved_at, now() AS now, q.listing_id, q.check_in,
      q.check_out, q.party, b.checkout_reference, l.time_zone, coalesce(b.charges, q.charges) AS charges, r.reference, r.confirmed_at,
      r.materialized_at IS NOT NULL AS materialized
    FROM bookings b CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN reservations r ON r.reference = b.reference
    LEFT JOIN listings l ON l.listing_id = q.listing_id
    WHERE b.application_id = $1 AND b.kind = 'checkout' AND b.booking_id = $2;

PREPARE "list-commands" AS
SELECT operation, expected_version AS "expectedVersion", refused, created_at AS "at"
    FROM checkout_commands WHERE checkout_id = $2 AND application_id = $1
    ORDER BY created_at, expected_version;

-- src/bookings/store/day-sheet.ts

PREPARE "count-stays-of-day" AS
SELECT count(*)::integer AS count FROM (SELECT  FROM reservations
      WHERE check_in >= $1::date - $3::integer AND check_in <= $1::date AND check_out >= $1::date
        AND state <> 'cancelled'
      ORDER BY check_in DESC, reference DESC LIMIT $2) found;

PREPARE "list-stays-of-day" AS
SELECT r.reference, r.application_id, r.kind, r.booking_id, l.slug AS listing, l.name,
      l.check_in_from AS "checkInFrom", l.check_out_until AS "checkOutUntil", r.party,
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.charges->>'currency' AS currency, b.guest_sealed
    FROM (SELECT * FROM reservations
      WHERE check_in >= $1::date - $3::integer AND check_in <= $1::date AND check_out >= $1::date
        AND state <> 'cancelled'
      ORDER BY check_in DESC, reference DESC LIMIT $2) r
    LEFT JOIN LATERAL (
      SELECT slug, name, check_in_from, check_out_until FROM listings
      WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
        AND application_id = r.application_id AND kind = r.kind OFFSET 0) b
    ORDER BY l.name, r.reference;

PREPARE "list-first-stays-of-day" AS
SELECT p.total, r.reference, r.application_id, r.kind, r.booking_id, p.slug AS listing, p.name,
      p.check_in_from AS "checkInFrom", p.check_out_until AS "checkOutUntil", r.party,
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.charges->>'currency' AS currency, b.guest_sealed
    FROM (
      SELECT s.reference, l.*, count(*) OVER list::integer AS total,
        row_number() OVER (list ORDER BY l.name, s.reference) AS ordinal
      FROM (SELECT reference, listing_id, check_in, check_out FROM reservations
      WHERE check_in >= $1::date - $3::integer AND check_in <= $1::date AND check_out >= $1::date
        AND state <> 'cancelled'
      ORDER BY check_in DESC, reference DESC LIMIT $2) s
      LEFT JOIN LATERAL (
        SELECT slug, name, check_in_from, check_out_until FROM listings
        WHERE listing_id = s.listing_id OFFSET 0) l ON true
      WINDOW list AS (PARTITION BY s.check_in = $1::date, s.check_out = $1::date)
    ) p
    CROSS JOIN LATERAL (SELECT * FROM reservations WHERE reference = p.reference OFFSET 0) r
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
        AND application_id = r.application_id AND kind = r.kind OFFSET 0) b
    WHERE p.ordinal <= $4
    ORDER BY p.name, r.reference;

-- src/bookings/store/digests-again.ts

PREPARE "list-guest-digests" AS
SELECT d.booking_id, d.application_id, d.kind, d.email AS digest, b.guest_sealed
    FROM (
      SELECT * FROM guest_digests WHERE (booking_id, application_id, kind) > ($1::uuid, $2::uuid, $3::text)
      ORDER BY booking_id, application_id, kind LIMIT $4) d
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = d.booking_id AND application_id = d.application_id
        AND kind = d.kind OFFSET 0) b
    ORDER BY d.booking_id, d.application_id, d.kind;

PREPARE "forget-guest-digests" AS
UPDATE guest_digests d SET email = NULL, phone = NULL, name = NULL, last_name = NULL, words = NULL, digested = false,
      generation = d.generation + 1
    FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) AS old (booking_id, application_id, kind, digest)
    WHERE d.booking_id = old.booking_id AND d.application_id = old.application_id AND d.kind = old.kind
      AND d.email IS NOT DISTINCT FROM old.digest;

PREPARE "list-email-digests" AS
SELECT r.reference, b.application_id, b.booking_id, b.guest_sealed, r.guest_email_digest AS digest
    FROM (
      SELECT * FROM reservations WHERE reference > $1 ORDER BY reference LIMIT $2) r
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = r.booking_id AND application_id = r.application_id
        AND kind = r.kind OFFSET 0) b
    ORDER BY r.reference;

PREPARE "rewrite-email-digests" AS
UPDATE reservations r SET guest_email_digest = made.digest
    FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS made (reference, before, digest)
    WHERE r.reference = made.reference AND r.guest_email_digest = made.before;

-- src/bookings/store/guest-bookings.ts

PREPARE "find-batch-of-guest" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, a.name AS application_name, l.slug, l.time_zone,
      r.state AS reservation, coalesce(r.listing_id, q.listing_id) AS stay_listing,
      coalesce(r.check_in, q.check_in) AS stay_check_in, coalesce(r.check_out, q.check_out) AS stay_check_out
    FROM (SELECT booking_id, application_id, kind FROM guest_digests
      WHERE email = $1 AND (booking_id, application_id, kind) > ($2::uuid, $3::uuid, $4)
      ORDER BY booking_id, application_id, kind LIMIT $5) found
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
        AND kind = found.kind OFFSET 0) b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (
      SELECT state, listing_id, check_in, check_out FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    ORDER BY b.booking_id, b.application_id, b.kind;

PREPARE "find-bookings-of-erased" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, a.name AS application_name, l.slug, l.time_zone,
      r.state AS reservation, coalesce(r.listing_id, q.listing_id) AS stay_listing,
      coalesce(r.check_in, q.check_in) AS stay_check_in, coalesce(r.check_out, q.check_out) AS stay_check_out
    FROM (SELECT d.booking_id, d.application_id, d.kind, e.at
      FROM unnest($1::bytea[], $2::timestamptz[]) AS e (email, at) JOIN guest_digests d ON d.email = e.email
      UNION
      SELECT e.booking_id, e.application_id, e.kind, e.at
      FROM unnest($3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[]) AS e (booking_id, application_id, kind, at)) found
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
        AND kind = found.kind OFFSET 0) b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (
      SELECT state, listing_id, check_in, check_out FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    WHERE b.created_at <= found.at
    ORDER BY stay_check_in, b.created_at, b.booking_id;

PREPARE "lock-bookings-of-guest" AS
SELECT b.version, b.booking_id AS "bookingId", b.application_id AS "applicationId", b.kind FROM bookings b
    WHERE (b.booking_id, b.application_id, b.kind) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]))
    ORDER BY b.booking_id, b.application_id, b.kind FOR UPDATE;

PREPARE "remove-guest-of-bookings" AS
WITH removed AS (
      UPDATE bookings b SET guest_sealed = NULL, payment_secret_sealed = NULL,
        guest_removed_at = CASE WHEN b.kind = 'request' OR b.reference IS NOT NULL THEN now() END,
        state = CASE WHEN b.kind = 'checkout' AND b.submitted_at IS NULL AND b.state IN ('needs_guest', 'needs_payment', 'ready') THEN 'expired' ELSE b.state END,
        version = CASE WHEN b.kind = 'checkout' AND b.submitted_at IS NULL AND b.state IN ('needs_guest', 'needs_payment', 'ready') THEN b.version + 1 ELSE b.version END,
        due_at = CASE WHEN b.kind = 'checkout' AND b.submitted_at IS NULL AND b.state IN ('needs_guest', 'needs_payment', 'ready') THEN NULL ELSE b.due_at END,
        updated_at = CASE WHEN b.kind = 'checkout' AND b.submitted_at IS NULL AND b.state IN ('needs_guest', 'needs_payment', 'ready') THEN date_trunc('milliseconds', now()) ELSE b.updated_at END
      WHERE (b.booking_id, b.application_id, b.kind) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]))
      RETURNING b.reference
    ), undigested AS (
      UPDATE reservations r SET guest_email_digest = '', records_due_at = now(), records_problem = NULL,
        records_attempts = r.records_attempts + 1
      FROM removed WHERE r.reference = removed.reference
    ), asked AS (
      UPDATE change_requests c SET note_sealed = NULL, reason = NULL FROM removed WHERE c.reference = removed.reference
    ), notes AS (
      DELETE FROM reservation_notes n USING removed WHERE n.reference = removed.reference RETURNING 1
    )
    SELECT count(*)::integer AS notes FROM notes;

PREPARE "find-bookings-of-guest-email" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, a.name AS application_name, l.slug, l.time_zone,
      r.state AS reservation, coalesce(r.listing_id, q.listing_id) AS stay_listing,
      coalesce(r.check_in, q.check_in) AS stay_check_in, coalesce(r.check_out, q.check_out) AS stay_check_out
    FROM (SELECT booking_id, application_id, kind FROM guest_digests WHERE email = ANY ($1::bytea[]) LIMIT $2) found
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
        AND kind = found.kind OFFSET 0) b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (
      SELECT state, listing_id, check_in, check_out FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    ORDER BY stay_check_in, b.created_at, b.booking_id;

PREPARE "find-bookings-of-guest-phone" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, a.name AS application_name, l.slug, l.time_zone,
      r.state AS reservation, coalesce(r.listing_id, q.listing_id) AS stay_listing,
      coalesce(r.check_in, q.check_in) AS stay_check_in, coalesce(r.check_out, q.check_out) AS stay_check_out
    FROM (SELECT booking_id, application_id, kind FROM guest_digests WHERE phone = ANY ($1::bytea[]) LIMIT $2) found
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
        AND kind = found.kind OFFSET 0) b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (
      SELECT state, listing_id, check_in, check_out FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    ORDER BY stay_check_in, b.created_at, b.booking_id;

PREPARE "find-bookings-of-guest-name" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, a.name AS application_name, l.slug, l.time_zone,
      r.state AS reservation, coalesce(r.listing_id, q.listing_id) AS stay_listing,
      coalesce(r.check_in, q.check_in) AS stay_check_in, coalesce(r.check_out, q.check_out) AS stay_check_out
    FROM (SELECT booking_id, application_id, kind FROM (SELECT * FROM guest_digests WHERE name = ANY ($1::bytea[]) UNION SELECT * FROM guest_digests WHERE last_name = ANY ($1::bytea[])) named LIMIT $2) found
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
        AND kind = found.kind OFFSET 0) b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (
      SELECT state, listing_id, check_in, check_out FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    ORDER BY stay_check_in, b.created_at, b.booking_id;

PREPARE "find-bookings-of-guest-reference" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, a.name AS application_name, l.slug, l.time_zone,
      r.state AS reservation, coalesce(r.listing_id, q.listing_id) AS stay_listing,
      coalesce(r.check_in, q.check_in) AS stay_check_in, coalesce(r.check_out, q.check_out) AS stay_check_out
    FROM (SELECT booking_id, application_id, kind FROM reservations WHERE reference = $1 LIMIT $2) found
    CROSS JOIN LATERAL (
      SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
        AND kind = found.kind OFFSET 0) b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (
      SELECT state, listing_id, check_in, check_out FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    ORDER BY stay_check_in, b.created_at, b.booking_id;

-- src/bookings/store/guest-digests.ts

PREPARE "find-reservations-without-email-digest" AS
SELECT r.reference, b.application_id, b.booking_id, b.guest_sealed
    FROM (
      SELECT reference, application_id, kind, booking_id FROM reservations
      WHERE guest_email_digest IS NULL ORDER BY confirmed_at LIMIT $1) r
    CROSS JOIN LATERAL (
      SELECT application_id, booking_id, guest_sealed FROM bookings
      WHERE booking_id = r.booking_id AND application_id = r.application_id AND kind = r.kind OFFSET 0) b;

PREPARE "write-email-digests" AS
WITH locked AS (
      SELECT reference FROM reservations
      WHERE reference = ANY ($1::text[]) AND guest_email_digest IS NULL
      ORDER BY reference FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE reservations r SET guest_email_digest = d.digest
    FROM locked JOIN unnest($1::text[], $2::bytea[]) d (reference, digest) USING (reference)
    WHERE r.reference = locked.reference;

PREPARE "find-guests-without-digests" AS
SELECT d.application_id, d.booking_id, d.kind, d.generation, b.guest_sealed FROM (
      SELECT * FROM guest_digests WHERE words IS NULL ORDER BY booking_id LIMIT $1) d
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = d.booking_id AND application_id = d.application_id
        AND kind = d.kind OFFSET 0) b;

PREPARE "write-guest-digests" AS
WITH locked AS (
      SELECT booking_id, application_id, kind FROM guest_digests
      WHERE (booking_id, application_id, kind) IN (
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[])) AND words IS NULL
      ORDER BY booking_id, application_id, kind FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE guest_digests d SET email = made.email, phone = made.phone, name = made.name,
      last_name = made.last_name, words = made.words::bytea[], digested = true
    FROM locked JOIN unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::bytea[], $6::bytea[], $7::bytea[],
        $8::bytea[], $9::text[])
      AS made (booking_id, application_id, kind, generation, email, phone, name, last_name, words)
      USING (booking_id, application_id, kind)
    WHERE d.booking_id = locked.booking_id AND d.application_id = locked.application_id
      AND d.kind = locked.kind AND d.generation = made.generation;

PREPARE "queue-guests-of-earlier-versions" AS
WITH progress AS (
      SELECT booking_id, application_id, kind FROM guest_digest_backlog WHERE NOT done FOR UPDATE
    ), batch AS (
      SELECT b.booking_id, b.application_id, b.kind, b.guest_sealed IS NOT NULL AS has_guest
      FROM progress CROSS JOIN LATERAL (
        SELECT * FROM bookings
        WHERE (booking_id, application_id, kind) > (progress.booking_id, progress.application_id, progress.kind)
        ORDER BY booking_id, application_id, kind LIMIT $1) b
    ), queued AS (
      INSERT INTO guest_digests (booking_id, application_id, kind)
      SELECT booking_id, application_id, kind FROM batch WHERE has_guest ON CONFLICT DO NOTHING
    ), last AS (
      SELECT booking_id, application_id, kind FROM batch ORDER BY booking_id DESC, application_id DESC, kind DESC LIMIT 1
    )
    UPDATE guest_digest_backlog p SET done = counted.read < $1,
      booking_id = coalesce((SELECT booking_id FROM last), p.booking_id),
      application_id = coalesce((SELECT application_id FROM last), p.application_id),
      kind = coalesce((SELECT kind FROM last), p.kind)
    FROM (SELECT count(*) AS read FROM batch) counted
    WHERE NOT p.done RETURNING counted.read;

-- src/bookings/store/guest-names.ts

PREPARE "read-guest-names" AS
SELECT b.application_id, b.booking_id, b.guest_sealed FROM bookings b
    JOIN unnest($1::uuid[], $2::uuid[]) AS named (application_id, booking_id)
      ON b.booking_id = named.booking_id AND b.application_id = named.application_id
    WHERE b.kind = $3 AND b.guest_sealed IS NOT NULL;

PREPARE "read-guests-of-reservations" AS
SELECT r.reference, r.application_id, r.booking_id, b.guest_sealed
    FROM unnest($1::text[]) AS named (reference)
    CROSS JOIN LATERAL (SELECT reference, application_id, booking_id, kind FROM reservations
      WHERE reference = named.reference OFFSET 0) r
    CROSS JOIN LATERAL (SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
      AND application_id = r.application_id AND kind = r.kind OFFSET 0) b;

-- src/bookings/store/nights.ts

PREPARE "hold-nights" AS
WITH asked AS (
      SELECT b.attempt_id, $5::uuid AS listing_id, daterange($6::date, $7::date) AS nights,
        b.application_id, b.kind, b.booking_id
      FROM bookings b
      WHERE b.booking_id = $3 AND b.application_id = $1 AND b.kind = $2 AND b.version = $4
        AND ($8::bigint IS NULL OR b.fence = $8)
      FOR NO KEY UPDATE
    ), held AS (
      INSERT INTO occupancies
        (occupancy_id, listing_id, nights, kind, application_id, booking_kind, booking_id)
      SELECT attempt_id, listing_id, nights, 'held', application_id, kind, booking_id FROM asked
      ORDER BY listing_id, lower(nights)
      ON CONFLICT DO NOTHING
      RETURNING occupancy_id
    )
    SELECT EXISTS (SELECT FROM asked) AS asked, EXISTS (SELECT FROM held) AS held;

PREPARE "release-abandoned-holds" AS
DELETE FROM occupancies
    WHERE occupancy_id = ANY (ARRAY(SELECT o.occupancy_id FROM occupancies o
      WHERE o.kind = 'held' AND NOT (EXISTS (
        SELECT FROM bookings b WHERE b.booking_id = o.booking_id AND b.application_id = o.application_id
          AND b.kind = o.booking_kind
          AND b.state IN ('pending', 'requires_action', 'uncertain', 'unresolved') OFFSET 0))
      ORDER BY o.created_at LIMIT $1 FOR UPDATE OF o SKIP LOCKED)) RETURNING occupancy_id;

-- src/bookings/store/overview.ts

PREPARE "now-of-overview" AS
SELECT now() AS now;

PREPARE "count-uncertain-bookings" AS
SELECT count(*)::integer AS count FROM (
      SELECT FROM bookings WHERE state IN ('uncertain', 'unresolved') AND submitted_at > '-infinity'
      LIMIT $1) found;

PREPARE "list-booked-days" AS
SELECT d.day, d.application_id AS "applicationId", a.name AS application, d.currency, d.bookings,
      d.total_minor AS total
    FROM booked_days d CROSS JOIN LATERAL (
      SELECT name FROM applications WHERE application_id = d.application_id OFFSET 0) a
    WHERE d.day > (now() AT TIME ZONE 'UTC')::date - $1::integer
    ORDER BY d.day, a.name, d.application_id, d.currency LIMIT $2;

PREPARE "days-to-sum-up" AS
WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day)
    (SELECT d.day, true AS "isMissing" FROM today, LATERAL (
        SELECT today.day - ago AS day FROM generate_series(2, 31) ago) d
      WHERE NOT EXISTS (SELECT FROM booked_days b WHERE b.day = d.day OFFSET 0)
        AND EXISTS (SELECT FROM reservations WHERE confirmed_at >= d.day::timestamp AT TIME ZONE 'UTC'
        AND confirmed_at < (d.day + 1)::timestamp AT TIME ZONE 'UTC' OFFSET 0)
      ORDER BY d.day DESC LIMIT $1)
    UNION ALL SELECT day - ago, false FROM today, generate_series(0, 1) ago;

PREPARE "sum-up-slice-of-day" AS
WITH slice AS MATERIALIZED (
      SELECT r.application_id, r.charges, r.confirmed_at FROM (SELECT $1::date AS day) d
      CROSS JOIN LATERAL (
        SELECT * FROM reservations WHERE confirmed_at >= d.day::timestamp AT TIME ZONE 'UTC'
        AND confirmed_at < (d.day + 1)::timestamp AT TIME ZONE 'UTC' AND confirmed_at > $2::timestamptz
        ORDER BY confirmed_at FETCH FIRST ($3) ROWS WITH TIES) r
    )
    SELECT application_id AS "applicationId", charges->>'currency' AS currency, count(*)::integer AS bookings,
      sum((charges->>'total')::bigint)::bigint AS total,
      (SELECT max(confirmed_at)::text FROM slice HAVING count(*) >= $3) AS next
    FROM slice GROUP BY 1, 2;

PREPARE "write-booked-day" AS
INSERT INTO booked_days AS b (day, application_id, currency, bookings, total_minor)
    SELECT $1::date, * FROM unnest($2::uuid[], $3::text[], $4::integer[], $5::bigint[]) ORDER BY 2, 3
    ON CONFLICT (day, application_id, currency) DO UPDATE
      SET bookings = excluded.bookings, total_minor = excluded.total_minor
      WHERE (b.bookings, b.total_minor) IS DISTINCT FROM (excluded.bookings, excluded.total_minor);

PREPARE "list-stays-about-today-check_in" AS
SELECT r.reference, r.application_id AS "applicationId", a.name AS application,
      r.listing_id AS "listingId", l.slug AS listing, l.name AS home, r.check_in AS "checkIn",
      r.check_out AS "checkOut", r.party, l.time_zone AS "timeZone",
      r.application_id, r.booking_id, b.guest_sealed
    FROM (
      SELECT * FROM reservations n
      WHERE state = 'confirmed' AND check_in = $2::date AND reference > $3
        AND coalesce((SELECT time_zone FROM listings WHERE listing_id = n.listing_id), '') <> ALL ($4::text[])
      ORDER BY reference LIMIT $1) r
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    LEFT JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
        AND application_id = r.application_id AND kind = r.kind OFFSET 0) b ON true
    ORDER BY r.reference;

PREPARE "list-stays-about-today-check_out" AS
SELECT r.reference, r.application_id AS "applicationId", a.name AS application,
      r.listing_id AS "listingId", l.slug AS listing, l.name AS home, r.check_in AS "checkIn",
      r.check_out AS "checkOut", r.party, l.time_zone AS "timeZone",
      r.application_id, r.booking_id, b.guest_sealed
    FROM (
      SELECT * FROM reservations n
      WHERE state = 'confirmed' AND check_out = $2::date AND reference > $3
        AND coalesce((SELECT time_zone FROM listings WHERE listing_id = n.listing_id), '') <> ALL ($4::text[])
      ORDER BY reference LIMIT $1) r
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    LEFT JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = r.booking_id
        AND application_id = r.application_id AND kind = r.kind OFFSET 0) b ON true
    ORDER BY r.reference;

-- src/bookings/store/own-bookings.ts

PREPARE "find-own-bookings" AS
SELECT b.application_id AS "applicationId", b.kind,
      b.booking_id AS "bookingId", b.quote_id AS "quoteId", b.state, b.version,
      b.failure_reason AS "failureReason", b.partner_reference AS "partnerReference",
      b.promotion_code AS "promotionCode", b.reference, r.state AS "reservationState",
      coalesce(r.listing_id, q.listing_id) AS "listingId", l.slug, l.name,
      coalesce(r.check_in, q.check_in) AS "checkIn", coalesce(r.check_out, q.check_out) AS "checkOut",
      coalesce(r.party, q.party) AS party,
      coalesce(r.charges, b.charges, q.charges)->>'currency' AS currency,
      (coalesce(r.charges, b.charges, q.charges)->>'total')::bigint AS total,
      (q.charges->>'total')::bigint AS "quotedTotal", q.created_at AS "quotedAt",
      b.created_at AS "createdAt", b.submitted_at AS "submittedAt", b.resolved_at AS "resolvedAt",
      r.materialized_at AS "materializedAt"
    FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (SELECT * FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    LEFT JOIN LATERAL (
      SELECT slug, name FROM listings
      WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    WHERE b.application_id = $1 AND b.booking_id = ANY (ARRAY(
      SELECT booking_id FROM (SELECT * FROM reservations WHERE reference = $2 OFFSET 0) named
      WHERE application_id = $1
      UNION ALL
      SELECT booking_id FROM bookings WHERE partner_reference = $2 AND application_id = $1
      UNION ALL
      SELECT $3::uuid))
    ORDER BY b.created_at, b.kind;

PREPARE "find-own-booking" AS
SELECT b.application_id AS "applicationId", b.kind,
      b.booking_id AS "bookingId", b.quote_id AS "quoteId", b.state, b.version,
      b.failure_reason AS "failureReason", b.partner_reference AS "partnerReference",
      b.promotion_code AS "promotionCode", b.reference, r.state AS "reservationState",
      coalesce(r.listing_id, q.listing_id) AS "listingId", l.slug, l.name,
      coalesce(r.check_in, q.check_in) AS "checkIn", coalesce(r.check_out, q.check_out) AS "checkOut",
      coalesce(r.party, q.party) AS party,
      coalesce(r.charges, b.charges, q.charges)->>'currency' AS currency,
      (coalesce(r.charges, b.charges, q.charges)->>'total')::bigint AS total,
      (q.charges->>'total')::bigint AS "quotedTotal", q.created_at AS "quotedAt",
      b.created_at AS "createdAt", b.submitted_at AS "submittedAt", b.resolved_at AS "resolvedAt",
      r.materialized_at AS "materializedAt"
    FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    LEFT JOIN LATERAL (SELECT * FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
    LEFT JOIN LATERAL (
      SELECT slug, name FROM listings
      WHERE listing_id = coalesce(r.listing_id, q.listing_id) OFFSET 0) l ON true
    WHERE b.application_id = $1 AND b.booking_id = ANY (ARRAY[$2::uuid]) AND b.kind = $3;

-- src/bookings/store/quotes.ts

PREPARE "find-quote" AS
SELECT q.application_id AS "applicationId", q.quote_id AS "quoteId", q.listing_id AS "listingId",
  q.check_in AS "checkIn", q.check_out AS "checkOut", q.party, q.charges, q.terms, q.promotion,
  q.created_at AS "createdAt", q.expires_at AS "expiresAt", now() AS now, q.input_digest AS "inputDigest" FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $2;

PREPARE "find-quote-to-book" AS
SELECT q.application_id AS "applicationId", q.quote_id AS "quoteId", q.listing_id AS "listingId",
  q.check_in AS "checkIn", q.check_out AS "checkOut", q.party, q.charges, q.terms, q.promotion,
  q.created_at AS "createdAt", q.expires_at AS "expiresAt", now() AS now, (
      SELECT b.input_digest FROM bookings b
      WHERE b.application_id = q.application_id AND b.kind = $3 AND b.booking_id = $4
    ) AS "existingDigest", CASE WHEN used.kind IS NOT NULL
      THEN json_build_object('kind', used.kind, 'bookingId', used.booking_id) END AS "usedBy", (
      SELECT b.booking_id FROM bookings b
      WHERE b.application_id = q.application_id AND b.partner_reference = $5
    ) AS "referenceOf"
    FROM quotes q LEFT JOIN LATERAL (
      SELECT b.kind, b.booking_id FROM bookings b
      WHERE b.application_id = q.application_id AND b.quote_id = q.quote_id OFFSET 0
    ) used ON true
    WHERE q.application_id = $1 AND q.quote_id = $2;

PREPARE "insert-quote" AS
INSERT INTO quotes (application_id, quote_id, input_digest, listing_id, check_in, check_out,
      party, charges, terms, created_at, expires_at, promotion)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, at, at + make_interval(mins => $10), $13::json
    FROM (SELECT CASE WHEN abs(extract(epoch FROM now() - decided)) <= 1 THEN decided
        ELSE date_trunc('milliseconds', now()) END AS at
      FROM to_timestamp($11::float8 / 1000) AS decided) moment
    WHERE ($12::text IS NULL OR $12 = (pg_postmaster_start_time()::text || ' ' ||
        (SELECT oid FROM pg_database WHERE datname = current_database()))) AND ($14::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $14) <= 60000)
    ON CONFLICT DO NOTHING RETURNING created_at AS "createdAt", expires_at AS "expiresAt";

PREPARE "sweep-quotes" AS
WITH mark AS (
      SELECT looked_until FROM quote_sweep FOR UPDATE SKIP LOCKED
    ), looked AS (
      SELECT q.* FROM mark CROSS JOIN LATERAL (
        SELECT ctid AS row_id, application_id, quote_id, expires_at FROM quotes
        WHERE expires_at > mark.looked_until AND created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false)
          AND expires_at < now() - make_interval(days => $1)
        ORDER BY expires_at FETCH FIRST ($2::integer) ROWS WITH TIES) q
    ), swept AS (
      DELETE FROM quotes WHERE ctid = ANY (ARRAY(
        SELECT row_id FROM looked WHERE NOT EXISTS (
          SELECT FROM bookings b
          WHERE b.application_id = looked.application_id AND b.quote_id = looked.quote_id OFFSET 0)))
    ), marked AS (
      UPDATE quote_sweep SET looked_until = last.expires_at
      FROM (SELECT max(expires_at) AS expires_at FROM looked) last
      WHERE last.expires_at IS NOT NULL
    )
    SELECT count(*)::integer AS looked FROM looked;

-- src/bookings/store/records.ts

PREPARE "materialize-reservations" AS
UPDATE reservations SET materialized_at = coalesce(materialized_at, now()),
      records_due_at = NULL, records_problem = NULL
    WHERE reference = ANY (ARRAY(
      SELECT reference FROM reservations WHERE records_due_at IS NOT NULL
      ORDER BY records_due_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING reference;

PREPARE "claim-records" AS
WITH due AS (
      SELECT reference FROM reservations
      WHERE records_due_at <= now() ORDER BY records_due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), r AS (
      UPDATE reservations r SET records_due_at = now() + make_interval(secs => $2),
        records_attempts = r.records_attempts + 1
      FROM due WHERE r.reference = due.reference
      RETURNING r.*
    )
    SELECT r.reference, r.version, r.state, r.check_in AS "checkIn", r.check_out AS "checkOut",
      r.party, r.charges, r.refund_minor AS "refundAmount", r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt", r.updated_at AS "updatedAt", r.records_attempts AS attempts,
      r.application_id, r.kind, r.booking_id, r.listing_id AS "listingId", l.slug, l.name,
      l.time_zone AS "timeZone", a.name AS "applicationName", b.settlement, b.payer, b.guest_sealed,
      b.partner_reference AS "partnerReference", b.promotion_code AS "promotionCode", now() AS now
    FROM r
    JOIN bookings b ON b.application_id = r.application_id AND b.kind = r.kind
      AND b.booking_id = r.booking_id
    JOIN applications a ON a.application_id = r.application_id
    LEFT JOIN listings l ON l.listing_id = r.listing_id;

PREPARE "write-record-results" AS
UPDATE reservations r SET
      materialized_at = CASE WHEN a.problem IS NULL THEN coalesce(r.materialized_at, now())
        ELSE r.materialized_at END,
      records_due_at = CASE WHEN r.version = a.version AND r.records_attempts = a.attempts
        THEN now() + make_interval(secs => a.retry_in_seconds) ELSE r.records_due_at END,
      records_problem = CASE WHEN r.version = a.version AND r.records_attempts = a.attempts
        THEN a.problem ELSE r.records_problem END
    FROM unnest($1::text[], $2::integer[], $3::integer[], $4::text[], $5::double precision[])
      AS a (reference, version, attempts, problem, retry_in_seconds)
    WHERE r.reference = ANY ($1::text[]) AND r.reference = a.reference
      AND (a.problem IS NULL OR (r.version = a.version AND r.records_attempts = a.attempts
        AND r.records_due_at IS NOT NULL));

-- src/bookings/store/reservation-days.ts

PREPARE "seconds-of-full-day" AS
SELECT ceil(extract(epoch FROM (now() AT TIME ZONE 'UTC')::date + 1 - (now() AT TIME ZONE 'UTC')))::integer AS seconds
    FROM applications a
    LEFT JOIN reservation_days d ON d.day = (now() AT TIME ZONE 'UTC')::date AND d.application_id = a.application_id
    WHERE a.application_id = $1 AND coalesce(d.reservations, 0) >= a.reservations_per_day;

PREPARE "count-of-day" AS
SELECT reservations FROM reservation_days WHERE day = (now() AT TIME ZONE 'UTC')::date AND application_id = $1;

PREPARE "find-todays-due-bookings" AS
WITH due AS MATERIALIZED (
      SELECT booking_id, application_id, due_at FROM bookings WHERE due_at > $2
      ORDER BY due_at FETCH FIRST ($3) ROWS WITH TIES
    )
    SELECT ARRAY(SELECT booking_id FROM due WHERE application_id = $1)::text[] AS ids,
      (SELECT max(due_at)::text FROM due HAVING count(*) >= $3) AS next;

PREPARE "find-todays-confirmed-bookings" AS
WITH looked AS MATERIALIZED (
      SELECT sequence, created_at, type, data FROM events
      WHERE application_id = $1 AND (created_at, sequence) > ($2::timestamptz, $3)
        AND created_at >= greatest(date_trunc('day', (now() AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC', to_timestamp($5 / 1000.0) - interval '1 minute')
      ORDER BY created_at, sequence LIMIT $4
    )
    SELECT ARRAY(SELECT data->>'checkoutId' FROM looked WHERE type = 'reservation.confirmed') AS ids,
      (SELECT json_build_object('at', created_at, 'sequence', sequence) FROM looked OFFSET $4 - 1) AS next;

PREPARE "lock-todays-bookings" AS
SELECT b.booking_id, b.kind FROM bookings b
    WHERE b.booking_id = ANY ($2::uuid[])
      AND b.application_id = $1 AND b.submitted_at >= date_trunc('day', (now() AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC' AND b.counted_on IS NULL
      AND b.state NOT IN ('failed', 'expired') FOR NO KEY UPDATE OF b SKIP LOCKED;

PREPARE "find-todays-skipped-bookings" AS
SELECT b.booking_id, b.kind FROM bookings b
    WHERE b.booking_id = ANY ($2::uuid[])
      AND b.application_id = $1 AND b.submitted_at >= date_trunc('day', (now() AT TIME ZONE 'UTC')) AT TIME ZONE 'UTC' AND b.counted_on IS NULL
      AND b.state NOT IN ('failed', 'expired') AND b.booking_id <> ALL ($3::uuid[]) LIMIT 1;

PREPARE "count-todays-reservations" AS
WITH marked AS (
      UPDATE bookings b SET counted_on = (now() AT TIME ZONE 'UTC')::date
      FROM unnest($2::uuid[], $3::text[]) AS locked (booking_id, kind)
      WHERE b.booking_id = ANY ($2::uuid[]) AND b.application_id = $1
        AND b.booking_id = locked.booking_id AND b.kind = locked.kind AND (
        SELECT r.state FROM (
          SELECT state, application_id, kind FROM reservations WHERE booking_id = b.booking_id OFFSET 0) r
        WHERE r.application_id = b.application_id AND r.kind = b.kind) IS DISTINCT FROM 'cancelled'
      RETURNING b.application_id, b.counted_on
    )
    INSERT INTO reservation_days AS d (application_id, day, reservations)
    SELECT application_id, counted_on, count(*) FROM marked GROUP BY application_id, counted_on
    ON CONFLICT (day, application_id) DO UPDATE
      SET reservations = d.reservations + excluded.reservations, at_most = NULL;

PREPARE "time-of-count" AS
SELECT now() AS now;

-- src/bookings/store/reservation-notes.ts

PREPARE "insert-reservation-note" AS
WITH named AS (
      SELECT reference, application_id FROM reservations WHERE reference = $2
    ), added AS (
      INSERT INTO reservation_notes (note_id, reference, author, text_sealed)
      SELECT $1, reference, $3, $4 FROM named
      WHERE (SELECT count(*) FROM reservation_notes n WHERE n.reference = $2) < 500
      RETURNING created_at
    )
    SELECT named.application_id AS "applicationId", added.created_at AS at
    FROM named LEFT JOIN added ON true;

PREPARE "delete-reservation-note" AS
DELETE FROM reservation_notes n USING reservations r
    WHERE n.note_id = $1 AND n.reference = $2 AND r.reference = n.reference
    RETURNING r.application_id AS "applicationId", n.author;

PREPARE "list-reservation-notes" AS
SELECT note_id AS "noteId", author, text_sealed AS sealed, created_at AS at
    FROM reservation_notes WHERE reference = $1 ORDER BY created_at, note_id;

PREPARE "list-notes-of-reservations" AS
SELECT note_id AS "noteId", reference, text_sealed AS sealed FROM unnest($1::text[]) named
    CROSS JOIN LATERAL (
      SELECT * FROM reservation_notes WHERE reference = named ORDER BY created_at, note_id OFFSET 0) n;

-- src/bookings/store/reservation-requests.ts

PREPARE "find-request" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    WHERE b.application_id = $1 AND b.kind = 'request' AND b.booking_id = $2;

PREPARE "find-request-by-reference" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    WHERE b.application_id = $1 AND b.partner_reference = $2;

PREPARE "list-requests" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    WHERE b.application_id = $1 AND b.kind = 'request' AND (b.created_at, b.booking_id) < ($2, $3)
    ORDER BY b.created_at DESC, b.booking_id DESC LIMIT $4;

-- src/bookings/store/reservations.ts

PREPARE "find-reservation" AS
SELECT r.reference AS "reference", r.version AS "version", r.application_id AS "applicationId", r.kind AS "kind", r.booking_id AS "bookingId", r.state AS "state", r.listing_id AS "listingId", r.check_in AS "checkIn", r.check_out AS "checkOut", r.party AS "party", r.charges AS "charges", r.cancellation AS "cancellation", r.refund_minor AS "refundMinor", r.collected_minor AS "collectedMinor", r.confirmed_at AS "confirmedAt", r.cancelled_at AS "cancelledAt", r.updated_at AS "updatedAt", r.materialized_at AS "materializedAt", r.announced_change AS "announcedChange", r.announced_for AS "announcedFor", now() AS now, (SELECT coalesce(b.partner_reference, b.checkout_reference) FROM bookings b
      WHERE b.application_id = r.application_id AND b.kind = r.kind AND b.booking_id = r.booking_id
    ) AS "partnerReference" FROM reservations r
    WHERE reference = $2 AND application_id = $1;

PREPARE "list-reservations-of-application" AS
SELECT r.reference AS "reference", r.version AS "version", r.application_id AS "applicationId", r.kind AS "kind", r.booking_id AS "bookingId", r.state AS "state", r.listing_id AS "listingId", r.check_in AS "checkIn", r.check_out AS "checkOut", r.party AS "party", r.charges AS "charges", r.cancellation AS "cancellation", r.refund_minor AS "refundMinor", r.collected_minor AS "collectedMinor", r.confirmed_at AS "confirmedAt", r.cancelled_at AS "cancelledAt", r.updated_at AS "updatedAt", r.materialized_at AS "materializedAt", r.announced_change AS "announcedChange", r.announced_for AS "announcedFor", now() AS now, (SELECT coalesce(b.partner_reference, b.checkout_reference) FROM bookings b
      WHERE b.application_id = r.application_id AND b.kind = r.kind AND b.booking_id = r.booking_id
    ) AS "partnerReference" FROM (SELECT r.* FROM reservations r
      WHERE r.application_id = ANY (ARRAY[$1::uuid]) AND (r.confirmed_at, r.reference) < ($2, $3) ORDER BY r.application_id, r.confirmed_at DESC, r.reference DESC LIMIT $9) r
    WHERE ($5::text IS NULL OR r.state = $5)
      AND ($6::date IS NULL OR r.check_in >= $6)
      AND ($7::date IS NULL OR r.check_in <= $7)
      AND ($8::timestamptz IS NULL OR r.updated_at >= $8)
    ORDER BY r.application_id, r.confirmed_at DESC, r.reference DESC LIMIT $4;

PREPARE "find-reservation-looked-at" AS
SELECT r.confirmed_at AS "confirmedAt", r.reference FROM (SELECT r.* FROM reservations r
      WHERE r.application_id = ANY (ARRAY[$1::uuid]) AND (r.confirmed_at, r.reference) < ($2, $3) ORDER BY r.application_id, r.confirmed_at DESC, r.reference DESC OFFSET $4 LIMIT 1) r;

PREPARE "list-reservations-of-application-reference" AS
SELECT r.reference AS "reference", r.version AS "version", r.application_id AS "applicationId", r.kind AS "kind", r.booking_id AS "bookingId", r.state AS "state", r.listing_id AS "listingId", r.check_in AS "checkIn", r.check_out AS "checkOut", r.party AS "party", r.charges AS "charges", r.cancellation AS "cancellation", r.refund_minor AS "refundMinor", r.collected_minor AS "collectedMinor", r.confirmed_at AS "confirmedAt", r.cancelled_at AS "cancelledAt", r.updated_at AS "updatedAt", r.materialized_at AS "materializedAt", r.announced_change AS "announcedChange", r.announced_for AS "announcedFor", now() AS now, (SELECT coalesce(b.partner_reference, b.checkout_reference) FROM bookings b
      WHERE b.application_id = r.application_id AND b.kind = r.kind AND b.booking_id = r.booking_id
    ) AS "partnerReference" FROM (SELECT x.* FROM (
        SELECT reference FROM bookings WHERE application_id = $1 AND partner_reference = $5
        UNION ALL
        SELECT reference FROM (SELECT resolved_at AS "confirmedAt", reference FROM bookings
      WHERE application_id = $1 AND checkout_reference = $5 AND (resolved_at, reference) < ($2, $3)
      ORDER BY resolved_at DESC, reference DESC LIMIT $10) looked
      ) b CROSS JOIN LATERAL (
        SELECT * FROM reservations WHERE reference = b.reference OFFSET 0) x) r
    WHERE r.application_id = $1 AND (r.confirmed_at, r.reference) < ($2, $3) AND ($6::text IS NULL OR r.state = $6)
      AND ($7::date IS NULL OR r.check_in >= $7)
      AND ($8::date IS NULL OR r.check_in <= $8)
      AND ($9::timestamptz IS NULL OR r.updated_at >= $9)
    ORDER BY r.confirmed_at DESC, r.reference DESC LIMIT $4;

PREPARE "find-reservation-looked-at-reference" AS
SELECT resolved_at AS "confirmedAt", reference FROM bookings
      WHERE application_id = $1 AND checkout_reference = $5 AND (resolved_at, reference) < ($2, $3)
      ORDER BY resolved_at DESC, reference DESC OFFSET $4 LIMIT 1;

PREPARE "find-confirmed-stay" AS
SELECT q.listing_id AS "listingId", q.check_in AS "checkIn", q.check_out AS "checkOut", q.party,
      coalesce(b.charges, q.charges) AS charges
    FROM bookings b CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3;

PREPARE "hold-reservation" AS
SELECT reference FROM reservations WHERE reference = $1 AND version = $2 FOR NO KEY UPDATE;

PREPARE "update-reservation" AS
WITH written AS (
      UPDATE reservations SET version = version + 1, state = $4, listing_id = $5, check_in = $6,
        check_out = $7, party = $8, charges = $9, cancellation = $10, refund_minor = $11,
        cancelled_at = $12, updated_at = $13, announced_change = $14, announced_for = $15,
        collected_minor = $18
      WHERE reference = $2 AND application_id = $1 AND version = $3
      RETURNING application_id, kind, booking_id, state
    ), cancelled AS (
      SELECT application_id, kind, booking_id FROM written WHERE state = 'cancelled'
    ), cancelled_bookings AS (
      UPDATE bookings b SET counted_on = b.counted_on FROM cancelled c
      WHERE b.booking_id = ANY (ARRAY(SELECT booking_id FROM cancelled))
        AND b.booking_id = c.booking_id AND b.application_id = c.application_id AND b.kind = c.kind
      RETURNING b.application_id, b.counted_on AS uncounted_day
    ), uncounted AS (
      SELECT application_id, uncounted_day AS day, count(*)::integer AS bookings FROM cancelled_bookings
      WHERE uncounted_day IS NOT NULL GROUP BY application_id, uncounted_day
    ), freed_days AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations)
      SELECT application_id, day, 0 FROM uncounted ORDER BY application_id, day
      ON CONFLICT (day, application_id) DO UPDATE SET reservations = d.reservations - (
        SELECT bookings FROM uncounted u WHERE u.application_id = d.application_id AND u.day = d.day)
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($16::text[])
      FROM written WHERE c.application_id = written.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($16::text[]) + draft.ordinal,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter, unnest($16::text[], $17::text[]) WITH ORDINALITY AS draft (type, data, ordinal)
    )
    SELECT application_id FROM written;

-- src/bookings/store/resolve-bookings.ts

PREPARE "transition-booking-together" AS
WITH asked AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::integer[], $5::bigint[],
        $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::timestamptz[],
        $11::double precision[], $12::text[], $13::timestamptz[], $17::text[], $18::timestamptz[],
        $19::boolean[], $20::bytea[], $21::text[]) WITH ORDINALITY AS a
        (application_id, kind, booking_id, version, fence, state, failure_reason, reference,
        resolved_at, updated_at, due_in_seconds, announced_change, announced_for, unknown_step,
        read_updated_at, needs_nights, guest_email_digest, failure_details, ordinal)
    ), written AS (
      UPDATE bookings b SET version = a.version + 1, state = a.state,
        failure_reason = a.failure_reason, failure_details = a.failure_details::json, reference = a.reference, resolved_at = a.resolved_at,
        updated_at = a.updated_at, due_at = now() + make_interval(secs => a.due_in_seconds),
        unknown_step = a.unknown_step, tries = 0
      FROM asked a
      WHERE b.booking_id = ANY ($3::uuid[]) AND b.booking_id = a.booking_id
        AND b.application_id = a.application_id AND b.kind = a.kind
        AND b.version = a.version AND b.fence = a.fence AND date_trunc('milliseconds', b.updated_at) = a.read_updated_at
        AND (NOT a.needs_nights OR EXISTS (
          SELECT FROM occupancies o WHERE o.occupancy_id = b.attempt_id OFFSET 0))
      RETURNING a.ordinal, b.application_id, b.kind, b.booking_id, b.quote_id, b.charges, b.reference,
        b.attempt_id, b.resolved_at, b.updated_at, a.announced_change, a.announced_for,
        a.guest_email_digest, CASE WHEN b.state IN ('failed', 'expired') THEN b.counted_on END AS uncounted_day
    ), reserved AS (
      INSERT INTO reservations (reference, application_id, kind, booking_id, state, listing_id,
        check_in, check_out, party, charges, confirmed_at, updated_at, announced_change,
        announced_for, guest_email_digest)
      SELECT w.reference, w.application_id, w.kind, w.booking_id, 'confirmed', q.listing_id,
        q.check_in, q.check_out, q.party, coalesce(w.charges, q.charges), w.updated_at, w.updated_at,
        w.announced_change, w.announced_for, w.guest_email_digest
      FROM written w JOIN quotes q ON q.quote_id = w.quote_id AND q.application_id = w.application_id
      WHERE w.reference IS NOT NULL
    ), nights_confirmed AS (
      UPDATE occupancies o SET kind = 'confirmed', reference = m.reference, confirmed_at = now()
      FROM written m
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written WHERE reference IS NOT NULL))
        AND o.occupancy_id = m.attempt_id
    ), nights_freed AS (
      DELETE FROM occupancies o
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written
          WHERE reference IS NULL AND resolved_at IS NOT NULL))
    ), uncounted AS (
      SELECT application_id, uncounted_day AS day, count(*)::integer AS bookings FROM written
      WHERE uncounted_day IS NOT NULL GROUP BY application_id, uncounted_day
    ), freed_days AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations)
      SELECT application_id, day, 0 FROM uncounted ORDER BY application_id, day
      ON CONFLICT (day, application_id) DO UPDATE SET reservations = d.reservations - (
        SELECT bookings FROM uncounted u WHERE u.application_id = d.application_id AND u.day = d.day)
    ), drafts AS (
      SELECT w.application_id, d.type, d.data, row_number() OVER (ORDER BY d.ordinal) AS nth
      FROM unnest($14::bigint[], $15::text[], $16::text[]) WITH ORDINALITY AS d (booking, type, data, ordinal)
      JOIN written w ON w.ordinal = d.booking
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + drafted.events
      FROM (SELECT application_id, count(*) AS events FROM drafts GROUP BY application_id) drafted
      WHERE c.application_id = drafted.application_id
      RETURNING c.application_id, c.last_sequence - drafted.events AS before
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id, counter.before + d.nth, d.type, d.data::json, clock_timestamp()
      FROM counter, drafts d
    )
    SELECT ordinal FROM written;

-- src/bookings/store/sales.ts

PREPARE "list-sales" AS
SELECT reference, kind, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS on, currency, amount,
      property AS "atProperty", version, at::text AS position
    FROM (
      (SELECT r.reference, 'sold' AS kind, 1 AS version, r.confirmed_at AS at, c.charges ->> 'currency' AS currency,
        (c.charges ->> 'total')::bigint AS amount,
        (c.charges ->> 'total')::bigint - collectable_total(c.charges) AS property
      FROM (
        SELECT reference, application_id, kind, booking_id, confirmed_at FROM reservations
        WHERE application_id = ANY (ARRAY[$1::uuid]) AND confirmed_at >= $2::timestamptz AND confirmed_at < $3::timestamptz
          AND (confirmed_at, reference, 1) > ($4::timestamptz, $5, $6::integer)
        ORDER BY application_id DESC, confirmed_at, reference LIMIT $8) r
      CROSS JOIN LATERAL (
        SELECT coalesce(b.charges, q.charges) AS charges FROM (
          SELECT * FROM bookings WHERE application_id = r.application_id AND kind = r.kind
            AND booking_id = r.booking_id OFFSET 0) b
        CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q OFFSET 0) c)
      UNION ALL
      (SELECT reference, kind, version, at, currency, amount_minor, property_minor
      FROM reservation_price_changes
      WHERE application_id = $1 AND at >= $2::timestamptz AND at < $3::timestamptz
        AND (at, reference, version, currency) > ($4::timestamptz, $5, $6::integer, $7)
      ORDER BY at, reference, version, currency LIMIT $8)
    ) sales ORDER BY at, reference, version, currency LIMIT $8;

PREPARE "count-sales" AS
SELECT count(*)::integer AS lines FROM (
      (SELECT FROM reservations WHERE application_id = ANY (ARRAY[$1::uuid]) AND confirmed_at >= $2::timestamptz AND confirmed_at < $3::timestamptz
      ORDER BY application_id DESC, confirmed_at, reference LIMIT $4)
      UNION ALL
      (SELECT FROM reservation_price_changes WHERE application_id = $1 AND at >= $2::timestamptz AND at < $3::timestamptz LIMIT $4)
    ) sales;

-- src/bookings/store/search-bookings.ts

PREPARE "search-bookings-reference" AS
SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (SELECT booking_id, application_id, kind FROM reservations WHERE reference = $1 LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = page.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id;

PREPARE "search-bookings-partnerReference" AS
SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (SELECT booking_id, application_id, kind FROM bookings WHERE partner_reference = $1 LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = page.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id;

PREPARE "search-bookings-id" AS
SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (SELECT booking_id, application_id, kind FROM bookings WHERE booking_id = $1::uuid LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = page.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id;

PREPARE "search-bookings-email" AS
SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (SELECT booking_id, application_id, kind FROM guest_digests WHERE email = ANY ($1::bytea[]) LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = page.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id;

PREPARE "search-bookings-phone" AS
SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (SELECT booking_id, application_id, kind FROM guest_digests WHERE words @> $1::bytea[] LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = page.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id;

PREPARE "search-bookings-guest" AS
SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (SELECT booking_id, application_id, kind FROM guest_digests WHERE words @> $1::bytea[] LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = page.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id;

PREPARE "search-bookings-home" AS
SELECT page.*, l.slug AS listing, l.name AS "listingName", a.name AS application FROM (
      SELECT b.kind, b.booking_id, b.application_id, b.guest_sealed, r.reference, coalesce(r.state, b.state) AS state,
        coalesce(r.listing_id, q.listing_id) AS listing_id, coalesce(r.check_in, q.check_in) AS "checkIn",
        coalesce(r.check_out, q.check_out) AS "checkOut"
      FROM (SELECT of_home.* FROM unnest($1::uuid[]) home (id) CROSS JOIN LATERAL (
        SELECT booking_id, application_id, kind FROM reservations WHERE listing_id = home.id
          AND check_in > coalesce($3::date, $2::date) - 90
          AND check_in <= coalesce($3::date, $2::date + 60)
          AND check_out >= coalesce($3::date, $2::date) OFFSET 0) of_home LIMIT $5) found
      CROSS JOIN LATERAL (
        SELECT * FROM bookings WHERE booking_id = found.booking_id AND application_id = found.application_id
          AND kind = found.kind OFFSET 0) b
      CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
      LEFT JOIN LATERAL (
        SELECT reference, state, listing_id, check_in, check_out FROM reservations
        WHERE reference = b.reference OFFSET 0) r ON true
      WHERE $3::date IS NULL
        OR $3::date BETWEEN coalesce(r.check_in, q.check_in) AND coalesce(r.check_out, q.check_out)
      ORDER BY r.reference IS NULL, coalesce(r.state, b.state) NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
        abs(coalesce(r.check_in, q.check_in) - $2::date), b.booking_id
      LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = page.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY page.reference IS NULL, page.state NOT IN ('confirmed', 'pending', 'uncertain', 'unresolved'),
      abs(page."checkIn" - $2::date), page.booking_id;

-- src/bookings/store/staff-reservations.ts

PREPARE "find-reservation-for-staff" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, r.reference AS "r_reference", r.version AS "r_version", r.application_id AS "r_applicationId", r.kind AS "r_kind", r.booking_id AS "r_bookingId", r.state AS "r_state", r.listing_id AS "r_listingId", r.check_in AS "r_checkIn", r.check_out AS "r_checkOut", r.party AS "r_party", r.charges AS "r_charges", r.cancellation AS "r_cancellation", r.refund_minor AS "r_refundMinor", r.collected_minor AS "r_collectedMinor", r.confirmed_at AS "r_confirmedAt", r.cancelled_at AS "r_cancelledAt", r.updated_at AS "r_updatedAt", r.materialized_at AS "r_materializedAt", r.announced_change AS "r_announcedChange", r.announced_for AS "r_announcedFor",
      a.name, a.catalog_id, a.adjust_percent::float8 AS adjust_percent,
      b.payer, l.slug, l.name AS home_name, l.time_zone, r.records_due_at, r.records_attempts, r.records_problem
    FROM reservations r
    JOIN bookings b ON b.booking_id = r.booking_id AND b.application_id = r.application_id
      AND b.kind = r.kind
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    WHERE r.reference = $1;

PREPARE "count-stays-within" AS
SELECT count(*)::integer AS count FROM (
      SELECT FROM reservations r WHERE r.check_in > $1::date - $4::integer AND r.check_in < $2::date AND r.check_out > $1::date ORDER BY r.check_in DESC, r.reference DESC LIMIT $3) found;

PREPARE "list-stays-within" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE r.check_in > $1::date - $4::integer AND r.check_in < $2::date AND r.check_out > $1::date
      ORDER BY r.check_in, r.reference LIMIT $3) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-all" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-confirmed-all" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.state = 'confirmed'
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-cancelled-all" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.state = 'cancelled'
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-pending-all" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.state = 'pending'
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-partnerReference" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM (SELECT reference FROM bookings WHERE partner_reference = $5 OFFSET 0) named
    CROSS JOIN LATERAL (SELECT * FROM reservations WHERE reference = named.reference OFFSET 0) r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-reference" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM (SELECT $5::text AS reference) named
    CROSS JOIN LATERAL (SELECT * FROM reservations WHERE reference = named.reference OFFSET 0) r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-recordsRefused-refused" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM (SELECT * FROM reservations WHERE records_due_at IS NOT NULL
      ORDER BY records_due_at LIMIT $5) r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.records_due_at IS NOT NULL AND r.records_problem IS NOT NULL
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-all-reference" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.reference = $5
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-all-listingId" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.listing_id = $5
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-all-applicationId" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.application_id = ANY (ARRAY[$5::uuid])
      ORDER BY r.application_id, r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-any-all-guestEmail" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.guest_email_digest = ANY ($5::bytea[])
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-cancelled-all-applicationId" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM reservations r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.state = 'cancelled' AND r.application_id = ANY (ARRAY[$5::uuid])
      ORDER BY r.application_id, r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

PREPARE "list-reservations-confirmed-recordsRefused-refused-feab52502fe5" AS
SELECT page.*, b.guest_sealed FROM (
      SELECT r.reference, r.state, r.application_id, a.name AS application,
      r.kind, r.booking_id, r.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName",
      r.check_in AS "checkIn", r.check_out AS "checkOut", r.party, r.charges->>'currency' AS currency,
      (r.charges->>'total')::bigint AS total, r.confirmed_at AS "confirmedAt",
      r.cancelled_at AS "cancelledAt"
      FROM (SELECT * FROM reservations WHERE records_due_at IS NOT NULL
      ORDER BY records_due_at LIMIT $5) r
      CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = r.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
      WHERE (r.check_in, r.reference) > ($1::date, $2) AND r.check_in <= $3::date AND r.state = 'confirmed' AND r.records_due_at IS NOT NULL AND r.records_problem IS NOT NULL AND r.reference = $6 AND r.listing_id = $7 AND r.application_id = $8 AND r.guest_email_digest = ANY ($9::bytea[])
      ORDER BY r.check_in, r.reference LIMIT $4) page
    CROSS JOIN LATERAL (
      SELECT guest_sealed FROM bookings WHERE booking_id = page.booking_id
        AND application_id = page.application_id AND kind = page.kind OFFSET 0) b
    ORDER BY page."checkIn", page.reference;

-- src/bookings/store/traces.ts

PREPARE "remember-trace" AS
WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
    INSERT INTO booking_traces (application_id, booking_id, traceparent)
    SELECT $1, $2, $3 FROM quick
    ON CONFLICT (application_id, booking_id) DO UPDATE SET traceparent = excluded.traceparent,
      created_at = now();

PREPARE "find-trace" AS
SELECT traceparent FROM booking_traces WHERE application_id = $1 AND booking_id = $2;

-- src/bookings/store/transition-statement.ts

PREPARE "transition-booking-quote-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-session-quote-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-quote-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-session-quote-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-quote-promotion-journal" AS
WITH held AS (
      SELECT b.application_id, b.kind, b.booking_id, b.promotion_held FROM bookings b
      WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3
        AND b.version = $4 AND date_trunc('milliseconds', b.updated_at) = $5 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($6::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $6) <= 60000)
      FOR UPDATE
    ), locked AS (
      SELECT p.code FROM promotions p CROSS JOIN held
      WHERE p.code IN ($7, $8) ORDER BY p.code FOR UPDATE OF p
    ), taken AS (
      UPDATE promotions p SET uses = p.uses + 1 FROM held, (SELECT count(*) FROM locked) waited
      WHERE p.code = $7 AND (p.max_uses IS NULL OR p.uses < p.max_uses)
      RETURNING p.code
    ), written AS (
      UPDATE bookings b SET version = $4 + 1, state = $9,
        guest_sealed = coalesce($10, b.guest_sealed), promotion_code = $11,
        charges = $12, cancellation = $13, failure_reason = $14,
        failure_details = $15, reference = $16,
        resolved_at = $17, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $18, due_at = now() + make_interval(secs => $19),
        tries = 0,
        promotion_held = $7::text IS NOT NULL
          OR (b.promotion_held AND $8::text IS NULL)
      FROM held LEFT JOIN taken ON true
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id AND ($7::text IS NULL OR taken.code IS NOT NULL)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, held.promotion_held AS was_held
    ), released AS (
      UPDATE promotions p SET uses = p.uses - 1 FROM written
      WHERE p.code = $8 AND written.was_held
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $20, $21, $22, $23
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, EXISTS (SELECT FROM held) AS held;

PREPARE "transition-booking-session-quote-promotion-journal" AS
WITH held AS (
      SELECT b.application_id, b.kind, b.booking_id, b.promotion_held FROM bookings b
      WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3
        AND b.version = $4 AND date_trunc('milliseconds', b.updated_at) = $5 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($6::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $6) <= 60000)
      FOR UPDATE
    ), locked AS (
      SELECT p.code FROM promotions p CROSS JOIN held
      WHERE p.code IN ($7, $8) ORDER BY p.code FOR UPDATE OF p
    ), taken AS (
      UPDATE promotions p SET uses = p.uses + 1 FROM held, (SELECT count(*) FROM locked) waited
      WHERE p.code = $7 AND (p.max_uses IS NULL OR p.uses < p.max_uses)
      RETURNING p.code
    ), written AS (
      UPDATE bookings b SET version = $4 + 1, state = $9,
        guest_sealed = coalesce($10, b.guest_sealed), promotion_code = $11,
        charges = $12, cancellation = $13, failure_reason = $14,
        failure_details = $15, reference = $16,
        resolved_at = $17, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $18, due_at = now() + make_interval(secs => $19),
        tries = 0,
        promotion_held = $7::text IS NOT NULL
          OR (b.promotion_held AND $8::text IS NULL)
      FROM held LEFT JOIN taken ON true
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id AND ($7::text IS NULL OR taken.code IS NOT NULL)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, held.promotion_held AS was_held
    ), released AS (
      UPDATE promotions p SET uses = p.uses - 1 FROM written
      WHERE p.code = $8 AND written.was_held
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $20, $21, $22, $23
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, EXISTS (SELECT FROM held) AS held;

PREPARE "transition-booking-quote-setup-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        payment_state = $13, payment_failure = $14,
        payment_attempts = $15, payment_requested_at = date_trunc('milliseconds', now()),
        payment_reference = $16, payment_secret_sealed = $17
      WHERE b.application_id = $18 AND b.kind = $19 AND b.booking_id = $20
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $21 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($22::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $22) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $23, $24, $25, $26
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-quote-setup-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        payment_state = $13, payment_failure = $14,
        payment_attempts = $15, payment_requested_at = date_trunc('milliseconds', now()),
        payment_reference = $16, payment_secret_sealed = $17
      WHERE b.application_id = $18 AND b.kind = $19 AND b.booking_id = $20
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $21 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($22::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $22) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $23, $24, $25, $26
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-session-quote-setup-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        payment_state = $13, payment_failure = $14,
        payment_attempts = $15, payment_requested_at = date_trunc('milliseconds', now()),
        payment_reference = $16, payment_secret_sealed = $17
      WHERE b.application_id = $18 AND b.kind = $19 AND b.booking_id = $20
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $21 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($22::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $22) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $23, $24, $25, $26
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-session-quote-setup-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        payment_state = $13, payment_failure = $14,
        payment_attempts = $15, payment_requested_at = date_trunc('milliseconds', now()),
        payment_reference = $16, payment_secret_sealed = $17
      WHERE b.application_id = $18 AND b.kind = $19 AND b.booking_id = $20
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $21 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($22::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $22) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $23, $24, $25, $26
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-fence-setup" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = $11,
        unknown_step = $12, due_at = now() + make_interval(secs => $13),
        tries = 0,
        payment_state = $14, payment_failure = $15,
        payment_attempts = $16, payment_requested_at = $17,
        payment_reference = $18, payment_secret_sealed = $19
      WHERE b.application_id = $20 AND b.kind = $21 AND b.booking_id = $22
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $23 AND b.fence = $24
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-quote-method-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        payment_method_id = $13
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($18::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $18) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $19, $20, $21, $22
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-session-quote-method-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        payment_method_id = $13
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($18::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $18) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $19, $20, $21, $22
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-quote-submits-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-quote-submits-journal-counts" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        counted_on = (now() AT TIME ZONE 'UTC')::date
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, b.counted_on
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    ), counted AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations, at_most)
      SELECT m.application_id, m.counted_on, 1, a.reservations_per_day
      FROM written m JOIN applications a ON a.application_id = m.application_id
      ON CONFLICT (day, application_id) DO UPDATE
        SET reservations = d.reservations + 1, at_most = excluded.at_most
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-session-quote-submits-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-session-quote-submits-journal-counts" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        counted_on = (now() AT TIME ZONE 'UTC')::date
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, b.counted_on
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    ), counted AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations, at_most)
      SELECT m.application_id, m.counted_on, 1, a.reservations_per_day
      FROM written m JOIN applications a ON a.application_id = m.application_id
      ON CONFLICT (day, application_id) DO UPDATE
        SET reservations = d.reservations + 1, at_most = excluded.at_most
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-quote-submits-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-quote-submits-journal-claim-counts" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        counted_on = (now() AT TIME ZONE 'UTC')::date
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    ), counted AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations, at_most)
      SELECT m.application_id, m.counted_on, 1, a.reservations_per_day
      FROM written m JOIN applications a ON a.application_id = m.application_id
      ON CONFLICT (day, application_id) DO UPDATE
        SET reservations = d.reservations + 1, at_most = excluded.at_most
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-session-quote-submits-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-session-quote-submits-journal-claim-counts" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        counted_on = (now() AT TIME ZONE 'UTC')::date
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    ), counted AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations, at_most)
      SELECT m.application_id, m.counted_on, 1, a.reservations_per_day
      FROM written m JOIN applications a ON a.application_id = m.application_id
      ON CONFLICT (day, application_id) DO UPDATE
        SET reservations = d.reservations + 1, at_most = excluded.at_most
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-submits-method-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        payment_method_id = $13
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17 AND ($18::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $18) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $19, $20, $21, $22
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-submits-method-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        payment_method_id = $13
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17 AND ($18::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $18) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $19, $20, $21, $22
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-session-quote-submits-method-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        payment_method_id = $13
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($18::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $18) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $19, $20, $21, $22
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-session-quote-submits-method-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END,
        payment_method_id = $13
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17 AND b.session_expires_at > now() AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now() AND ($18::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $18) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $19, $20, $21, $22
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-submits-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-submits-journal-claim" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        fence = b.fence + 1, tries = 1,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.*
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  a.catalog_id, a.adjust_percent::float8 AS adjust_percent, (SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = a.application_id AND running.state = 'running'
        AND running.ends_at > now()) AS effects, (SELECT revision FROM catalog_revision) AS revision FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id;

PREPARE "transition-booking-fence-promotion-nights-events-uncounts" AS
WITH held AS (
      SELECT b.application_id, b.kind, b.booking_id, b.promotion_held FROM bookings b
      WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3
        AND b.version = $4 AND date_trunc('milliseconds', b.updated_at) = $5 AND b.fence = $6
      FOR UPDATE
    ), locked AS (
      SELECT p.code FROM promotions p CROSS JOIN held
      WHERE p.code IN ($7, $8) ORDER BY p.code FOR UPDATE OF p
    ), taken AS (
      UPDATE promotions p SET uses = p.uses + 1 FROM held, (SELECT count(*) FROM locked) waited
      WHERE p.code = $7 AND (p.max_uses IS NULL OR p.uses < p.max_uses)
      RETURNING p.code
    ), written AS (
      UPDATE bookings b SET version = $4 + 1, state = $9,
        guest_sealed = coalesce($10, b.guest_sealed), promotion_code = $11,
        charges = $12, cancellation = $13, failure_reason = $14,
        failure_details = $15, reference = $16,
        resolved_at = $17, updated_at = $18,
        unknown_step = $19, due_at = now() + make_interval(secs => $20),
        tries = 0,
        promotion_held = $7::text IS NOT NULL
          OR (b.promotion_held AND $8::text IS NULL)
      FROM held LEFT JOIN taken ON true
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id AND ($7::text IS NULL OR taken.code IS NOT NULL)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, CASE WHEN b.state IN ('failed', 'expired') THEN b.counted_on END AS uncounted_day, held.promotion_held AS was_held
    ), released AS (
      UPDATE promotions p SET uses = p.uses - 1 FROM written
      WHERE p.code = $8 AND written.was_held
    ), nights_confirmed AS (
      UPDATE occupancies o SET kind = 'confirmed', reference = m.reference, confirmed_at = now()
      FROM written m
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written WHERE reference IS NOT NULL))
        AND o.occupancy_id = m.attempt_id
    ), nights_freed AS (
      DELETE FROM occupancies o
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written
          WHERE reference IS NULL AND resolved_at IS NOT NULL))
    ), uncounted AS (
      SELECT application_id, uncounted_day AS day, count(*)::integer AS bookings FROM written
      WHERE uncounted_day IS NOT NULL GROUP BY application_id, uncounted_day
    ), freed_days AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations)
      SELECT application_id, day, 0 FROM uncounted ORDER BY application_id, day
      ON CONFLICT (day, application_id) DO UPDATE SET reservations = d.reservations - (
        SELECT bookings FROM uncounted u WHERE u.application_id = d.application_id AND u.day = d.day)
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($21::text[])
      FROM written WHERE c.application_id = written.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($21::text[]) + draft.ordinal,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter,
        unnest($21::text[], $22::text[]) WITH ORDINALITY AS draft (type, data, ordinal)
    )
    SELECT (SELECT updated_at FROM written) AS written_at, EXISTS (SELECT FROM held) AS held;

PREPARE "transition-booking-journal" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $11, due_at = now() + make_interval(secs => $12),
        tries = 0
      WHERE b.application_id = $13 AND b.kind = $14 AND b.booking_id = $15
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $16 AND ($17::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $17) <= 60000)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $18, $19, $20, $21
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-promotion-journal" AS
WITH held AS (
      SELECT b.application_id, b.kind, b.booking_id, b.promotion_held FROM bookings b
      WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3
        AND b.version = $4 AND date_trunc('milliseconds', b.updated_at) = $5 AND ($6::float8 IS NULL OR abs(extract(epoch FROM now()) * 1000 - $6) <= 60000)
      FOR UPDATE
    ), locked AS (
      SELECT p.code FROM promotions p CROSS JOIN held
      WHERE p.code IN ($7, $8) ORDER BY p.code FOR UPDATE OF p
    ), taken AS (
      UPDATE promotions p SET uses = p.uses + 1 FROM held, (SELECT count(*) FROM locked) waited
      WHERE p.code = $7 AND (p.max_uses IS NULL OR p.uses < p.max_uses)
      RETURNING p.code
    ), written AS (
      UPDATE bookings b SET version = $4 + 1, state = $9,
        guest_sealed = coalesce($10, b.guest_sealed), promotion_code = $11,
        charges = $12, cancellation = $13, failure_reason = $14,
        failure_details = $15, reference = $16,
        resolved_at = $17, updated_at = date_trunc('milliseconds', now()),
        unknown_step = $18, due_at = now() + make_interval(secs => $19),
        tries = 0,
        promotion_held = $7::text IS NOT NULL
          OR (b.promotion_held AND $8::text IS NULL)
      FROM held LEFT JOIN taken ON true
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id AND ($7::text IS NULL OR taken.code IS NOT NULL)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, held.promotion_held AS was_held
    ), released AS (
      UPDATE promotions p SET uses = p.uses - 1 FROM written
      WHERE p.code = $8 AND written.was_held
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $20, $21, $22, $23
      FROM written
    )
    SELECT (SELECT updated_at FROM written) AS written_at, EXISTS (SELECT FROM held) AS held;

PREPARE "transition-booking-reservation-nights-events" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = $11,
        unknown_step = $12, due_at = now() + make_interval(secs => $13),
        tries = 0
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    ), reserved AS (
      INSERT INTO reservations (reference, application_id, kind, booking_id, state, listing_id,
        check_in, check_out, party, charges, confirmed_at, updated_at, announced_change,
        announced_for, guest_email_digest)
      SELECT $9, w.application_id, w.kind, w.booking_id, 'confirmed', q.listing_id,
        q.check_in, q.check_out, q.party, coalesce($5::json, q.charges), $11,
        $11, $18, $19, $20
      FROM written w JOIN quotes q ON q.application_id = w.application_id AND q.quote_id = w.quote_id
    ), nights_confirmed AS (
      UPDATE occupancies o SET kind = 'confirmed', reference = m.reference, confirmed_at = now()
      FROM written m
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written WHERE reference IS NOT NULL))
        AND o.occupancy_id = m.attempt_id
    ), nights_freed AS (
      DELETE FROM occupancies o
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written
          WHERE reference IS NULL AND resolved_at IS NOT NULL))
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($21::text[])
      FROM written WHERE c.application_id = written.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($21::text[]) + draft.ordinal,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter,
        unnest($21::text[], $22::text[]) WITH ORDINALITY AS draft (type, data, ordinal)
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-nights-events-uncounts" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = $11,
        unknown_step = $12, due_at = now() + make_interval(secs => $13),
        tries = 0
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, CASE WHEN b.state IN ('failed', 'expired') THEN b.counted_on END AS uncounted_day
    ), nights_confirmed AS (
      UPDATE occupancies o SET kind = 'confirmed', reference = m.reference, confirmed_at = now()
      FROM written m
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written WHERE reference IS NOT NULL))
        AND o.occupancy_id = m.attempt_id
    ), nights_freed AS (
      DELETE FROM occupancies o
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written
          WHERE reference IS NULL AND resolved_at IS NOT NULL))
    ), uncounted AS (
      SELECT application_id, uncounted_day AS day, count(*)::integer AS bookings FROM written
      WHERE uncounted_day IS NOT NULL GROUP BY application_id, uncounted_day
    ), freed_days AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations)
      SELECT application_id, day, 0 FROM uncounted ORDER BY application_id, day
      ON CONFLICT (day, application_id) DO UPDATE SET reservations = d.reservations - (
        SELECT bookings FROM uncounted u WHERE u.application_id = d.application_id AND u.day = d.day)
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($18::text[])
      FROM written WHERE c.application_id = written.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($18::text[]) + draft.ordinal,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter,
        unnest($18::text[], $19::text[]) WITH ORDINALITY AS draft (type, data, ordinal)
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-alone" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = $11,
        unknown_step = $12, due_at = now() + make_interval(secs => $13),
        tries = 0
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-setup" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = $11,
        unknown_step = $12, due_at = now() + make_interval(secs => $13),
        tries = 0,
        payment_state = $14, payment_failure = $15,
        payment_attempts = $16, payment_requested_at = $17,
        payment_reference = $18, payment_secret_sealed = $19
      WHERE b.application_id = $20 AND b.kind = $21 AND b.booking_id = $22
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $23
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

PREPARE "transition-booking-promotion-nights-events-uncounts" AS
WITH held AS (
      SELECT b.application_id, b.kind, b.booking_id, b.promotion_held FROM bookings b
      WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3
        AND b.version = $4 AND date_trunc('milliseconds', b.updated_at) = $5
      FOR UPDATE
    ), locked AS (
      SELECT p.code FROM promotions p CROSS JOIN held
      WHERE p.code IN ($6, $7) ORDER BY p.code FOR UPDATE OF p
    ), taken AS (
      UPDATE promotions p SET uses = p.uses + 1 FROM held, (SELECT count(*) FROM locked) waited
      WHERE p.code = $6 AND (p.max_uses IS NULL OR p.uses < p.max_uses)
      RETURNING p.code
    ), written AS (
      UPDATE bookings b SET version = $4 + 1, state = $8,
        guest_sealed = coalesce($9, b.guest_sealed), promotion_code = $10,
        charges = $11, cancellation = $12, failure_reason = $13,
        failure_details = $14, reference = $15,
        resolved_at = $16, updated_at = $17,
        unknown_step = $18, due_at = now() + make_interval(secs => $19),
        tries = 0,
        promotion_held = $6::text IS NOT NULL
          OR (b.promotion_held AND $7::text IS NULL)
      FROM held LEFT JOIN taken ON true
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id AND ($6::text IS NULL OR taken.code IS NOT NULL)
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at, CASE WHEN b.state IN ('failed', 'expired') THEN b.counted_on END AS uncounted_day, held.promotion_held AS was_held
    ), released AS (
      UPDATE promotions p SET uses = p.uses - 1 FROM written
      WHERE p.code = $7 AND written.was_held
    ), nights_confirmed AS (
      UPDATE occupancies o SET kind = 'confirmed', reference = m.reference, confirmed_at = now()
      FROM written m
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written WHERE reference IS NOT NULL))
        AND o.occupancy_id = m.attempt_id
    ), nights_freed AS (
      DELETE FROM occupancies o
      WHERE o.occupancy_id = ANY (ARRAY(SELECT attempt_id FROM written
          WHERE reference IS NULL AND resolved_at IS NOT NULL))
    ), uncounted AS (
      SELECT application_id, uncounted_day AS day, count(*)::integer AS bookings FROM written
      WHERE uncounted_day IS NOT NULL GROUP BY application_id, uncounted_day
    ), freed_days AS (
      INSERT INTO reservation_days AS d (application_id, day, reservations)
      SELECT application_id, day, 0 FROM uncounted ORDER BY application_id, day
      ON CONFLICT (day, application_id) DO UPDATE SET reservations = d.reservations - (
        SELECT bookings FROM uncounted u WHERE u.application_id = d.application_id AND u.day = d.day)
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($20::text[])
      FROM written WHERE c.application_id = written.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($20::text[]) + draft.ordinal,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter,
        unnest($20::text[], $21::text[]) WITH ORDINALITY AS draft (type, data, ordinal)
    )
    SELECT (SELECT updated_at FROM written) AS written_at, EXISTS (SELECT FROM held) AS held;

PREPARE "transition-booking-submits" AS
WITH written AS (
      UPDATE bookings b SET version = $1 + 1, state = $2,
        guest_sealed = coalesce($3, b.guest_sealed), promotion_code = $4,
        charges = $5, cancellation = $6, failure_reason = $7,
        failure_details = $8, reference = $9,
        resolved_at = $10, updated_at = $11,
        unknown_step = $12, due_at = now() + make_interval(secs => $13),
        tries = 0,
        submitted_at = date_trunc('milliseconds', now()), payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END
      WHERE b.application_id = $14 AND b.kind = $15 AND b.booking_id = $16
        AND b.version = $1 AND date_trunc('milliseconds', b.updated_at) = $17
      RETURNING b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at
    )
    SELECT (SELECT updated_at FROM written) AS written_at, false AS held;

-- src/bookings/store/uncertain-bookings.ts

PREPARE "list-uncertain-bookings" AS
SELECT b.booking_id AS "bookingId", b.kind, b.state, b.application_id AS "applicationId",
      a.name AS application, q.listing_id AS "listingId", l.slug AS listing, l.name AS "listingName", q.check_in AS "checkIn",
      q.check_out AS "checkOut", b.guest_sealed, b.application_id, b.booking_id,
      coalesce(b.charges, q.charges) AS charges, b.submitted_at AS "submittedAt", b.updated_at AS since, b.tries,
      b.unknown_step AS "unknownStep", b.due_at AS "dueAt"
    FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = q.listing_id OFFSET 0) l ON true
    WHERE b.state IN ('uncertain', 'unresolved') AND (b.submitted_at, b.booking_id) > ($1, $2::uuid)
    ORDER BY b.submitted_at, b.booking_id LIMIT $3;

PREPARE "find-booking-for-staff" AS
SELECT b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now, b.fence, b.tries, b.unknown_step, b.due_at, a.name AS application,
      l.slug, l.name AS home
    FROM bookings b
    CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
    CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = b.application_id OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = q.listing_id OFFSET 0) l ON true
    WHERE b.booking_id = $1 ORDER BY a.name, b.application_id, b.kind;

PREPARE "hold-booking" AS
SELECT booking_id FROM bookings
    WHERE booking_id = $1 AND application_id = $2 AND kind = $3 AND version = $4
    FOR NO KEY UPDATE;

-- src/bookings/store/workload.ts

PREPARE "count-waiting-bookings" AS
SELECT state, count(*) AS count,
      extract(epoch FROM now() - min(submitted_at))::float8 AS "oldestSeconds"
    FROM (
      SELECT state, submitted_at FROM bookings
      WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 10000) waiting
    GROUP BY state;

PREPARE "overdue-work" AS
SELECT
      greatest(0, coalesce(extract(epoch FROM now() -
        (SELECT min(due_at) FROM bookings WHERE due_at IS NOT NULL)), 0))::float8 AS "bookingsSeconds",
      greatest(0, coalesce(extract(epoch FROM now() - min(records_due_at)), 0))::float8
        AS "recordsSeconds",
      count(*) AS "recordsWaiting", count(records_problem) AS "recordsFailing"
    FROM (
      SELECT records_due_at, records_problem FROM reservations
      WHERE records_due_at IS NOT NULL ORDER BY records_due_at LIMIT 10000) waiting;

-- src/catalog/compare-layers.ts

PREPARE "claim-layer-comparison" AS
SELECT compared_to AS "comparedTo" FROM layer_comparison WHERE done_at IS NULL FOR UPDATE SKIP LOCKED;

PREPARE "next-homes-to-compare" AS
SELECT listing_id AS "listingId", slug FROM listings
    WHERE $1::uuid IS NULL OR listing_id > $1 ORDER BY listing_id LIMIT $2;

PREPARE "advance-layer-comparison" AS
UPDATE layer_comparison SET compared_to = coalesce($1, compared_to),
      done_at = CASE WHEN $2 THEN now() END;

PREPARE "tell-layer-comparison" AS
INSERT INTO pending_changes (listing_id, kinds, nights)
    SELECT listing_id, '{rates,rules}', daterange(first, last, '[]')
    FROM unnest($1::uuid[], $2::date[], $3::date[]) AS changed (listing_id, first, last);

-- src/catalog/store/catalogs.ts

PREPARE "read-catalogs" AS
SELECT catalog_id AS "catalogId", slug, name, discovery, policies, standards, revision,
      changed_at AS "changedAt", trader, cancellation_text AS "cancellationText",
      (SELECT coalesce(json_agg(c ORDER BY c.position, c."collectionId"), '[]') FROM (
        SELECT collection_id AS "collectionId", slug, name, description, position FROM collections
        WHERE catalog_id = catalogs.catalog_id AND withdrawn_at IS NULL) c) AS collections
    FROM catalogs ORDER BY slug;

PREPARE "read-cancellation-texts" AS
SELECT catalog_id AS "catalogId", cancellation_text AS "cancellationText" FROM catalogs
    WHERE cancellation_text IS NOT NULL;

PREPARE "write-catalog" AS
INSERT INTO catalogs (slug, name, discovery, policies, standards, revision, trader, cancellation_text)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (slug) DO UPDATE SET name = excluded.name, discovery = excluded.discovery,
      policies = excluded.policies, standards = excluded.standards,
      trader = excluded.trader, cancellation_text = excluded.cancellation_text
    RETURNING catalog_id;

PREPARE "write-collections" AS
INSERT INTO collections (collection_id, catalog_id, slug, name, description, position)
    SELECT coalesce("collectionId", uuidv7()), $1, slug, name, description, position
    FROM json_to_recordset($2) AS c ("collectionId" uuid, slug text, name text, description text,
      position integer)
    ON CONFLICT (catalog_id, slug) DO UPDATE SET name = excluded.name,
      description = excluded.description, position = excluded.position,
      withdrawn_at = NULL
    RETURNING slug, collection_id;

PREPARE "read-collections" AS
SELECT collection_id AS "collectionId", slug, name, description, position,
      withdrawn_at IS NOT NULL AS withdrawn
    FROM collections WHERE catalog_id = $1 ORDER BY position, collection_id;

PREPARE "find-collection-ids" AS
SELECT collection_id AS "collectionId", slug, catalog_id AS "catalogId" FROM collections
    WHERE collection_id = ANY ($1);

PREPARE "withdraw-collections" AS
UPDATE collections SET withdrawn_at = now() WHERE collection_id = ANY ($1);

PREPARE "list-catalogs" AS
SELECT slug, catalog_id AS "catalogId", name, discovery,
      (SELECT count(*) FROM catalog_listings cl
        WHERE cl.catalog_id = c.catalog_id AND cl.withdrawn_at IS NULL) AS listings,
      (SELECT count(*) FROM collections o
        WHERE o.catalog_id = c.catalog_id AND o.withdrawn_at IS NULL) AS collections,
      (SELECT count(*) FROM promotions p
        WHERE p.catalog_id = c.catalog_id AND p.withdrawn_at IS NULL) AS promotions,
      (SELECT count(*) FROM applications a WHERE a.catalog_id = c.catalog_id) AS applications
    FROM catalogs c ORDER BY slug;

-- src/catalog/store/listings.ts

PREPARE "read-homes" AS
SELECT l.*, l.due_now_percent::float8 AS due_now_percent,
      l.weekday_prices::float8[] AS weekday_prices,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM seasons WHERE listing_id = l.listing_id) r) AS seasons,
      (SELECT coalesce(json_agg(r ORDER BY r.from), '[]') FROM (
        SELECT lower(nights) AS from, upper(nights) AS until, nightly, min_nights, arrival_days, members FROM dated_rates WHERE listing_id = l.listing_id) r) AS dated_rates,
      (SELECT coalesce(json_agg(r ORDER BY r.min_nights), '[]') FROM (
        SELECT * FROM length_discounts WHERE listing_id = l.listing_id) r) AS length_discounts,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM fees WHERE listing_id = l.listing_id) r) AS fees,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM taxes WHERE listing_id = l.listing_id) r) AS taxes,
      (SELECT coalesce(json_agg(r ORDER BY r.days_before DESC), '[]') FROM (
        SELECT * FROM cancellation_rules WHERE listing_id = l.listing_id) r) AS cancellation_rules,
      (SELECT members FROM listing_members WHERE listing_id = l.listing_id) AS members,
      (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT catalog_id AS "catalogId", collection_id AS "collectionId", position
        FROM catalog_listings WHERE listing_id = l.listing_id AND withdrawn_at IS NULL) p) AS places FROM listings l WHERE l.slug = ANY ($1) ORDER BY l.slug;

PREPARE "read-home" AS
SELECT l.*, l.due_now_percent::float8 AS due_now_percent,
      l.weekday_prices::float8[] AS weekday_prices,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM seasons WHERE listing_id = l.listing_id) r) AS seasons,
      (SELECT coalesce(json_agg(r ORDER BY r.from), '[]') FROM (
        SELECT lower(nights) AS from, upper(nights) AS until, nightly, min_nights, arrival_days, members FROM dated_rates WHERE listing_id = l.listing_id) r) AS dated_rates,
      (SELECT coalesce(json_agg(r ORDER BY r.min_nights), '[]') FROM (
        SELECT * FROM length_discounts WHERE listing_id = l.listing_id) r) AS length_discounts,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM fees WHERE listing_id = l.listing_id) r) AS fees,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM taxes WHERE listing_id = l.listing_id) r) AS taxes,
      (SELECT coalesce(json_agg(r ORDER BY r.days_before DESC), '[]') FROM (
        SELECT * FROM cancellation_rules WHERE listing_id = l.listing_id) r) AS cancellation_rules,
      (SELECT members FROM listing_members WHERE listing_id = l.listing_id) AS members,
      (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT catalog_id AS "catalogId", collection_id AS "collectionId", position
        FROM catalog_listings WHERE listing_id = l.listing_id AND withdrawn_at IS NULL) p) AS places FROM listings l WHERE l.listing_id = $1;

PREPARE "read-changed-homes" AS
SELECT l.*, l.due_now_percent::float8 AS due_now_percent,
      l.weekday_prices::float8[] AS weekday_prices,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM seasons WHERE listing_id = l.listing_id) r) AS seasons,
      (SELECT coalesce(json_agg(r ORDER BY r.from), '[]') FROM (
        SELECT lower(nights) AS from, upper(nights) AS until, nightly, min_nights, arrival_days, members FROM dated_rates WHERE listing_id = l.listing_id) r) AS dated_rates,
      (SELECT coalesce(json_agg(r ORDER BY r.min_nights), '[]') FROM (
        SELECT * FROM length_discounts WHERE listing_id = l.listing_id) r) AS length_discounts,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM fees WHERE listing_id = l.listing_id) r) AS fees,
      (SELECT coalesce(json_agg(r ORDER BY r.place), '[]') FROM (
        SELECT * FROM taxes WHERE listing_id = l.listing_id) r) AS taxes,
      (SELECT coalesce(json_agg(r ORDER BY r.days_before DESC), '[]') FROM (
        SELECT * FROM cancellation_rules WHERE listing_id = l.listing_id) r) AS cancellation_rules,
      (SELECT members FROM listing_members WHERE listing_id = l.listing_id) AS members,
      (SELECT coalesce(json_agg(p), '[]') FROM (
        SELECT catalog_id AS "catalogId", collection_id AS "collectionId", position
        FROM catalog_listings WHERE listing_id = l.listing_id AND withdrawn_at IS NULL) p) AS places FROM listings l
    WHERE (l.revision, l.listing_id) > ($1, $2::uuid) ORDER BY l.revision, l.listing_id LIMIT $3;

PREPARE "listing-identities" AS
SELECT slug, listing_id AS id, name FROM listings WHERE slug = ANY ($1) OR listing_id = ANY ($2);

-- src/catalog/store/pictures.ts

PREPARE "keep-picture" AS
INSERT INTO pictures (picture_id, state, look_at)
    VALUES ($1, 'unused', now() + make_interval(days => 30))
    ON CONFLICT (picture_id) DO UPDATE SET look_at = greatest(pictures.look_at, excluded.look_at)
      WHERE pictures.state <> 'removing'
    RETURNING picture_id;

PREPARE "is-picture-kept" AS
SELECT FROM pictures WHERE picture_id = $1 AND state <> 'removing';

PREPARE "look-at-pictures" AS
UPDATE pictures p SET (state, look_at) = (
      SELECT next.state, now() + CASE next.state
          WHEN 'used' THEN make_interval(days => 7)
          WHEN 'unused' THEN make_interval(days => 30)
          ELSE make_interval(mins => 60) END
      FROM (SELECT CASE
          WHEN p.state = 'removing' THEN 'removing'
          WHEN EXISTS (
            SELECT FROM unnest($2::text[]) ending
            JOIN listings l ON l.images::jsonb @? '$[*].file ? (@ starts with "pictures/uploaded/")' AND l.images::jsonb @> jsonb_build_array(
              jsonb_build_object('file', 'pictures/uploaded/' || p.picture_id || ending))
          ) THEN 'used'
          WHEN p.state = 'used' THEN 'unused'
          ELSE 'removing' END AS state) next)
    WHERE p.picture_id = ANY (ARRAY(
      SELECT picture_id FROM pictures WHERE look_at <= now()
      ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING p.picture_id AS "pictureId", p.state;

PREPARE "forget-picture" AS
DELETE FROM pictures WHERE picture_id = $1 AND state = 'removing';

-- src/catalog/store/places.ts

PREPARE "read-catalog-places" AS
SELECT l.slug, cl.listing_id AS "listingId", cl.collection_id AS "collectionId", cl.position,
      cl.withdrawn_at IS NOT NULL AS withdrawn
    FROM catalog_listings cl JOIN listings l ON l.listing_id = cl.listing_id
    WHERE cl.catalog_id = $1 ORDER BY cl.position, cl.listing_id;

PREPARE "find-catalog-place" AS
SELECT position, collection_id AS "collectionId" FROM catalog_listings
    WHERE listing_id = $1 AND catalog_id = $2;

PREPARE "list-withdrawn-listings" AS
SELECT l.listing_id AS "listingId", l.slug, l.name, l.destination,
      cl.collection_id AS "collectionId", cl.withdrawn_at AS "withdrawnAt", cl.withdrawn_at::text AS "exactlyAt"
    FROM catalog_listings cl
    JOIN listings l ON l.listing_id = cl.listing_id
    WHERE cl.catalog_id = $1 AND cl.withdrawn_at IS NOT NULL
      AND (cl.withdrawn_at, cl.listing_id) < (coalesce($2::timestamptz, 'infinity'), $3::uuid)
    ORDER BY cl.withdrawn_at DESC, cl.listing_id DESC LIMIT $4;

PREPARE "next-catalog-position" AS
SELECT coalesce(max(position) + 1, 0) AS position FROM catalog_listings
    WHERE catalog_id = $1;

PREPARE "write-catalog-places" AS
WITH written AS (
      INSERT INTO catalog_listings (catalog_id, listing_id, collection_id, position)
      SELECT $1, "listingId", "collectionId", position
      FROM json_to_recordset($2) AS p ("listingId" uuid, "collectionId" uuid, position integer)
      ON CONFLICT (listing_id, catalog_id) DO UPDATE SET collection_id = excluded.collection_id,
        position = excluded.position, withdrawn_at = NULL
      RETURNING listing_id
    )
    UPDATE listings SET revision = $3, changed_revision = $3, changed_kinds = '{}', changed_nights = NULL
    WHERE listing_id = ANY (ARRAY(SELECT listing_id FROM written)) AND revision <> $3;

PREPARE "insert-draft-place" AS
INSERT INTO catalog_listings (catalog_id, listing_id, collection_id, position, withdrawn_at)
    VALUES ($1, $2, $3, $4, now());

PREPARE "withdraw-listings" AS
WITH withdrawn AS (
      UPDATE catalog_listings SET withdrawn_at = now()
      WHERE catalog_id = $1 AND listing_id = ANY ($2) AND withdrawn_at IS NULL
      RETURNING listing_id
    )
    UPDATE listings SET revision = $3, changed_revision = $3, changed_kinds = '{}', changed_nights = NULL
    WHERE listing_id = ANY (ARRAY(SELECT listing_id FROM withdrawn));

-- src/catalog/store/promotions.ts

PREPARE "find-promotion" AS
SELECT code, label, CASE WHEN kind = 'percent'
        THEN (CASE WHEN greatest(1, off_millionths / 100) = off THEN off_millionths ELSE off * 100 END) / 10000.0
      END::float8 AS percent,
      CASE WHEN kind = 'amount' THEN off + off_above END AS amount, currency, stay_from AS "stayFrom", stay_to AS "stayTo",
      book_from AS "bookFrom", book_to AS "bookTo", listing_ids AS "listingIds", collection_ids AS "collectionIds",
      min_nights AS "minNights", max_uses AS "maxUses", uses,
      withdrawn_at IS NOT NULL OR paused_at IS NOT NULL AS withdrawn
    FROM promotions
    WHERE upper(code COLLATE pg_c_utf8) = upper($2 COLLATE pg_c_utf8) AND catalog_id = $1;

PREPARE "write-promotions" AS
INSERT INTO promotions (catalog_id, code, label, kind, off, off_above, off_millionths, currency, stay_from,
      stay_to, book_from, book_to, listing_ids, collection_ids, min_nights, max_uses)
    SELECT "catalogId", code, label, CASE WHEN millionths IS NULL THEN 'amount' ELSE 'percent' END,
      CASE WHEN millionths IS NULL THEN least(amount, 2147483647) ELSE greatest(1, millionths / 100) END,
      coalesce(greatest(amount - 2147483647, 0), 0), millionths, currency, "stayFrom", "stayTo", "bookFrom",
      "bookTo", "listingIds", "collectionIds", "minNights", "maxUses"
    FROM json_to_recordset($1::json) AS p ("catalogId" uuid, code text, label text, millionths integer, amount bigint,
      currency text, "stayFrom" date, "stayTo" date, "bookFrom" timestamptz, "bookTo" timestamptz, "listingIds" uuid[],
      "collectionIds" uuid[], "minNights" integer, "maxUses" integer)
    ON CONFLICT (code) DO UPDATE SET label = excluded.label, kind = excluded.kind,
      off = excluded.off, off_above = excluded.off_above,
      off_millionths = excluded.off_millionths, currency = excluded.currency, stay_from = excluded.stay_from,
      stay_to = excluded.stay_to, book_from = excluded.book_from, book_to = excluded.book_to,
      listing_ids = excluded.listing_ids, collection_ids = excluded.collection_ids,
      min_nights = excluded.min_nights, max_uses = excluded.max_uses, withdrawn_at = NULL;

PREPARE "lock-promotions" AS
SELECT p.catalog_id AS "catalogId", c.slug AS catalog, p.code, p.label,
      CASE WHEN kind = 'percent'
        THEN (CASE WHEN greatest(1, off_millionths / 100) = off THEN off_millionths ELSE off * 100 END) / 10000.0
      END::float8 AS percent,
      CASE WHEN kind = 'amount' THEN off + off_above END AS amount, p.currency, p.stay_from AS "stayFrom", p.stay_to AS "stayTo", p.book_from AS "bookFrom",
      p.book_to AS "bookTo", p.listing_ids AS "listingIds", p.collection_ids AS "collectionIds",
      p.min_nights AS "minNights", p.max_uses AS "maxUses", p.uses,
      p.withdrawn_at IS NOT NULL AS withdrawn, p.paused_at IS NOT NULL AS paused
    FROM promotions p JOIN catalogs c ON c.catalog_id = p.catalog_id
    WHERE p.catalog_id = $1 OR p.code = ANY ($2) ORDER BY p.code FOR UPDATE OF p;

PREPARE "read-promotions" AS
SELECT p.catalog_id AS "catalogId", c.slug AS catalog, p.code, p.label,
      CASE WHEN kind = 'percent'
        THEN (CASE WHEN greatest(1, off_millionths / 100) = off THEN off_millionths ELSE off * 100 END) / 10000.0
      END::float8 AS percent,
      CASE WHEN kind = 'amount' THEN off + off_above END AS amount, p.currency, p.stay_from AS "stayFrom", p.stay_to AS "stayTo", p.book_from AS "bookFrom",
      p.book_to AS "bookTo", p.listing_ids AS "listingIds", p.collection_ids AS "collectionIds",
      p.min_nights AS "minNights", p.max_uses AS "maxUses", p.uses,
      p.withdrawn_at IS NOT NULL AS withdrawn, p.paused_at IS NOT NULL AS paused
    FROM promotions p JOIN catalogs c ON c.catalog_id = p.catalog_id
    WHERE p.catalog_id = $1 AND p.withdrawn_at IS NULL ORDER BY p.code;

PREPARE "list-promotions" AS
SELECT p.catalog_id AS "catalogId", c.slug AS catalog, p.code, p.label,
      CASE WHEN kind = 'percent'
        THEN (CASE WHEN greatest(1, off_millionths / 100) = off THEN off_millionths ELSE off * 100 END) / 10000.0
      END::float8 AS percent,
      CASE WHEN kind = 'amount' THEN off + off_above END AS amount, p.currency, p.stay_from AS "stayFrom", p.stay_to AS "stayTo", p.book_from AS "bookFrom",
      p.book_to AS "bookTo", p.listing_ids AS "listingIds", p.collection_ids AS "collectionIds",
      p.min_nights AS "minNights", p.max_uses AS "maxUses", p.uses,
      p.withdrawn_at IS NOT NULL AS withdrawn, p.paused_at IS NOT NULL AS paused
    FROM promotions p JOIN catalogs c ON c.catalog_id = p.catalog_id
    WHERE p.code > $1 ORDER BY p.code LIMIT $2;

PREPARE "list-promotions-of-catalog" AS
SELECT p.catalog_id AS "catalogId", c.slug AS catalog, p.code, p.label,
      CASE WHEN kind = 'percent'
        THEN (CASE WHEN greatest(1, off_millionths / 100) = off THEN off_millionths ELSE off * 100 END) / 10000.0
      END::float8 AS percent,
      CASE WHEN kind = 'amount' THEN off + off_above END AS amount, p.currency, p.stay_from AS "stayFrom", p.stay_to AS "stayTo", p.book_from AS "bookFrom",
      p.book_to AS "bookTo", p.listing_ids AS "listingIds", p.collection_ids AS "collectionIds",
      p.min_nights AS "minNights", p.max_uses AS "maxUses", p.uses,
      p.withdrawn_at IS NOT NULL AS withdrawn, p.paused_at IS NOT NULL AS paused
    FROM promotions p JOIN catalogs c ON c.catalog_id = p.catalog_id
    WHERE p.code > $1 AND p.catalog_id = $3 ORDER BY p.code LIMIT $2;

PREPARE "withdraw-promotions" AS
UPDATE promotions SET withdrawn_at = now(), paused_at = NULL WHERE code = ANY ($1);

PREPARE "pause-promotion" AS
UPDATE promotions SET paused_at = CASE WHEN $2 THEN now() END WHERE code = $1;

-- src/catalog/store/revision.ts

PREPARE "catalog-revision" AS
SELECT revision, changed_at::text AS "changedAt", (pg_postmaster_start_time()::text || ' ' ||
        (SELECT oid FROM pg_database WHERE datname = current_database())) AS server, now() AS now
    FROM catalog_revision;

PREPARE "lock-catalog" AS
SELECT revision, now() AS now FROM catalog_revision FOR UPDATE;

PREPARE "raise-catalog-revision" AS
UPDATE catalog_revision SET revision = revision + 1,
      changed_at = greatest(changed_at, clock_timestamp()) RETURNING revision;

PREPARE "catalogs-of-changed-homes" AS
WITH changed AS MATERIALIZED (
      SELECT listing_id FROM listings WHERE revision = $1 AND listing_id > $2 ORDER BY listing_id LIMIT $3
    )
    SELECT ARRAY(SELECT DISTINCT cl.catalog_id FROM changed CROSS JOIN LATERAL (
        SELECT catalog_id FROM catalog_listings WHERE listing_id = changed.listing_id OFFSET 0) cl)::text[] AS catalogs,
      (SELECT listing_id FROM changed OFFSET $3 - 1) AS last;

PREPARE "mark-catalogs" AS
UPDATE catalogs c SET revision = r.revision, changed_at = r.changed_at
    FROM catalog_revision r WHERE r.revision = $1 AND c.catalog_id = ANY ($2);

-- src/catalog/store/staged-homes.ts

-- create-staged-homes
CREATE TEMPORARY TABLE staged_homes (
      replaced uuid[], listings json, seasons json, dated_rates json, length_discounts json, fees json, taxes json, cancellation_rules json,
      stated uuid[], members json[], preparation_nights integer[]
    ) ON COMMIT DROP;

PREPARE "stage-homes" AS
INSERT INTO staged_homes VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
      $9, $10, $11);

PREPARE "new-listing-ids" AS
SELECT uuidv7() AS id FROM generate_series(1, $1::integer);

PREPARE "write-staged-listings" AS
INSERT INTO listings (listing_id, revision, changed_revision, slug, name, description, blurb, time_zone, destination, sleeps, bedrooms, bathrooms, check_in_from, check_out_until, images, amenities, policies, spaces, indexable, currency, min_nights, max_nights, arrival_days, departure_days, children_welcome, infants_welcome, max_pets, latitude, longitude, nightly, weekday_prices, due_now_percent, balance_days_before, advance_notice_days, booking_horizon_days, changed_kinds, changed_nights)
    SELECT coalesce(listing_id, uuidv7()), $1::bigint, CASE WHEN changed_kinds IS NOT NULL THEN $1::bigint END,
      slug, name, description, blurb, time_zone, destination, sleeps, bedrooms, bathrooms, check_in_from, check_out_until, images, amenities, policies, spaces, indexable, currency, min_nights, max_nights, arrival_days, departure_days, children_welcome, infants_welcome, max_pets, latitude, longitude, nightly, weekday_prices, due_now_percent, balance_days_before, advance_notice_days, booking_horizon_days, changed_kinds, changed_nights
    FROM (SELECT l.* FROM staged_homes s, json_populate_recordset(NULL::listings, s.listings) l) l
    ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, changed_revision = excluded.changed_revision,
      name = excluded.name, description = excluded.description, blurb = excluded.blurb, time_zone = excluded.time_zone, destination = excluded.destination, sleeps = excluded.sleeps, bedrooms = excluded.bedrooms, bathrooms = excluded.bathrooms, check_in_from = excluded.check_in_from, check_out_until = excluded.check_out_until, images = excluded.images, amenities = excluded.amenities, policies = excluded.policies, spaces = excluded.spaces, indexable = excluded.indexable, currency = excluded.currency, min_nights = excluded.min_nights, max_nights = excluded.max_nights, arrival_days = excluded.arrival_days, departure_days = excluded.departure_days, children_welcome = excluded.children_welcome, infants_welcome = excluded.infants_welcome, max_pets = excluded.max_pets, latitude = excluded.latitude, longitude = excluded.longitude, nightly = excluded.nightly, weekday_prices = excluded.weekday_prices, due_now_percent = excluded.due_now_percent, balance_days_before = excluded.balance_days_before, advance_notice_days = excluded.advance_notice_days, booking_horizon_days = excluded.booking_horizon_days, changed_kinds = excluded.changed_kinds, changed_nights = excluded.changed_nights;

PREPARE "delete-rules-of-staged" AS
WITH d_seasons AS (DELETE FROM seasons WHERE listing_id IN (SELECT unnest(replaced) FROM staged_homes)), d_dated_rates AS (DELETE FROM dated_rates WHERE listing_id IN (SELECT unnest(replaced) FROM staged_homes)), d_length_discounts AS (DELETE FROM length_discounts WHERE listing_id IN (SELECT unnest(replaced) FROM staged_homes)), d_fees AS (DELETE FROM fees WHERE listing_id IN (SELECT unnest(replaced) FROM staged_homes)), d_taxes AS (DELETE FROM taxes WHERE listing_id IN (SELECT unnest(replaced) FROM staged_homes)), d_cancellation_rules AS (DELETE FROM cancellation_rules WHERE listing_id IN (SELECT unnest(replaced) FROM staged_homes)) SELECT;

PREPARE "write-staged-rules" AS
WITH w_seasons AS (
      INSERT INTO seasons (listing_id, place, name, first_night, last_night, change_percent, nightly, weekday_prices, min_nights, arrival_days, priority, members) SELECT listing_id, place, name, first_night, last_night, change_percent, nightly, weekday_prices, min_nights, arrival_days, priority, members
      FROM (SELECT r.* FROM staged_homes s, json_populate_recordset(NULL::seasons, s.seasons) r) r), w_dated_rates AS (
      INSERT INTO dated_rates (listing_id, nights, nightly, min_nights, arrival_days, members) SELECT listing_id, nights, nightly, min_nights, arrival_days, members
      FROM (SELECT r.* FROM staged_homes s, json_populate_recordset(NULL::dated_rates, s.dated_rates) r) r), w_length_discounts AS (
      INSERT INTO length_discounts (listing_id, min_nights, label, percent, amount) SELECT listing_id, min_nights, label, percent, amount
      FROM (SELECT r.* FROM staged_homes s, json_populate_recordset(NULL::length_discounts, s.length_discounts) r) r), w_fees AS (
      INSERT INTO fees (listing_id, place, label, kind, per, amount, from_guest, taxed, members) SELECT listing_id, place, label, kind, per, amount, from_guest, taxed, members
      FROM (SELECT r.* FROM staged_homes s, json_populate_recordset(NULL::fees, s.fees) r) r), w_taxes AS (
      INSERT INTO taxes (listing_id, place, label, taxed_parts, percent, per, amount, adults_only, max_nights, stays_up_to_nights, members) SELECT listing_id, place, label, taxed_parts, percent, per, amount, adults_only, max_nights, stays_up_to_nights, members
      FROM (SELECT r.* FROM staged_homes s, json_populate_recordset(NULL::taxes, s.taxes) r) r), w_cancellation_rules AS (
      INSERT INTO cancellation_rules (listing_id, days_before, refund_percent) SELECT listing_id, days_before, refund_percent
      FROM (SELECT r.* FROM staged_homes s, json_populate_recordset(NULL::cancellation_rules, s.cancellation_rules) r) r) SELECT;

PREPARE "write-staged-members" AS
WITH unsaid AS (DELETE FROM listing_members o WHERE o.listing_id IN (SELECT unnest(replaced) FROM staged_homes)
        AND NOT EXISTS (SELECT FROM staged_homes s, unnest(s.stated) AS named WHERE named = o.listing_id))
    INSERT INTO listing_members (listing_id, members, preparation_nights)
    SELECT m.* FROM staged_homes s, unnest(s.stated, s.members, s.preparation_nights) m
    ON CONFLICT (listing_id) DO UPDATE SET members = excluded.members,
      preparation_nights = excluded.preparation_nights;

-- src/catalog/store/undos.ts

PREPARE "keep-rates-before" AS
INSERT INTO rate_undos (change_id, listing_id, dates_before, dates_after)
    SELECT $1::uuid, "listingId", before, after
    FROM json_to_recordset($2) AS given("listingId" uuid, before jsonb, after jsonb);

PREPARE "list-homes-of-rates-undo" AS
SELECT listing_id AS "listingId" FROM rate_undos WHERE change_id = $1;

PREPARE "take-rates-before" AS
DELETE FROM rate_undos WHERE change_id = $1 AND listing_id = ANY ($2)
    RETURNING listing_id AS "listingId", dates_before AS before, dates_after AS after;

PREPARE "keep-texts-before" AS
INSERT INTO text_undos (change_id, listing_id, texts_before, texts_after)
    SELECT $1::uuid, "listingId", before, after
    FROM json_to_recordset($2) AS given("listingId" uuid, before jsonb, after jsonb);

PREPARE "list-homes-of-texts-undo" AS
SELECT listing_id AS "listingId" FROM text_undos WHERE change_id = $1;

PREPARE "take-texts-before" AS
DELETE FROM text_undos WHERE change_id = $1 AND listing_id = ANY ($2)
    RETURNING listing_id AS "listingId", texts_before AS before, texts_after AS after;

-- src/catalog/store/unusual-rates.ts

PREPARE "insert-unusual-rates" AS
INSERT INTO unusual_rates (listing_id, price_minor, currency, about) VALUES ($1, $2, $3, $4);

PREPARE "delete-unusual-rates" AS
DELETE FROM unusual_rates WHERE change_id = $1 RETURNING about;

-- src/catalog/store/write-homes.ts

PREPARE "write-listings" AS
INSERT INTO listings (listing_id, revision, changed_revision, slug, name, description, blurb, time_zone, destination, sleeps, bedrooms, bathrooms, check_in_from, check_out_until, images, amenities, policies, spaces, indexable, currency, min_nights, max_nights, arrival_days, departure_days, children_welcome, infants_welcome, max_pets, latitude, longitude, nightly, weekday_prices, due_now_percent, balance_days_before, advance_notice_days, booking_horizon_days, changed_kinds, changed_nights)
    SELECT coalesce(listing_id, uuidv7()), $2::bigint, CASE WHEN changed_kinds IS NOT NULL THEN $2::bigint END,
      slug, name, description, blurb, time_zone, destination, sleeps, bedrooms, bathrooms, check_in_from, check_out_until, images, amenities, policies, spaces, indexable, currency, min_nights, max_nights, arrival_days, departure_days, children_welcome, infants_welcome, max_pets, latitude, longitude, nightly, weekday_prices, due_now_percent, balance_days_before, advance_notice_days, booking_horizon_days, changed_kinds, changed_nights
    FROM json_populate_recordset(NULL::listings, $1)
    ON CONFLICT (slug) DO UPDATE SET revision = excluded.revision, changed_revision = excluded.changed_revision,
      name = excluded.name, description = excluded.description, blurb = excluded.blurb, time_zone = excluded.time_zone, destination = excluded.destination, sleeps = excluded.sleeps, bedrooms = excluded.bedrooms, bathrooms = excluded.bathrooms, check_in_from = excluded.check_in_from, check_out_until = excluded.check_out_until, images = excluded.images, amenities = excluded.amenities, policies = excluded.policies, spaces = excluded.spaces, indexable = excluded.indexable, currency = excluded.currency, min_nights = excluded.min_nights, max_nights = excluded.max_nights, arrival_days = excluded.arrival_days, departure_days = excluded.departure_days, children_welcome = excluded.children_welcome, infants_welcome = excluded.infants_welcome, max_pets = excluded.max_pets, latitude = excluded.latitude, longitude = excluded.longitude, nightly = excluded.nightly, weekday_prices = excluded.weekday_prices, due_now_percent = excluded.due_now_percent, balance_days_before = excluded.balance_days_before, advance_notice_days = excluded.advance_notice_days, booking_horizon_days = excluded.booking_horizon_days, changed_kinds = excluded.changed_kinds, changed_nights = excluded.changed_nights
    RETURNING slug, listing_id;

PREPARE "delete-rules" AS
WITH d_seasons AS (DELETE FROM seasons WHERE listing_id = ANY ($1)), d_dated_rates AS (DELETE FROM dated_rates WHERE listing_id = ANY ($1)), d_length_discounts AS (DELETE FROM length_discounts WHERE listing_id = ANY ($1)), d_fees AS (DELETE FROM fees WHERE listing_id = ANY ($1)), d_taxes AS (DELETE FROM taxes WHERE listing_id = ANY ($1)), d_cancellation_rules AS (DELETE FROM cancellation_rules WHERE listing_id = ANY ($1)) SELECT;

PREPARE "write-rules" AS
WITH w_seasons AS (
      INSERT INTO seasons (listing_id, place, name, first_night, last_night, change_percent, nightly, weekday_prices, min_nights, arrival_days, priority, members) SELECT listing_id, place, name, first_night, last_night, change_percent, nightly, weekday_prices, min_nights, arrival_days, priority, members
      FROM json_populate_recordset(NULL::seasons, $1)), w_dated_rates AS (
      INSERT INTO dated_rates (listing_id, nights, nightly, min_nights, arrival_days, members) SELECT listing_id, nights, nightly, min_nights, arrival_days, members
      FROM json_populate_recordset(NULL::dated_rates, $2)), w_length_discounts AS (
      INSERT INTO length_discounts (listing_id, min_nights, label, percent, amount) SELECT listing_id, min_nights, label, percent, amount
      FROM json_populate_recordset(NULL::length_discounts, $3)), w_fees AS (
      INSERT INTO fees (listing_id, place, label, kind, per, amount, from_guest, taxed, members) SELECT listing_id, place, label, kind, per, amount, from_guest, taxed, members
      FROM json_populate_recordset(NULL::fees, $4)), w_taxes AS (
      INSERT INTO taxes (listing_id, place, label, taxed_parts, percent, per, amount, adults_only, max_nights, stays_up_to_nights, members) SELECT listing_id, place, label, taxed_parts, percent, per, amount, adults_only, max_nights, stays_up_to_nights, members
      FROM json_populate_recordset(NULL::taxes, $5)), w_cancellation_rules AS (
      INSERT INTO cancellation_rules (listing_id, days_before, refund_percent) SELECT listing_id, days_before, refund_percent
      FROM json_populate_recordset(NULL::cancellation_rules, $6)) SELECT;

PREPARE "write-listing-members" AS
WITH unsaid AS (DELETE FROM listing_members o WHERE o.listing_id = ANY ($1::uuid[]) AND o.listing_id <> ALL ($2::uuid[]))
    INSERT INTO listing_members (listing_id, members, preparation_nights)
    SELECT m.* FROM unnest($2::uuid[], $3::json[], $4::integer[]) m
    ON CONFLICT (listing_id) DO UPDATE SET members = excluded.members,
      preparation_nights = excluded.preparation_nights;

-- src/channels/store/addresses.ts

PREPARE "insert-calendar-address" AS
INSERT INTO calendar_addresses (listing_id, nonce, digest) VALUES ($1, $2, $3)
    ON CONFLICT (listing_id) DO NOTHING RETURNING listing_id;

PREPARE "replace-calendar-address" AS
INSERT INTO calendar_addresses (listing_id, nonce, digest) VALUES ($1, $2, $3)
    ON CONFLICT (listing_id) DO UPDATE SET nonce = excluded.nonce, digest = excluded.digest,
      created_at = now();

PREPARE "read-calendar-address" AS
SELECT nonce, digest FROM calendar_addresses WHERE listing_id = $1;

PREPARE "list-calendar-addresses" AS
SELECT a.listing_id AS "listingId", l.slug, a.nonce, a.digest
    FROM (SELECT * FROM calendar_addresses WHERE listing_id > $1 ORDER BY listing_id LIMIT $2) a
    CROSS JOIN LATERAL (SELECT slug FROM listings WHERE listing_id = a.listing_id OFFSET 0) l
    ORDER BY a.listing_id;

PREPARE "remove-calendar-addresses" AS
DELETE FROM calendar_addresses WHERE listing_id = ANY ($1::uuid[]);

-- src/channels/store/calendar-alarms.ts

PREPARE "count-calendar-alarms" AS
SELECT (SELECT count(*)::integer FROM (
        SELECT FROM channel_calendars WHERE problem IS NOT NULL LIMIT $2) c) AS failing,
      (SELECT count(*)::integer FROM (SELECT FROM channel_calendars
        WHERE problem IS NULL AND shrunk_since IS NOT NULL AND kept_at IS NULL LIMIT $2) c) AS shrunk,
      (SELECT count(*)::integer FROM (SELECT FROM channel_calendars WHERE url_sealed IS NOT NULL
        AND coalesce(refreshed_at, created_at) < now() - 3 * make_interval(secs => $1) LIMIT $2) c) AS unread,
      (SELECT count(*)::integer FROM (
        (SELECT FROM channel_conflicts k WHERE upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0) LIMIT $2)
        UNION ALL (SELECT FROM outside_stays s WHERE s.contested AND upper(s.nights) > current_date AND EXISTS (
          SELECT FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id AND upper(o.nights) > current_date OFFSET 0) LIMIT $2) LIMIT $2) s) AS conflicts;

PREPARE "overdue-channel-calendars" AS
SELECT greatest(0, coalesce(extract(epoch FROM now() - min(due_at)), 0))::float8 AS seconds
    FROM channel_calendars WHERE due_at IS NOT NULL;

PREPARE "count-failing-calendars" AS
SELECT count(*)::integer AS count
    FROM (SELECT FROM channel_calendars WHERE problem IS NOT NULL LIMIT $1) found;

-- src/channels/store/calendar-options.ts

PREPARE "read-calendar-options" AS
SELECT ignored_summaries AS ignore, event_end AS "end", free_events AS free
    FROM channel_calendars WHERE listing_id = $1 AND source_digest = ANY ($2::bytea[]);

PREPARE "set-calendar-options" AS
UPDATE channel_calendars SET ignored_summaries = $2, event_end = $3, free_events = $4, user_agent = $5,
      outside_source = $6, fence = fence + 1, due_at = CASE WHEN due_at IS NOT NULL THEN now() END,
      etag = NULL, last_modified = NULL, options_changed = options_changed
        OR (ignored_summaries, event_end, free_events) IS DISTINCT FROM ($2::text[], $3::text, $4::text)
    WHERE calendar_id = $1;

-- src/channels/store/calendars.ts

PREPARE "insert-channel-calendar" AS
INSERT INTO channel_calendars
      (calendar_id, listing_id, url_sealed, file_name, source_digest, host, due_at)
    SELECT $1::uuid, $2::uuid, $3::bytea, $4::text, $5::bytea, $6::text, CASE WHEN $4::text IS NULL THEN now() END
    WHERE NOT EXISTS (
      SELECT FROM channel_calendars WHERE listing_id = $2 AND source_digest = ANY ($7::bytea[]))
    ON CONFLICT (listing_id, source_digest) DO NOTHING RETURNING calendar_id AS "calendarId";

PREPARE "find-channel-calendar" AS
SELECT calendar_id AS "calendarId" FROM channel_calendars
    WHERE listing_id = $1 AND source_digest = ANY ($2::bytea[]);

PREPARE "wait-briefly-for-locks" AS
SELECT set_config('lock_timeout', '500ms', true);

PREPARE "lock-channel-calendars" AS
SELECT calendar_id AS "calendarId", fence FROM channel_calendars
    WHERE listing_id = $1 ORDER BY calendar_id FOR UPDATE;

PREPARE "find-calendar-home" AS
SELECT c.listing_id AS "listingId", l.slug, c.file_name AS "fileName"
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    WHERE c.calendar_id = $1;

PREPARE "read-home-time" AS
SELECT time_zone AS "timeZone", now() AS now FROM listings WHERE listing_id = $1;

PREPARE "delete-channel-calendar" AS
DELETE FROM channel_calendars WHERE calendar_id = $1 RETURNING calendar_id;

PREPARE "keep-shrunk-calendar" AS
UPDATE channel_calendars SET kept_at = coalesce(kept_at, now())
    WHERE calendar_id = $1 AND shrunk_since IS NOT NULL RETURNING calendar_id;

PREPARE "list-calendar-sources" AS
SELECT calendar_id AS "calendarId", url_sealed, file_name AS "fileName", source_digest AS digest
    FROM channel_calendars WHERE calendar_id > $1 ORDER BY calendar_id LIMIT $2;

PREPARE "write-calendar-digests" AS
UPDATE channel_calendars c SET source_digest = made.digest
    FROM unnest($1::uuid[], $2::bytea[]) AS made (calendar_id, digest)
    WHERE c.calendar_id = made.calendar_id AND NOT EXISTS (
      SELECT FROM channel_calendars o WHERE o.listing_id = c.listing_id AND o.source_digest = made.digest);

-- src/channels/store/claims.ts

PREPARE "claim-channel-calendars" AS
WITH claimed AS (
      UPDATE channel_calendars c SET fence = c.fence + 1, reading_until = now() + make_interval(secs => $2),
        due_at = CASE WHEN c.due_at < now() + make_interval(secs => $2) THEN now() + make_interval(secs => $2)
          ELSE c.due_at END
      WHERE c.calendar_id = ANY (ARRAY(SELECT due.calendar_id FROM unnest($1::text[], $3::integer[]) AS chosen (host, slots)
      CROSS JOIN LATERAL (
        SELECT one.calendar_id FROM unnest('{false,true}'::boolean[]) AS kind (is_later) CROSS JOIN LATERAL (
          SELECT calendar_id, due_at FROM channel_calendars
          WHERE host = chosen.host AND (failures > 0 OR refreshed_at IS NULL) = kind.is_later AND due_at <= now()
          ORDER BY due_at LIMIT chosen.slots FOR UPDATE SKIP LOCKED) one
        ORDER BY kind.is_later, one.due_at LIMIT chosen.slots
      ) due)) RETURNING c.*, NULL::timestamptz AS next_by
    )
    SELECT c.next_by AS "nextBy", c.user_agent AS "userAgent", c.host, c.calendar_id AS "calendarId", c.listing_id AS "listingId", l.slug,
      l.time_zone AS "timeZone", c.fence, c.url_sealed, c.etag, c.last_modified, c.failures,
      coalesce(c.read_at < now() - interval '1 day', true)
        OR c.read_time_zone IS DISTINCT FROM l.time_zone AS whole, EXISTS (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id OFFSET 0) OR EXISTS (
        SELECT FROM channel_events e WHERE e.calendar_id = c.calendar_id AND e.state = 'missing' OFFSET 0)
        AS "hasOpenFindings",
      c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free, c.outside_source AS source, now() AS now
    FROM claimed c JOIN listings l ON l.listing_id = c.listing_id;

PREPARE "claim-channel-calendar" AS
WITH claimed AS (
      UPDATE channel_calendars c SET fence = c.fence + 1, reading_until = now() + make_interval(secs => $2),
        due_at = CASE WHEN c.due_at < now() + make_interval(secs => $2) THEN now() + make_interval(secs => $2)
          ELSE c.due_at END
      WHERE c.calendar_id = ANY (ARRAY(SELECT $1::uuid)) RETURNING c.*, old.due_at AS next_by
    )
    SELECT c.next_by AS "nextBy", c.user_agent AS "userAgent", c.host, c.calendar_id AS "calendarId", c.listing_id AS "listingId", l.slug,
      l.time_zone AS "timeZone", c.fence, c.url_sealed, c.etag, c.last_modified, c.failures,
      coalesce(c.read_at < now() - interval '1 day', true)
        OR c.read_time_zone IS DISTINCT FROM l.time_zone AS whole, EXISTS (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id OFFSET 0) OR EXISTS (
        SELECT FROM channel_events e WHERE e.calendar_id = c.calendar_id AND e.state = 'missing' OFFSET 0)
        AS "hasOpenFindings",
      c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free, c.outside_source AS source, now() AS now
    FROM claimed c JOIN listings l ON l.listing_id = c.listing_id;

-- src/channels/store/conflicts.ts

PREPARE "remove-ended-conflicts" AS
DELETE FROM channel_conflicts WHERE calendar_id = $1 AND nights <> ALL (
      ARRAY(SELECT daterange(date '1970-01-01' + first::integer, date '1970-01-01' + after_last::integer)
        FROM unnest($2::integer[], $3::integer[]) AS asked (first, after_last)));

PREPARE "write-conflicts" AS
INSERT INTO channel_conflicts AS k
      (calendar_id, nights, event_uid, occupancy_id, kind, reference)
    SELECT $1, daterange(date '1970-01-01' + first::integer, date '1970-01-01' + after_last::integer), uid, occupancy_id, kind, reference
    FROM unnest($2::integer[], $3::integer[], $4::text[], $5::uuid[], $6::text[], $7::text[])
      AS asked (first, after_last, uid, occupancy_id, kind, reference)
    ON CONFLICT (calendar_id, nights) DO UPDATE SET event_uid = excluded.event_uid,
      occupancy_id = excluded.occupancy_id, kind = excluded.kind, reference = excluded.reference,
      found_at = now()
    WHERE (k.event_uid, k.occupancy_id, k.kind) IS DISTINCT FROM
      (excluded.event_uid, excluded.occupancy_id, excluded.kind)
    RETURNING lower(nights) - date '1970-01-01' AS from, upper(nights) - date '1970-01-01' AS to;

PREPARE "read-conflict-nights" AS
SELECT event_uid AS uid, lower(nights) - date '1970-01-01' AS from,
      upper(nights) - date '1970-01-01' AS to, found_at AS "foundAt"
    FROM channel_conflicts WHERE calendar_id = $1 ORDER BY nights;

PREPARE "count-conflicts" AS
SELECT count(*)::integer AS count
    FROM (SELECT FROM channel_conflicts k WHERE upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)
      UNION ALL SELECT FROM outside_stays s WHERE s.contested AND upper(s.nights) > current_date AND EXISTS (
          SELECT FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id AND upper(o.nights) > current_date OFFSET 0) LIMIT $1) found;

PREPARE "list-conflicts" AS
SELECT k."calendarId", k."listingId", l.slug, l.name, k."eventUid", k."outsideSource", k."outsideId",
      lower(k.part) AS from, upper(k.part) AS to, k."foundAt", o.kind, o.reference,
      o.occupancy_id AS "occupancyId", o.source, o.reason, (
        SELECT s.source || '/' || s.external_id FROM outside_stays s WHERE s.outside_stay_id = o.outside_stay_id
      ) AS "outsideHolder"
    FROM (
      SELECT k.calendar_id AS "calendarId", k.listing_id AS "listingId", k.event_uid AS "eventUid",
        NULL AS "outsideSource", NULL AS "outsideId",
        o.occupancy_id, unnest(range_agg(k.nights * o.nights)) AS part, min(k.found_at) AS "foundAt"
      FROM (SELECT k.*, c.listing_id FROM (SELECT * FROM channel_conflicts k WHERE upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)
          ORDER BY upper(k.nights) LIMIT $2) k
        CROSS JOIN LATERAL (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c) k
      CROSS JOIN LATERAL (
        SELECT * FROM occupancies o WHERE o.listing_id = k.listing_id AND o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE OFFSET 0) o
      WHERE upper(k.nights) > current_date AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)
      GROUP BY k.calendar_id, k.listing_id, k.event_uid, o.occupancy_id
      UNION ALL
      SELECT NULL, s.listing_id, NULL, s.source, s.external_id, o.occupancy_id, o.nights * s.nights, s.updated_at
      FROM (SELECT * FROM outside_stays s WHERE s.contested AND upper(s.nights) > current_date AND EXISTS (
          SELECT FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id AND upper(o.nights) > current_date OFFSET 0) ORDER BY upper(s.nights) LIMIT $2) s
      CROSS JOIN LATERAL (SELECT * FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id OFFSET 0) o
      WHERE s.contested AND upper(s.nights) > current_date
    ) k
    CROSS JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = k."listingId" OFFSET 0) l
    CROSS JOIN LATERAL (SELECT * FROM occupancies WHERE occupancy_id = k.occupancy_id OFFSET 0) o
    WHERE upper(k.part) > current_date
    ORDER BY o.kind = 'block' AND o.calendar_id IS NULL AND o.outside_stay_id IS NULL, k."listingId", k.part,
      k."calendarId" LIMIT $1;

PREPARE "list-conflicts-of-home" AS
SELECT k."calendarId", k."listingId", l.slug, l.name, k."eventUid", k."outsideSource", k."outsideId",
      lower(k.part) AS from, upper(k.part) AS to, k."foundAt", o.kind, o.reference,
      o.occupancy_id AS "occupancyId", o.source, o.reason, (
        SELECT s.source || '/' || s.external_id FROM outside_stays s WHERE s.outside_stay_id = o.outside_stay_id
      ) AS "outsideHolder"
    FROM (
      SELECT k.calendar_id AS "calendarId", k.listing_id AS "listingId", k.event_uid AS "eventUid",
        NULL AS "outsideSource", NULL AS "outsideId",
        o.occupancy_id, unnest(range_agg(k.nights * o.nights)) AS part, min(k.found_at) AS "foundAt"
      FROM (SELECT k.*, c.listing_id FROM (
          SELECT calendar_id, listing_id FROM channel_calendars WHERE listing_id = $2 OFFSET 0) c
        CROSS JOIN LATERAL (
          SELECT * FROM channel_conflicts WHERE calendar_id = c.calendar_id OFFSET 0) k) k
      CROSS JOIN LATERAL (
        SELECT * FROM occupancies o WHERE o.listing_id = k.listing_id AND o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE OFFSET 0) o
      WHERE upper(k.nights) > current_date AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)
      GROUP BY k.calendar_id, k.listing_id, k.event_uid, o.occupancy_id
      UNION ALL
      SELECT NULL, s.listing_id, NULL, s.source, s.external_id, o.occupancy_id, o.nights * s.nights, s.updated_at
      FROM (SELECT * FROM outside_stays WHERE listing_id = $2 OFFSET 0) s
      CROSS JOIN LATERAL (SELECT * FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id OFFSET 0) o
      WHERE s.contested AND upper(s.nights) > current_date
    ) k
    CROSS JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = k."listingId" OFFSET 0) l
    CROSS JOIN LATERAL (SELECT * FROM occupancies WHERE occupancy_id = k.occupancy_id OFFSET 0) o
    WHERE upper(k.part) > current_date
    ORDER BY o.kind = 'block' AND o.calendar_id IS NULL AND o.outside_stay_id IS NULL, k."listingId", k.part,
      k."calendarId" LIMIT $1;

-- src/channels/store/due-hosts.ts

PREPARE "due-calendar-hosts" AS
SELECT host, count(*)::integer AS calendars, CASE WHEN bool_or(failures = 0 AND refreshed_at IS NOT NULL) THEN 'quick'
        WHEN bool_or(failures > 0) THEN 'slow' END AS pace
    FROM (SELECT host, failures, refreshed_at, due_at FROM channel_calendars
      WHERE due_at <= now() AND host IS NOT NULL ORDER BY due_at LIMIT $1) due
    GROUP BY host ORDER BY min(due_at);

PREPARE "due-calendar-hosts-many" AS
WITH RECURSIVE hosts AS (
      (SELECT host FROM channel_calendars WHERE due_at IS NOT NULL AND host IS NOT NULL ORDER BY host LIMIT 1)
      UNION ALL
      SELECT next.host FROM hosts CROSS JOIN LATERAL (
        SELECT host FROM channel_calendars WHERE due_at IS NOT NULL AND host > hosts.host ORDER BY host LIMIT 1) next
    )
    SELECT hosts.host, count(*)::integer AS calendars, CASE WHEN bool_or(failures = 0 AND refreshed_at IS NOT NULL) THEN 'quick'
        WHEN bool_or(failures > 0) THEN 'slow' END AS pace
    FROM hosts CROSS JOIN unnest('{false,true}'::boolean[]) AS kind (is_later) CROSS JOIN LATERAL (
      SELECT failures, refreshed_at, due_at FROM channel_calendars
      WHERE host = hosts.host AND (failures > 0 OR refreshed_at IS NULL) = kind.is_later AND due_at <= now()
      ORDER BY due_at LIMIT $1) due
    GROUP BY hosts.host ORDER BY min(due.due_at);

PREPARE "calendars-without-host" AS
SELECT calendar_id AS "calendarId", url_sealed FROM channel_calendars
    WHERE host IS NULL AND due_at <= now() ORDER BY due_at LIMIT $1;

PREPARE "name-calendar-hosts" AS
UPDATE channel_calendars c SET host = named.host
    FROM unnest($1::uuid[], $2::text[]) AS named (calendar_id, host)
    WHERE c.calendar_id = named.calendar_id AND c.host IS NULL;

-- src/channels/store/events.ts

PREPARE "read-channel-events" AS
SELECT e.event_uid AS uid, lower(e.nights) - date '1970-01-01' AS from, upper(e.nights) - date '1970-01-01' AS to,
      CASE WHEN e.state NOT IN ('taken', 'conflict') THEN e.state WHEN EXISTS (
          SELECT FROM channel_conflicts k WHERE k.calendar_id = e.calendar_id AND k.nights && e.nights OFFSET 0)
        THEN 'conflict' ELSE 'taken' END AS state, e.reason, e.copy_of AS "copyOf", e.first_seen_at AS "firstSeenAt",
      e.last_seen_at AS "lastSeenAt", e.missing_since AS "missingSince", e.summary_sealed, (
        SELECT s.source || '/' || s.external_id FROM channel_calendars c CROSS JOIN LATERAL (
          SELECT s.source, s.external_id FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0 LIMIT 1) s
        WHERE c.calendar_id = e.calendar_id AND e.state IN ('taken', 'conflict')) AS "outsideStay" FROM channel_events e
    WHERE e.calendar_id = $1 AND upper(e.nights) > date '1970-01-01' + $2::integer
    ORDER BY e.nights, e.event_uid LIMIT $3;

PREPARE "write-channel-events" AS
INSERT INTO channel_events (calendar_id, nights, event_uid, summary_sealed, state, reason, copy_of,
      first_seen_at, last_seen_at, missing_since)
    SELECT $1, daterange(date '1970-01-01' + first, date '1970-01-01' + after_last), uid, summary, state, reason, copy_of, first_seen, last_seen,
      missing_since
    FROM unnest($2::integer[], $3::integer[], $4::text[], $5::bytea[], $6::text[], $7::text[], $8::text[],
        $9::timestamptz[], $10::timestamptz[], $11::timestamptz[])
      AS asked (first, after_last, uid, summary, state, reason, copy_of, first_seen, last_seen, missing_since)
    ON CONFLICT (calendar_id, nights, event_uid) DO UPDATE SET summary_sealed = excluded.summary_sealed,
      state = excluded.state, reason = excluded.reason, copy_of = excluded.copy_of,
      first_seen_at = excluded.first_seen_at, last_seen_at = excluded.last_seen_at,
      missing_since = excluded.missing_since;

PREPARE "remove-channel-events" AS
DELETE FROM channel_events WHERE calendar_id = $1 AND (nights, event_uid) IN (
      SELECT daterange(date '1970-01-01' + first, date '1970-01-01' + after_last), uid
      FROM unnest($2::integer[], $3::integer[], $4::text[]) AS asked (first, after_last, uid));

PREPARE "read-events-of-other-calendars" AS
SELECT lower(e.nights) - date '1970-01-01' AS from, upper(e.nights) - date '1970-01-01' AS to,
      e.first_seen_at AS "exportedFrom"
    FROM channel_calendars c JOIN channel_events e ON e.calendar_id = c.calendar_id
    WHERE c.listing_id = $1 AND c.calendar_id <> $2 AND e.state IN ('taken', 'conflict', 'missing')
      AND upper(e.nights) > date '1970-01-01' + $3::integer
    ORDER BY e.nights;

PREPARE "sweep-channel-events" AS
WITH swept AS (
      DELETE FROM channel_events WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM channel_events WHERE upper(nights) < current_date - $1::integer
        ORDER BY upper(nights) LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "erase-summaries-of-events" AS
UPDATE channel_events e SET summary_sealed = NULL FROM channel_calendars c
    WHERE c.listing_id = $1 AND e.calendar_id = c.calendar_id AND e.nights && daterange($2::date, $3::date)
      AND e.summary_sealed IS NOT NULL
    RETURNING e.event_uid;

PREPARE "read-summaries-of-nights" AS
SELECT e.calendar_id AS "calendarId", e.event_uid AS uid, lower(e.nights)::text AS from,
      upper(e.nights)::text AS to, e.summary_sealed AS sealed
    FROM channel_calendars c JOIN channel_events e ON e.calendar_id = c.calendar_id
    WHERE c.listing_id = $1 AND e.nights && daterange($2::date, $3::date) AND e.summary_sealed IS NOT NULL
    ORDER BY e.nights, e.event_uid;

-- src/channels/store/exports.ts

PREPARE "find-calendar-address" AS
SELECT listing_id AS "listingId", name, least(now(), (
        SELECT min(xact_start) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
      )) AS "completeTo"
    FROM listings
    WHERE listing_id = (SELECT listing_id FROM calendar_addresses WHERE digest = $1)
      AND ($2::uuid IS NULL OR listing_id = (
        SELECT listing_id FROM channel_calendars WHERE calendar_id = $2));

PREPARE "export-nights" AS
SELECT CASE WHEN calendar_id IS NULL THEN occupancy_id END AS "occupancyId", kind <> 'block' OR source = 'outside' AS "isStay",
      lower(nights) AS from, upper(nights) AS to, moves, greatest(created_at, confirmed_at, moved_at) AS "changedAt"
    FROM occupancies
    WHERE listing_id = $1 AND nights && daterange(current_date - 1, NULL) AND kind <> 'held'
      AND (calendar_id = $2) IS NOT TRUE
      AND (outside_stay_id IS NULL OR $2::uuid IS NULL OR NOT EXISTS (
        SELECT FROM (SELECT * FROM outside_stays WHERE outside_stay_id = occupancies.outside_stay_id OFFSET 0) s
        WHERE EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = $2 OFFSET 0) c
        CROSS JOIN LATERAL (SELECT FROM channel_events WHERE calendar_id = c.calendar_id
          AND nights = s.nights AND state IN ('taken', 'conflict') OFFSET 0) e
        WHERE c.outside_source = s.source AND c.listing_id = s.listing_id OFFSET 0) OFFSET 0))
    UNION ALL
    SELECT NULL, false, lower(part), upper(part), 0, "changedAt"
    FROM (
      SELECT unnest(range_agg(k.nights * o.nights)) AS part, max(k.found_at) AS "changedAt"
      FROM (
        SELECT k.nights, k.found_at FROM (
          SELECT calendar_id FROM channel_calendars WHERE listing_id = $1 AND calendar_id <> $2 OFFSET 0
        ) c
        CROSS JOIN LATERAL (
          SELECT nights, found_at FROM channel_conflicts WHERE calendar_id = c.calendar_id OFFSET 0
        ) k
        UNION ALL
        SELECT s.nights, s.updated_at FROM (SELECT * FROM outside_stays WHERE listing_id = $1 OFFSET 0) s
        WHERE NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = $2 OFFSET 0) c
        CROSS JOIN LATERAL (SELECT FROM channel_events WHERE calendar_id = c.calendar_id
          AND nights = s.nights AND state IN ('taken', 'conflict') OFFSET 0) e
        WHERE c.outside_source = s.source AND c.listing_id = s.listing_id OFFSET 0)
      ) k
      JOIN occupancies o ON o.listing_id = $1 AND o.nights && k.nights AND o.calendar_id = $2
    ) sold_too
    WHERE part && daterange(current_date - 1, NULL)
    ORDER BY 3;

PREPARE "record-export" AS
WITH reader AS (
      SELECT calendar_id FROM channel_calendars WHERE calendar_id = $1 FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE channel_calendars c SET exported_at = greatest(c.exported_at, $2), fetched_at = now()
    FROM reader WHERE c.calendar_id = reader.calendar_id;

-- src/channels/store/listed-calendars.ts

PREPARE "list-channel-calendars" AS
SELECT c.calendar_id AS "calendarId",
      c.listing_id AS "listingId", l.slug, l.name, c.url_sealed, c.file_name AS "fileName",
      c.created_at AS "createdAt", c.refreshed_at AS "refreshedAt", c.checked_at AS "checkedAt",
      c.due_at AS "nextAt", c.failures, c.failing_since AS "failingSince", c.problem,
      c.problem_detail AS detail, c.problems, c.whole_at AS "wholeAt", c.seen_at AS "seenAt", c.shrunk_since AS "shrunkSince",
      c.kept_at AS "keptAt", c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free,
      c.user_agent AS "userAgent", c.outside_source AS source, c.fetched_at AS "fetchedAt",
      (SELECT count(*)::integer FROM occupancies o WHERE o.calendar_id = c.calendar_id
        AND upper(o.nights) > current_date) AS blocks,
      (SELECT count(*)::integer FROM channel_events e
        WHERE e.calendar_id = c.calendar_id AND e.state = 'missing') AS missing,
      (SELECT count(*)::integer FROM channel_conflicts k
        WHERE k.calendar_id = c.calendar_id AND upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)) AS conflicts
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    WHERE c.calendar_id > $2 ORDER BY c.calendar_id LIMIT $1;

PREPARE "list-channel-calendars-of-home" AS
SELECT c.calendar_id AS "calendarId",
      c.listing_id AS "listingId", l.slug, l.name, c.url_sealed, c.file_name AS "fileName",
      c.created_at AS "createdAt", c.refreshed_at AS "refreshedAt", c.checked_at AS "checkedAt",
      c.due_at AS "nextAt", c.failures, c.failing_since AS "failingSince", c.problem,
      c.problem_detail AS detail, c.problems, c.whole_at AS "wholeAt", c.seen_at AS "seenAt", c.shrunk_since AS "shrunkSince",
      c.kept_at AS "keptAt", c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free,
      c.user_agent AS "userAgent", c.outside_source AS source, c.fetched_at AS "fetchedAt",
      (SELECT count(*)::integer FROM occupancies o WHERE o.calendar_id = c.calendar_id
        AND upper(o.nights) > current_date) AS blocks,
      (SELECT count(*)::integer FROM channel_events e
        WHERE e.calendar_id = c.calendar_id AND e.state = 'missing') AS missing,
      (SELECT count(*)::integer FROM channel_conflicts k
        WHERE k.calendar_id = c.calendar_id AND upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)) AS conflicts
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    WHERE c.listing_id = $2 ORDER BY c.created_at, c.calendar_id LIMIT $1;

PREPARE "find-listed-channel-calendar" AS
SELECT c.calendar_id AS "calendarId",
      c.listing_id AS "listingId", l.slug, l.name, c.url_sealed, c.file_name AS "fileName",
      c.created_at AS "createdAt", c.refreshed_at AS "refreshedAt", c.checked_at AS "checkedAt",
      c.due_at AS "nextAt", c.failures, c.failing_since AS "failingSince", c.problem,
      c.problem_detail AS detail, c.problems, c.whole_at AS "wholeAt", c.seen_at AS "seenAt", c.shrunk_since AS "shrunkSince",
      c.kept_at AS "keptAt", c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free,
      c.user_agent AS "userAgent", c.outside_source AS source, c.fetched_at AS "fetchedAt",
      (SELECT count(*)::integer FROM occupancies o WHERE o.calendar_id = c.calendar_id
        AND upper(o.nights) > current_date) AS blocks,
      (SELECT count(*)::integer FROM channel_events e
        WHERE e.calendar_id = c.calendar_id AND e.state = 'missing') AS missing,
      (SELECT count(*)::integer FROM channel_conflicts k
        WHERE k.calendar_id = c.calendar_id AND upper(k.nights) > current_date AND EXISTS (
        SELECT FROM occupancies o WHERE o.nights && k.nights AND (o.calendar_id = k.calendar_id) IS NOT TRUE AND o.listing_id = (
          SELECT listing_id FROM channel_calendars WHERE calendar_id = k.calendar_id))
        AND NOT EXISTS (
        SELECT FROM (SELECT * FROM channel_calendars WHERE calendar_id = k.calendar_id OFFSET 0) c
        CROSS JOIN LATERAL (SELECT nights FROM channel_events WHERE calendar_id = c.calendar_id
          AND event_uid = k.event_uid AND nights && k.nights OFFSET 0) e
        WHERE EXISTS (SELECT FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) OFFSET 0)) AS conflicts
    FROM channel_calendars c JOIN listings l ON l.listing_id = c.listing_id
    WHERE c.calendar_id = $2 LIMIT $1;

-- src/channels/store/outside-stays.ts

PREPARE "open-outside-home" AS
INSERT INTO outside_homes (listing_id) VALUES ($1) ON CONFLICT DO NOTHING;

PREPARE "lock-outside-name" AS
SELECT pg_advisory_xact_lock(hashtextextended('outside stay ' || $1 || '/' || $2, 0));

PREPARE "lock-outside-homes" AS
SELECT FROM outside_homes WHERE listing_id = ANY ($1::uuid[])
    ORDER BY listing_id FOR UPDATE;

PREPARE "find-outside-stay" AS
SELECT s.outside_stay_id AS "outsideStayId", s.source, s.external_id AS "externalId",
      s.listing_id AS "listingId", (SELECT slug FROM listings WHERE listing_id = s.listing_id) AS listing,
      lower(s.nights) AS from, upper(s.nights) AS to, s.reason,
      s.created_at AS "createdAt", s.updated_at AS "updatedAt", (SELECT coalesce(json_agg(json_build_object('kind', k.kind, 'reference', k.reference,
        'from', lower(k.nights), 'to', upper(k.nights)) ORDER BY k.nights), '[]') FROM (
        SELECT o.nights * s.nights AS nights, CASE WHEN o.kind <> 'block' THEN 'reservation'
            WHEN o.source = 'channel' THEN 'channel' WHEN o.source = 'outside' THEN 'outside_stay' ELSE 'block' END AS kind,
          coalesce(o.reference, (SELECT other.source || '/' || other.external_id FROM outside_stays other
            WHERE other.outside_stay_id = o.outside_stay_id)) AS reference
        FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id) k) AS conflicts FROM outside_stays s WHERE s.source = $1 AND s.external_id = $2;

PREPARE "write-outside-stay" AS
INSERT INTO outside_stays AS s (source, external_id, listing_id, nights, reason, created_at, updated_at)
    SELECT $1, $2, $3, daterange($4::date, $5::date), $6, told.at, told.at FROM (SELECT clock_timestamp() AS at) told
    ON CONFLICT (source, external_id) DO UPDATE SET listing_id = excluded.listing_id, nights = excluded.nights,
      reason = excluded.reason, updated_at = excluded.updated_at,
      moves = s.moves + ((s.listing_id, s.nights) IS DISTINCT FROM (excluded.listing_id, excluded.nights))::integer,
      moved_at = CASE WHEN (s.listing_id, s.nights) IS DISTINCT FROM (excluded.listing_id, excluded.nights)
        THEN now() ELSE s.moved_at END
    RETURNING outside_stay_id AS "outsideStayId";

PREPARE "release-outside-nights" AS
DELETE FROM occupancies WHERE outside_stay_id = $1;

PREPARE "take-outside-nights" AS
SELECT take_outside_nights(outside_stay_id, nights) FROM outside_stays WHERE outside_stay_id = $1;

PREPARE "mark-contested-stay" AS
UPDATE outside_stays s SET contested = EXISTS (SELECT FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id)
    WHERE s.outside_stay_id = $1;

PREPARE "write-outside-reason" AS
UPDATE occupancies o SET reason = s.reason FROM outside_stays s
    WHERE o.outside_stay_id = $1 AND s.outside_stay_id = $1;

PREPARE "delete-outside-stay" AS
DELETE FROM outside_stays WHERE outside_stay_id = $1;

PREPARE "yield-to-outside-stays" AS
WITH same AS (
      SELECT e.calendar_id, e.event_uid, s.outside_stay_id, s.nights, s.reason
      FROM channel_calendars c
      JOIN channel_events e ON e.calendar_id = c.calendar_id AND e.state IN ('taken', 'conflict', 'missing')
      CROSS JOIN LATERAL (SELECT s.outside_stay_id, s.nights, s.reason FROM outside_stays s
      WHERE s.source = c.outside_source AND s.listing_id = c.listing_id AND s.nights = e.nights OFFSET 0) s
      WHERE c.listing_id = $1 AND c.outside_source IS NOT NULL
    ), yielded AS (
      UPDATE occupancies o SET source = 'outside', outside_stay_id = same.outside_stay_id, reason = same.reason,
        calendar_id = NULL, event_uid = NULL
      FROM same WHERE o.calendar_id = same.calendar_id AND o.event_uid = same.event_uid AND o.nights <@ same.nights
      RETURNING o.occupancy_id, o.nights, same.calendar_id, same.event_uid
    )
    INSERT INTO channel_conflicts (calendar_id, nights, event_uid, occupancy_id, kind)
    SELECT calendar_id, nights, event_uid, occupancy_id, 'block' FROM yielded ON CONFLICT DO NOTHING;

PREPARE "read-outside-nights" AS
SELECT lower(nights) - date '1970-01-01' AS from, upper(nights) - date '1970-01-01' AS to
    FROM outside_stays WHERE listing_id = $1 AND source = $2 AND nights && daterange(current_date - 1, NULL);

PREPARE "list-outside-stays" AS
SELECT s.outside_stay_id AS "outsideStayId", s.source, s.external_id AS "externalId",
      s.listing_id AS "listingId", (SELECT slug FROM listings WHERE listing_id = s.listing_id) AS listing,
      lower(s.nights) AS from, upper(s.nights) AS to, s.reason,
      s.created_at AS "createdAt", s.updated_at AS "updatedAt", (SELECT coalesce(json_agg(json_build_object('kind', k.kind, 'reference', k.reference,
        'from', lower(k.nights), 'to', upper(k.nights)) ORDER BY k.nights), '[]') FROM (
        SELECT o.nights * s.nights AS nights, CASE WHEN o.kind <> 'block' THEN 'reservation'
            WHEN o.source = 'channel' THEN 'channel' WHEN o.source = 'outside' THEN 'outside_stay' ELSE 'block' END AS kind,
          coalesce(o.reference, (SELECT other.source || '/' || other.external_id FROM outside_stays other
            WHERE other.outside_stay_id = o.outside_stay_id)) AS reference
        FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id) k) AS conflicts FROM outside_stays s
    WHERE (s.source, s.external_id) > ($1, $2) ORDER BY s.source, s.external_id LIMIT $3;

PREPARE "list-outside-stays-of-source" AS
SELECT s.outside_stay_id AS "outsideStayId", s.source, s.external_id AS "externalId",
      s.listing_id AS "listingId", (SELECT slug FROM listings WHERE listing_id = s.listing_id) AS listing,
      lower(s.nights) AS from, upper(s.nights) AS to, s.reason,
      s.created_at AS "createdAt", s.updated_at AS "updatedAt", (SELECT coalesce(json_agg(json_build_object('kind', k.kind, 'reference', k.reference,
        'from', lower(k.nights), 'to', upper(k.nights)) ORDER BY k.nights), '[]') FROM (
        SELECT o.nights * s.nights AS nights, CASE WHEN o.kind <> 'block' THEN 'reservation'
            WHEN o.source = 'channel' THEN 'channel' WHEN o.source = 'outside' THEN 'outside_stay' ELSE 'block' END AS kind,
          coalesce(o.reference, (SELECT other.source || '/' || other.external_id FROM outside_stays other
            WHERE other.outside_stay_id = o.outside_stay_id)) AS reference
        FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id) k) AS conflicts FROM outside_stays s
    WHERE (s.source, s.external_id) > ($1, $2) AND s.source = $4 ORDER BY s.source, s.external_id LIMIT $3;

PREPARE "list-outside-stays-of-home" AS
SELECT s.outside_stay_id AS "outsideStayId", s.source, s.external_id AS "externalId",
      s.listing_id AS "listingId", (SELECT slug FROM listings WHERE listing_id = s.listing_id) AS listing,
      lower(s.nights) AS from, upper(s.nights) AS to, s.reason,
      s.created_at AS "createdAt", s.updated_at AS "updatedAt", (SELECT coalesce(json_agg(json_build_object('kind', k.kind, 'reference', k.reference,
        'from', lower(k.nights), 'to', upper(k.nights)) ORDER BY k.nights), '[]') FROM (
        SELECT o.nights * s.nights AS nights, CASE WHEN o.kind <> 'block' THEN 'reservation'
            WHEN o.source = 'channel' THEN 'channel' WHEN o.source = 'outside' THEN 'outside_stay' ELSE 'block' END AS kind,
          coalesce(o.reference, (SELECT other.source || '/' || other.external_id FROM outside_stays other
            WHERE other.outside_stay_id = o.outside_stay_id)) AS reference
        FROM occupancies o WHERE o.listing_id = s.listing_id AND o.nights && s.nights
        AND o.outside_stay_id IS DISTINCT FROM s.outside_stay_id) k) AS conflicts FROM (
      SELECT * FROM outside_stays WHERE listing_id = $4 OFFSET 0) s
    WHERE (s.source, s.external_id) > ($1, $2) AND ($5::text IS NULL OR s.source = $5)
    ORDER BY s.source, s.external_id LIMIT $3;

-- src/channels/store/read-results.ts

PREPARE "write-calendar-result" AS
UPDATE channel_calendars SET checked_at = now(), reading_until = NULL, problem = $3, problem_detail = $4,
      problems = coalesce($7::json, problems),
      due_at = CASE WHEN due_at IS NOT NULL THEN least(now() + make_interval(secs => $5), $6) END,
      refreshed_at = CASE WHEN $3::text IS NULL THEN now() ELSE refreshed_at END,
      failures = CASE WHEN $3::text IS NULL THEN 0 WHEN $6::timestamptz IS NULL THEN failures + 1
        ELSE greatest(failures, 1) END,
      failing_since = CASE WHEN $3::text IS NOT NULL THEN coalesce(failing_since, now()) END
    WHERE calendar_id = $1 AND fence = $2;

PREPARE "read-calendar-state" AS
SELECT exported_at AS "exportedAt", fetched_at AS "fetchedAt", shrunk_since AS "shrunkSince",
      kept_at IS NOT NULL AS "isKept", options_changed AS "hasNewOptions", seen_at AS "seenAt", now() AS now
    FROM channel_calendars WHERE calendar_id = $1;

PREPARE "write-unchanged-calendar" AS
UPDATE channel_calendars SET whole_at = now(), seen_at = now()
    WHERE calendar_id = $1 AND fence = $2;

PREPARE "write-calendar-verdict" AS
UPDATE channel_calendars SET shrunk_since = $2,
      kept_at = CASE WHEN $2::timestamptz IS NOT NULL THEN kept_at END,
      seen_at = CASE WHEN $3 <> 'accepted' THEN now() ELSE seen_at END,
      whole_at = CASE WHEN $3 IN ('whole', 'unchanged') THEN now() ELSE whole_at END,
      options_changed = options_changed AND $3 <> 'whole'
    WHERE calendar_id = $1;

PREPARE "write-calendar-validators" AS
UPDATE channel_calendars SET read_at = now(), read_time_zone = $2, etag = $3, last_modified = $4
    WHERE calendar_id = $1;

-- src/channels/store/stale-calendars.ts

PREPARE "stale-calendars" AS
SELECT c.calendar_id AS "calendarId" FROM channel_calendars c
    WHERE c.listing_id = $1 AND c.url_sealed IS NOT NULL
      AND coalesce(c.refreshed_at < now() - interval '60 seconds', true)
      AND NOT coalesce(c.problem IS NOT NULL AND c.checked_at > now() - interval '60 seconds', false)
      AND NOT coalesce(c.late_at > now() - interval '60 seconds', false);

PREPARE "claim-stale-calendars" AS
WITH claimed AS (
      UPDATE channel_calendars c SET fence = c.fence + 1, reading_until = now() + make_interval(secs => $2),
        due_at = CASE WHEN c.due_at < now() + make_interval(secs => $2) THEN now() + make_interval(secs => $2)
          ELSE c.due_at END
      WHERE c.calendar_id = ANY (ARRAY(SELECT c.calendar_id FROM channel_calendars c
      WHERE c.calendar_id = ANY ($1::uuid[]) AND c.url_sealed IS NOT NULL
      AND coalesce(c.refreshed_at < now() - interval '60 seconds', true)
      AND NOT coalesce(c.problem IS NOT NULL AND c.checked_at > now() - interval '60 seconds', false)
      AND NOT coalesce(c.late_at > now() - interval '60 seconds', false) AND (c.reading_until > now()) IS NOT TRUE
      ORDER BY c.calendar_id FOR UPDATE SKIP LOCKED)) RETURNING c.*, CASE WHEN old.due_at > now() THEN old.due_at END AS next_by
    )
    SELECT c.next_by AS "nextBy", c.user_agent AS "userAgent", c.host, c.calendar_id AS "calendarId", c.listing_id AS "listingId", l.slug,
      l.time_zone AS "timeZone", c.fence, c.url_sealed, c.etag, c.last_modified, c.failures,
      coalesce(c.read_at < now() - interval '1 day', true)
        OR c.read_time_zone IS DISTINCT FROM l.time_zone AS whole, EXISTS (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id OFFSET 0) OR EXISTS (
        SELECT FROM channel_events e WHERE e.calendar_id = c.calendar_id AND e.state = 'missing' OFFSET 0)
        AS "hasOpenFindings",
      c.ignored_summaries AS ignore, c.event_end AS "end", c.free_events AS free, c.outside_source AS source, now() AS now
    FROM claimed c JOIN listings l ON l.listing_id = c.listing_id;

PREPARE "calendars-being-read" AS
SELECT calendar_id AS "calendarId" FROM channel_calendars
    WHERE calendar_id = ANY ($1::uuid[]) AND reading_until > now();

PREPARE "write-late-calendars" AS
UPDATE channel_calendars SET late_at = now() WHERE calendar_id = ANY (ARRAY(
      SELECT calendar_id FROM channel_calendars WHERE calendar_id = ANY ($1::uuid[])
      ORDER BY calendar_id FOR NO KEY UPDATE SKIP LOCKED));

PREPARE "find-contested-nights" AS
SELECT EXISTS (
      SELECT FROM occupancies o
      CROSS JOIN LATERAL (
        SELECT calendar_id FROM channel_calendars WHERE listing_id = o.listing_id OFFSET 0
      ) c
      CROSS JOIN LATERAL (
        SELECT FROM channel_conflicts k WHERE k.calendar_id = c.calendar_id AND k.nights && o.nights OFFSET 0
      ) k
      WHERE o.occupancy_id = $1) OR EXISTS (
      SELECT FROM occupancies o
      CROSS JOIN LATERAL (
        SELECT FROM outside_stays s WHERE s.listing_id = o.listing_id AND s.nights && o.nights OFFSET 0
      ) s
      WHERE o.occupancy_id = $1) AS contested;

-- src/channels/store/zone-rules.ts

PREPARE "read-calendars-whole" AS
UPDATE channel_calendars SET read_time_zone = '' WHERE calendar_id = ANY (ARRAY(
      SELECT calendar_id FROM channel_calendars
      WHERE url_sealed IS NOT NULL AND read_time_zone IS DISTINCT FROM '' AND calendar_id > $1
      ORDER BY calendar_id LIMIT $2))
    RETURNING calendar_id AS "calendarId";

-- src/events/store/events.ts

PREPARE "read-feed" AS
SELECT now() AS now, c.last_sequence AS "lastSequence", o.oldest_sequence AS "oldestSequence",
      u.sequence AS "lookedUntil",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = u.sequence) AS "lookedUntilEventId",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = $2) AS "afterEventId",
      e.*
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT least(
        (SELECT sequence FROM events
          WHERE application_id = c.application_id AND created_at > now() - make_interval(days => $4)
            AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $4) LIMIT 1), false)
          ORDER BY created_at, sequence LIMIT 1),
        (SELECT min(e.sequence) FROM wrong_times w JOIN events e ON e.application_id = c.application_id
            AND e.created_at BETWEEN w.shown_from AND w.shown_until
          WHERE w.noticed_at > now() - make_interval(days => $4))) AS oldest_sequence) o
    CROSS JOIN LATERAL (SELECT c.last_sequence AS sequence) u
    LEFT JOIN LATERAL (
      SELECT sequence, event_id AS "eventId", type, data, created_at AS "createdAt" FROM events
      WHERE application_id = c.application_id AND sequence > $2 AND sequence >= o.oldest_sequence
        AND sequence <= u.sequence
      ORDER BY sequence LIMIT $3) e ON true
    WHERE c.application_id = $1
    ORDER BY e.sequence;

PREPARE "read-feed-type" AS
SELECT now() AS now, c.last_sequence AS "lastSequence", o.oldest_sequence AS "oldestSequence",
      u.sequence AS "lookedUntil",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = u.sequence) AS "lookedUntilEventId",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = $2) AS "afterEventId",
      e.*
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT least(
        (SELECT sequence FROM events
          WHERE application_id = c.application_id AND created_at > now() - make_interval(days => $4)
            AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $4) LIMIT 1), false)
          ORDER BY created_at, sequence LIMIT 1),
        (SELECT min(e.sequence) FROM wrong_times w JOIN events e ON e.application_id = c.application_id
            AND e.created_at BETWEEN w.shown_from AND w.shown_until
          WHERE w.noticed_at > now() - make_interval(days => $4))) AS oldest_sequence) o
    CROSS JOIN LATERAL (SELECT least(c.last_sequence,
        greatest($2, coalesce(o.oldest_sequence - 1, c.last_sequence)) + $6::integer) AS sequence) u
    LEFT JOIN LATERAL (
      SELECT sequence, event_id AS "eventId", type, data, created_at AS "createdAt" FROM events
      WHERE application_id = c.application_id AND sequence > $2 AND sequence >= o.oldest_sequence
        AND sequence <= u.sequence AND type = $5
      ORDER BY sequence LIMIT $3) e ON true
    WHERE c.application_id = $1
    ORDER BY e.sequence;

PREPARE "find-feed-start" AS
SELECT now() AS now, c.last_sequence AS "lastSequence",
      (SELECT event_id FROM events
        WHERE application_id = c.application_id AND sequence = c.last_sequence) AS "lastEventId",
      (SELECT sequence FROM events
        WHERE application_id = c.application_id AND created_at >= $2::timestamptz
          AND created_at > now() - make_interval(days => $3) AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $3) LIMIT 1), false)
        ORDER BY created_at, sequence LIMIT 1) AS "firstSequence",
      coalesce(o.oldest_sequence, c.last_sequence + 1) > 1
        AND $2::timestamptz < now() - make_interval(days => $3) AS "isBeforeWindow"
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT least(
        (SELECT sequence FROM events
          WHERE application_id = c.application_id AND created_at > now() - make_interval(days => $3)
            AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $3) LIMIT 1), false)
          ORDER BY created_at, sequence LIMIT 1),
        (SELECT min(e.sequence) FROM wrong_times w JOIN events e ON e.application_id = c.application_id
            AND e.created_at BETWEEN w.shown_from AND w.shown_until
          WHERE w.noticed_at > now() - make_interval(days => $3))) AS oldest_sequence) o
    WHERE c.application_id = $1;

PREPARE "list-newest-events" AS
SELECT f.sequence AS "lookedFrom", o.sequence AS "oldestSequence",
      e.*
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT least(
        (SELECT sequence FROM events
          WHERE application_id = c.application_id AND created_at > now() - make_interval(days => $4)
            AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $4) LIMIT 1), false)
          ORDER BY created_at, sequence LIMIT 1),
        (SELECT min(e.sequence) FROM wrong_times w JOIN events e ON e.application_id = c.application_id
            AND e.created_at BETWEEN w.shown_from AND w.shown_until
          WHERE w.noticed_at > now() - make_interval(days => $4))) AS sequence) o
    CROSS JOIN LATERAL (SELECT o.sequence AS sequence) f
    LEFT JOIN LATERAL (
      SELECT sequence, event_id AS "eventId", type, data, created_at AS "createdAt" FROM events
      WHERE application_id = c.application_id AND sequence < $2 AND sequence >= f.sequence
      ORDER BY sequence DESC LIMIT $3) e ON true
    WHERE c.application_id = $1
    ORDER BY e.sequence DESC;

PREPARE "list-newest-events-type" AS
SELECT f.sequence AS "lookedFrom", o.sequence AS "oldestSequence",
      e.*
    FROM event_counters c
    CROSS JOIN LATERAL (SELECT least(
        (SELECT sequence FROM events
          WHERE application_id = c.application_id AND created_at > now() - make_interval(days => $4)
            AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $4) LIMIT 1), false)
          ORDER BY created_at, sequence LIMIT 1),
        (SELECT min(e.sequence) FROM wrong_times w JOIN events e ON e.application_id = c.application_id
            AND e.created_at BETWEEN w.shown_from AND w.shown_until
          WHERE w.noticed_at > now() - make_interval(days => $4))) AS sequence) o
    CROSS JOIN LATERAL (SELECT greatest(o.sequence, least($2, c.last_sequence + 1) - $6::integer) AS sequence) f
    LEFT JOIN LATERAL (
      SELECT sequence, event_id AS "eventId", type, data, created_at AS "createdAt" FROM events
      WHERE application_id = c.application_id AND sequence < $2 AND sequence >= f.sequence AND type = $5
      ORDER BY sequence DESC LIMIT $3) e ON true
    WHERE c.application_id = $1
    ORDER BY e.sequence DESC;

PREPARE "find-event" AS
SELECT sequence, event_id AS "eventId", type, data, created_at AS "createdAt" FROM events
    WHERE event_id = $2 AND application_id = $1;

PREPARE "events-of-booking" AS
(SELECT sequence, event_id AS "eventId", type, data, created_at AS "createdAt" FROM events
      WHERE application_id = $1 AND created_at >= $4::timestamptz - interval '1 second'
        AND created_at < $4::timestamptz + interval '5 minutes' AND data ->> 'checkoutId' = $2
        AND type IN ('checkout.resolved', 'reservation.confirmed')
      ORDER BY created_at, sequence LIMIT 2)
    UNION ALL
    (SELECT sequence, event_id AS "eventId", type, data, created_at AS "createdAt" FROM events
      WHERE data ->> 'reference' = $3
        AND type IN ('reservation.changed', 'reservation.cancelled') AND application_id = $1)
    ORDER BY sequence;

PREPARE "count-events" AS
SELECT coalesce(sum(last_sequence), 0)::bigint AS events FROM event_counters;

PREPARE "sweep-events" AS
WITH swept AS (
      DELETE FROM events WHERE ctid = ANY (ARRAY(
        SELECT e.row_id FROM event_counters c
        CROSS JOIN LATERAL (SELECT least(
        (SELECT sequence FROM events
          WHERE application_id = c.application_id AND created_at > now() - make_interval(days => $1)
            AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false)
          ORDER BY created_at, sequence LIMIT 1),
        (SELECT min(e.sequence) FROM wrong_times w JOIN events e ON e.application_id = c.application_id
            AND e.created_at BETWEEN w.shown_from AND w.shown_until
          WHERE w.noticed_at > now() - make_interval(days => $1))) AS sequence) o
        CROSS JOIN LATERAL (
          SELECT ctid AS row_id FROM events
          WHERE application_id = c.application_id AND sequence < coalesce(o.sequence, c.last_sequence + 1)
          ORDER BY sequence LIMIT $2) e
        LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

-- src/inventory/store/blocks.ts

PREPARE "insert-blocks" AS
INSERT INTO occupancies (listing_id, nights, kind, source, reason)
    SELECT listing_id, daterange(first, after_last), 'block', source, reason
    FROM unnest($1::uuid[], $2::date[], $3::date[], $4::text[], $5::text[])
      AS asked (listing_id, first, after_last, source, reason)
    ORDER BY listing_id, first
    ON CONFLICT DO NOTHING
    RETURNING occupancy_id AS "blockId", listing_id AS "listingId", lower(nights) AS from,
      upper(nights) AS to;

PREPARE "find-collisions" AS
SELECT asked.ordinal, o.occupancy_id AS id, o.kind, lower(o.nights) AS from,
      upper(o.nights) AS to, o.reference, o.source, o.reason
    FROM unnest($1::uuid[], $2::date[], $3::date[]) WITH ORDINALITY
      AS asked (listing_id, first, after_last, ordinal)
    CROSS JOIN LATERAL (
      SELECT * FROM occupancies WHERE listing_id = asked.listing_id
        AND nights && daterange(asked.first, asked.after_last) OFFSET 0) o
    ORDER BY asked.ordinal, lower(o.nights);

PREPARE "take-over-channel-blocks" AS
WITH locked AS (
      SELECT calendar_id FROM channel_calendars
      WHERE calendar_id = ANY (ARRAY(
        SELECT calendar_id FROM occupancies WHERE occupancy_id = ANY ($1::uuid[])))
      ORDER BY calendar_id FOR NO KEY UPDATE
    ), taken AS (
      UPDATE occupancies o SET source = asked.source, reason = asked.reason, calendar_id = NULL, event_uid = NULL
      FROM unnest($1::uuid[], $2::text[], $3::text[]) AS asked (block_id, source, reason),
        (SELECT count(*) FROM locked) AS waited
      WHERE o.occupancy_id = ANY ($1::uuid[]) AND o.occupancy_id = asked.block_id AND o.source = 'channel'
      RETURNING o.occupancy_id AS "blockId", o.nights, old.calendar_id, old.event_uid
    ), conflicting AS (
      INSERT INTO channel_conflicts (calendar_id, nights, event_uid, occupancy_id, kind)
      SELECT calendar_id, nights, event_uid, "blockId", 'block' FROM taken
      WHERE calendar_id IS NOT NULL ON CONFLICT DO NOTHING
    )
    SELECT "blockId" FROM taken;

PREPARE "change-block-reasons" AS
UPDATE occupancies o SET reason = asked.reason
    FROM unnest($1::uuid[], $2::text[]) AS asked (block_id, reason)
    WHERE o.occupancy_id = ANY ($1::uuid[]) AND o.occupancy_id = asked.block_id;

PREPARE "remove-block" AS
DELETE FROM occupancies WHERE occupancy_id = $1 AND source IS NOT NULL AND calendar_id IS NULL
      AND outside_stay_id IS NULL
    RETURNING occupancy_id AS "blockId", listing_id AS "listingId", lower(nights) AS from,
      upper(nights) AS to, reason, source, created_at AS "createdAt";

PREPARE "list-blocks" AS
SELECT occupancy_id AS "blockId", listing_id AS "listingId", lower(nights) AS from,
      upper(nights) AS to, reason, source, created_at AS "createdAt" FROM occupancies
    WHERE kind = 'block' AND outside_stay_id IS NULL AND (listing_id, lower(nights)) > ($1::uuid, $2::date)
    ORDER BY listing_id, lower(nights) LIMIT $3;

PREPARE "list-blocks-of-listings" AS
SELECT occupancy_id AS "blockId", listing_id AS "listingId", lower(nights) AS from,
      upper(nights) AS to, reason, source, created_at AS "createdAt" FROM occupancies
    WHERE kind = 'block' AND outside_stay_id IS NULL AND (listing_id, lower(nights)) > ($1::uuid, $2::date) AND listing_id = ANY ($4::uuid[])
    ORDER BY listing_id, lower(nights) LIMIT $3;

-- src/inventory/store/calendar-bars.ts

PREPARE "read-calendar-bars" AS
SELECT o.occupancy_id AS "occupancyId", o.listing_id AS "listingId", o.kind,
      lower(o.nights) AS from, upper(o.nights) AS to, o.reference,
      o.application_id AS "applicationId", o.source, o.reason
    FROM unnest($1::uuid[]) AS asked (listing_id)
    CROSS JOIN LATERAL (
      SELECT * FROM occupancies WHERE listing_id = asked.listing_id
        AND nights && daterange($2::date, $3::date) OFFSET 0) o
    ORDER BY o.listing_id, lower(o.nights);

-- src/inventory/store/change-feed.ts

PREPARE "read-changes-of-application" AS
WITH segments AS (
      SELECT s.sequence, s.changed_at, s.kind, s.catalog_id, s.catalog_sequence,
        coalesce(lead(s.sequence) OVER (ORDER BY s.sequence) - 1,
          s.sequence + coalesce(c.told, 0) - s.catalog_sequence) AS last
      FROM change_feed f JOIN application_changes s ON s.application_id = $1 AND s.run <= f.told_run
      LEFT JOIN change_counters c ON c.catalog_id = s.catalog_id
      WHERE f.only_row
    )
    SELECT now() AS now, e.last, i.sequence, (extract(epoch FROM i.changed_at) * 1000000)::bigint::text AS mark, i.changed_at AS "changedAt",
      i.kind, i.listing_id AS "listingId", l.slug AS listing, lower(i.nights)::text AS "from", upper(i.nights)::text AS "to"
    FROM (SELECT max(last) AS last FROM segments) e
    LEFT JOIN LATERAL (
        SELECT sequence, changed_at, kind, NULL::uuid AS listing_id, NULL::daterange AS nights FROM segments
        WHERE kind IS NOT NULL AND sequence >= $2 AND (changed_at > now() - make_interval(days => $4) OR coalesce((SELECT true FROM wrong_times w WHERE changed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $4) LIMIT 1), false))
        UNION ALL
        SELECT s.sequence + c.sequence - s.catalog_sequence, c.changed_at, c.kind, c.listing_id, c.nights
        FROM segments s CROSS JOIN LATERAL (
          SELECT sequence, changed_at, kind, listing_id, nights FROM inventory_changes
          WHERE catalog_id = s.catalog_id AND sequence > s.catalog_sequence
            AND sequence >= s.catalog_sequence + $2 - s.sequence
            AND sequence <= s.catalog_sequence + s.last - s.sequence AND (changed_at > now() - make_interval(days => $4) OR coalesce((SELECT true FROM wrong_times w WHERE changed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $4) LIMIT 1), false))
          ORDER BY sequence LIMIT $3) c
        WHERE s.last >= $2
        ORDER BY sequence LIMIT $3) i ON true
    LEFT JOIN listings l ON l.listing_id = i.listing_id
    ORDER BY i.sequence;

PREPARE "read-changes-of-installation" AS
SELECT now() AS now, e.told AS last, i.sequence, (extract(epoch FROM i.changed_at) * 1000000)::bigint::text AS mark, i.changed_at AS "changedAt",
      i.kind, i.listing_id AS "listingId", l.slug AS listing, lower(i.nights)::text AS "from", upper(i.nights)::text AS "to"
    FROM change_counters e
    LEFT JOIN LATERAL (
      SELECT installation_sequence AS sequence, changed_at, kind, listing_id, nights FROM inventory_changes
      WHERE installation_sequence >= $1 AND installation_sequence <= e.told AND (changed_at > now() - make_interval(days => $3) OR coalesce((SELECT true FROM wrong_times w WHERE changed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $3) LIMIT 1), false))
      ORDER BY installation_sequence LIMIT $2) i ON true
    LEFT JOIN listings l ON l.listing_id = i.listing_id
    WHERE e.catalog_id = '00000000-0000-0000-0000-000000000000'
    ORDER BY i.sequence;

PREPARE "sweep-application-changes" AS
WITH mark AS (
      SELECT looked_until FROM application_changes_sweep FOR UPDATE SKIP LOCKED
    ), looked AS (
      SELECT s.* FROM mark CROSS JOIN LATERAL (
        SELECT application_id, sequence, changed_at FROM application_changes
        WHERE changed_at > mark.looked_until AND changed_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE changed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false)
        ORDER BY changed_at FETCH FIRST ($2::integer) ROWS WITH TIES) s
    ), swept AS (
      DELETE FROM application_changes WHERE ctid = ANY (ARRAY(
        SELECT before.row_id
        FROM (SELECT application_id, max(sequence) AS sequence FROM looked GROUP BY application_id) latest
        CROSS JOIN LATERAL (
          SELECT ctid AS row_id FROM application_changes
          WHERE application_id = latest.application_id AND sequence < latest.sequence
            AND changed_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE changed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) OFFSET 0) before))
    ), marked AS (
      UPDATE application_changes_sweep SET looked_until = last.changed_at
      FROM (SELECT max(changed_at) AS changed_at FROM looked) last
      WHERE last.changed_at IS NOT NULL
    )
    SELECT count(*)::integer AS looked FROM looked;

-- src/inventory/store/channel-nights.ts

PREPARE "read-nights-for-channel" AS
SELECT occupancy_id AS "occupancyId", kind, lower(nights) - date '1970-01-01' AS from,
      upper(nights) - date '1970-01-01' AS to, reference, greatest(created_at, confirmed_at, moved_at) AS "exportedFrom",
      calendar_id AS "calendarId", event_uid AS "eventUid", (
        SELECT s.source || '/' || s.external_id FROM outside_stays s
        WHERE s.outside_stay_id = occupancies.outside_stay_id) AS "outsideStay"
    FROM occupancies
    WHERE listing_id = $1 AND nights && daterange(date '1970-01-01' + $2::integer, NULL)
    ORDER BY lower(nights);

PREPARE "block-channel-nights" AS
INSERT INTO occupancies (listing_id, nights, kind, source, calendar_id, event_uid)
    SELECT $1, daterange(date '1970-01-01' + first::integer, date '1970-01-01' + after_last::integer), 'block', 'channel', $2, uid
    FROM unnest($3::integer[], $4::integer[], $5::text[]) AS asked (first, after_last, uid)
    ORDER BY first
    ON CONFLICT DO NOTHING
    RETURNING occupancy_id;

PREPARE "unblock-channel-nights" AS
DELETE FROM occupancies WHERE occupancy_id = ANY ($1::uuid[]) AND event_uid IS NOT NULL;

PREPARE "free-calendar" AS
DELETE FROM occupancies WHERE calendar_id = $1 RETURNING occupancy_id;

PREPARE "find-calendar-of-block" AS
SELECT calendar_id AS "calendarId" FROM occupancies
    WHERE occupancy_id = $1 AND calendar_id IS NOT NULL;

-- src/inventory/store/feed-readers.ts

PREPARE "change-feed-state" AS
SELECT f.run, f.told_run AS "toldRun", f.joins, (pg_postmaster_start_time()::text || ' ' ||
        (SELECT oid FROM pg_database WHERE datname = current_database())) AS server,
      EXISTS (SELECT FROM pending_changes) AS "hasPending",
      (SELECT coalesce(json_agg(json_build_array(reader_id, beats)), '[]') FROM feed_readers
        WHERE run < f.run) AS behind
    FROM change_feed f WHERE f.only_row;

PREPARE "remove-feed-reader" AS
DELETE FROM feed_readers WHERE reader_id = $1 AND ($2::bigint IS NULL OR beats = $2);

PREPARE "change-feed-news" AS
SELECT f.run, ARRAY(SELECT a.application_id FROM application_changes a WHERE a.run > $1)::text[]
      AS applications
    FROM change_feed f WHERE f.only_row;

PREPARE "join-feed" AS
WITH joined AS (
      UPDATE change_feed SET joins = joins + 1 WHERE only_row AND told_run <= $2 RETURNING 1
    )
    INSERT INTO feed_readers (reader_id, run, beats) SELECT $1, $2, 0 FROM joined
    ON CONFLICT (reader_id) DO UPDATE SET run = excluded.run, beats = feed_readers.beats + 1
    RETURNING 1;

PREPARE "beat-feed-reader" AS
UPDATE feed_readers SET run = $2, beats = beats + 1 WHERE reader_id = $1 RETURNING 1;

-- src/inventory/store/lock-homes.ts

PREPARE "lock-homes" AS
SELECT listing_id FROM listings
      WHERE listing_id = ANY (ARRAY(SELECT unnest($1::uuid[]))) ORDER BY listing_id FOR NO KEY UPDATE;

-- src/inventory/store/night-changes.ts

PREPARE "night-changes-position" AS
SELECT pg_current_snapshot()::text AS snapshot, now() AS now, (pg_postmaster_start_time()::text || ' ' ||
        (SELECT oid FROM pg_database WHERE datname = current_database())) AS server;

PREPARE "read-night-changes" AS
SELECT pg_current_snapshot()::text AS snapshot, now() AS now, (pg_postmaster_start_time()::text || ' ' ||
        (SELECT oid FROM pg_database WHERE datname = current_database())) AS server,
      EXISTS (SELECT FROM night_changes_kept WHERE only_row AND since > pg_snapshot_xmin($1::pg_snapshot)
        AND since <= pg_snapshot_xmin(pg_current_snapshot())) AS "areLost",
      coalesce(sum(changed.rows), 0)::integer AS rows,
      coalesce(json_agg(json_build_array(changed.listing_id, changed.first, changed.after_last)), '[]') AS changes
    FROM (
      SELECT listing_id, min(lower(nights) - date '1970-01-01') AS first, max(upper(nights) - date '1970-01-01') AS after_last,
        count(*) AS rows
      FROM (
        (SELECT listing_id, nights FROM night_changes
          WHERE xid >= pg_snapshot_xmax($1::pg_snapshot)
            AND xid < pg_snapshot_xmax(pg_current_snapshot()) LIMIT $2)
        UNION ALL
        (SELECT listing_id, nights FROM night_changes
          WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot))) LIMIT $2)
      ) logged GROUP BY listing_id) changed;

PREPARE "read-taken-nights" AS
SELECT asked.ordinal::integer - 1 AS index, lower(o.nights) - date '1970-01-01' AS from,
      upper(o.nights) - date '1970-01-01' + o.preparation AS to, o.preparation AS lead
    FROM unnest($1::uuid[], $2::integer[], $3::integer[]) WITH ORDINALITY
      AS asked (listing_id, first, after_last, ordinal)
    LEFT JOIN listing_members m ON m.listing_id = asked.listing_id
    CROSS JOIN LATERAL (
      SELECT nights, CASE WHEN has_preparation(o.kind, o.source) THEN coalesce(m.preparation_nights, 0) ELSE 0 END AS preparation FROM occupancies o WHERE listing_id = asked.listing_id
        AND nights && daterange(date '1970-01-01' + asked.first - 7,
          date '1970-01-01' + asked.after_last + 7) OFFSET 0) o;

PREPARE "forget-night-changes" AS
UPDATE night_changes_kept SET since = least(next_since, horizon), next_since = horizon, next_at = now()
    FROM pg_snapshot_xmin(pg_current_snapshot()) AS horizon
    WHERE only_row AND next_at < now() - interval '10 minutes';

PREPARE "remove-night-changes" AS
DELETE FROM night_changes WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM night_changes
      WHERE xid < (SELECT least(since, pg_snapshot_xmin(pg_current_snapshot()))
        FROM night_changes_kept WHERE only_row)
      ORDER BY xid LIMIT $1)) RETURNING 1;

-- src/inventory/store/number-changes.ts

PREPARE "advance-change-feed" AS
WITH held AS (
      SELECT run, clock_timestamp() AS now FROM change_feed
      WHERE only_row AND run = $1 AND joins = $2 FOR UPDATE SKIP LOCKED
    ), taken AS (
      DELETE FROM pending_changes USING held
      WHERE ctid = ANY (ARRAY(SELECT ctid FROM pending_changes LIMIT 5000))
      RETURNING listing_id, catalog_id, application_id, kinds, nights
    ), changed AS (
      SELECT t.listing_id, t.catalog_id, t.nights, k.kind
      FROM taken t CROSS JOIN LATERAL unnest(coalesce(t.kinds, '{content,rates,rules}')) AS k (kind)
      WHERE t.application_id IS NULL
    ), everywhere AS (
      -- Everything in every catalog covers all else.
      SELECT FROM changed WHERE listing_id IS NULL AND catalog_id IS NULL LIMIT 1
    ), moved AS (
      SELECT p.catalog_id, p.listing_id, CASE WHEN cl.listing_id IS NULL THEN 'removed' ELSE 'added' END AS kind
      FROM (SELECT DISTINCT catalog_id, listing_id FROM changed
        WHERE catalog_id IS NOT NULL AND listing_id IS NOT NULL AND kind IN ('added', 'removed')) p
      LEFT JOIN LATERAL (SELECT listing_id FROM catalog_listings
        WHERE listing_id = p.listing_id AND catalog_id = p.catalog_id AND withdrawn_at IS NULL OFFSET 0) cl ON true
    ), homes AS (
      SELECT listing_id, kind,
        CASE WHEN bool_and(nights IS NOT NULL) THEN daterange(min(lower(nights)), max(upper(nights))) END AS nights
      FROM changed WHERE catalog_id IS NULL AND listing_id IS NOT NULL GROUP BY listing_id, kind
    ), found AS (
      SELECT c.catalog_id, NULL::uuid AS listing_id, 'added' AS kind, NULL::daterange AS nights
        FROM everywhere CROSS JOIN catalogs c
      UNION ALL
      SELECT DISTINCT catalog_id, NULL::uuid, kind, NULL::daterange FROM changed
        WHERE listing_id IS NULL AND catalog_id IS NOT NULL AND NOT EXISTS (SELECT FROM everywhere)
      UNION ALL
      SELECT catalog_id, listing_id, kind, NULL FROM moved WHERE NOT EXISTS (SELECT FROM everywhere)
      UNION ALL
      SELECT DISTINCT c.catalog_id, c.listing_id, c.kind, NULL::daterange FROM changed c
        WHERE c.catalog_id IS NOT NULL AND c.listing_id IS NOT NULL AND c.kind = 'content'
          AND NOT EXISTS (SELECT FROM everywhere)
          AND NOT EXISTS (SELECT FROM moved m WHERE m.catalog_id = c.catalog_id AND m.listing_id = c.listing_id)
          AND NOT EXISTS (SELECT FROM homes h WHERE h.listing_id = c.listing_id AND h.kind = 'content')
          -- One that has left may be told by another statement.
          AND EXISTS (SELECT FROM catalog_listings WHERE listing_id = c.listing_id
            AND catalog_id = c.catalog_id AND withdrawn_at IS NULL OFFSET 0)
      UNION ALL
      SELECT cl.catalog_id, h.listing_id, h.kind, h.nights
        FROM homes h CROSS JOIN LATERAL (SELECT catalog_id FROM catalog_listings
          WHERE listing_id = h.listing_id AND withdrawn_at IS NULL OFFSET 0) cl
        WHERE NOT EXISTS (SELECT FROM everywhere)
          AND NOT EXISTS (SELECT FROM moved m WHERE m.catalog_id = cl.catalog_id AND m.listing_id = h.listing_id)
    ), ordered AS (
      SELECT f.*, row_number() OVER (PARTITION BY catalog_id ORDER BY listing_id NULLS FIRST, kind) AS ordinal,
        -- The same change of several catalogs is one of the installation.
        row_number() OVER (
          PARTITION BY CASE WHEN listing_id IS NULL OR kind IN ('added', 'removed') THEN catalog_id END, listing_id, kind
          ORDER BY catalog_id) = 1 AS is_first
      FROM found f
    ), numbered AS (
      SELECT o.catalog_id, o.listing_id, o.kind, o.nights, coalesce(c.numbered, 0) + o.ordinal AS sequence,
        CASE WHEN o.is_first THEN i.numbered
          + row_number() OVER (PARTITION BY o.is_first ORDER BY o.catalog_id, o.ordinal) END AS of_installation
      FROM ordered o LEFT JOIN change_counters c ON c.catalog_id = o.catalog_id
      CROSS JOIN (SELECT numbered FROM change_counters WHERE catalog_id = '00000000-0000-0000-0000-000000000000') i
    ), written AS (
      INSERT INTO inventory_changes
        (catalog_id, sequence, changed_at, kind, listing_id, nights, installation_sequence)
      SELECT n.catalog_id, n.sequence, held.now, n.kind, n.listing_id, n.nights, n.of_installation
      FROM numbered n CROSS JOIN held
    ), counted AS (
      INSERT INTO change_counters (catalog_id, numbered, told)
      SELECT coalesce(n.catalog_id, c.catalog_id), coalesce(n.last, c.numbered), coalesce(c.numbered, 0)
      FROM (
        SELECT catalog_id, max(sequence) AS last FROM numbered GROUP BY catalog_id
        UNION ALL
        SELECT '00000000-0000-0000-0000-000000000000', max(of_installation) FROM numbered HAVING max(of_installation) IS NOT NULL
      ) n
      FULL JOIN change_counters c ON c.catalog_id = n.catalog_id
      CROSS JOIN held
      WHERE n.catalog_id IS NOT NULL OR c.told < c.numbered
      ON CONFLICT (catalog_id) DO UPDATE SET numbered = excluded.numbered, told = excluded.told
    ), own AS (
      SELECT a.application_id, a.catalog_id, t.kinds, coalesce(c.numbered, 0) AS numbered,
        s.catalog_id AS before, s.sequence + coalesce(b.numbered, 0) - s.catalog_sequence AS last
      FROM (SELECT application_id, array_agg(DISTINCT kind ORDER BY kind DESC) AS kinds
        FROM taken CROSS JOIN LATERAL unnest(coalesce(kinds, '{rates}')) AS k (kind)
        WHERE application_id IS NOT NULL GROUP BY application_id) t
      CROSS JOIN LATERAL (SELECT application_id, catalog_id FROM applications
        WHERE application_id = t.application_id OFFSET 0) a
      LEFT JOIN change_counters c ON c.catalog_id = a.catalog_id
      LEFT JOIN LATERAL (
        SELECT catalog_id, sequence, catalog_sequence FROM application_changes
        WHERE application_id = a.application_id ORDER BY sequence DESC LIMIT 1) s ON true
      LEFT JOIN change_counters b ON b.catalog_id = s.catalog_id
    ), told AS (
      -- A new application: its feed begins here. Another catalog: the homes of the one before leave, then others come.
      INSERT INTO application_changes
        (application_id, sequence, run, changed_at, kind, catalog_id, catalog_sequence)
      SELECT o.application_id, coalesce(o.last + k.ordinal, 0), CASE WHEN o.before IS NULL THEN 0 ELSE held.run + 1 END,
        held.now, k.kind, o.catalog_id, o.numbered
      FROM own o CROSS JOIN held CROSS JOIN LATERAL unnest(CASE WHEN o.before IS NULL THEN '{NULL}'
        WHEN o.before <> o.catalog_id THEN '{removed,added}' ELSE o.kinds END) WITH ORDINALITY AS k (kind, ordinal)
    )
    UPDATE change_feed f SET told_run = f.run, run = f.run + (EXISTS (SELECT FROM taken))::integer
    FROM held WHERE f.only_row;

-- src/inventory/store/occupancies.ts

PREPARE "find-taken-nights" AS
SELECT lower(o.nights) - date '1970-01-01' AS from, upper(o.nights) - date '1970-01-01' AS to,
      CASE WHEN has_preparation(o.kind, o.source) THEN coalesce((SELECT m.preparation_nights
        FROM listing_members m WHERE m.listing_id = $1), 0) ELSE 0 END AS preparation, NOT has_preparation(o.kind, o.source) AS "isBlock"
    FROM occupancies o
    WHERE o.listing_id = $1 AND o.nights && daterange(date '1970-01-01' + $2::integer, date '1970-01-01' + $3::integer)
      AND o.occupancy_id IS DISTINCT FROM $4::uuid;

PREPARE "find-free-listings" AS
SELECT asked.listing_id FROM unnest($1::uuid[]) AS asked (listing_id)
    WHERE NOT EXISTS (
      SELECT FROM occupancies o
      WHERE o.listing_id = asked.listing_id
        AND o.nights && daterange(date '1970-01-01' + $2::integer::integer - 7, date '1970-01-01' + $3::integer::integer + 7)
        AND daterange(lower(o.nights) - CASE WHEN has_preparation(o.kind, o.source) THEN coalesce((SELECT m.preparation_nights
        FROM listing_members m WHERE m.listing_id = asked.listing_id), 0) ELSE 0 END,
          upper(o.nights) + CASE WHEN has_preparation(o.kind, o.source) THEN coalesce((SELECT m.preparation_nights
        FROM listing_members m WHERE m.listing_id = asked.listing_id), 0) ELSE 0 END)
          && daterange(date '1970-01-01' + $2::integer::integer, date '1970-01-01' + $3::integer::integer) OFFSET 0);

PREPARE "find-occupancy" AS
SELECT kind FROM occupancies WHERE occupancy_id = $1;

PREPARE "free-nights" AS
DELETE FROM occupancies WHERE occupancy_id = $1;

PREPARE "lock-stay" AS
SELECT listing_id AS "listingId", lower(nights) - date '1970-01-01' AS "checkIn",
      upper(nights) - date '1970-01-01' AS "checkOut"
    FROM occupancies WHERE occupancy_id = $1 FOR UPDATE;

PREPARE "extend-stay" AS
INSERT INTO occupancies
      (listing_id, nights, kind, application_id, booking_kind, booking_id, reference)
    SELECT $2, daterange(date '1970-01-01' + part.first::integer, date '1970-01-01' + part.after_last::integer), o.kind,
      o.application_id, o.booking_kind, o.booking_id, o.reference
    FROM occupancies o, unnest($3::integer[], $4::integer[]) AS part (first, after_last)
    WHERE o.occupancy_id = $1 ORDER BY part.first
    ON CONFLICT DO NOTHING RETURNING occupancy_id;

PREPARE "drop-occupancies" AS
DELETE FROM occupancies WHERE occupancy_id = ANY ($1::uuid[]);

PREPARE "move-stay" AS
UPDATE occupancies SET listing_id = $2, nights = daterange(date '1970-01-01' + $3::integer, date '1970-01-01' + $4::integer),
      moves = moves + 1, moved_at = now()
    WHERE occupancy_id = $1;

-- src/inventory/store/preparation.ts

PREPARE "read-preparation" AS
WITH first AS (SELECT coalesce(date '1970-01-01' + $2::integer, current_date - 1) AS day),
    taken AS MATERIALIZED (
      SELECT nights, has_preparation(kind, source) AS has_preparation, greatest(created_at, confirmed_at, moved_at) AS since
      FROM occupancies, first
      WHERE listing_id = $1 AND nights && daterange(day - 7, NULL) AND kind <> 'held'
    ), after AS MATERIALIZED (
      SELECT daterange(upper(t.nights), upper(t.nights) + m.preparation_nights) AS nights,
        greatest(t.since, m.preparation_since) AS since
      FROM listing_members m, taken t
      WHERE m.listing_id = $1 AND m.preparation_nights > 0 AND t.has_preparation
    ), parts AS (
      SELECT unnest((SELECT range_agg(nights) FROM after) - (SELECT range_agg(nights) FROM taken)) AS part
    )
    SELECT lower(part) - date '1970-01-01' AS from, upper(part) - date '1970-01-01' AS to,
      (SELECT max(since) FROM after WHERE nights && part) AS "exportedFrom"
    FROM parts, first WHERE upper(part) > day ORDER BY lower(part);

-- src/inventory/store/search-observations.ts

PREPARE "insert-observation" AS
INSERT INTO search_observations (observation_id, application_id, journey_id, check_in,
      check_out, party, collection_id, results) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

PREPARE "observation-exists" AS
SELECT 1 FROM search_observations WHERE application_id = $1 AND observation_id = $2;

-- src/inventory/store/staged-blocks.ts

-- create-staged-blocks
CREATE TEMPORARY TABLE staged_blocks (
      listing_id uuid, at integer, line integer, nights daterange, reason text,
      PRIMARY KEY (listing_id, at)
    ) ON COMMIT DROP;

PREPARE "stage-blocks" AS
INSERT INTO staged_blocks (listing_id, at, line, nights, reason)
    SELECT listing_id, at, line, daterange(first, after_last), reason
    FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::date[], $5::date[], $6::text[])
      AS s (listing_id, at, line, first, after_last, reason);

PREPARE "read-staged-blocks" AS
WITH part AS MATERIALIZED (
      SELECT * FROM staged_blocks WHERE (listing_id, at) > ($1, $2) ORDER BY listing_id, at LIMIT $3
    ), looked_up AS MATERIALIZED (
      SELECT s.*, NOT EXISTS (
        SELECT FROM occupancies o
        WHERE o.kind = 'block' AND o.listing_id = s.listing_id AND lower(o.nights) = lower(s.nights)
          AND o.nights = s.nights
          AND (o.source = 'staff' OR o.source = 'file' AND o.reason IS NOT DISTINCT FROM s.reason)
        OFFSET 0) AS is_new
      FROM part s
    )
    SELECT listing_id AS "listingId", at, line, lower(nights) AS from, upper(nights) AS to, reason,
      is_new AS "isNew", (SELECT count(*)::integer FROM part) AS size
    FROM looked_up
    WHERE is_new OR (listing_id, at) = (SELECT listing_id, at FROM part ORDER BY listing_id DESC, at DESC LIMIT 1)
    ORDER BY listing_id, at;

PREPARE "remove-other-blocks" AS
WITH others AS MATERIALIZED (
      SELECT o.occupancy_id, o.listing_id FROM occupancies o, catalog_listings cl
      WHERE cl.catalog_id = $1 AND cl.listing_id = o.listing_id
        AND (cl.withdrawn_at IS NULL OR NOT EXISTS (SELECT FROM catalog_listings other
          WHERE other.listing_id = o.listing_id AND other.withdrawn_at IS NULL))
        AND o.kind = 'block' AND o.source = 'file'
        AND NOT EXISTS (SELECT FROM staged_blocks s
          WHERE s.listing_id = o.listing_id AND s.nights = o.nights)
    ), locked AS (SELECT listing_id FROM listings
      WHERE listing_id = ANY (ARRAY(SELECT listing_id FROM others)) ORDER BY listing_id FOR NO KEY UPDATE
    ), removed AS (
      DELETE FROM occupancies o USING (SELECT count(*) FROM locked) waited
      WHERE o.occupancy_id = ANY (ARRAY(SELECT occupancy_id FROM others))
      RETURNING o.listing_id AS "listingId", lower(o.nights) AS from, upper(o.nights) AS to, o.reason)
    SELECT (SELECT count(*) FROM removed), f.* FROM (SELECT * FROM removed LIMIT $2) f;

-- src/operator/store/ends-with-master-key.ts

PREPARE "count-ends-with-master-key" AS
SELECT (SELECT count(*) FROM keyed_creates
      WHERE created_at < $1 AND created_at > now() - interval '1 day')::integer AS "keyedCreates",
    (SELECT count(*) FROM quotes WHERE created_at < $1 AND expires_at > now())::integer AS quotes;

PREPARE "count-sessions-in-step" AS
SELECT count(*) FILTER (WHERE created_at < $1 AND session_expires_at > now())::integer AS sessions,
      count(*)::integer AS rows, max(booking_id::text) AS last
    FROM (
      SELECT booking_id, created_at, session_expires_at FROM bookings WHERE booking_id > $2
      ORDER BY booking_id FETCH FIRST $3 ROWS WITH TIES) step;

-- src/operator/store/idempotency-keys.ts

PREPARE "take-create-key" AS
INSERT INTO keyed_creates (actor, operation, key_digest, input_digest)
    SELECT $1::text, $2::text, $3::bytea, $4::bytea WHERE NOT EXISTS (
      SELECT FROM keyed_creates WHERE actor = $1 AND operation = $2 AND key_digest = ANY ($5::bytea[])
        AND created_at >= now() - interval '24 hours')
    ON CONFLICT (actor, operation, key_digest) DO UPDATE
      SET input_digest = excluded.input_digest, reply_sealed = NULL, reference = NULL, created_at = now()
      WHERE keyed_creates.created_at < now() - interval '24 hours'
    RETURNING true AS taken;

PREPARE "store-created" AS
UPDATE keyed_creates SET reply_sealed = $4, reference = $5
    WHERE actor = $1 AND operation = $2 AND key_digest = $3;

PREPARE "erase-created" AS
UPDATE keyed_creates SET reply_sealed = NULL WHERE reference = ANY ($1::text[]);

PREPARE "read-created" AS
SELECT input_digest AS "inputDigest", reply_sealed AS sealed FROM keyed_creates
    WHERE actor = $1 AND operation = $2 AND key_digest = ANY ($3::bytea[])
    ORDER BY created_at DESC LIMIT 1;

-- src/payments/staff/restores.ts

PREPARE "money-moves" AS
SELECT may_move_money() AS "moneyMoves";

-- src/payments/store/accounts-in-full.ts

PREPARE "read-payment-balances" AS
SELECT balance.* FROM payment_accounts a
    CROSS JOIN payment_balance(a.application_id, a.checkout_id) balance
    WHERE a.checkout_id = $2 AND a.application_id = $1;

PREPARE "read-open-of-accounts" AS
SELECT named.application_id AS "applicationId", named.checkout_id AS "bookingId", balance.open
    FROM unnest($1::uuid[], $2::uuid[]) AS named (application_id, checkout_id)
    CROSS JOIN LATERAL (
      SELECT FROM payment_accounts
      WHERE checkout_id = named.checkout_id AND application_id = named.application_id OFFSET 0) a
    CROSS JOIN payment_balance(named.application_id, named.checkout_id) balance;

PREPARE "hold-payment-account" AS
SELECT EXISTS (SELECT FROM installation WHERE outside_off) AS "isCopy" FROM payment_accounts
    WHERE checkout_id = $2 AND application_id = $1 FOR UPDATE OF payment_accounts;

PREPARE "list-payments-of-account" AS
SELECT i.payment_id AS "paymentId", i.purpose, i.due_on AS "dueOn", i.amount_minor AS amount, i.state,
      coalesce((SELECT sum(f.amount_minor) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state = 'done'), 0)::bigint AS refunded
    FROM payment_intents i WHERE i.checkout_id = $2 AND i.application_id = $1 ORDER BY i.payment_id;

PREPARE "find-payment-account" AS
SELECT a.reference, r.state, a.application_id AS "applicationId", p.name AS application,
      a.checkout_id AS "checkoutId", l.slug AS listing, l.name AS "listingName", a.currency, balance.due, balance.collected, balance.open,
      balance.refunded, balance.owed, a.opened_at AS "openedAt", a.due_at AS "dueAt", a.stopped_at AS "stoppedAt",
      r.at_property AS "atProperty", refused.refusals, wait.kind AS attention, wait.since AS "attentionSince" FROM payment_accounts a CROSS JOIN LATERAL (
      SELECT state, listing_id, CASE WHEN state = 'cancelled' THEN 0
        ELSE (charges ->> 'total')::bigint - collectable_total(charges) END AS at_property
      FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (SELECT name FROM applications WHERE application_id = a.application_id OFFSET 0) p
    CROSS JOIN LATERAL payment_balance(a.application_id, a.checkout_id) balance
    CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE i.state = 'refused' AND i.settled_at IS NULL)
        + coalesce(sum(f.count), 0))::integer AS refusals
      FROM payment_intents i CROSS JOIN LATERAL (SELECT count(*) FROM (
        SELECT state, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) r
        WHERE r.state IN ('refused', 'failed') AND r.settled_at IS NULL) f
      WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) refused
    LEFT JOIN LATERAL (SELECT kind, since FROM payment_waits w
      WHERE w.checkout_id = a.checkout_id AND w.application_id = a.application_id
      ORDER BY since, kind LIMIT 1) wait ON true WHERE a.reference = $1;

PREPARE "list-refunds-of-account" AS
SELECT f.refund_id AS "refundId", f.payment_id AS "paymentId", f.amount_minor AS amount, f.state,
      f.reason, f.created_at AS "requestedAt"
    FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = $2 AND i.application_id = $1 ORDER BY f.refund_id;

PREPARE "list-payment-accounts-attention" AS
SELECT a.reference, r.state, a.application_id AS "applicationId", p.name AS application,
      a.checkout_id AS "checkoutId", l.slug AS listing, l.name AS "listingName", a.currency, balance.due, balance.collected, balance.open,
      balance.refunded, balance.owed, a.opened_at AS "openedAt", a.due_at AS "dueAt", a.stopped_at AS "stoppedAt",
      r.at_property AS "atProperty", refused.refusals, wait.kind AS attention, wait.since AS "attentionSince" FROM (
      SELECT * FROM payment_accounts
      WHERE (opened_at, reference) > ($1::timestamptz, $2) AND opened_at < $3::timestamptz
        AND attention IS NOT NULL
        
      ORDER BY opened_at, reference LIMIT $4) a
    CROSS JOIN LATERAL (
      SELECT state, listing_id, CASE WHEN state = 'cancelled' THEN 0
        ELSE (charges ->> 'total')::bigint - collectable_total(charges) END AS at_property
      FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (SELECT name FROM applications WHERE application_id = a.application_id OFFSET 0) p
    CROSS JOIN LATERAL payment_balance(a.application_id, a.checkout_id) balance
    CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE i.state = 'refused' AND i.settled_at IS NULL)
        + coalesce(sum(f.count), 0))::integer AS refusals
      FROM payment_intents i CROSS JOIN LATERAL (SELECT count(*) FROM (
        SELECT state, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) r
        WHERE r.state IN ('refused', 'failed') AND r.settled_at IS NULL) f
      WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) refused
    LEFT JOIN LATERAL (SELECT kind, since FROM payment_waits w
      WHERE w.checkout_id = a.checkout_id AND w.application_id = a.application_id
      ORDER BY since, kind LIMIT 1) wait ON true
    ORDER BY a.opened_at, a.reference;

PREPARE "list-payment-accounts-attention-application" AS
SELECT a.reference, r.state, a.application_id AS "applicationId", p.name AS application,
      a.checkout_id AS "checkoutId", l.slug AS listing, l.name AS "listingName", a.currency, balance.due, balance.collected, balance.open,
      balance.refunded, balance.owed, a.opened_at AS "openedAt", a.due_at AS "dueAt", a.stopped_at AS "stoppedAt",
      r.at_property AS "atProperty", refused.refusals, wait.kind AS attention, wait.since AS "attentionSince" FROM (
      SELECT * FROM payment_accounts
      WHERE (opened_at, reference) > ($1::timestamptz, $2) AND opened_at < $3::timestamptz
        AND attention IS NOT NULL
        AND (application_id = $5) IS TRUE
      ORDER BY opened_at, reference LIMIT $4) a
    CROSS JOIN LATERAL (
      SELECT state, listing_id, CASE WHEN state = 'cancelled' THEN 0
        ELSE (charges ->> 'total')::bigint - collectable_total(charges) END AS at_property
      FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (SELECT name FROM applications WHERE application_id = a.application_id OFFSET 0) p
    CROSS JOIN LATERAL payment_balance(a.application_id, a.checkout_id) balance
    CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE i.state = 'refused' AND i.settled_at IS NULL)
        + coalesce(sum(f.count), 0))::integer AS refusals
      FROM payment_intents i CROSS JOIN LATERAL (SELECT count(*) FROM (
        SELECT state, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) r
        WHERE r.state IN ('refused', 'failed') AND r.settled_at IS NULL) f
      WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) refused
    LEFT JOIN LATERAL (SELECT kind, since FROM payment_waits w
      WHERE w.checkout_id = a.checkout_id AND w.application_id = a.application_id
      ORDER BY since, kind LIMIT 1) wait ON true
    ORDER BY a.opened_at, a.reference;

PREPARE "list-payment-accounts-all" AS
SELECT a.reference, r.state, a.application_id AS "applicationId", p.name AS application,
      a.checkout_id AS "checkoutId", l.slug AS listing, l.name AS "listingName", a.currency, balance.due, balance.collected, balance.open,
      balance.refunded, balance.owed, a.opened_at AS "openedAt", a.due_at AS "dueAt", a.stopped_at AS "stoppedAt",
      r.at_property AS "atProperty", refused.refusals, wait.kind AS attention, wait.since AS "attentionSince" FROM (
      SELECT * FROM payment_accounts
      WHERE (opened_at, reference) > ($1::timestamptz, $2) AND opened_at < $3::timestamptz
        
        
      ORDER BY opened_at, reference LIMIT $4) a
    CROSS JOIN LATERAL (
      SELECT state, listing_id, CASE WHEN state = 'cancelled' THEN 0
        ELSE (charges ->> 'total')::bigint - collectable_total(charges) END AS at_property
      FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (SELECT name FROM applications WHERE application_id = a.application_id OFFSET 0) p
    CROSS JOIN LATERAL payment_balance(a.application_id, a.checkout_id) balance
    CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE i.state = 'refused' AND i.settled_at IS NULL)
        + coalesce(sum(f.count), 0))::integer AS refusals
      FROM payment_intents i CROSS JOIN LATERAL (SELECT count(*) FROM (
        SELECT state, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) r
        WHERE r.state IN ('refused', 'failed') AND r.settled_at IS NULL) f
      WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) refused
    LEFT JOIN LATERAL (SELECT kind, since FROM payment_waits w
      WHERE w.checkout_id = a.checkout_id AND w.application_id = a.application_id
      ORDER BY since, kind LIMIT 1) wait ON true
    ORDER BY a.opened_at, a.reference;

PREPARE "list-payment-accounts-all-application" AS
SELECT a.reference, r.state, a.application_id AS "applicationId", p.name AS application,
      a.checkout_id AS "checkoutId", l.slug AS listing, l.name AS "listingName", a.currency, balance.due, balance.collected, balance.open,
      balance.refunded, balance.owed, a.opened_at AS "openedAt", a.due_at AS "dueAt", a.stopped_at AS "stoppedAt",
      r.at_property AS "atProperty", refused.refusals, wait.kind AS attention, wait.since AS "attentionSince" FROM (
      SELECT * FROM payment_accounts
      WHERE (opened_at, reference) > ($1::timestamptz, $2) AND opened_at < $3::timestamptz
        
        AND application_id = ANY (ARRAY[$5::uuid])
      ORDER BY application_id, opened_at, reference LIMIT $4) a
    CROSS JOIN LATERAL (
      SELECT state, listing_id, CASE WHEN state = 'cancelled' THEN 0
        ELSE (charges ->> 'total')::bigint - collectable_total(charges) END AS at_property
      FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (SELECT name FROM applications WHERE application_id = a.application_id OFFSET 0) p
    CROSS JOIN LATERAL payment_balance(a.application_id, a.checkout_id) balance
    CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE i.state = 'refused' AND i.settled_at IS NULL)
        + coalesce(sum(f.count), 0))::integer AS refusals
      FROM payment_intents i CROSS JOIN LATERAL (SELECT count(*) FROM (
        SELECT state, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) r
        WHERE r.state IN ('refused', 'failed') AND r.settled_at IS NULL) f
      WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) refused
    LEFT JOIN LATERAL (SELECT kind, since FROM payment_waits w
      WHERE w.checkout_id = a.checkout_id AND w.application_id = a.application_id
      ORDER BY since, kind LIMIT 1) wait ON true
    ORDER BY a.opened_at, a.reference;

-- src/payments/store/accounts.ts

PREPARE "claim-payment-accounts" AS
UPDATE payment_accounts SET due_at = now() + make_interval(secs => $2), fence = fence + 1,
      tries = tries + 1
    WHERE reference = ANY (ARRAY(
      SELECT reference FROM payment_accounts
      WHERE due_at <= now() AND held_since IS NULL AND (SELECT may_move_money())
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING application_id AS "applicationId", checkout_id AS "checkoutId", fence, tries;

PREPARE "read-payment-account" AS
SELECT a.reference, a.currency, a.stopped_at AS "stoppedAt", (SELECT min(d.opened_at)
        FROM payment_intents i CROSS JOIN LATERAL (SELECT opened_at, outcome, released_at FROM payment_disputes
          WHERE payment_id = i.payment_id OFFSET 0) d
        WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id
          AND d.outcome <> 'won' AND d.released_at IS NULL) AS "disputedAt", r.state,
      coalesce((SELECT json_agg(one) FROM json_array_elements(r.charges->'schedule') one
        WHERE one->>'at' IS DISTINCT FROM 'property'), '[]') AS schedule, l.time_zone AS "timeZone", b.attempt_id AS "attemptId",
      c.customer_reference AS "customerReference", c.payment_method_reference AS "paymentMethodReference",
      balance.due, balance.collected, balance.open, balance.refunded, balance.owed, now() AS now,
      (SELECT coalesce(json_agg(json_build_object('paymentId', i.payment_id, 'purpose', i.purpose,
          'dueOn', i.due_on, 'amountMinor', i.amount_minor, 'state', i.state,
          'refundsChanged', i.refunds_changed_at IS NOT NULL,
          'lookAt', CASE WHEN i.purpose = 'link' THEN (SELECT (extract(epoch FROM l.look_at) * 1000)::bigint
            FROM (SELECT look_at, ended_at FROM payment_links WHERE payment_id = i.payment_id OFFSET 0) l
            WHERE l.ended_at IS NULL) END,
          'refusal', CASE WHEN i.state IN ('refused')
            AND i.settled_at IS NULL
          THEN json_build_object('kind', coalesce(i.refused_as, 'funds'), 'code', i.decline_code,
            'at', (extract(epoch FROM i.updated_at) * 1000)::bigint) END)
          ORDER BY i.payment_id), '[]')
        FROM payment_intents i
        WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id
          AND (i.state IN ('captured', 'voided', 'refused') OR NOT EXISTS (
            SELECT FROM payment_returns t WHERE t.payment_id = i.payment_id OFFSET 0))) AS payments,
      (SELECT coalesce(json_agg(json_build_object('refundId', f.refund_id, 'paymentId', f.payment_id,
          'amountMinor', f.amount_minor, 'state', f.state, 'isOwed', f.of_account = 'owed',
          'refusal', CASE WHEN f.state IN ('refused', 'failed')
            AND f.settled_at IS NULL
          THEN json_build_object('kind', coalesce(f.refused_as, 'funds'), 'code', f.decline_code,
            'at', (extract(epoch FROM f.updated_at) * 1000)::bigint) END) ORDER BY f.refund_id), '[]')
        FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
        WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) AS refunds
    FROM payment_accounts a
    JOIN reservations r ON r.reference = a.reference
    JOIN bookings b ON b.application_id = a.application_id AND b.kind = 'checkout'
      AND b.booking_id = a.checkout_id
    LEFT JOIN payment_cards c ON c.checkout_id = a.checkout_id AND c.application_id = a.application_id
    LEFT JOIN listings l ON l.listing_id = r.listing_id
    CROSS JOIN payment_balance(a.application_id, a.checkout_id) balance
    WHERE a.checkout_id = $2 AND a.application_id = $1 AND a.fence = $3;

PREPARE "postpone-payment-account" AS
WITH held AS (
      UPDATE payment_accounts SET due_at = $4::timestamptz, attention = $5,
        attention_since = CASE WHEN $5::text IS NOT NULL THEN coalesce(attention_since, now()) END
      WHERE checkout_id = $2 AND application_id = $1 AND fence = $3
      RETURNING application_id, checkout_id
    ), waits AS (
      SELECT * FROM json_to_recordset($6) AS one(kind text, part text, "amountMinor" bigint, reason text,
        code text, since bigint)
    ), gone AS (
      DELETE FROM payment_waits w USING held
      WHERE w.checkout_id = held.checkout_id AND w.application_id = held.application_id
        AND (w.kind, w.part) NOT IN (SELECT kind, part FROM waits)
    ), written AS (
      INSERT INTO payment_waits (application_id, checkout_id, kind, part, amount_minor, reason, code, since)
      SELECT application_id, checkout_id, kind, part, "amountMinor", reason, code, to_timestamp(since / 1000.0)
      FROM held CROSS JOIN waits
      ON CONFLICT (checkout_id, application_id, kind, part) DO UPDATE
        SET amount_minor = excluded.amount_minor, reason = excluded.reason, code = excluded.code
    ), payments AS (
      UPDATE payment_intents i SET settled_at = now() FROM held
      WHERE i.payment_id = ANY ($7::uuid[]) AND i.settled_at IS NULL
    )
    UPDATE payment_refunds f SET settled_at = now() FROM held
    WHERE f.refund_id = ANY ($8::uuid[]) AND f.settled_at IS NULL;

PREPARE "insert-later-payment-intent" AS
WITH held AS (
      SELECT FROM payment_accounts WHERE application_id = $1 AND checkout_id = $2 AND fence = $3 FOR UPDATE
    )
    INSERT INTO payment_intents
      (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency, provider, first_try)
    SELECT $1, $2, $4::uuid, $5, $6::date, $7::bigint, $8, $9, (SELECT coalesce(max(coalesce(earlier.first_try, 1) + earlier.round), 0) + 1 FROM payment_intents earlier
      WHERE earlier.checkout_id = $2 AND earlier.application_id = $1
        AND earlier.purpose = $5 AND earlier.due_on = $6::date)
    FROM held
    ON CONFLICT DO NOTHING
    RETURNING payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer;

PREPARE "wake-waiting-accounts" AS
UPDATE payment_accounts SET due_at = now()
    WHERE ctid = ANY (ARRAY(
      SELECT a.ctid FROM payment_accounts a
      WHERE a.due_at > now() + interval '30 seconds' AND (a.checkout_id, a.application_id) IN (
        SELECT checkout_id, application_id FROM payment_intents
          WHERE state NOT IN ('captured', 'voided', 'refused') AND state = 'unknown'
        UNION ALL
        SELECT i.checkout_id, i.application_id FROM payment_refunds f
          JOIN payment_intents i ON i.payment_id = f.payment_id
          WHERE f.state IN ('requested', 'unknown') AND f.state = 'unknown')
      LIMIT $1 FOR UPDATE OF a SKIP LOCKED))
    RETURNING reference;

PREPARE "wake-payment-account" AS
UPDATE payment_accounts a SET due_at = least(a.due_at, now()) FROM payment_intents i
    WHERE i.payment_id = $1 AND a.checkout_id = i.checkout_id AND a.application_id = i.application_id
    RETURNING a.reference;

-- src/payments/store/adoption.ts

PREPARE "known-payment" AS
SELECT payment_id AS "paymentId", round FROM payment_intents
    WHERE provider_reference = $1 OR payment_id = $2::uuid
      OR (checkout_id = $4::uuid AND application_id = $3::uuid AND first_try + round = $6
        AND CASE purpose WHEN 'booking' THEN purpose ELSE purpose || ' ' || due_on END = $5)
    LIMIT 1;

PREPARE "adopt-payment" AS
INSERT INTO payment_intents (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency,
      provider, provider_reference, first_try, state)
    SELECT b.application_id, b.booking_id, b.attempt_id, $3, coalesce($4::date, (
        SELECT day::date FROM generate_series(current_date, current_date + 1000, interval '1 day') AS day
        WHERE NOT EXISTS (SELECT FROM payment_intents i
          WHERE i.checkout_id = b.booking_id AND i.application_id = b.application_id AND i.purpose = $3
            AND i.due_on = day::date AND i.state NOT IN ('refused', 'voided'))
        ORDER BY day LIMIT 1)), $5, $6, $7, $8, $9, 'unknown'
    FROM bookings b
    WHERE b.booking_id = $2 AND b.application_id = $1 AND b.kind = 'checkout'
      AND b.state NOT IN ('failed', 'expired')
    ON CONFLICT DO NOTHING
    RETURNING payment_id AS "paymentId", round;

PREPARE "known-refund" AS
SELECT f.refund_id AS "refundId", i.payment_id AS "paymentId", i.application_id AS "applicationId",
      i.checkout_id AS "checkoutId", i.state = 'captured' AS "isCaptured",
      i.state = 'captured' AND i.amount_minor >= $4 + (
        SELECT coalesce(sum(other.amount_minor), 0) FROM payment_refunds other
        WHERE other.payment_id = i.payment_id AND other.state NOT IN ('refused', 'failed')) AS fits
    FROM payment_intents i
    LEFT JOIN payment_intents same ON same.checkout_id = i.checkout_id AND same.application_id = i.application_id
    LEFT JOIN payment_refunds f ON f.payment_id = same.payment_id
      AND (f.refund_reference = $2 OR f.refund_id = $3::uuid OR f.number = $5)
    WHERE i.provider_reference = $1
    ORDER BY f.refund_id NULLS LAST LIMIT 1;

PREPARE "adopt-refund" AS
INSERT INTO payment_refunds (payment_id, amount_minor, reason, number, made_elsewhere)
    VALUES ($1, $2, 'adopted', $3, $4)
    RETURNING refund_id AS "refundId", round;

PREPARE "hold-adopted-account" AS
WITH held AS (
      UPDATE payment_accounts SET held_since = coalesce(held_since, now())
      WHERE checkout_id = $2 AND application_id = $1
      RETURNING application_id, checkout_id, held_since
    ), waiting AS (
      INSERT INTO payment_waits (application_id, checkout_id, kind, part, amount_minor, reason, since)
      SELECT application_id, checkout_id, 'adopted', '', abs(balance.open), 'adopted', held_since
      FROM held CROSS JOIN LATERAL payment_balance(application_id, checkout_id) balance
      ON CONFLICT (checkout_id, application_id, kind, part) DO UPDATE SET amount_minor = excluded.amount_minor
    )
    SELECT FROM held;

PREPARE "note-adopted-effect" AS
INSERT INTO adopted_effects
      (provider_reference, epoch, kind, application_id, checkout_id, part, amount_minor, currency, outcome)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
    RETURNING provider_reference;

PREPARE "close-adopted-effect" AS
UPDATE adopted_effects e SET closed_at = now()
    WHERE provider_reference = $1 AND outcome = 'unmatched' AND closed_at IS NULL AND NOT EXISTS (
        SELECT FROM payment_intents i JOIN payment_accounts USING (application_id, checkout_id)
        WHERE i.provider_reference = e.provider_reference
        UNION ALL
        SELECT FROM payment_refunds f JOIN payment_intents i USING (payment_id)
        JOIN payment_accounts USING (application_id, checkout_id)
        WHERE f.refund_reference = e.provider_reference)
    RETURNING e.provider_reference AS "providerReference", e.kind, e.application_id AS "applicationId",
      e.checkout_id AS "checkoutId", e.part, e.amount_minor AS "amountMinor", e.currency, outcome, closed_at AS "closedAt";

PREPARE "is-adopted-effect-noted" AS
SELECT FROM adopted_effects WHERE provider_reference = $1;

PREPARE "list-adopted-effects" AS
SELECT e.provider_reference AS "providerReference", e.kind, e.application_id AS "applicationId",
      e.checkout_id AS "checkoutId", e.part, e.amount_minor AS "amountMinor", e.currency, CASE WHEN outcome = 'unmatched' AND EXISTS (
        SELECT FROM payment_intents i JOIN payment_accounts USING (application_id, checkout_id)
        WHERE i.provider_reference = e.provider_reference
        UNION ALL
        SELECT FROM payment_refunds f JOIN payment_intents i USING (payment_id)
        JOIN payment_accounts USING (application_id, checkout_id)
        WHERE f.refund_reference = e.provider_reference) THEN 'booked' ELSE outcome END AS outcome
    FROM adopted_effects e WHERE epoch = $1 ORDER BY provider_reference LIMIT 500;

PREPARE "is-dispute-entered" AS
SELECT FROM payment_entries e JOIN payment_intents i
      ON i.checkout_id = e.checkout_id AND i.application_id = e.application_id
    WHERE i.payment_id = $1 AND e.kind = 'disputed'
      AND e.details ->> 'disputeReference' = $2 AND e.details ->> 'state' = $3 LIMIT 1;

PREPARE "oldest-open-dispute" AS
SELECT min(opened_at) AS "openedAt" FROM payment_disputes WHERE outcome = 'open';

-- src/payments/store/cards.ts

PREPARE "save-payment-card" AS
INSERT INTO payment_cards
      (application_id, checkout_id, setup_reference, customer_reference, payment_method_reference)
    SELECT application_id, booking_id, payment_reference, $4, $5 FROM bookings
    WHERE booking_id = $2 AND application_id = $1 AND kind = 'checkout' AND state = 'needs_payment'
      AND payment_reference = $3
    FOR SHARE
    ON CONFLICT (checkout_id, application_id) DO UPDATE SET setup_reference = excluded.setup_reference,
      customer_reference = excluded.customer_reference,
      payment_method_reference = excluded.payment_method_reference;

PREPARE "has-payment-customer" AS
SELECT FROM payment_cards WHERE checkout_id = $2 AND application_id = $1;

PREPARE "save-payment-customer" AS
INSERT INTO payment_cards (application_id, checkout_id, customer_reference) VALUES ($1, $2, $3)
    ON CONFLICT (checkout_id, application_id) DO NOTHING;

-- src/payments/store/customer-erasures.ts

PREPARE "request-customer-erasure" AS
INSERT INTO customer_erasures (application_id, checkout_id, customer_reference, setup_reference, email_sealed)
    SELECT b.application_id, b.booking_id, c.customer_reference, b.payment_reference, $3
    FROM bookings b LEFT JOIN payment_cards c ON c.checkout_id = b.booking_id AND c.application_id = b.application_id
    WHERE b.booking_id = $2 AND b.application_id = $1 AND b.kind = 'checkout' AND b.settlement = 'card'
      AND b.payment_attempts > 0
    ON CONFLICT (checkout_id, application_id) DO UPDATE SET due_at = now()
    RETURNING true AS requested;

PREPARE "claim-customer-erasures" AS
WITH due AS (
      SELECT checkout_id, application_id FROM customer_erasures
      WHERE due_at <= now() AND ($3::uuid IS NULL OR (application_id = $3 AND checkout_id = $4))
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    UPDATE customer_erasures e SET tries = e.tries + 1,
      due_at = now() + make_interval(secs => greatest($2, least(3600, 5 * 2 ^ least(e.tries, 10))))
    FROM due WHERE e.checkout_id = due.checkout_id AND e.application_id = due.application_id
    RETURNING e.application_id AS "applicationId", e.checkout_id AS "checkoutId",
      e.customer_reference AS "customerReference", e.setup_reference AS "setupReference", e.email_sealed AS sealed;

PREPARE "end-customer-erasure" AS
WITH ended AS (
      DELETE FROM customer_erasures WHERE checkout_id = $2 AND application_id = $1
      RETURNING checkout_id, application_id
    )
    DELETE FROM payment_cards c USING ended
    WHERE c.checkout_id = ended.checkout_id AND c.application_id = ended.application_id;

-- src/payments/store/due-days.ts

PREPARE "list-accounts-due-later" AS
SELECT a.reference, a.due_at AS "dueAt", l.time_zone AS "timeZone",
      a.due_at::text AS position
    FROM (
      SELECT reference, due_at FROM payment_accounts
      WHERE due_at >= greatest($1::timestamptz, now() + interval '5 minutes') AND (due_at, reference) > ($1::timestamptz, $2)
      ORDER BY due_at, reference LIMIT $3) a
    CROSS JOIN LATERAL (SELECT listing_id FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    ORDER BY a.due_at, a.reference;

PREPARE "wake-accounts-due-later" AS
UPDATE payment_accounts SET due_at = now()
    WHERE reference = ANY ($1) AND due_at > now() + interval '5 minutes';

-- src/payments/store/entries.ts

PREPARE "list-payment-entries" AS
SELECT entry_id AS "entryId", at, kind, payment_id AS "paymentId", refund_id AS "refundId",
      debit, credit, amount_minor AS "amountMinor", currency, details,
      CASE kind WHEN 'refused' THEN (SELECT decline_code FROM payment_intents i WHERE i.payment_id = e.payment_id)
        WHEN 'refund_refused' THEN (SELECT decline_code FROM payment_refunds f WHERE f.refund_id = e.refund_id)
      END AS code
    FROM payment_entries e WHERE application_id = $1 AND checkout_id = $2 ORDER BY entry_id;

-- src/payments/store/intents.ts

PREPARE "insert-payment-intent" AS
INSERT INTO payment_intents
      (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency, provider, first_try)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, (SELECT coalesce(max(coalesce(earlier.first_try, 1) + earlier.round), 0) + 1 FROM payment_intents earlier
      WHERE earlier.checkout_id = $2::uuid AND earlier.application_id = $1::uuid
        AND earlier.purpose = $4 AND earlier.due_on = $5::date)
    WHERE EXISTS (
      SELECT FROM bookings open WHERE open.booking_id = $2 AND open.application_id = $1
        AND open.kind = 'checkout' AND open.resolved_at IS NULL FOR SHARE)
    ON CONFLICT DO NOTHING
    RETURNING payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer;

PREPARE "find-payment-intent-of-attempt" AS
SELECT payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer FROM payment_intents WHERE attempt_id = $1 AND purpose = 'booking';

PREPARE "find-payment-intent-of-attempt-open" AS
SELECT payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer FROM payment_intents WHERE attempt_id = $1 AND purpose = 'booking'
      AND EXISTS (SELECT FROM bookings b WHERE b.booking_id = payment_intents.checkout_id
        AND b.application_id = payment_intents.application_id AND b.kind = 'checkout' AND b.resolved_at IS NULL);

PREPARE "ask-for-payment-again" AS
UPDATE payment_intents SET state = 'requested',
      round = round + CASE WHEN key_spent THEN 1 ELSE 0 END, key_spent = false, asked_at = now(), updated_at = now()
    WHERE payment_id = $1 AND round = $2 AND state IN ('requested', 'unknown') AND EXISTS (
      SELECT FROM bookings open WHERE open.booking_id = $4 AND open.application_id = $3
        AND open.kind = 'checkout' AND open.resolved_at IS NULL FOR SHARE)
    RETURNING payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer;

PREPARE "find-payment-intent" AS
SELECT payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer FROM payment_intents WHERE payment_id = $1;

PREPARE "record-payment-intent" AS
UPDATE payment_intents SET state = $3,
      provider_reference = coalesce(provider_reference, $4), decline_code = coalesce($5, decline_code),
      round = round + CASE WHEN key_spent AND $3 <> 'unknown' THEN 1 ELSE 0 END,
      key_spent = $3 = 'unknown' AND (key_spent OR $6),
      asked_at = CASE WHEN $7 THEN now() ELSE asked_at END, refused_as = coalesce($9, refused_as),
      updated_at = now()
    WHERE payment_id = $1 AND round = $2 AND state NOT IN ('captured', 'voided', 'refused')
      AND NOT (state IN ('action_needed', 'authorized') AND $3 = 'requested')
      AND NOT (state = 'authorized' AND $3 = 'action_needed')
      AND ($8::timestamptz IS NULL OR date_trunc('milliseconds', asked_at) = $8)
    RETURNING payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer;

PREPARE "note-missing-payment" AS
UPDATE payment_intents SET missing_at = now()
    WHERE payment_id = $1 AND date_trunc('milliseconds', asked_at) = $2;

-- src/payments/store/kept-payments.ts

PREPARE "list-kept-payments-locked" AS
SELECT i.payment_id AS "paymentId", i.application_id AS "applicationId", i.currency,
      i.amount_minor - ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = i.payment_id AND e.kind = 'refunded_elsewhere'))::bigint AS "leftMinor"
    FROM payment_intents i
    JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
      AND b.kind = 'checkout' AND b.resolved_at IS NOT NULL AND b.reference IS NULL
    WHERE i.checkout_id = $1 AND ($2::uuid IS NULL OR i.application_id = $2) AND i.state = 'captured'
    ORDER BY i.payment_id FOR NO KEY UPDATE OF i;

PREPARE "list-kept-payments" AS
SELECT i.payment_id AS "paymentId", i.application_id AS "applicationId", i.currency,
      i.amount_minor - ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = i.payment_id AND e.kind = 'refunded_elsewhere'))::bigint AS "leftMinor"
    FROM payment_intents i
    JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
      AND b.kind = 'checkout' AND b.resolved_at IS NOT NULL AND b.reference IS NULL
    WHERE i.checkout_id = $1 AND ($2::uuid IS NULL OR i.application_id = $2) AND i.state = 'captured'
    ORDER BY i.payment_id ;

PREPARE "record-return-elsewhere" AS
WITH entered AS (
      INSERT INTO payment_entries (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor,
        currency, details)
      SELECT application_id, checkout_id, payment_id, 'refunded_elsewhere', 'open', 'refunded', $2, currency, $3
      FROM payment_intents WHERE payment_id = $1
      RETURNING entry_id
    ), resolved AS (
      UPDATE payment_refunds SET settled_at = now()
      WHERE payment_id = $1 AND $4 AND state IN ('refused', 'failed') AND settled_at IS NULL
    )
    UPDATE payment_returns SET due_at = now(), fence = fence + 1
    WHERE payment_id = $1 AND EXISTS (SELECT FROM entered);

-- src/payments/store/ledger-export.ts

PREPARE "export-payment-entries" AS
SELECT e.entry_id AS "entryId", e.at, a.reference, e.kind, e.debit, e.credit, e.amount_minor AS amount,
      e.currency, coalesce(f.refund_reference, e.details ->> 'disputeReference', i.provider_reference) AS "providerId",
      e.details ->> 'reason' AS reason
    FROM payment_entries e
    LEFT JOIN payment_accounts a ON a.checkout_id = e.checkout_id AND a.application_id = e.application_id
    LEFT JOIN payment_intents i ON i.payment_id = e.payment_id
    LEFT JOIN payment_refunds f ON f.refund_id = e.refund_id
    WHERE e.debit IS NOT NULL AND e.at >= $1::timestamptz AND e.at < $2::timestamptz
    ORDER BY e.at, e.entry_id LIMIT $3;

-- src/payments/store/notices.ts

PREPARE "find-noticed-payment" AS
SELECT payment_id AS "paymentId" FROM payment_intents
    WHERE provider_reference = $1 OR payment_id = $2;

PREPARE "is-payment-answer-awaited" AS
SELECT FROM payment_intents
    WHERE state NOT IN ('captured', 'voided', 'refused') AND provider_reference IS NULL
      AND created_at > line_now() - interval '24 hours' LIMIT 1;

PREPARE "enter-dispute" AS
INSERT INTO payment_entries
      (application_id, checkout_id, payment_id, kind, amount_minor, currency, details)
    SELECT application_id, checkout_id, payment_id, 'disputed', $2, $3, $4
    FROM payment_intents WHERE payment_id = $1
    ON CONFLICT ((details->>'eventReference')) WHERE kind = 'disputed' DO NOTHING;

PREPARE "follow-dispute" AS
WITH followed AS (
      INSERT INTO payment_disputes AS d
        (dispute_reference, payment_id, amount_minor, currency, reason, outcome, evidence_due_at, fee_minor)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (dispute_reference) DO UPDATE SET
        outcome = CASE d.outcome WHEN 'open' THEN excluded.outcome ELSE d.outcome END,
        evidence_due_at = coalesce(excluded.evidence_due_at, d.evidence_due_at),
        fee_minor = coalesce(excluded.fee_minor, d.fee_minor), reason = excluded.reason
      RETURNING payment_id
    )
    SELECT wake_payment_account(i.application_id, i.checkout_id)
    FROM followed CROSS JOIN LATERAL (SELECT application_id, checkout_id FROM payment_intents
      WHERE payment_id = followed.payment_id OFFSET 0) i;

-- src/payments/store/open-money.ts

PREPARE "hold-account-of-guest" AS
SELECT 1 FROM payment_accounts WHERE checkout_id = $2 AND application_id = $1 FOR UPDATE;

PREPARE "is-money-open" AS
SELECT EXISTS (
        SELECT FROM payment_accounts a CROSS JOIN payment_balance(a.application_id, a.checkout_id) balance
        WHERE a.checkout_id = $2 AND a.application_id = $1
          AND (balance.open <> 0 OR balance.owed <> 0 OR a.attention IS NOT NULL))
      OR EXISTS (
        SELECT FROM payment_intents i WHERE i.checkout_id = $2 AND i.application_id = $1
          AND (i.state IN ('requested', 'unknown', 'action_needed', 'authorized')
            OR EXISTS (SELECT FROM (SELECT due_at, attention FROM payment_returns
                WHERE payment_id = i.payment_id OFFSET 0) r WHERE r.due_at IS NOT NULL OR r.attention IS NOT NULL)
            OR EXISTS (SELECT FROM (SELECT state, settled_at FROM payment_refunds
                WHERE payment_id = i.payment_id OFFSET 0) f
              WHERE f.state IN ('requested', 'unknown')
                OR f.state IN ('refused', 'failed') AND f.settled_at IS NULL)
            OR EXISTS (SELECT FROM (SELECT outcome FROM payment_disputes
                WHERE payment_id = i.payment_id OFFSET 0) d WHERE d.outcome = 'open'))) AS open;

PREPARE "erase-texts-of-ledger" AS
UPDATE payment_entries SET details = details::jsonb - 'reason' - 'method'
    WHERE checkout_id = $2 AND application_id = $1 AND (details::jsonb ? 'reason' OR details::jsonb ? 'method')
      AND details ->> 'by' = 'staff';

-- src/payments/store/payment-links.ts

PREPARE "find-open-payment-link" AS
SELECT payment_id AS "paymentId", page_reference AS "pageReference", url, expires_at AS "expiresAt" FROM payment_links
    WHERE checkout_id = $2 AND application_id = $1 AND ended_at IS NULL;

PREPARE "claim-account-for-link" AS
UPDATE payment_accounts SET fence = fence + 1, due_at = now()
    WHERE checkout_id = $2 AND application_id = $1
    RETURNING fence, held_since IS NOT NULL OR NOT may_move_money() AS "isHeld";

PREPARE "insert-payment-link" AS
WITH made AS (
      INSERT INTO payment_intents
        (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency, provider, first_try)
      VALUES ($1, $2, $3, 'link', $4, $5, $6, $7, (SELECT coalesce(max(coalesce(earlier.first_try, 1) + earlier.round), 0) + 1 FROM payment_intents earlier
      WHERE earlier.checkout_id = $2::uuid AND earlier.application_id = $1::uuid
        AND earlier.purpose = 'link' AND earlier.due_on = $4::date))
      RETURNING payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer
    ), link AS (
      INSERT INTO payment_links (payment_id, application_id, checkout_id, expires_at, look_at)
      SELECT "paymentId", "applicationId", "checkoutId", $8::timestamptz, now() + interval '1 minute' FROM made
    )
    SELECT * FROM made;

PREPARE "record-payment-link-made" AS
UPDATE payment_links SET page_reference = $2, url = $3, look_at = $4 WHERE payment_id = $1
      AND (page_reference IS NULL OR page_reference = $2) AND ended_at IS NULL
    RETURNING payment_id AS "paymentId", page_reference AS "pageReference", url, expires_at AS "expiresAt";

PREPARE "look-at-payment-link" AS
WITH looked AS (
      UPDATE payment_links SET look_at = $2 WHERE payment_id = $1 AND ended_at IS NULL
      RETURNING application_id, checkout_id
    )
    SELECT wake_payment_account(application_id, checkout_id) FROM looked;

PREPARE "look-at-payment-link-now" AS
UPDATE payment_links SET look_at = now() WHERE payment_id = $1 AND ended_at IS NULL;

-- src/payments/store/payment-records.ts

PREPARE "number-payment-records" AS
WITH picked AS (
      SELECT record_id FROM payment_records WHERE sequence IS NULL
      ORDER BY record_id LIMIT $1 FOR UPDATE SKIP LOCKED
    ), numbered AS (
      SELECT record_id, row_number() OVER (ORDER BY record_id) AS ordinal, count(*) OVER () AS all_of_them FROM picked
    ), counter AS (
      INSERT INTO payment_record_counters AS c (epoch, last_sequence)
      SELECT coalesce((SELECT max(epoch) FROM epochs WHERE epoch > 0), 1), count(*) FROM picked HAVING count(*) > 0
      ON CONFLICT (epoch) DO UPDATE SET last_sequence = c.last_sequence + excluded.last_sequence
      RETURNING epoch, last_sequence
    )
    UPDATE payment_records r SET epoch = counter.epoch,
      sequence = counter.last_sequence - numbered.all_of_them + numbered.ordinal
    FROM numbered, counter
    WHERE r.record_id = ANY (ARRAY(SELECT record_id FROM picked)) AND r.record_id = numbered.record_id
    RETURNING r.record_id;

PREPARE "claim-payment-records" AS
WITH due AS (
      SELECT p.record_id, a.reference FROM payment_records p
      LEFT JOIN LATERAL (SELECT reference FROM payment_accounts
        WHERE checkout_id = p.checkout_id AND application_id = p.application_id OFFSET 0) a ON true
      WHERE p.due_at <= now() AND p.sequence IS NOT NULL AND (a.reference IS NOT NULL OR EXISTS (
        SELECT FROM bookings WHERE application_id = p.application_id AND kind = 'checkout'
          AND booking_id = p.checkout_id AND resolved_at IS NOT NULL))
      ORDER BY p.due_at LIMIT $1 FOR UPDATE OF p SKIP LOCKED
    )
    UPDATE payment_records r SET due_at = now() + make_interval(secs => $2), attempts = r.attempts + 1
    FROM due WHERE r.record_id = ANY (ARRAY(SELECT record_id FROM due)) AND r.record_id = due.record_id
    RETURNING r.record_id AS "recordId", r.application_id AS "applicationId", r.checkout_id AS "checkoutId",
      r.epoch, r.sequence, due.reference, r.kind, r.name, r.amount_minor AS amount, r.currency,
      r.happened_at AS "happenedAt", r.attempts, now() AS now;

PREPARE "write-payment-record-result" AS
UPDATE payment_records SET due_at = now() + make_interval(secs => $4), problem = $3
    WHERE record_id = $1 AND due_at IS NOT NULL AND ($3::text IS NULL OR attempts = $2);

PREPARE "forget-payment-records" AS
DELETE FROM payment_records WHERE record_id = ANY (ARRAY(
      SELECT record_id FROM payment_records ORDER BY record_id LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING record_id;

-- src/payments/store/reconciliation.ts

PREPARE "find-payments-to-compare" AS
SELECT i.payment_id AS "paymentId", i.provider_reference AS "providerReference", i.state, i.purpose,
      i.amount_minor AS "amountMinor", i.currency, i.checkout_id AS "checkoutId",
      (SELECT b.reference FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout') AS reference,
      coalesce((SELECT c.customer_reference FROM payment_cards c WHERE c.checkout_id = i.checkout_id
        AND c.application_id = i.application_id), '') AS "customerReference", i.created_at::text AS "createdAt",
      coalesce((SELECT sum(f.amount_minor) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state = 'done'), 0)::bigint AS "refundedMinor",
      entered."enteredCollectedMinor", entered."enteredRefundedMinor", entered."isDisputeEntered",
      NOT EXISTS (SELECT FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout'
        AND (b.resolved_at IS NULL OR b.reference IS NOT NULL)) AS "isWithoutReservation",
      entered."returnedElsewhereMinor" FROM payment_intents i CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'captured'), 0)::bigint AS "enteredCollectedMinor",
        coalesce(sum(CASE kind WHEN 'refunded' THEN amount_minor WHEN 'refund_failed' THEN -amount_minor END),
          0)::bigint AS "enteredRefundedMinor",
        coalesce(sum(amount_minor) FILTER (WHERE kind = 'refunded_elsewhere'), 0)::bigint
          AS "returnedElsewhereMinor",
        coalesce(bool_or(kind = 'disputed'), false) AS "isDisputeEntered"
      FROM payment_entries e WHERE e.payment_id = i.payment_id) entered WHERE i.payment_id = ANY ($1::uuid[]);

PREPARE "find-payments-to-compare-by-reference" AS
SELECT i.payment_id AS "paymentId", i.provider_reference AS "providerReference", i.state, i.purpose,
      i.amount_minor AS "amountMinor", i.currency, i.checkout_id AS "checkoutId",
      (SELECT b.reference FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout') AS reference,
      coalesce((SELECT c.customer_reference FROM payment_cards c WHERE c.checkout_id = i.checkout_id
        AND c.application_id = i.application_id), '') AS "customerReference", i.created_at::text AS "createdAt",
      coalesce((SELECT sum(f.amount_minor) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state = 'done'), 0)::bigint AS "refundedMinor",
      entered."enteredCollectedMinor", entered."enteredRefundedMinor", entered."isDisputeEntered",
      NOT EXISTS (SELECT FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout'
        AND (b.resolved_at IS NULL OR b.reference IS NOT NULL)) AS "isWithoutReservation",
      entered."returnedElsewhereMinor" FROM payment_intents i CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'captured'), 0)::bigint AS "enteredCollectedMinor",
        coalesce(sum(CASE kind WHEN 'refunded' THEN amount_minor WHEN 'refund_failed' THEN -amount_minor END),
          0)::bigint AS "enteredRefundedMinor",
        coalesce(sum(amount_minor) FILTER (WHERE kind = 'refunded_elsewhere'), 0)::bigint
          AS "returnedElsewhereMinor",
        coalesce(bool_or(kind = 'disputed'), false) AS "isDisputeEntered"
      FROM payment_entries e WHERE e.payment_id = i.payment_id) entered WHERE i.provider_reference = ANY ($1::text[]);

PREPARE "find-reservations-of-payments" AS
SELECT i.provider_reference AS "providerReference", b.reference FROM payment_intents i
    JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id AND b.kind = 'checkout'
    WHERE i.provider_reference = ANY ($1::text[]) AND b.reference IS NOT NULL;

PREPARE "find-payments-affected" AS
SELECT payment_id AS "paymentId", at::text, entry_id AS "entryId" FROM payment_entries
    WHERE (at, entry_id) > ($1::timestamptz, $2::bigint) AND at < coalesce($3::timestamptz, 'infinity')
      AND debit IS NOT NULL
    ORDER BY at, entry_id LIMIT $4;

PREPARE "find-customers-of-ours" AS
SELECT c.customer_reference AS "customerReference", b.reference FROM payment_cards c
    JOIN bookings b ON b.booking_id = c.checkout_id AND b.application_id = c.application_id AND b.kind = 'checkout'
    WHERE c.customer_reference = ANY ($1::text[]);

PREPARE "list-payments-to-compare" AS
SELECT i.payment_id AS "paymentId", i.provider_reference AS "providerReference", i.state, i.purpose,
      i.amount_minor AS "amountMinor", i.currency, i.checkout_id AS "checkoutId",
      (SELECT b.reference FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout') AS reference,
      coalesce((SELECT c.customer_reference FROM payment_cards c WHERE c.checkout_id = i.checkout_id
        AND c.application_id = i.application_id), '') AS "customerReference", i.created_at::text AS "createdAt",
      coalesce((SELECT sum(f.amount_minor) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state = 'done'), 0)::bigint AS "refundedMinor",
      entered."enteredCollectedMinor", entered."enteredRefundedMinor", entered."isDisputeEntered",
      NOT EXISTS (SELECT FROM bookings b WHERE b.booking_id = i.checkout_id
        AND b.application_id = i.application_id AND b.kind = 'checkout'
        AND (b.resolved_at IS NULL OR b.reference IS NOT NULL)) AS "isWithoutReservation",
      entered."returnedElsewhereMinor" FROM payment_intents i CROSS JOIN LATERAL (
      SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'captured'), 0)::bigint AS "enteredCollectedMinor",
        coalesce(sum(CASE kind WHEN 'refunded' THEN amount_minor WHEN 'refund_failed' THEN -amount_minor END),
          0)::bigint AS "enteredRefundedMinor",
        coalesce(sum(amount_minor) FILTER (WHERE kind = 'refunded_elsewhere'), 0)::bigint
          AS "returnedElsewhereMinor",
        coalesce(bool_or(kind = 'disputed'), false) AS "isDisputeEntered"
      FROM payment_entries e WHERE e.payment_id = i.payment_id) entered
    WHERE (i.created_at, i.payment_id) > ($1::timestamptz, $2::uuid)
      AND i.created_at < coalesce($4::timestamptz, 'infinity')
    ORDER BY i.created_at, i.payment_id LIMIT $3;

-- src/payments/store/refund-checks.ts

PREPARE "claim-refunds-to-check" AS
UPDATE payment_refunds f SET check_at = now() + interval '1 day'
    FROM payment_intents i
    WHERE f.refund_id = ANY (ARRAY(
        SELECT refund_id FROM payment_refunds WHERE check_at <= now()
        ORDER BY check_at LIMIT $1 FOR UPDATE SKIP LOCKED))
      AND i.payment_id = f.payment_id
    RETURNING f.refund_id AS "refundId", f.refund_reference AS "refundReference",
      i.application_id AS "applicationId", i.checkout_id AS "checkoutId",
      i.provider_reference AS "providerReference", f.checks;

PREPARE "record-refund-stands" AS
UPDATE payment_refunds SET checks = $2 + 1, check_at = now() + make_interval(days => $3)
    WHERE refund_id = $1 AND checks = $2 AND state = 'done';

PREPARE "record-refund-failed" AS
UPDATE payment_refunds SET state = 'failed', decline_code = coalesce($2, decline_code),
      check_at = NULL, updated_at = now()
    WHERE refund_id = $1 AND state = 'done'
    RETURNING refund_id;

PREPARE "check-refunds-now" AS
UPDATE payment_refunds SET check_at = now() WHERE payment_id = $1 AND state = 'done';

-- src/payments/store/refund-comparison.ts

PREPARE "list-refunds-to-compare" AS
SELECT refund_id AS "refundId", refund_reference AS "refundReference", number,
      amount_minor AS "amountMinor", state
    FROM payment_refunds WHERE payment_id = $1 ORDER BY refund_id;

PREPARE "write-refunds-compared-account" AS
WITH held AS (SELECT FROM payment_accounts
      WHERE checkout_id = $6 AND application_id = $5 AND fence = $7 FOR UPDATE), sent_back AS (
      UPDATE payment_refunds f SET state = 'failed', decline_code = coalesce(one.code, f.decline_code),
        check_at = NULL, updated_at = now()
      FROM held CROSS JOIN json_to_recordset($3) AS one("refundId" uuid, code text)
      WHERE f.refund_id = one."refundId" AND f.state = 'done'
      RETURNING f.refund_id
    ), adopted AS (
      INSERT INTO payment_refunds
        (payment_id, amount_minor, reason, state, refund_reference, made_elsewhere, number, check_at)
      SELECT $1, one."amountMinor", 'made at the card provider', 'done', one."refundReference", true, one.number,
        now() + make_interval(days => $4)
      FROM held CROSS JOIN json_to_recordset($2)
        AS one("refundReference" text, "amountMinor" bigint, number smallint)
        CROSS JOIN (SELECT count(*) FROM sent_back) before
      ON CONFLICT (refund_reference) DO NOTHING
      RETURNING refund_id
    ), compared AS (
      UPDATE payment_intents SET refunds_changed_at = NULL FROM held WHERE payment_id = $1
    ), resolved AS (
      UPDATE payment_refunds SET settled_at = now() FROM held
      WHERE payment_id = $1 AND state = 'refused' AND refused_as = 'amount' AND settled_at IS NULL
        AND EXISTS (SELECT FROM adopted)
    )
    SELECT wake_payment_account($5, $6) FROM held;

PREPARE "write-refunds-compared-return" AS
WITH held AS (SELECT FROM payment_returns WHERE payment_id = $1 AND fence = $5 FOR UPDATE), sent_back AS (
      UPDATE payment_refunds f SET state = 'failed', decline_code = coalesce(one.code, f.decline_code),
        check_at = NULL, updated_at = now()
      FROM held CROSS JOIN json_to_recordset($3) AS one("refundId" uuid, code text)
      WHERE f.refund_id = one."refundId" AND f.state = 'done'
      RETURNING f.refund_id
    ), adopted AS (
      INSERT INTO payment_refunds
        (payment_id, amount_minor, reason, state, refund_reference, made_elsewhere, number, check_at)
      SELECT $1, one."amountMinor", 'made at the card provider', 'done', one."refundReference", true, one.number,
        now() + make_interval(days => $4)
      FROM held CROSS JOIN json_to_recordset($2)
        AS one("refundReference" text, "amountMinor" bigint, number smallint)
        CROSS JOIN (SELECT count(*) FROM sent_back) before
      ON CONFLICT (refund_reference) DO NOTHING
      RETURNING refund_id
    ), compared AS (
      UPDATE payment_intents SET refunds_changed_at = NULL FROM held WHERE payment_id = $1
    ), resolved AS (
      UPDATE payment_refunds SET settled_at = now() FROM held
      WHERE payment_id = $1 AND state = 'refused' AND refused_as = 'amount' AND settled_at IS NULL
        AND EXISTS (SELECT FROM adopted)
    )
    UPDATE payment_returns SET due_at = now(), fence = fence + 1 FROM held WHERE payment_id = $1;

PREPARE "note-refunds-changed" AS
WITH noted AS (
      UPDATE payment_intents i SET refunds_changed_at = now()
      WHERE i.payment_id = $1 AND ($2 OR $3 > (SELECT coalesce(sum(f.amount_minor), 0) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state NOT IN ('refused', 'failed')))
      RETURNING i.payment_id, i.application_id, i.checkout_id
    ), returned AS (
      UPDATE payment_returns r SET due_at = now(), fence = r.fence + 1 FROM noted
      WHERE r.payment_id = noted.payment_id
    )
    SELECT wake_payment_account(application_id, checkout_id) FROM noted;

-- src/payments/store/refunds-of-returns.ts

PREPARE "find-standing-refund" AS
SELECT refund_id AS "refundId", payment_id AS "paymentId", amount_minor AS "amountMinor", state,
  refund_reference AS "refundReference", decline_code AS "declineCode", reason, number, round,
  key_spent AS "keySpent", created_at AS "createdAt" FROM payment_refunds
    WHERE payment_id = $1 AND state NOT IN ('refused', 'failed')
    ORDER BY state = 'done', refund_id DESC LIMIT 1;

PREPARE "insert-refund-of-rest" AS
WITH ended AS (
      SELECT b.booking_id FROM bookings b
      WHERE (b.application_id, b.booking_id, b.kind) = (
          SELECT application_id, checkout_id, 'checkout' FROM payment_intents WHERE payment_id = $1)
        AND b.resolved_at IS NOT NULL AND b.reference IS NULL
    ), payment AS (
      SELECT i.payment_id, i.amount_minor FROM ended CROSS JOIN payment_intents i
      WHERE i.payment_id = $1 AND i.state = 'captured' FOR NO KEY UPDATE OF i
    )
    INSERT INTO payment_refunds (payment_id, amount_minor, reason, number)
    SELECT payment_id, amount_minor - ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = payment.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = payment.payment_id AND e.kind = 'refunded_elsewhere'))::bigint, $2, (SELECT coalesce(max(f.number), 0) + 1 FROM payment_intents i
      JOIN payment_intents other ON other.checkout_id = i.checkout_id AND other.application_id = i.application_id
      JOIN payment_refunds f ON f.payment_id = other.payment_id WHERE i.payment_id = payment.payment_id) FROM payment
    WHERE amount_minor > ((SELECT coalesce(sum(f.amount_minor), 0)
        FROM payment_refunds f WHERE f.payment_id = payment.payment_id AND f.state NOT IN ('refused', 'failed'))
      + (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
        WHERE e.payment_id = payment.payment_id AND e.kind = 'refunded_elsewhere'))::bigint
    RETURNING refund_id AS "refundId", payment_id AS "paymentId", amount_minor AS "amountMinor", state,
  refund_reference AS "refundReference", decline_code AS "declineCode", reason, number, round,
  key_spent AS "keySpent", created_at AS "createdAt";

-- src/payments/store/refunds.ts

PREPARE "insert-payment-refund" AS
WITH held AS (
      SELECT FROM payment_accounts WHERE application_id = $1 AND checkout_id = $2 AND fence = $3 FOR UPDATE
    )
    INSERT INTO payment_refunds (payment_id, amount_minor, reason, number, of_account)
    SELECT $4::uuid, $5::bigint, $6, (SELECT coalesce(max(f.number), 0) + 1 FROM payment_intents i
      JOIN payment_intents other ON other.checkout_id = i.checkout_id AND other.application_id = i.application_id
      JOIN payment_refunds f ON f.payment_id = other.payment_id WHERE i.payment_id = $4::uuid), $7 FROM held
    RETURNING refund_id AS "refundId", payment_id AS "paymentId", amount_minor AS "amountMinor", state,
  refund_reference AS "refundReference", decline_code AS "declineCode", reason, number, round,
  key_spent AS "keySpent", created_at AS "createdAt";

PREPARE "find-payment-refund" AS
SELECT refund_id AS "refundId", payment_id AS "paymentId", amount_minor AS "amountMinor", state,
  refund_reference AS "refundReference", decline_code AS "declineCode", reason, number, round,
  key_spent AS "keySpent", created_at AS "createdAt" FROM payment_refunds WHERE refund_id = $1;

PREPARE "record-payment-refund" AS
UPDATE payment_refunds SET state = $3,
      refund_reference = coalesce(refund_reference, $4), decline_code = coalesce($5, decline_code),
      round = round + CASE WHEN key_spent AND $3 <> 'unknown' THEN 1 ELSE 0 END,
      key_spent = $3 = 'unknown' AND (key_spent OR $6), refused_as = coalesce($8, refused_as), updated_at = now(),
      check_at = CASE $3 WHEN 'done' THEN now() + make_interval(days => $7) END
    WHERE refund_id = $1 AND round = $2 AND state IN ('requested', 'unknown')
    RETURNING refund_id AS "refundId", payment_id AS "paymentId", amount_minor AS "amountMinor", state,
  refund_reference AS "refundReference", decline_code AS "declineCode", reason, number, round,
  key_spent AS "keySpent", created_at AS "createdAt";

-- src/payments/store/returns.ts

PREPARE "claim-payment-returns" AS
UPDATE payment_returns SET due_at = now() + make_interval(secs => $2), fence = fence + 1,
      tries = tries + 1
    WHERE payment_id = ANY (ARRAY(
      SELECT payment_id FROM payment_returns WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING payment_id AS "paymentId", opened_at AS "openedAt", fence, tries;

PREPARE "read-payment-return" AS
SELECT payment_id AS "paymentId", application_id AS "applicationId",
  checkout_id AS "checkoutId", attempt_id AS "attemptId", purpose, due_on AS "dueOn",
  amount_minor AS "amountMinor", currency, state, provider, provider_reference AS "providerReference",
  decline_code AS "declineCode", first_try AS "firstTry", round, key_spent AS "keySpent", asked_at AS "askedAt",
  missing_at AS "missingAt", created_at AS "createdAt", now() AS now,
  (SELECT json_build_object('customerReference', c.customer_reference,
      'paymentMethodReference', c.payment_method_reference)
    FROM payment_cards c WHERE c.checkout_id = payment_intents.checkout_id
      AND c.application_id = payment_intents.application_id) AS customer,
      (SELECT json_build_object(
          'leftMinor', payment_intents.amount_minor
            - coalesce(sum(f.amount_minor) FILTER (WHERE f.state = 'done'), 0)
            - (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
              WHERE e.payment_id = payment_intents.payment_id AND e.kind = 'refunded_elsewhere'),
          'isBegun', coalesce(bool_or(f.state IN ('requested', 'unknown')), false),
          'refusals', coalesce(json_agg(json_build_object('kind', coalesce(f.refused_as, 'funds'),
              'code', f.decline_code, 'at', (extract(epoch FROM f.updated_at) * 1000)::bigint) ORDER BY f.refund_id)
            FILTER (WHERE f.state = 'refused' AND f.settled_at IS NULL), '[]'),
          'isSentBack', coalesce(bool_or(f.state = 'failed' AND f.settled_at IS NULL), false),
          'isChanged', payment_intents.refunds_changed_at IS NOT NULL)
        FROM payment_refunds f WHERE f.payment_id = payment_intents.payment_id) AS refunds,
      EXISTS (SELECT FROM bookings b WHERE b.booking_id = checkout_id
        AND b.application_id = payment_intents.application_id AND b.kind = 'checkout'
        AND b.reference IS NOT NULL) AS "isReserved"
    FROM payment_intents WHERE payment_id = $1
      AND EXISTS (SELECT FROM payment_returns r WHERE r.payment_id = $1 AND r.fence = $2);

PREPARE "end-claim-of-payment-return" AS
UPDATE payment_returns SET due_at = now() + make_interval(secs => $3), attention = $4,
      attention_since = CASE WHEN $4::text IS NOT NULL THEN coalesce(attention_since, now()) END
    WHERE payment_id = $1 AND fence = $2;

PREPARE "wake-payment-return" AS
INSERT INTO payment_returns (payment_id)
    SELECT i.payment_id FROM payment_intents i
    JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
      AND b.kind = 'checkout'
    WHERE i.payment_id = $1 AND i.purpose = 'booking'
      AND CASE i.state WHEN 'refused' THEN false WHEN 'voided' THEN i.provider_reference IS NULL
        ELSE b.resolved_at IS NOT NULL AND b.reference IS NULL END
    ON CONFLICT (payment_id) DO UPDATE SET due_at = least(payment_returns.due_at, now())
    RETURNING payment_id;

PREPARE "wake-waiting-returns" AS
UPDATE payment_returns SET due_at = now()
    WHERE payment_id = ANY (ARRAY(
      SELECT payment_id FROM payment_returns WHERE due_at > now() + interval '30 seconds'
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING payment_id;

PREPARE "record-payment-that-appeared" AS
UPDATE payment_intents SET state = $2, provider_reference = $3, updated_at = now()
    WHERE payment_id = $1 AND state = 'voided' AND provider_reference IS NULL;

-- src/payments/store/staff-acts.ts

PREPARE "read-days-of-record" AS
SELECT (now() AT TIME ZONE 'UTC')::date AS today, (now() AT TIME ZONE 'UTC')::date + 1 AS latest;

PREPARE "sum-refunds-begun" AS
SELECT coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'owed'), 0)::bigint AS "begunOwed",
      coalesce(sum(f.amount_minor) FILTER (WHERE f.of_account = 'open'), 0)::bigint AS "begunSurplus"
    FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = $2 AND i.application_id = $1 AND f.state IN ('requested', 'unknown');

PREPARE "enter-staff-act" AS
WITH entered AS (
      INSERT INTO payment_entries
        (application_id, checkout_id, kind, debit, credit, amount_minor, currency, details)
      SELECT $1, $2, kind, debit, credit, "amountMinor", $3, $5
      FROM json_to_recordset($4) AS one(kind text, debit text, credit text, "amountMinor" bigint)
      RETURNING entry_id
    )
    SELECT wake_payment_account($1, $2) FROM (SELECT count(*) FROM entered) counted;

PREPARE "stop-payment-account" AS
WITH stopped AS (
      UPDATE payment_accounts SET stopped_at = now(), due_at = now(), fence = fence + 1, tries = 0
      WHERE checkout_id = $2 AND application_id = $1
      RETURNING application_id, checkout_id
    )
    INSERT INTO payment_entries (application_id, checkout_id, kind, details)
    SELECT application_id, checkout_id, 'stopped', '{"by": "staff"}' FROM stopped;

PREPARE "start-payment-account" AS
WITH entered AS (
      INSERT INTO payment_entries (application_id, checkout_id, kind, details)
      VALUES ($1, $2, 'started', '{"by": "staff"}') RETURNING entry_id
    )
    SELECT start_payment_account($1, $2) FROM (SELECT count(*) FROM entered) counted;

PREPARE "release-adopted-account" AS
UPDATE payment_accounts SET held_since = NULL
    WHERE checkout_id = $2 AND application_id = $1 AND held_since IS NOT NULL;

-- src/payments/store/workload.ts

PREPARE "count-payments-under-way" AS
SELECT what, state, count,
      greatest(extract(epoch FROM now() - oldest), 0)::float8 AS "oldestSeconds"
    FROM (SELECT 'payment' AS what, state, count(*), min(created_at) AS oldest FROM (
      SELECT state, created_at FROM payment_intents
      WHERE state NOT IN ('captured', 'voided', 'refused') ORDER BY created_at LIMIT 10000) p
      GROUP BY state
    UNION ALL
    SELECT 'refund', 'under way', count(*), min(created_at) FROM (
      SELECT created_at FROM payment_refunds
      WHERE state IN ('requested', 'unknown') ORDER BY created_at LIMIT 10000) f
    UNION ALL
    SELECT 'attention', kind, count(*), min(since) FROM (
      SELECT kind, since FROM payment_waits ORDER BY since, checkout_id LIMIT 10000) w
      GROUP BY kind
    UNION ALL
    SELECT 'due', 'account', 0, (
      SELECT due_at FROM payment_accounts WHERE due_at <= now() ORDER BY due_at LIMIT 1)) counted;

-- src/platform/audit/audit-chain.ts

PREPARE "find-audit-texts-to-move" AS
SELECT entry_id AS "entryId", action, details FROM audit_entries
    WHERE entry_id = ANY (ARRAY(SELECT entry_id FROM audit_unchained ORDER BY entry_id LIMIT $1))
      AND has_audit_text(action, details) ORDER BY entry_id;

PREPARE "move-audit-texts" AS
SELECT move_audit_text(entry_id, digest, sealed)
    FROM unnest($1::bigint[], $2::text[], $3::bytea[]) AS moved (entry_id, digest, sealed);

PREPARE "chain-audit-entries" AS
SELECT chain_audit_entries($1) AS chained;

PREPARE "remove-old-audit-entries" AS
SELECT remove_old_audit_entries($1) AS removed;

PREPARE "erase-audit-texts" AS
SELECT erase_audit_texts($1) AS erased;

PREPARE "read-audit-head" AS
SELECT position, hash, anchor_position AS "anchorPosition", anchor_hash AS "anchorHash",
      (SELECT count(*) FROM audit_unchained)::bigint AS waiting FROM audit_head;

PREPARE "read-audit-chain" AS
SELECT c.position, c.entry_id AS "entryId", c.hash, e.line, t.text_sealed AS sealed,
      t.erased_at IS NOT NULL AS "isErased"
    FROM (SELECT * FROM audit_chain WHERE position > $1 ORDER BY position LIMIT $2) c
    LEFT JOIN LATERAL (
      SELECT audit_line(entry_id, happened_at, actor, source, action, application_id, reference, details) AS line
      FROM audit_entries WHERE entry_id = c.entry_id OFFSET 0
    ) e ON true
    LEFT JOIN LATERAL (SELECT text_sealed, erased_at FROM audit_texts WHERE entry_id = c.entry_id OFFSET 0) t ON true
    ORDER BY c.position;

PREPARE "read-audit-hash" AS
SELECT coalesce((SELECT hash FROM audit_chain WHERE position = $1),
      (SELECT anchor_hash FROM audit_head WHERE anchor_position = $1)) AS hash;

-- src/platform/audit/audit-entries.ts

PREPARE "insert-audit-entry" AS
WITH entered AS (
      INSERT INTO audit_entries (actor, action, application_id, details, reference, source)
      VALUES ($1, $2, $3, $4, $5, $6) RETURNING entry_id
    ), homes AS (
      INSERT INTO audit_homes (listing, entry_id)
      SELECT DISTINCT unnest($8::text[]), entry_id FROM entered
    )
    INSERT INTO audit_texts (entry_id, text_sealed) SELECT entry_id, $7 FROM entered WHERE $7::bytea IS NOT NULL;

PREPARE "list-audit-entries-all" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 ORDER BY l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true
      ORDER BY looked.entry_id DESC LIMIT $3;

PREPARE "find-audit-entry-looked-at-all" AS
SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 ORDER BY l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-listing" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id, l.listing AS path FROM audit_homes l
        WHERE l.listing = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.listing DESC, l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true
      ORDER BY looked.path DESC, looked.entry_id DESC LIMIT $4;

PREPARE "find-audit-entry-looked-at-listing" AS
SELECT l.entry_id, l.listing AS path FROM audit_homes l
        WHERE l.listing = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.listing DESC, l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-reference" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id, l.reference AS path FROM audit_entries l
        WHERE l.reference = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.reference DESC, l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true
      ORDER BY looked.path DESC, looked.entry_id DESC LIMIT $4;

PREPARE "find-audit-entry-looked-at-reference" AS
SELECT l.entry_id, l.reference AS path FROM audit_entries l
        WHERE l.reference = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.reference DESC, l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-applicationId" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id, l.application_id AS path FROM audit_entries l
        WHERE l.application_id = ANY (ARRAY[$3::uuid]) AND l.entry_id < $1
        ORDER BY l.application_id DESC, l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true
      ORDER BY looked.path DESC, looked.entry_id DESC LIMIT $4;

PREPARE "find-audit-entry-looked-at-applicationId" AS
SELECT l.entry_id, l.application_id AS path FROM audit_entries l
        WHERE l.application_id = ANY (ARRAY[$3::uuid]) AND l.entry_id < $1
        ORDER BY l.application_id DESC, l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-actor" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id, l.actor AS path FROM audit_entries l
        WHERE l.actor = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.actor DESC, l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true
      ORDER BY looked.path DESC, looked.entry_id DESC LIMIT $4;

PREPARE "find-audit-entry-looked-at-actor" AS
SELECT l.entry_id, l.actor AS path FROM audit_entries l
        WHERE l.actor = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.actor DESC, l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-action" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id, l.action AS path FROM audit_entries l
        WHERE l.action = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.action DESC, l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true
      ORDER BY looked.path DESC, looked.entry_id DESC LIMIT $4;

PREPARE "find-audit-entry-looked-at-action" AS
SELECT l.entry_id, l.action AS path FROM audit_entries l
        WHERE l.action = ANY (ARRAY[$3::text]) AND l.entry_id < $1
        ORDER BY l.action DESC, l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-from" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($3::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) ORDER BY l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true AND e.happened_at >= ($3::text::timestamp AT TIME ZONE 'UTC')
      ORDER BY looked.entry_id DESC LIMIT $4;

PREPARE "find-audit-entry-looked-at-from" AS
SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($3::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) ORDER BY l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-until" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($3::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991) ORDER BY l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true AND e.happened_at < ($3::text::timestamp AT TIME ZONE 'UTC')
      ORDER BY looked.entry_id DESC LIMIT $4;

PREPARE "find-audit-entry-looked-at-until" AS
SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($3::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991) ORDER BY l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-from-until" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($3::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($4::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991) ORDER BY l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true AND e.happened_at >= ($3::text::timestamp AT TIME ZONE 'UTC') AND e.happened_at < ($4::text::timestamp AT TIME ZONE 'UTC')
      ORDER BY looked.entry_id DESC LIMIT $5;

PREPARE "find-audit-entry-looked-at-from-until" AS
SELECT l.entry_id FROM audit_entries l WHERE l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($3::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($4::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991) ORDER BY l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-action-from-until" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id, l.action AS path FROM audit_entries l
        WHERE l.action = ANY (ARRAY[$3::text]) AND l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($4::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($5::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991)
        ORDER BY l.action DESC, l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true AND e.happened_at >= ($4::text::timestamp AT TIME ZONE 'UTC') AND e.happened_at < ($5::text::timestamp AT TIME ZONE 'UTC')
      ORDER BY looked.path DESC, looked.entry_id DESC LIMIT $6;

PREPARE "find-audit-entry-looked-at-action-from-until" AS
SELECT l.entry_id, l.action AS path FROM audit_entries l
        WHERE l.action = ANY (ARRAY[$3::text]) AND l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($4::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($5::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991)
        ORDER BY l.action DESC, l.entry_id DESC OFFSET $2 LIMIT 1;

PREPARE "list-audit-entries-listing-reference-applicationId-f8fde368578a" AS
SELECT e.entry_id AS "entryId", e.happened_at AS "happenedAt", e.actor, e.action,
        e.application_id AS "applicationId", e.reference, e.details, e.source,
        (SELECT text_sealed FROM audit_texts t WHERE t.entry_id = e.entry_id) AS sealed
      FROM (SELECT l.entry_id, l.listing AS path FROM audit_homes l
        WHERE l.listing = ANY (ARRAY[$3::text]) AND l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($4::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($5::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991)
        ORDER BY l.listing DESC, l.entry_id DESC LIMIT $2) looked
      CROSS JOIN LATERAL (SELECT * FROM audit_entries WHERE entry_id = looked.entry_id OFFSET 0) e
      WHERE true AND e.happened_at >= ($4::text::timestamp AT TIME ZONE 'UTC') AND e.happened_at < ($5::text::timestamp AT TIME ZONE 'UTC') AND e.reference = $6 AND e.application_id = $7 AND e.actor = $8 AND e.action = $9
      ORDER BY looked.path DESC, looked.entry_id DESC LIMIT $10;

PREPARE "find-audit-entry-looked-at-listing-reference-appli-8c0e3ad46a87" AS
SELECT l.entry_id, l.listing AS path FROM audit_homes l
        WHERE l.listing = ANY (ARRAY[$3::text]) AND l.entry_id < $1 AND l.entry_id > COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at < ($4::text::timestamp AT TIME ZONE 'UTC') - interval '1 day'
    ORDER BY e.happened_at DESC LIMIT 1), 0) AND l.entry_id < COALESCE((SELECT e.entry_id FROM audit_entries e WHERE e.happened_at >= ($5::text::timestamp AT TIME ZONE 'UTC') + interval '1 day'
    ORDER BY e.happened_at LIMIT 1), 9007199254740991)
        ORDER BY l.listing DESC, l.entry_id DESC OFFSET $2 LIMIT 1;

-- src/platform/audit/receiver-position.ts

PREPARE "claim-audit-links" AS
WITH known AS (
      INSERT INTO audit_receivers (receiver) VALUES ($1) ON CONFLICT (receiver) DO NOTHING
    )
    UPDATE audit_receivers r SET due_at = now() + make_interval(secs => $2), attempts = attempts + 1
    WHERE receiver = $1 AND due_at <= now()
      AND EXISTS (SELECT FROM audit_chain c WHERE c.position > r.position)
    RETURNING receiver, position, attempts, now() AS now;

PREPARE "accept-audit-links" AS
UPDATE audit_receivers SET position = $3, due_at = now(), attempts = 0, problem = NULL, failing_since = NULL
    WHERE receiver = $1 AND position = $2;

PREPARE "refuse-audit-links" AS
UPDATE audit_receivers SET problem = $3, failing_since = coalesce(failing_since, now()),
      due_at = now() + make_interval(secs => $4)
    WHERE receiver = $1 AND position = $2;

-- src/platform/audit/unlinked-entries.ts

PREPARE "find-unlinked-audit-entries" AS
SELECT count(*)::integer AS seen, max(entry_id) AS last, count(*) FILTER (WHERE is_unlinked)::integer AS unlinked,
      min(entry_id) FILTER (WHERE is_unlinked) AS "entryId"
    FROM (
      SELECT e.entry_id, (SELECT c.position FROM audit_chain c WHERE c.entry_id = e.entry_id) IS NULL
        AND (SELECT u.entry_id FROM audit_unchained u WHERE u.entry_id = e.entry_id) IS NULL AS is_unlinked
      FROM audit_entries e WHERE e.entry_id > $1 AND e.entry_id <= $2 ORDER BY e.entry_id LIMIT $3
    ) looked_at;

-- src/platform/clock.ts

PREPARE "session-now" AS
SELECT clock_timestamp() AS now;

-- src/platform/postgres/asking.ts

PREPARE "set-statement-timeout" AS
SELECT set_config('statement_timeout', $1, false);

-- src/platform/postgres/clock-row.ts

PREPARE "now" AS
SELECT pg_catalog.clock_timestamp() AS now, held_since AS "heldSince",
      line_less_wall_ms AS "lineLessWallMs", near_since AS "nearSince", accepted, accepted_at AS "acceptedAt" FROM clock;

PREPARE "hold-clock" AS
UPDATE clock SET held_since = coalesce(held_since, to_timestamp($2 / 1000.0)), line_less_wall_ms = $3,
      near_since = NULL, shown_from = least(shown_from, to_timestamp($4 / 1000.0)),
      shown_until = greatest(shown_until, to_timestamp($4 / 1000.0))
    WHERE accepted = $1;

PREPARE "note-near-clock" AS
UPDATE clock SET near_since = to_timestamp($2 / 1000.0)
    WHERE accepted = $1 AND held_since IS NOT NULL AND near_since IS NULL;

PREPARE "look-again" AS
SELECT look_again(wrong.shown_from, wrong.shown_until, $1) AS more FROM clock c CROSS JOIN LATERAL (
      SELECT c.shown_from, c.shown_until
      UNION ALL
      SELECT shown_from, shown_until FROM wrong_times WHERE noticed_at > c.held_since - interval '1 minute'
    ) wrong
    WHERE c.held_since IS NOT NULL;

PREPARE "accept-clock" AS
UPDATE clock SET held_since = NULL, line_less_wall_ms = NULL, near_since = NULL, shown_from = NULL,
      shown_until = NULL, accepted = accepted + 1, accepted_at = pg_catalog.clock_timestamp()
    WHERE accepted = $1 AND held_since IS NOT NULL RETURNING accepted;

-- src/platform/postgres/epochs.ts

PREPARE "lock-epoch" AS
SELECT i.alive_at AS "aliveAt", i.outside_off AS "wasOutsideOff", now() AS now,
      (SELECT json_build_object('systemIdentifier', system_identifier, 'timeline', timeline,
          'databaseOid', i.database_oid::text)
        FROM epochs ORDER BY epoch DESC LIMIT 1) AS known,
      json_build_object('systemIdentifier', (pg_control_system()).system_identifier::text,
        'timeline', left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
        'databaseOid', (SELECT oid FROM pg_database WHERE datname = current_database())::text) AS here
    FROM installation i FOR UPDATE OF i;

PREPARE "enter-epoch" AS
UPDATE installation SET outside_off = $1, server_started_at = pg_postmaster_start_time(), database_oid = (SELECT oid FROM pg_database WHERE datname = current_database()),
      alive_at = CASE WHEN $1 THEN alive_at ELSE now() END
    RETURNING pg_postmaster_start_time()::text AS server;

PREPARE "current-epoch" AS
SELECT epoch, reason, began_at AS "beganAt", listed_since AS "listedSince", adopted_at AS "adoptedAt" FROM epochs ORDER BY epoch DESC LIMIT 1;

PREPARE "begin-epoch" AS
INSERT INTO epochs (epoch, reason, explanation, system_identifier, timeline, listed_since, adopted_at)
    SELECT greatest(extract(epoch FROM now())::bigint, coalesce((SELECT max(epoch) FROM epochs), 0) + 1), $1, $2, $3, $4,
      least(now(),
        -- One from later than now was given by a wrong clock: then our last payment counts.
        CASE WHEN i.alive_at <= now() + interval '1 minute' THEN i.alive_at ELSE
          (SELECT created_at FROM payment_intents WHERE created_at <= now() ORDER BY payment_id DESC LIMIT 1) END,
        -- An epoch whose provider was not compared yet, or has just been: it is compared for both.
        (SELECT listed_since + interval '1 hour' FROM epochs
          WHERE adopted_at IS NULL OR ($1 = 'declared' AND began_at > now() - interval '7 days')
          ORDER BY epoch DESC LIMIT 1))
        - interval '1 hour',
      CASE WHEN $1 = 'first' AND NOT EXISTS (SELECT FROM payment_cards) THEN now() END
    FROM installation i
    RETURNING epoch, reason, began_at AS "beganAt", listed_since AS "listedSince", adopted_at AS "adoptedAt";

PREPARE "epoch-adopted" AS
UPDATE epochs SET adopted_at = now() WHERE epoch <= $1 AND adopted_at IS NULL;

PREPARE "epoch-without-provider" AS
UPDATE epochs SET adopted_at = now() WHERE adopted_at IS NULL AND NOT EXISTS (SELECT FROM payment_cards);

PREPARE "is-copy" AS
SELECT EXISTS (SELECT FROM installation WHERE outside_off) AS "isCopy";

-- src/platform/postgres/installation.ts

PREPARE "claim-installation" AS
WITH claimed AS (
      INSERT INTO installation (environment, master_key_check) VALUES ($1, $2)
      ON CONFLICT DO NOTHING RETURNING master_key_check
    )
    INSERT INTO master_keys (key_check) SELECT master_key_check FROM claimed ON CONFLICT DO NOTHING;

PREPARE "read-installation" AS
SELECT environment FROM installation;

PREPARE "record-base-url" AS
UPDATE installation SET base_url = $1 WHERE base_url IS DISTINCT FROM $1;

PREPARE "read-base-url" AS
SELECT base_url FROM installation;

-- src/platform/postgres/live-processes.ts

PREPARE "beat" AS
WITH ended AS (
      DELETE FROM processes WHERE process_id <> $1
        -- Also with a time that a wrong clock has given it.
        AND (seen_at NOT BETWEEN now() - interval '1 minute' AND now() + interval '1 minute' OR (host = $3 AND port = $4 AND 'api' = ANY ($2::text[])))
    ), beaten AS (
      INSERT INTO processes (process_id, roles, host, port, master_key) VALUES ($1, $2, $3, $4, $6)
      ON CONFLICT (process_id) DO UPDATE SET seen_at = now()
    ), alive AS (
      -- Not before the epoch was looked for: it depends on when a process ran last. A copy that calls nothing
      -- outside leaves it as it was.
      UPDATE installation SET alive_at = now()
      WHERE pg_postmaster_start_time()::text = $5 AND NOT outside_off
        AND alive_at NOT BETWEEN now() - interval '10 seconds' AND now() + interval '10 seconds'
    )
    SELECT count(*) AS others FROM processes
    WHERE process_id <> $1 AND 'api' = ANY (roles) AND NOT (host = $3 AND port = $4)
      AND seen_at > now() - interval '10 seconds';

PREPARE "end-process" AS
WITH alive AS (
      UPDATE installation SET alive_at = now()
      WHERE pg_postmaster_start_time()::text = $2 AND NOT outside_off
    )
    DELETE FROM processes WHERE process_id = $1;

PREPARE "list-processes" AS
SELECT host, port, roles, started_at AS "startedAt", seen_at AS "seenAt"
    FROM processes WHERE seen_at > now() - interval '1 minute' ORDER BY process_id LIMIT 500;

PREPARE "read-versions" AS
SELECT current_setting('server_version') AS postgres,
      (SELECT name FROM schema_migrations ORDER BY name DESC LIMIT 1) AS migration;

-- src/platform/postgres/master-keys.ts

PREPARE "list-master-keys" AS
SELECT key_check AS check, added_at AS "addedAt", retired_at AS "retiredAt" FROM master_keys
    ORDER BY added_at, key_check;

PREPARE "add-master-key" AS
WITH added AS (
      INSERT INTO master_keys (key_check) VALUES ($1) ON CONFLICT DO NOTHING RETURNING key_check
    )
    UPDATE installation SET master_key_check = added.key_check FROM added;

PREPARE "retire-master-keys" AS
WITH kept AS (UPDATE installation SET master_key_check = $1 RETURNING true)
    UPDATE master_keys SET retired_at = line_now() FROM kept WHERE key_check <> $1 AND retired_at IS NULL
    RETURNING key_check AS check, added_at AS "addedAt", retired_at AS "retiredAt";

PREPARE "list-processes-with-other-master-key" AS
SELECT host, port FROM processes
    WHERE seen_at > now() - interval '10 seconds' AND master_key IS DISTINCT FROM $1 ORDER BY host, port LIMIT 10;

-- src/platform/postgres/replica.ts

PREPARE "primary-position" AS
SELECT lsn::text, system_identifier::text AS system, current_database() AS database,
      ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::integer AS timeline,
      extract(epoch FROM line_now())::float8 AS time
    FROM pg_current_wal_insert_lsn() AS lsn, pg_control_system();

PREPARE "replica-position" AS
SELECT pg_is_in_recovery() AND system_identifier::text = $2 AND timeline_id = $3
        AND current_database() = $4 AS "isReplica",
      greatest(0, pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()))::float8 AS bytes,
      coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8
        AS seconds,
      abs(extract(epoch FROM line_now()) - $5)::float8 AS "clockSeconds"
    FROM pg_control_system(), pg_control_checkpoint();

-- src/platform/postgres/schema-dump.ts

PREPARE "dump-unknown" AS
SELECT format('%s (kind %s)', oid::regclass, relkind) AS sql FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'i')
        AND NOT (relkind = 'S' AND EXISTS (
          SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'i'))
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    UNION ALL
    SELECT format('the type %s', pg_type.oid::regtype) FROM pg_type
      LEFT JOIN pg_class ON pg_class.oid = typrelid
      WHERE typnamespace = 'public'::regnamespace AND typcategory <> 'A' AND relkind IS DISTINCT FROM 'r'
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_type.oid AND deptype = 'e')
    UNION ALL
    SELECT format('the policy %I', polname) FROM pg_policy;

PREPARE "dump-extensions" AS
SELECT format('CREATE EXTENSION %I;', extname) AS sql FROM pg_extension
    WHERE extname <> 'plpgsql' ORDER BY extname COLLATE "C";

PREPARE "dump-tables" AS
SELECT format(E'CREATE TABLE %s (\n%s\n);', relation.oid::regclass, string_agg(
      concat_ws(' ', '  ' || quote_ident(attname), format_type(atttypid, atttypmod),
        CASE WHEN attgenerated = 's' THEN format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(adbin, adrelid))
          WHEN attgenerated = 'v' THEN format('GENERATED ALWAYS AS (%s) VIRTUAL', pg_get_expr(adbin, adrelid))
          WHEN adbin IS NOT NULL THEN 'DEFAULT ' || pg_get_expr(adbin, adrelid) END,
        CASE attidentity WHEN 'a' THEN 'GENERATED ALWAYS AS IDENTITY'
          WHEN 'd' THEN 'GENERATED BY DEFAULT AS IDENTITY' END,
        CASE WHEN attnotnull THEN 'NOT NULL' END), E',\n' ORDER BY attnum)) AS sql
    FROM pg_class AS relation
    JOIN pg_attribute ON attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = relation.oid AND deptype = 'e')
    GROUP BY relation.oid, relname ORDER BY relname COLLATE "C";

PREPARE "dump-constraints" AS
SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s;', conrelid::regclass, conname,
      pg_get_constraintdef(pg_constraint.oid)) AS sql
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE connamespace = 'public'::regnamespace AND contype NOT IN ('n', 't')
    ORDER BY contype = 'f', relname COLLATE "C", conname COLLATE "C";

PREPARE "dump-indexes" AS
SELECT pg_get_indexdef(indexrelid) || ';' AS sql
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE relnamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
    ORDER BY relname COLLATE "C";

PREPARE "dump-storage" AS
SELECT format('ALTER TABLE %s SET (%s);', oid::regclass, array_to_string(reloptions, ', ')) AS sql
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND reloptions IS NOT NULL
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname COLLATE "C";

PREPARE "dump-functions" AS
SELECT trim(trailing E'\n' FROM pg_get_functiondef(pg_proc.oid)) || ';' AS sql FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM unnest(proargtypes) AS argument JOIN pg_type ON pg_type.oid = argument
        WHERE typrelid <> 0)
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    ORDER BY proname COLLATE "C", pg_get_function_identity_arguments(pg_proc.oid) COLLATE "C";

PREPARE "dump-row-functions" AS
SELECT trim(trailing E'\n' FROM pg_get_functiondef(pg_proc.oid)) || ';' AS sql FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
      AND EXISTS (SELECT FROM unnest(proargtypes) AS argument JOIN pg_type ON pg_type.oid = argument
        WHERE typrelid <> 0)
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    ORDER BY proname COLLATE "C", pg_get_function_identity_arguments(pg_proc.oid) COLLATE "C";

PREPARE "dump-triggers" AS
SELECT pg_get_triggerdef(pg_trigger.oid) || ';' AS sql
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
    ORDER BY relname COLLATE "C", tgname COLLATE "C";

-- src/platform/postgres/sealed-columns.ts

PREPARE "read-sealed-token_signing_keys-private_sealed-first" AS
SELECT ARRAY[t.key_id::text] AS key, t.private_sealed AS sealed, NULL::text AS bound
    FROM token_signing_keys t
    ORDER BY t.key_id LIMIT $1;

PREPARE "read-sealed-token_signing_keys-private_sealed-next" AS
SELECT ARRAY[t.key_id::text] AS key, t.private_sealed AS sealed, NULL::text AS bound
    FROM token_signing_keys t WHERE (t.key_id) > ($1::text)
    ORDER BY t.key_id LIMIT $2;

PREPARE "reseal-token_signing_keys-private_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::text[], $2::bytea[], $3::bytea[])
      AS made (key_id, before, sealed)
    ), locked AS (
      SELECT t.key_id FROM token_signing_keys t JOIN made USING (key_id)
      WHERE t.private_sealed = made.before ORDER BY t.key_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE token_signing_keys t SET private_sealed = made.sealed FROM made JOIN locked USING (key_id)
    WHERE t.key_id = made.key_id;

PREPARE "read-sealed-staff_members-second_factor-first" AS
SELECT ARRAY[t.staff_id::text] AS key, t.second_factor AS sealed, NULL::text AS bound
    FROM staff_members t
    ORDER BY t.staff_id LIMIT $1;

PREPARE "read-sealed-staff_members-second_factor-next" AS
SELECT ARRAY[t.staff_id::text] AS key, t.second_factor AS sealed, NULL::text AS bound
    FROM staff_members t WHERE (t.staff_id) > ($1::uuid)
    ORDER BY t.staff_id LIMIT $2;

PREPARE "reseal-staff_members-second_factor" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])
      AS made (staff_id, before, sealed)
    ), locked AS (
      SELECT t.staff_id FROM staff_members t JOIN made USING (staff_id)
      WHERE t.second_factor = made.before ORDER BY t.staff_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE staff_members t SET second_factor = made.sealed FROM made JOIN locked USING (staff_id)
    WHERE t.staff_id = made.staff_id;

PREPARE "read-sealed-staff_members-pending_factor-first" AS
SELECT ARRAY[t.staff_id::text] AS key, t.pending_factor AS sealed, NULL::text AS bound
    FROM staff_members t
    ORDER BY t.staff_id LIMIT $1;

PREPARE "read-sealed-staff_members-pending_factor-next" AS
SELECT ARRAY[t.staff_id::text] AS key, t.pending_factor AS sealed, NULL::text AS bound
    FROM staff_members t WHERE (t.staff_id) > ($1::uuid)
    ORDER BY t.staff_id LIMIT $2;

PREPARE "reseal-staff_members-pending_factor" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])
      AS made (staff_id, before, sealed)
    ), locked AS (
      SELECT t.staff_id FROM staff_members t JOIN made USING (staff_id)
      WHERE t.pending_factor = made.before ORDER BY t.staff_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE staff_members t SET pending_factor = made.sealed FROM made JOIN locked USING (staff_id)
    WHERE t.staff_id = made.staff_id;

PREPARE "read-sealed-channel_calendars-url_sealed-first" AS
SELECT ARRAY[t.calendar_id::text] AS key, t.url_sealed AS sealed, NULL::text AS bound
    FROM channel_calendars t
    ORDER BY t.calendar_id LIMIT $1;

PREPARE "read-sealed-channel_calendars-url_sealed-next" AS
SELECT ARRAY[t.calendar_id::text] AS key, t.url_sealed AS sealed, NULL::text AS bound
    FROM channel_calendars t WHERE (t.calendar_id) > ($1::uuid)
    ORDER BY t.calendar_id LIMIT $2;

PREPARE "reseal-channel_calendars-url_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])
      AS made (calendar_id, before, sealed)
    ), locked AS (
      SELECT t.calendar_id FROM channel_calendars t JOIN made USING (calendar_id)
      WHERE t.url_sealed = made.before ORDER BY t.calendar_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE channel_calendars t SET url_sealed = made.sealed FROM made JOIN locked USING (calendar_id)
    WHERE t.calendar_id = made.calendar_id;

PREPARE "read-sealed-channel_events-summary_sealed-first" AS
SELECT ARRAY[t.calendar_id::text, t.nights::text, t.event_uid::text] AS key, t.summary_sealed AS sealed, NULL::text AS bound
    FROM channel_events t
    ORDER BY t.calendar_id, t.nights, t.event_uid LIMIT $1;

PREPARE "read-sealed-channel_events-summary_sealed-next" AS
SELECT ARRAY[t.calendar_id::text, t.nights::text, t.event_uid::text] AS key, t.summary_sealed AS sealed, NULL::text AS bound
    FROM channel_events t WHERE (t.calendar_id, t.nights, t.event_uid) > ($1::uuid, $2::daterange, $3::text)
    ORDER BY t.calendar_id, t.nights, t.event_uid LIMIT $4;

PREPARE "reseal-channel_events-summary_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::daterange[], $3::text[], $4::bytea[], $5::bytea[])
      AS made (calendar_id, nights, event_uid, before, sealed)
    ), locked AS (
      SELECT t.calendar_id, t.nights, t.event_uid FROM channel_events t JOIN made USING (calendar_id, nights, event_uid)
      WHERE t.summary_sealed = made.before ORDER BY t.calendar_id, t.nights, t.event_uid FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE channel_events t SET summary_sealed = made.sealed FROM made JOIN locked USING (calendar_id, nights, event_uid)
    WHERE t.calendar_id = made.calendar_id AND t.nights = made.nights AND t.event_uid = made.event_uid;

PREPARE "read-sealed-bookings-guest_sealed-first" AS
SELECT ARRAY[t.booking_id::text, t.application_id::text, t.kind::text] AS key, t.guest_sealed AS sealed, NULL::text AS bound
    FROM bookings t
    ORDER BY t.booking_id, t.application_id, t.kind LIMIT $1;

PREPARE "read-sealed-bookings-guest_sealed-next" AS
SELECT ARRAY[t.booking_id::text, t.application_id::text, t.kind::text] AS key, t.guest_sealed AS sealed, NULL::text AS bound
    FROM bookings t WHERE (t.booking_id, t.application_id, t.kind) > ($1::uuid, $2::uuid, $3::text)
    ORDER BY t.booking_id, t.application_id, t.kind LIMIT $4;

PREPARE "reseal-bookings-guest_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::bytea[])
      AS made (booking_id, application_id, kind, before, sealed)
    ), locked AS (
      SELECT t.booking_id, t.application_id, t.kind FROM bookings t JOIN made USING (booking_id, application_id, kind)
      WHERE t.guest_sealed = made.before ORDER BY t.booking_id, t.application_id, t.kind FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE bookings t SET guest_sealed = made.sealed FROM made JOIN locked USING (booking_id, application_id, kind)
    WHERE t.booking_id = made.booking_id AND t.application_id = made.application_id AND t.kind = made.kind;

PREPARE "read-sealed-bookings-payment_secret_sealed-first" AS
SELECT ARRAY[t.booking_id::text, t.application_id::text, t.kind::text] AS key, t.payment_secret_sealed AS sealed, NULL::text AS bound
    FROM bookings t
    ORDER BY t.booking_id, t.application_id, t.kind LIMIT $1;

PREPARE "read-sealed-bookings-payment_secret_sealed-next" AS
SELECT ARRAY[t.booking_id::text, t.application_id::text, t.kind::text] AS key, t.payment_secret_sealed AS sealed, NULL::text AS bound
    FROM bookings t WHERE (t.booking_id, t.application_id, t.kind) > ($1::uuid, $2::uuid, $3::text)
    ORDER BY t.booking_id, t.application_id, t.kind LIMIT $4;

PREPARE "reseal-bookings-payment_secret_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::bytea[])
      AS made (booking_id, application_id, kind, before, sealed)
    ), locked AS (
      SELECT t.booking_id, t.application_id, t.kind FROM bookings t JOIN made USING (booking_id, application_id, kind)
      WHERE t.payment_secret_sealed = made.before ORDER BY t.booking_id, t.application_id, t.kind FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE bookings t SET payment_secret_sealed = made.sealed FROM made JOIN locked USING (booking_id, application_id, kind)
    WHERE t.booking_id = made.booking_id AND t.application_id = made.application_id AND t.kind = made.kind;

PREPARE "read-sealed-reservation_notes-text_sealed-first" AS
SELECT ARRAY[t.note_id::text] AS key, t.text_sealed AS sealed, NULL::text AS bound
    FROM reservation_notes t
    ORDER BY t.note_id LIMIT $1;

PREPARE "read-sealed-reservation_notes-text_sealed-next" AS
SELECT ARRAY[t.note_id::text] AS key, t.text_sealed AS sealed, NULL::text AS bound
    FROM reservation_notes t WHERE (t.note_id) > ($1::uuid)
    ORDER BY t.note_id LIMIT $2;

PREPARE "reseal-reservation_notes-text_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])
      AS made (note_id, before, sealed)
    ), locked AS (
      SELECT t.note_id FROM reservation_notes t JOIN made USING (note_id)
      WHERE t.text_sealed = made.before ORDER BY t.note_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE reservation_notes t SET text_sealed = made.sealed FROM made JOIN locked USING (note_id)
    WHERE t.note_id = made.note_id;

PREPARE "read-sealed-change_requests-note_sealed-first" AS
SELECT ARRAY[t.change_request_id::text, t.application_id::text] AS key, t.note_sealed AS sealed, NULL::text AS bound
    FROM change_requests t
    ORDER BY t.change_request_id, t.application_id LIMIT $1;

PREPARE "read-sealed-change_requests-note_sealed-next" AS
SELECT ARRAY[t.change_request_id::text, t.application_id::text] AS key, t.note_sealed AS sealed, NULL::text AS bound
    FROM change_requests t WHERE (t.change_request_id, t.application_id) > ($1::uuid, $2::uuid)
    ORDER BY t.change_request_id, t.application_id LIMIT $3;

PREPARE "reseal-change_requests-note_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[])
      AS made (change_request_id, application_id, before, sealed)
    ), locked AS (
      SELECT t.change_request_id, t.application_id FROM change_requests t JOIN made USING (change_request_id, application_id)
      WHERE t.note_sealed = made.before ORDER BY t.change_request_id, t.application_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE change_requests t SET note_sealed = made.sealed FROM made JOIN locked USING (change_request_id, application_id)
    WHERE t.change_request_id = made.change_request_id AND t.application_id = made.application_id;

PREPARE "read-sealed-customer_erasures-email_sealed-first" AS
SELECT ARRAY[t.checkout_id::text, t.application_id::text] AS key, t.email_sealed AS sealed, NULL::text AS bound
    FROM customer_erasures t
    ORDER BY t.checkout_id, t.application_id LIMIT $1;

PREPARE "read-sealed-customer_erasures-email_sealed-next" AS
SELECT ARRAY[t.checkout_id::text, t.application_id::text] AS key, t.email_sealed AS sealed, NULL::text AS bound
    FROM customer_erasures t WHERE (t.checkout_id, t.application_id) > ($1::uuid, $2::uuid)
    ORDER BY t.checkout_id, t.application_id LIMIT $3;

PREPARE "reseal-customer_erasures-email_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[])
      AS made (checkout_id, application_id, before, sealed)
    ), locked AS (
      SELECT t.checkout_id, t.application_id FROM customer_erasures t JOIN made USING (checkout_id, application_id)
      WHERE t.email_sealed = made.before ORDER BY t.checkout_id, t.application_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE customer_erasures t SET email_sealed = made.sealed FROM made JOIN locked USING (checkout_id, application_id)
    WHERE t.checkout_id = made.checkout_id AND t.application_id = made.application_id;

PREPARE "read-sealed-webhook_endpoints-secret_sealed-first" AS
SELECT ARRAY[t.endpoint_id::text] AS key, t.secret_sealed AS sealed, NULL::text AS bound
    FROM webhook_endpoints t
    ORDER BY t.endpoint_id LIMIT $1;

PREPARE "read-sealed-webhook_endpoints-secret_sealed-next" AS
SELECT ARRAY[t.endpoint_id::text] AS key, t.secret_sealed AS sealed, NULL::text AS bound
    FROM webhook_endpoints t WHERE (t.endpoint_id) > ($1::uuid)
    ORDER BY t.endpoint_id LIMIT $2;

PREPARE "reseal-webhook_endpoints-secret_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])
      AS made (endpoint_id, before, sealed)
    ), locked AS (
      SELECT t.endpoint_id FROM webhook_endpoints t JOIN made USING (endpoint_id)
      WHERE t.secret_sealed = made.before ORDER BY t.endpoint_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE webhook_endpoints t SET secret_sealed = made.sealed FROM made JOIN locked USING (endpoint_id)
    WHERE t.endpoint_id = made.endpoint_id;

PREPARE "read-sealed-webhook_endpoints-previous_secret_sealed-first" AS
SELECT ARRAY[t.endpoint_id::text] AS key, t.previous_secret_sealed AS sealed, NULL::text AS bound
    FROM webhook_endpoints t
    ORDER BY t.endpoint_id LIMIT $1;

PREPARE "read-sealed-webhook_endpoints-previous_secret_sealed-next" AS
SELECT ARRAY[t.endpoint_id::text] AS key, t.previous_secret_sealed AS sealed, NULL::text AS bound
    FROM webhook_endpoints t WHERE (t.endpoint_id) > ($1::uuid)
    ORDER BY t.endpoint_id LIMIT $2;

PREPARE "reseal-webhook_endpoints-previous_secret_sealed" AS
WITH made AS (
      SELECT * FROM unnest($1::uuid[], $2::bytea[], $3::bytea[])
      AS made (endpoint_id, before, sealed)
    ), locked AS (
      SELECT t.endpoint_id FROM webhook_endpoints t JOIN made USING (endpoint_id)
      WHERE t.previous_secret_sealed = made.before ORDER BY t.endpoint_id FOR NO KEY UPDATE OF t SKIP LOCKED
    )
    UPDATE webhook_endpoints t SET previous_secret_sealed = made.sealed FROM made JOIN locked USING (endpoint_id)
    WHERE t.endpoint_id = made.endpoint_id;

PREPARE "read-sealed-audit_texts-text_sealed-first" AS
SELECT ARRAY[t.entry_id::text] AS key, t.text_sealed AS sealed, (SELECT details ->> 'textDigest' FROM audit_entries e WHERE e.entry_id = t.entry_id) AS bound
    FROM audit_texts t
    ORDER BY t.entry_id LIMIT $1;

PREPARE "read-sealed-audit_texts-text_sealed-next" AS
SELECT ARRAY[t.entry_id::text] AS key, t.text_sealed AS sealed, (SELECT details ->> 'textDigest' FROM audit_entries e WHERE e.entry_id = t.entry_id) AS bound
    FROM audit_texts t WHERE (t.entry_id) > ($1::bigint)
    ORDER BY t.entry_id LIMIT $2;

PREPARE "reseal-audit_texts-text_sealed" AS
SELECT reseal_audit_text(entry_id, before, sealed) FROM unnest($1::bigint[], $2::bytea[], $3::bytea[])
      AS made (entry_id, before, sealed);

-- src/platform/postgres/server-facts.ts

PREPARE "server-facts" AS
SELECT split_part(current_setting('server_version'), ' ', 1) AS version,
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - current_setting('reserved_connections')::integer AS connections;

-- src/platform/postgres/service-role.ts

PREPARE "current-role" AS
SELECT current_user AS role;

PREPARE "database-whose-temporary-can-be-granted" AS
SELECT current_database() AS name
    WHERE has_database_privilege(current_database(), 'TEMPORARY WITH GRANT OPTION');

PREPARE "owns-audit-trail" AS
SELECT pg_has_role(current_user, relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'audit_entries'::regclass;

-- src/platform/postgres/sweep-by-age.ts

PREPARE "sweep-attention_items" AS
WITH swept AS (
      DELETE FROM attention_items WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM attention_items
        WHERE closed_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE closed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND telling IS NULL
        ORDER BY closed_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-booking_traces" AS
WITH swept AS (
      DELETE FROM booking_traces WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM booking_traces
        WHERE created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY created_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-booked_days" AS
WITH swept AS (
      DELETE FROM booked_days WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM booked_days
        WHERE day < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE day BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY day LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-checkout_commands" AS
WITH swept AS (
      DELETE FROM checkout_commands WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM checkout_commands
        WHERE created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY created_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-funnel_refusals" AS
WITH swept AS (
      DELETE FROM funnel_refusals WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM funnel_refusals
        WHERE week < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE week BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY week LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-funnel_weeks" AS
WITH swept AS (
      DELETE FROM funnel_weeks WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM funnel_weeks
        WHERE week < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE week BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY week LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-inventory_changes" AS
WITH swept AS (
      DELETE FROM inventory_changes WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM inventory_changes
        WHERE changed_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE changed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY changed_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-keyed_creates" AS
WITH swept AS (
      DELETE FROM keyed_creates WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM keyed_creates
        WHERE created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY created_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-payment_records" AS
WITH swept AS (
      DELETE FROM payment_records WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM payment_records
        WHERE created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND due_at IS NULL
        ORDER BY created_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-portal_links" AS
WITH swept AS (
      DELETE FROM portal_links WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM portal_links
        WHERE expires_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE expires_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY expires_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-portal_sessions" AS
WITH swept AS (
      DELETE FROM portal_sessions WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM portal_sessions
        WHERE expires_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE expires_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY expires_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-rate_undos" AS
WITH swept AS (
      DELETE FROM rate_undos WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM rate_undos
        WHERE made_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE made_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY made_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-text_undos" AS
WITH swept AS (
      DELETE FROM text_undos WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM text_undos
        WHERE made_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE made_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY made_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-request_log" AS
WITH swept AS (
      DELETE FROM request_log WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM request_log
        WHERE at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-reservation_days" AS
WITH swept AS (
      DELETE FROM reservation_days WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM reservation_days
        WHERE day < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE day BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY day LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-revoked_tokens" AS
WITH swept AS (
      DELETE FROM revoked_tokens WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM revoked_tokens
        WHERE expires_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE expires_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY expires_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-search_observations" AS
WITH swept AS (
      DELETE FROM search_observations WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM search_observations
        WHERE observed_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE observed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY observed_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-signals" AS
WITH swept AS (
      DELETE FROM signals WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM signals
        WHERE received_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE received_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY received_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-simulated_attempts" AS
WITH swept AS (
      DELETE FROM simulated_attempts WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM simulated_attempts
        WHERE decided_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE decided_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND known_at IS NOT NULL
        ORDER BY decided_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-staff_invitations" AS
WITH swept AS (
      DELETE FROM staff_invitations WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM staff_invitations
        WHERE expires_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE expires_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY expires_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-staff_networks" AS
WITH swept AS (
      DELETE FROM staff_networks WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM staff_networks
        WHERE seen_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE seen_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY seen_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-staff_sessions" AS
WITH swept AS (
      DELETE FROM staff_sessions WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM staff_sessions
        WHERE expires_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE expires_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY expires_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

PREPARE "sweep-wrong_times" AS
WITH swept AS (
      DELETE FROM wrong_times WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM wrong_times
        WHERE noticed_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE noticed_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND true
        ORDER BY noticed_at LIMIT $2)) RETURNING 1
    )
    SELECT count(*)::integer AS swept FROM swept;

-- src/platform/postgres/wrong-times.ts

PREPARE "note-wrong-time" AS
INSERT INTO wrong_times (shown_from, shown_until, noticed_at)
    SELECT to_timestamp($1 / 1000.0) - interval '1 minute', to_timestamp($1 / 1000.0) + interval '1 minute',
      to_timestamp($2 / 1000.0);

-- src/platform/postgres/zone-rules.ts

PREPARE "compare-zone-rules" AS
SELECT coalesce(zone_rules < $1, true) AS "areNewer" FROM installation;

PREPARE "note-zone-rules" AS
UPDATE installation SET zone_rules = $1 WHERE coalesce(zone_rules < $1, true);

-- src/program/background-tasks.ts

PREPARE "transaction-time" AS
SELECT now() AS now;

-- src/program/epochs.ts

PREPARE "follow-epoch" AS
SELECT may_move_money() AS "mayMove", (SELECT max(epoch) FROM epochs) AS epoch;

-- src/request-log/store/last-calls.ts

PREPARE "read-last-calls" AS
SELECT a.id AS "applicationId", greatest(
      (SELECT max(k.last_used_at) FROM application_keys k WHERE k.application_id = a.id),
      (SELECT r.at FROM request_log r WHERE r.application_id = a.id
        ORDER BY r.at DESC, r.request_id DESC LIMIT 1)) AS at
    FROM unnest($1::uuid[]) a (id);

-- src/request-log/store/requests.ts

PREPARE "insert-requests" AS
INSERT INTO request_log (application_id, at, request_id, method, path, operation, status,
      code, duration_ms, reason, invalid_fields, about, fault, listing_id, check_in, check_out)
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[],
      $6::text[], $7::integer[], $8::text[], $9::integer[], $10::text[], $11::json[], $12::text[],
      $13::text[], $14::uuid[], $15::date[], $16::date[])
    ON CONFLICT DO NOTHING;

PREPARE "list-requests-logged" AS
SELECT application_id AS "applicationId", at, request_id AS "requestId", method, path, operation, status, code,
      reason, coalesce(invalid_fields, '[]') AS "invalidFields", about, fault, duration_ms AS "durationMs",
      listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut", l.name AS home
    FROM (SELECT * FROM (SELECT * FROM request_log WHERE application_id = $1 AND (at, request_id) < ($2, $3)
      ORDER BY at DESC, request_id DESC LIMIT $9) looked
      WHERE ($4::text IS NULL OR method = $4) AND status BETWEEN $5 AND $6
        AND ($7::text IS NULL OR code = $7) AND ($8::text IS NULL OR operation = $8)
        AND ($11::timestamptz IS NULL OR at >= $11)
      ORDER BY at DESC, request_id DESC LIMIT $10) page
    LEFT JOIN LATERAL (SELECT name FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY at DESC, request_id DESC;

PREPARE "find-request-looked-at" AS
SELECT at, request_id AS "requestId" FROM (SELECT * FROM request_log WHERE application_id = $1 AND (at, request_id) < ($2, $3)
      ORDER BY at DESC, request_id DESC OFFSET $4 LIMIT 1) last;

PREPARE "list-requests-logged-about" AS
SELECT application_id AS "applicationId", at, request_id AS "requestId", method, path, operation, status, code,
      reason, coalesce(invalid_fields, '[]') AS "invalidFields", about, fault, duration_ms AS "durationMs",
      listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut", l.name AS home
    FROM (SELECT * FROM (SELECT l.*
      FROM (SELECT DISTINCT subject FROM unnest($12::text[]) subject) wanted
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM request_log WHERE about = wanted.subject AND (at, request_id) < ($2, $3)
          ORDER BY at DESC, request_id DESC OFFSET 0) named
        WHERE application_id = $1 ORDER BY at DESC, request_id DESC LIMIT $9) l
      ORDER BY at DESC, request_id DESC LIMIT $9) looked
      WHERE ($4::text IS NULL OR method = $4) AND status BETWEEN $5 AND $6
        AND ($7::text IS NULL OR code = $7) AND ($8::text IS NULL OR operation = $8)
        AND ($11::timestamptz IS NULL OR at >= $11)
      ORDER BY at DESC, request_id DESC LIMIT $10) page
    LEFT JOIN LATERAL (SELECT name FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ORDER BY at DESC, request_id DESC;

PREPARE "find-request-looked-at-about" AS
SELECT at, request_id AS "requestId" FROM (SELECT l.*
      FROM (SELECT DISTINCT subject FROM unnest($5::text[]) subject) wanted
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM request_log WHERE about = wanted.subject AND (at, request_id) < ($2, $3)
          ORDER BY at DESC, request_id DESC OFFSET 0) named
        WHERE application_id = $1 ORDER BY at DESC, request_id DESC LIMIT $4 + 1) l
      ORDER BY at DESC, request_id DESC OFFSET $4 LIMIT 1) last;

PREPARE "find-request-logged" AS
SELECT application_id AS "applicationId", at, request_id AS "requestId", method, path, operation, status, code,
      reason, coalesce(invalid_fields, '[]') AS "invalidFields", about, fault, duration_ms AS "durationMs",
      listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut", l.name AS home
    FROM (SELECT * FROM request_log WHERE request_id = $2 OFFSET 0) found
    LEFT JOIN LATERAL (SELECT name FROM listings WHERE listing_id = found.listing_id OFFSET 0) l ON true
    WHERE application_id = $1;

-- src/sandbox/store/endpoints.ts

PREPARE "has-active-endpoint" AS
SELECT FROM webhook_endpoints
    WHERE application_id = $1 AND state = 'active' AND deleted_at IS NULL LIMIT 1;

-- src/sandbox/store/events.ts

PREPARE "sandbox-find-event" AS
SELECT FROM (SELECT application_id FROM events WHERE event_id = $2 OFFSET 0) e
    WHERE application_id = $1;

-- src/sandbox/store/faults.ts

PREPARE "sandbox-find-faults" AS
SELECT fault_rules AS rules, fault_seed AS seed, fault_counts AS counts, fault_hits AS hits,
      fault_revision AS revision
    FROM sandbox_states WHERE application_id = $1 AND fault_rules IS NOT NULL;

PREPARE "sandbox-put-faults" AS
INSERT INTO sandbox_states (application_id, fault_rules, fault_seed, fault_counts, fault_hits)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (application_id) DO UPDATE SET fault_rules = excluded.fault_rules,
      fault_seed = excluded.fault_seed, fault_counts = excluded.fault_counts,
      fault_hits = excluded.fault_hits, fault_revision = sandbox_states.fault_revision + 1;

PREPARE "sandbox-count-call" AS
UPDATE sandbox_states SET fault_counts = $3, fault_hits = $4, fault_revision = fault_revision + 1
    WHERE application_id = $1 AND fault_revision = $2 AND fault_rules IS NOT NULL
    RETURNING fault_revision;

-- src/sandbox/store/known-reservations.ts

PREPARE "read-known-reservations" AS
SELECT reference, state, check_in AS "checkIn", check_out AS "checkOut" FROM reservations
    WHERE reference = ANY ($2::text[]) AND application_id = $1;

-- src/sandbox/store/orders.ts

PREPARE "sandbox-end-tokens" AS
INSERT INTO sandbox_states (application_id, tokens_end_at, kept_token) VALUES ($1, $2, $3)
    ON CONFLICT (application_id) DO UPDATE SET
      tokens_end_at = greatest(sandbox_states.tokens_end_at, excluded.tokens_end_at),
      kept_token = excluded.kept_token;

PREPARE "sandbox-end-events" AS
DELETE FROM events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM events WHERE application_id = $1 AND sequence < $2 ORDER BY sequence LIMIT $3))
    RETURNING sequence;

PREPARE "sandbox-order-outcome" AS
INSERT INTO sandbox_states AS s
      (application_id, next_outcome, next_price, next_ordered_at, occupies_since)
    VALUES ($1, $2, $3, now(), CASE WHEN $4::boolean THEN now() END)
    ON CONFLICT (application_id) DO UPDATE SET
      next_outcome = coalesce($2, s.next_outcome),
      next_price = coalesce($3, CASE WHEN $2 IS NULL THEN s.next_price END),
      next_ordered_at = now(),
      occupies_since = CASE WHEN $4::boolean IS NULL THEN s.occupies_since
        WHEN $4 THEN coalesce(s.occupies_since, now()) END
    RETURNING next_outcome AS outcome, next_price AS price, occupies_since IS NOT NULL AS occupy;

PREPARE "sandbox-free-nights" AS
DELETE FROM sandbox_nights WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM sandbox_nights WHERE application_id = $1 LIMIT $2))
    RETURNING attempt_id;

PREPARE "sandbox-find-taken" AS
SELECT FROM sandbox_nights n WHERE n.application_id = $1 AND n.listing_id = $2
      AND n.nights && daterange($3, $4) AND n.attempt_id <> ALL (ARRAY(
        SELECT attempt_id FROM bookings
        WHERE application_id = $1 AND kind = $5 AND booking_id = $6));

-- src/sandbox/store/own-nights.ts

PREPARE "sandbox-read-nights" AS
SELECT listing_id AS "listingId", lower(nights) AS "from", upper(nights) AS "to"
    FROM sandbox_nights WHERE application_id = $1 AND nights && daterange($2, $3);

-- src/sandbox/store/runs.ts

PREPARE "insert-conformance-run" AS
INSERT INTO conformance_runs (application_id, profile, wire_version, scenario_set,
      contract_digest, seed, started_at)
    VALUES ($1, $2, $3, $4, $5, $6, now())
    ON CONFLICT DO NOTHING RETURNING run_id AS "runId", application_id AS "applicationId", profile,
      wire_version AS "wireVersion", scenario_set AS "scenarioSet",
      contract_digest AS "contractDigest", seed, state, started_at AS "startedAt",
      finished_at AS "finishedAt";

PREPARE "find-open-conformance-run" AS
SELECT run_id AS "runId", application_id AS "applicationId", profile,
      wire_version AS "wireVersion", scenario_set AS "scenarioSet",
      contract_digest AS "contractDigest", seed, state, started_at AS "startedAt",
      finished_at AS "finishedAt" FROM conformance_runs WHERE application_id = $1 AND state = 'open';

PREPARE "find-conformance-run" AS
SELECT run_id AS "runId", application_id AS "applicationId", profile,
      wire_version AS "wireVersion", scenario_set AS "scenarioSet",
      contract_digest AS "contractDigest", seed, state, started_at AS "startedAt",
      finished_at AS "finishedAt" FROM (SELECT * FROM conformance_runs WHERE run_id = $2 OFFSET 0) found
    WHERE application_id = $1;

PREPARE "list-conformance-runs" AS
SELECT run_id AS "runId", application_id AS "applicationId", profile,
      wire_version AS "wireVersion", scenario_set AS "scenarioSet",
      contract_digest AS "contractDigest", seed, state, started_at AS "startedAt",
      finished_at AS "finishedAt" FROM conformance_runs WHERE application_id = $1 AND run_id < $2
    ORDER BY run_id DESC LIMIT $3;

PREPARE "end-conformance-run" AS
UPDATE conformance_runs SET state = $2, finished_at = now()
    WHERE run_id = $1 AND state = 'open' RETURNING run_id;

PREPARE "trim-conformance-runs" AS
DELETE FROM conformance_runs WHERE run_id = ANY (ARRAY(
      SELECT run_id FROM conformance_runs WHERE application_id = $1 AND state <> 'open'
      ORDER BY run_id DESC OFFSET $2));

-- src/sandbox/store/scenarios.ts

PREPARE "insert-conformance-scenarios" AS
INSERT INTO conformance_scenarios
      (run_id, application_id, scenario, place, state, result, skipped_for)
    SELECT $1, $2, scenario, ordinal, CASE WHEN reason IS NULL THEN 'waiting' ELSE 'skipped' END,
      CASE WHEN reason IS NOT NULL THEN 'skipped' END, reason
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS given (scenario, reason, ordinal);

PREPARE "read-conformance-scenarios" AS
SELECT run_id AS "runId", application_id AS "applicationId", scenario, state, result,
      skipped_for AS "skippedFor", attempts, findings, request_ids AS "requestIds",
      started_at AS "startedAt", finished_at AS "finishedAt", attempt_id AS "attemptId", task, setting,
      coalesce(state = 'running' AND ends_at <= now(), false) AS "isLate",
      (extract(epoch FROM now() - started_at) * 1000)::float8 AS "sinceStartMs" FROM conformance_scenarios WHERE run_id = ANY ($1::uuid[])
    ORDER BY run_id, place;

PREPARE "find-late-scenarios" AS
SELECT run_id AS "runId", application_id AS "applicationId", scenario, state, result,
      skipped_for AS "skippedFor", attempts, findings, request_ids AS "requestIds",
      started_at AS "startedAt", finished_at AS "finishedAt", attempt_id AS "attemptId", task, setting,
      coalesce(state = 'running' AND ends_at <= now(), false) AS "isLate",
      (extract(epoch FROM now() - started_at) * 1000)::float8 AS "sinceStartMs" FROM conformance_scenarios WHERE state = 'running' AND ends_at <= now()
    LIMIT $1;

PREPARE "start-conformance-scenario" AS
UPDATE conformance_scenarios s SET state = 'running', result = NULL, findings = '[]',
      request_ids = '[]', attempts = attempts + 1, started_at = now(), finished_at = NULL,
      attempt_id = $3, ends_at = now() + make_interval(secs => $4), task = $5, setting = $6,
      effects = $7, submitted_at = NULL, provoked_at = NULL,
      plays_at = now() + make_interval(secs => $8)
    WHERE run_id = $1 AND scenario = $2 AND state IN ('waiting', 'judged') AND NOT EXISTS (
      SELECT FROM conformance_scenarios o
      WHERE o.application_id = s.application_id AND o.state = 'running')
      AND EXISTS (SELECT FROM conformance_runs r WHERE r.run_id = s.run_id AND r.state = 'open')
    RETURNING run_id AS "runId", application_id AS "applicationId", scenario, state, result,
      skipped_for AS "skippedFor", attempts, findings, request_ids AS "requestIds",
      started_at AS "startedAt", finished_at AS "finishedAt", attempt_id AS "attemptId", task, setting,
      coalesce(state = 'running' AND ends_at <= now(), false) AS "isLate",
      (extract(epoch FROM now() - started_at) * 1000)::float8 AS "sinceStartMs";

PREPARE "judge-conformance-scenario" AS
UPDATE conformance_scenarios SET state = CASE WHEN $3::text IS NULL THEN 'waiting' ELSE 'judged' END,
      result = $3, findings = $4, request_ids = $5, effects = NULL, plays_at = NULL, finished_at = now()
    WHERE attempt_id = $1 AND run_id = $2 AND state = 'running' RETURNING run_id AS "runId", application_id AS "applicationId", scenario, state, result,
      skipped_for AS "skippedFor", attempts, findings, request_ids AS "requestIds",
      started_at AS "startedAt", finished_at AS "finishedAt", attempt_id AS "attemptId", task, setting,
      coalesce(state = 'running' AND ends_at <= now(), false) AS "isLate",
      (extract(epoch FROM now() - started_at) * 1000)::float8 AS "sinceStartMs";

PREPARE "skip-conformance-scenarios" AS
UPDATE conformance_scenarios SET state = 'skipped', result = 'skipped',
      skipped_for = 'not_started', effects = NULL, plays_at = NULL
    WHERE run_id = $1 AND state IN ('waiting', 'running')
    RETURNING old.state, scenario, attempt_id AS "attemptId", application_id AS "applicationId";

PREPARE "provoke-scenario" AS
UPDATE conformance_scenarios SET provoked_at = now(),
      effects = coalesce(effects, '{}') || $3::jsonb
    WHERE attempt_id = $1 AND state = 'running' AND ($2 OR provoked_at IS NULL)
      AND (NOT $4 OR submitted_at IS NOT NULL)
    RETURNING task;

PREPARE "note-submission" AS
UPDATE conformance_scenarios SET submitted_at = now()
    WHERE attempt_id = $1 AND state = 'running' AND submitted_at IS NULL;

PREPARE "take-due-scenarios" AS
UPDATE conformance_scenarios SET plays_at = NULL
    WHERE state = 'running' AND plays_at <= now() RETURNING run_id AS "runId", application_id AS "applicationId", scenario, state, result,
      skipped_for AS "skippedFor", attempts, findings, request_ids AS "requestIds",
      started_at AS "startedAt", finished_at AS "finishedAt", attempt_id AS "attemptId", task, setting,
      coalesce(state = 'running' AND ends_at <= now(), false) AS "isLate",
      (extract(epoch FROM now() - started_at) * 1000)::float8 AS "sinceStartMs";

PREPARE "reset-running-scenarios" AS
UPDATE conformance_scenarios SET state = 'waiting', effects = NULL, plays_at = NULL
    WHERE state = 'running' RETURNING scenario, attempt_id AS "attemptId", application_id AS "applicationId";

PREPARE "take-nights-for-scenario" AS
INSERT INTO sandbox_nights (application_id, attempt_id, listing_id, nights)
    VALUES ($1, $2, $3, daterange($4, $5)) ON CONFLICT DO NOTHING;

PREPARE "free-nights-of-scenario" AS
DELETE FROM sandbox_nights WHERE application_id = $1 AND attempt_id = $2;

PREPARE "list-reservations-made" AS
SELECT reference, listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut",
      (charges ->> 'total')::integer AS total, charges ->> 'currency' AS currency
    FROM reservations WHERE application_id = $1 AND confirmed_at >= $2 ORDER BY confirmed_at
    LIMIT 100;

-- src/sandbox/store/seen-calls.ts

PREPARE "record-seen-call" AS
INSERT INTO conformance_calls (attempt_id, request_id, began_at, ended_at, call)
    SELECT $1, $2, $3, $4, $5
    WHERE (SELECT count(*) FROM conformance_calls WHERE attempt_id = $1) < $6
      AND EXISTS (SELECT FROM conformance_scenarios WHERE attempt_id = $1 AND state = 'running')
    ON CONFLICT DO NOTHING RETURNING request_id;

PREPARE "read-seen-calls" AS
SELECT request_id AS "requestId", began_at AS at, ended_at AS "endedAt", call
    FROM conformance_calls WHERE attempt_id = $1 ORDER BY began_at, ended_at;

PREPARE "sweep-seen-calls" AS
DELETE FROM conformance_calls WHERE attempt_id = $1;

-- src/sign-in/store/invitations.ts

PREPARE "put-staff-invitation" AS
INSERT INTO staff_invitations (staff_id, invitation_digest, expires_at)
    VALUES ($1, $2, now() + make_interval(hours => $3))
    ON CONFLICT (staff_id) DO UPDATE
      SET invitation_digest = EXCLUDED.invitation_digest, expires_at = EXCLUDED.expires_at
    RETURNING expires_at AS "expiresAt";

PREPARE "find-staff-invitation" AS
SELECT i.staff_id AS "staffId", m.email, m.role FROM staff_invitations i
    JOIN staff_members m ON m.staff_id = i.staff_id
    WHERE i.invitation_digest = $1 AND i.expires_at > now() AND m.disabled_at IS NULL;

PREPARE "use-staff-invitation" AS
DELETE FROM staff_invitations WHERE invitation_digest = $1 AND expires_at > now()
    RETURNING staff_id;

PREPARE "delete-staff-invitation" AS
DELETE FROM staff_invitations WHERE staff_id = $1;

-- src/sign-in/store/members.ts

PREPARE "find-by-email-staff-member" AS
SELECT staff_id AS "staffId", email, role, password_hash AS "passwordHash",
  second_factor AS "secondFactor", pending_factor AS "pendingFactor", disabled_at AS "disabledAt",
  EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = staff_members.staff_id) AS "hasPasskey", now() AS now FROM staff_members WHERE email = $1;

PREPARE "find-staff-member" AS
SELECT staff_id AS "staffId", email, role, password_hash AS "passwordHash",
  second_factor AS "secondFactor", pending_factor AS "pendingFactor", disabled_at AS "disabledAt",
  EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = staff_members.staff_id) AS "hasPasskey", now() AS now FROM staff_members WHERE staff_id = $1;

PREPARE "lock-staff-member" AS
SELECT staff_id AS "staffId", email, role, password_hash AS "passwordHash",
  second_factor AS "secondFactor", pending_factor AS "pendingFactor", disabled_at AS "disabledAt",
  EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = staff_members.staff_id) AS "hasPasskey", now() AS now FROM staff_members WHERE staff_id = $1 FOR UPDATE;

PREPARE "lock-administrators" AS
SELECT staff_id AS "staffId" FROM staff_members
    WHERE role = 'administrator' AND disabled_at IS NULL
      AND (password_hash IS NOT NULL OR signed_in_at IS NOT NULL)
    ORDER BY staff_id FOR UPDATE;

PREPARE "insert-staff-member" AS
INSERT INTO staff_members (email, role) VALUES ($1, $2)
    ON CONFLICT (email) DO NOTHING RETURNING staff_id AS "staffId", email, role, password_hash AS "passwordHash",
  second_factor AS "secondFactor", pending_factor AS "pendingFactor", disabled_at AS "disabledAt",
  EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = staff_members.staff_id) AS "hasPasskey", now() AS now;

PREPARE "use-code-of-staff-member" AS
UPDATE staff_members SET last_code_step = $2
    WHERE staff_id = $1 AND coalesce(last_code_step, 0) < $2 RETURNING staff_id;

PREPARE "list-staff-member" AS
SELECT m.staff_id AS "staffId", m.email, m.role,
    m.password_hash IS NOT NULL AS "hasPassword", 
    m.second_factor IS NOT NULL OR EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = m.staff_id)
      AS "hasSecondFactor",
    s.sessions, m.signed_in_at AS "signedInAt", i.expires_at AS "invitedUntil",
    m.created_at AS "createdAt", m.disabled_at AS "disabledAt"
  FROM staff_members m
  LEFT JOIN staff_invitations i ON i.staff_id = m.staff_id AND i.expires_at > now()
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS sessions FROM staff_sessions
    WHERE staff_id = m.staff_id AND expires_at > now()
  ) s ORDER BY m.email;

PREPARE "find-listed-staff-member" AS
SELECT m.staff_id AS "staffId", m.email, m.role,
    m.password_hash IS NOT NULL AS "hasPassword", 
    m.second_factor IS NOT NULL OR EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = m.staff_id)
      AS "hasSecondFactor",
    s.sessions, m.signed_in_at AS "signedInAt", i.expires_at AS "invitedUntil",
    m.created_at AS "createdAt", m.disabled_at AS "disabledAt"
  FROM staff_members m
  LEFT JOIN staff_invitations i ON i.staff_id = m.staff_id AND i.expires_at > now()
  CROSS JOIN LATERAL (
    SELECT count(*)::integer AS sessions FROM staff_sessions
    WHERE staff_id = m.staff_id AND expires_at > now()
  ) s WHERE m.staff_id = $1;

PREPARE "set-staff-member-role" AS
UPDATE staff_members SET role = $2 WHERE staff_id = $1;

PREPARE "set-staff-member-password_hash" AS
UPDATE staff_members SET password_hash = $2 WHERE staff_id = $1;

PREPARE "set-staff-member-pending_factor" AS
UPDATE staff_members SET pending_factor = $2 WHERE staff_id = $1;

PREPARE "set-staff-member-second_factor" AS
UPDATE staff_members SET second_factor = $2, pending_factor = NULL, last_code_step = NULL WHERE staff_id = $1;

PREPARE "set-staff-member-disabled" AS
UPDATE staff_members SET disabled_at = CASE WHEN $2::boolean THEN coalesce(disabled_at, now()) END WHERE staff_id = $1;

-- src/sign-in/store/networks.ts

PREPARE "find-staff-network" AS
SELECT 1 FROM staff_networks WHERE staff_id = $1 AND network = $2;

PREPARE "note-staff-network" AS
INSERT INTO staff_networks (staff_id, network) VALUES ($1, $2)
    ON CONFLICT (staff_id, network) DO UPDATE SET seen_at = now();

-- src/sign-in/store/passkeys.ts

PREPARE "list-staff-passkeys" AS
SELECT passkey_id AS "passkeyId", credential_id AS "credentialId", public_key AS "publicKey", counter,
  transports, name, created_at AS "createdAt", used_at AS "usedAt" FROM staff_passkeys WHERE staff_id = $1 ORDER BY created_at, passkey_id;

PREPARE "insert-staff-passkey" AS
INSERT INTO staff_passkeys (staff_id, credential_id, public_key, counter, transports, name)
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING passkey_id AS "passkeyId", credential_id AS "credentialId", public_key AS "publicKey", counter,
  transports, name, created_at AS "createdAt", used_at AS "usedAt";

PREPARE "use-staff-passkey" AS
UPDATE staff_passkeys SET counter = $3, used_at = now()
    WHERE staff_id = $1 AND credential_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))
    RETURNING passkey_id;

PREPARE "delete-staff-passkey" AS
DELETE FROM staff_passkeys WHERE staff_id = $1 AND passkey_id = $2 RETURNING name;

PREPARE "delete-staff-passkeys" AS
DELETE FROM staff_passkeys WHERE staff_id = $1 RETURNING passkey_id;

PREPARE "insert-staff-challenge" AS
WITH former AS (
      DELETE FROM staff_challenges WHERE staff_id = $2 AND (purpose = $3 OR expires_at < now())
    )
    INSERT INTO staff_challenges (challenge, staff_id, purpose, expires_at)
    VALUES ($1, $2, $3, now() + make_interval(secs => $4));

PREPARE "use-staff-challenge" AS
DELETE FROM staff_challenges WHERE challenge = $1 AND staff_id = $2 AND purpose = $3
    RETURNING expires_at > now() AS "isAlive";

-- src/sign-in/store/required-factor.ts

PREPARE "read-required-factor" AS
SELECT second_factor_required AS required FROM installation;

PREPARE "write-required-factor" AS
UPDATE installation SET second_factor_required = $1
    WHERE second_factor_required <> $1 RETURNING second_factor_required AS required;

PREPARE "list-members-without-factor" AS
SELECT email FROM staff_members
    WHERE disabled_at IS NULL AND password_hash IS NOT NULL AND second_factor IS NULL
      AND NOT EXISTS (SELECT FROM staff_passkeys p WHERE p.staff_id = staff_members.staff_id) ORDER BY email;

-- src/sign-in/store/sessions.ts

PREPARE "insert-staff-session" AS
WITH member AS (
      UPDATE staff_members SET signed_in_at = now()
      WHERE staff_id = $1 AND disabled_at IS NULL AND password_hash IS NOT DISTINCT FROM $2
      RETURNING staff_id
    )
    INSERT INTO staff_sessions (staff_id, session_digest, address, user_agent, expires_at)
    SELECT staff_id, $3, $4, $5, now() + interval '12 hours' FROM member
    RETURNING session_id AS "sessionId";

PREPARE "find-staff-session" AS
WITH seen AS (
      UPDATE staff_sessions s SET seen_at = now()
      WHERE s.session_digest = $1 AND s.expires_at > now() AND s.seen_at > now() - interval '60 minutes' AND s.seen_at < now() - interval '1 minute'
    )
    SELECT s.session_id AS "sessionId", m.staff_id AS "staffId", m.email, m.role,
      m.password_hash IS NOT NULL AS "hasPassword", m.second_factor IS NOT NULL AS "hasCode",
      p.has_passkey AS "hasPasskey",
      m.password_hash IS NOT NULL AND m.second_factor IS NULL AND NOT p.has_passkey AND EXISTS (
        SELECT FROM installation WHERE only_row AND second_factor_required) AS "mustAddSecondFactor",
      s.confirmed_at > now() - interval '10 minutes' AS "isSteppedUp",
      s.confirmed_at + interval '10 minutes' AS "steppedUpUntil",
      s.expires_at AS "expiresAt"
    FROM staff_sessions s JOIN staff_members m ON m.staff_id = s.staff_id
    CROSS JOIN LATERAL (
      SELECT EXISTS (SELECT FROM staff_passkeys WHERE staff_id = m.staff_id) AS has_passkey) p
    WHERE s.session_digest = $1 AND s.expires_at > now() AND s.seen_at > now() - interval '60 minutes' AND m.disabled_at IS NULL;

PREPARE "confirm-staff-session" AS
UPDATE staff_sessions SET confirmed_at = now() WHERE session_id = $1
    RETURNING confirmed_at + interval '10 minutes' AS "steppedUpUntil";

PREPARE "list-staff-sessions" AS
SELECT session_id AS "sessionId", created_at AS "createdAt", seen_at AS "seenAt",
      expires_at AS "expiresAt", address, user_agent AS "userAgent"
    FROM staff_sessions s WHERE staff_id = $1 AND s.expires_at > now() AND s.seen_at > now() - interval '60 minutes' ORDER BY created_at DESC LIMIT 100;

PREPARE "end-staff-session" AS
DELETE FROM staff_sessions WHERE staff_id = $1 AND session_id = $2 RETURNING session_id;

PREPARE "end-staff-sessions" AS
DELETE FROM staff_sessions WHERE staff_id = $1 AND session_id IS DISTINCT FROM $2
    RETURNING session_id;

-- src/sign-in/store/tokens.ts

PREPARE "insert-operator-token" AS
INSERT INTO operator_tokens (token_id, token_digest, name, role, expires_at, networks, scopes)
    VALUES (gen_random_uuid(), $1, $2, $3, now() + make_interval(secs => $4), $5::cidr[], $6)
    RETURNING token_id AS "tokenId", expires_at AS "expiresAt";

PREPARE "find-operator-token" AS
SELECT name, role, networks::text[] AS networks, scopes FROM operator_tokens
    WHERE token_digest = $1 AND expires_at > now() AND revoked_at IS NULL;

PREPARE "list-operator-tokens" AS
SELECT token_id AS "tokenId", name, role, created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", networks::text[] AS networks, scopes,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
    ELSE 'active' END AS state FROM operator_tokens
    WHERE (created_at, token_id) < (
      coalesce((SELECT created_at FROM operator_tokens WHERE token_id = $1), 'infinity'), coalesce($1, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    ORDER BY created_at DESC, token_id DESC LIMIT $2;

PREPARE "revoke-operator-token" AS
UPDATE operator_tokens SET revoked_at = coalesce(revoked_at, now()) WHERE token_id = $1
    RETURNING token_id AS "tokenId", name, role, created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", networks::text[] AS networks, scopes,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired'
    ELSE 'active' END AS state;

-- src/signals/store/count-funnel.ts

PREPARE "count-funnel" AS
WITH piece AS (
      SELECT counted_until AS since, greatest(counted_until + interval '1 microsecond', least(
        counted_until + interval '5 minutes', now() - interval '1 minute',
        (SELECT received_at FROM signals WHERE received_at >= counted_until AND true ORDER BY received_at OFFSET $2 LIMIT 1), (SELECT expires_at FROM quotes WHERE expires_at >= counted_until AND true ORDER BY expires_at OFFSET $2 LIMIT 1),
        (SELECT confirmed_at FROM reservations WHERE confirmed_at >= counted_until AND true ORDER BY confirmed_at OFFSET $2 LIMIT 1),
        (SELECT resolved_at FROM bookings WHERE resolved_at >= counted_until AND failure_reason IS NOT NULL ORDER BY resolved_at OFFSET $2 LIMIT 1))) AS until
      FROM funnel_progress WHERE counted_until < now() - interval '1 minute' LIMIT 1 FOR UPDATE SKIP LOCKED
    ),
    happened (at, application_id, listing_id, views, quotes, checkouts, submitted, confirmed) AS (
      SELECT s.* FROM piece CROSS JOIN LATERAL (
        SELECT received_at, application_id, listing_id, 1, 0, 0, 0, 0 FROM signals
        WHERE received_at >= piece.since AND received_at < piece.until AND name = 'listing_viewed') s
      UNION ALL
      SELECT q.created_at, q.application_id, q.listing_id, 0, 1, (b.booking_id IS NOT NULL)::integer,
        (b.submitted_at IS NOT NULL)::integer, coalesce(r.confirmed_at <= q.expires_at, false)::integer
      FROM piece CROSS JOIN LATERAL (
        SELECT created_at, application_id, quote_id, listing_id, expires_at FROM quotes
        WHERE expires_at >= piece.since AND expires_at < piece.until) q
      LEFT JOIN LATERAL (
        SELECT booking_id, submitted_at, reference FROM bookings
        WHERE application_id = q.application_id AND quote_id = q.quote_id OFFSET 0) b ON true
      LEFT JOIN LATERAL (
        SELECT confirmed_at FROM reservations WHERE reference = b.reference OFFSET 0) r ON true
      UNION ALL
      SELECT q.created_at, q.application_id, q.listing_id, 0, 0, 0, 0, 1
      FROM piece CROSS JOIN LATERAL (
        SELECT application_id, kind, booking_id, confirmed_at FROM reservations
        WHERE confirmed_at >= piece.since AND confirmed_at < piece.until) r
      CROSS JOIN LATERAL (
        SELECT quote_id FROM bookings
        WHERE application_id = r.application_id AND kind = r.kind AND booking_id = r.booking_id OFFSET 0) b
      CROSS JOIN LATERAL (
        SELECT created_at, application_id, listing_id, expires_at FROM quotes
        WHERE application_id = r.application_id AND quote_id = b.quote_id OFFSET 0) q
      WHERE r.confirmed_at > q.expires_at
    ),
    counted AS (
      INSERT INTO funnel_weeks AS f
      SELECT date_trunc('week', at AT TIME ZONE 'UTC')::date, application_id, coalesce(listing_id, $1::uuid), 0, sum(views), sum(quotes),
        sum(checkouts), sum(submitted), sum(confirmed)
      FROM happened GROUP BY GROUPING SETS ((1, 2, listing_id), (1, 2))
      HAVING listing_id IS NOT NULL OR GROUPING(listing_id) = 1
      ORDER BY 1, 2, 3
      ON CONFLICT (week, application_id, listing_id) DO UPDATE SET
        views = f.views + excluded.views,
        quotes = f.quotes + excluded.quotes, checkouts = f.checkouts + excluded.checkouts,
        submitted = f.submitted + excluded.submitted, confirmed = f.confirmed + excluded.confirmed
    ),
    failed (at, application_id, listing_id, reason) AS (
      SELECT q.created_at, q.application_id, q.listing_id, b.failure_reason
      FROM piece CROSS JOIN LATERAL (
        SELECT application_id, quote_id, failure_reason FROM bookings
        WHERE failure_reason IS NOT NULL AND resolved_at >= piece.since AND resolved_at < piece.until) b
      CROSS JOIN LATERAL (
        SELECT created_at, application_id, listing_id FROM quotes
        WHERE application_id = b.application_id AND quote_id = b.quote_id OFFSET 0) q
    ),
    refused AS (
      INSERT INTO funnel_refusals AS f
      SELECT date_trunc('week', at AT TIME ZONE 'UTC')::date, application_id, coalesce(listing_id, $1::uuid), 'confirm', reason, count(*)
      FROM failed GROUP BY GROUPING SETS ((1, 2, listing_id, reason), (1, 2, reason))
      HAVING listing_id IS NOT NULL OR GROUPING(listing_id) = 1
      ORDER BY 1, 2, 3, 5
      ON CONFLICT (week, application_id, listing_id, step, reason)
        DO UPDATE SET refusals = f.refusals + excluded.refusals
    ),
    moved AS (
      UPDATE funnel_progress SET counted_until = piece.until FROM piece
    )
    SELECT count(*)::integer AS more FROM piece WHERE until < now() - interval '1 minute';

PREPARE "count-answered-searches" AS
INSERT INTO funnel_weeks AS f
    SELECT date_trunc('week', at AT TIME ZONE 'UTC')::date, application_id, $1::uuid, sum(calls), 0, 0, 0, 0, 0
    FROM (SELECT now() AS at, * FROM unnest($2::uuid[], $3::integer[])
      AS answered (application_id, calls)) answered
    GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (week, application_id, listing_id) DO UPDATE SET searches = f.searches + excluded.searches;

PREPARE "count-refused-calls" AS
INSERT INTO funnel_refusals AS f
    SELECT date_trunc('week', at AT TIME ZONE 'UTC')::date, application_id, coalesce(listing_id, $1::uuid), step, reason, sum(calls)
    FROM (SELECT now() AS at, * FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::integer[])
      AS refused (application_id, listing_id, step, reason, calls)) refused
    GROUP BY GROUPING SETS ((1, 2, listing_id, step, reason), (1, 2, step, reason))
      HAVING listing_id IS NOT NULL OR GROUPING(listing_id) = 1
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (week, application_id, listing_id, step, reason)
      DO UPDATE SET refusals = f.refusals + excluded.refusals;

-- src/signals/store/funnel.ts

PREPARE "read-funnel-homes" AS
SELECT c.listing_id AS "listingId", l.slug, l.name, s.views, s.quotes, s.checkouts, s.submitted,
      s.confirmed
    FROM (SELECT listing_id, sum(quotes::integer) AS quotes FROM (
        SELECT f.listing_id, f.quotes FROM (SELECT week FROM unnest($1::date[]) AS w (week) ORDER BY week DESC) w
        CROSS JOIN LATERAL (SELECT listing_id, quotes FROM funnel_weeks
          WHERE week = w.week AND application_id = $2 AND listing_id <> $3 OFFSET 0) f
        LIMIT 2000000) counts
      GROUP BY listing_id ORDER BY quotes DESC, listing_id LIMIT $4) c
    CROSS JOIN LATERAL (SELECT sum(f.searches)::float8 AS searches, sum(f.views)::float8 AS views, sum(f.quotes)::float8 AS quotes, sum(f.checkouts)::float8 AS checkouts, sum(f.submitted)::float8 AS submitted, sum(f.confirmed)::float8 AS confirmed FROM funnel_weeks f
      WHERE f.week = ANY ($1::date[]) AND f.application_id = $2 AND f.listing_id = c.listing_id OFFSET 0) s
    LEFT JOIN LATERAL (
      SELECT slug, name FROM listings WHERE listing_id = c.listing_id OFFSET 0) l ON true
    ORDER BY c.quotes DESC, c.listing_id;

PREPARE "read-funnel-weeks-all" AS
SELECT f.week, sum(f.searches)::float8 AS searches, sum(f.views)::float8 AS views, sum(f.quotes)::float8 AS quotes, sum(f.checkouts)::float8 AS checkouts, sum(f.submitted)::float8 AS submitted, sum(f.confirmed)::float8 AS confirmed FROM funnel_weeks f WHERE f.week = ANY ($1::date[]) AND f.listing_id = $2 GROUP BY f.week ORDER BY f.week;

PREPARE "read-funnel-weeks-application" AS
SELECT f.week, sum(f.searches)::float8 AS searches, sum(f.views)::float8 AS views, sum(f.quotes)::float8 AS quotes, sum(f.checkouts)::float8 AS checkouts, sum(f.submitted)::float8 AS submitted, sum(f.confirmed)::float8 AS confirmed FROM funnel_weeks f WHERE f.week = ANY ($1::date[]) AND f.listing_id = $2 AND f.application_id = $3 GROUP BY f.week ORDER BY f.week;

PREPARE "read-funnel-applications-all" AS
SELECT c.application_id AS "applicationId", a.name AS application, c.searches, c.views, c.quotes,
      c.checkouts, c.submitted, c.confirmed
    FROM (SELECT f.application_id, sum(f.searches)::float8 AS searches, sum(f.views)::float8 AS views, sum(f.quotes)::float8 AS quotes, sum(f.checkouts)::float8 AS checkouts, sum(f.submitted)::float8 AS submitted, sum(f.confirmed)::float8 AS confirmed FROM funnel_weeks f WHERE f.week = ANY ($1::date[]) AND f.listing_id = $2
      GROUP BY f.application_id ORDER BY 4 DESC, 1 LIMIT $3) c
    CROSS JOIN LATERAL (
      SELECT name FROM applications WHERE application_id = c.application_id OFFSET 0) a
    ORDER BY c.quotes DESC, c.application_id;

PREPARE "read-funnel-applications-application" AS
SELECT c.application_id AS "applicationId", a.name AS application, c.searches, c.views, c.quotes,
      c.checkouts, c.submitted, c.confirmed
    FROM (SELECT f.application_id, sum(f.searches)::float8 AS searches, sum(f.views)::float8 AS views, sum(f.quotes)::float8 AS quotes, sum(f.checkouts)::float8 AS checkouts, sum(f.submitted)::float8 AS submitted, sum(f.confirmed)::float8 AS confirmed FROM funnel_weeks f WHERE f.week = ANY ($1::date[]) AND f.listing_id = $2 AND f.application_id = $3
      GROUP BY f.application_id ORDER BY 4 DESC, 1 LIMIT $4) c
    CROSS JOIN LATERAL (
      SELECT name FROM applications WHERE application_id = c.application_id OFFSET 0) a
    ORDER BY c.quotes DESC, c.application_id;

PREPARE "read-funnel-refusals-all" AS
SELECT f.step, f.reason, sum(f.refusals)::float8 AS refusals FROM funnel_refusals f
    WHERE f.week = ANY ($1::date[]) AND f.listing_id = $2 GROUP BY f.step, f.reason ORDER BY 3 DESC, 1, 2 LIMIT $3;

PREPARE "read-funnel-refusals-application" AS
SELECT f.step, f.reason, sum(f.refusals)::float8 AS refusals FROM funnel_refusals f
    WHERE f.week = ANY ($1::date[]) AND f.listing_id = $2 AND f.application_id = $3 GROUP BY f.step, f.reason ORDER BY 3 DESC, 1, 2 LIMIT $4;

-- src/signals/store/signals.ts

PREPARE "insert-signal" AS
INSERT INTO signals (application_id, signal_id, input_digest, name, route_family, occurred_at,
      referrer_origin, device_class, correlation_id, consent, search_observation_id, listing_id,
      quote_id, checkout_id)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
    WHERE $14::uuid IS NULL OR EXISTS (
      SELECT FROM bookings WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $14
        AND version = $15 FOR SHARE)
    ON CONFLICT DO NOTHING RETURNING signal_id;

PREPARE "find-signal-digest" AS
SELECT input_digest FROM signals WHERE application_id = $1 AND signal_id = $2;

-- src/simulation/store/attempts.ts

PREPARE "find-simulated-attempt" AS
SELECT outcome, known_at AS "knownAt", price, now() AS now FROM simulated_attempts WHERE attempt_id = $1;

PREPARE "decide-simulated-attempt" AS
WITH running AS (
      SELECT ((SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = $4 AND running.state = 'running'
        AND running.ends_at > now())) AS effects
    ), fresh AS (
      SELECT s.application_id, s.occupies_since FROM sandbox_states s
      WHERE s.application_id = $4 AND NOT EXISTS (SELECT FROM simulated_attempts WHERE attempt_id = $1)
      FOR UPDATE
    ), ordered AS (
      UPDATE sandbox_states s SET next_outcome = NULL, next_price = NULL FROM fresh
      WHERE s.application_id = fresh.application_id AND s.next_ordered_at <= $8
        AND (SELECT effects FROM running) IS NULL
        AND s.next_outcome IS NOT NULL AND s.next_outcome NOT LIKE 'setup%'
      RETURNING old.next_outcome AS outcome, old.next_price AS price
    ), wanted AS (
      SELECT coalesce((SELECT effects ->> 'outcome' FROM running), (SELECT outcome FROM ordered), $2)
        AS outcome, (SELECT price FROM ordered) AS price
    ), taken AS (
      INSERT INTO sandbox_nights (application_id, attempt_id, listing_id, nights)
      SELECT fresh.application_id, $1, $5, daterange($6, $7) FROM fresh CROSS JOIN wanted
      WHERE fresh.occupies_since IS NOT NULL AND ($3::json -> wanted.outcome ->> 'isMade')::boolean
      ON CONFLICT DO NOTHING RETURNING attempt_id
    ), decided AS (
      SELECT price, CASE WHEN ($3::json -> outcome ->> 'isMade')::boolean
        AND EXISTS (SELECT FROM fresh WHERE occupies_since IS NOT NULL)
        AND NOT EXISTS (SELECT FROM taken) THEN 'sold_out' ELSE outcome END AS outcome
      FROM wanted
    )
    INSERT INTO simulated_attempts (attempt_id, outcome, price, known_at)
    SELECT $1, outcome, price,
      now() + make_interval(secs => coalesce((SELECT effects ->> 'knownInSeconds' FROM running),
        $3::json -> outcome ->> 'knownInSeconds')::float8)
    FROM decided
    ON CONFLICT (attempt_id) DO UPDATE SET attempt_id = excluded.attempt_id
    RETURNING outcome, price, known_at AS "knownAt", now() AS now;

PREPARE "take-ordered-setup" AS
WITH running AS (
      SELECT ((SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = $1 AND running.state = 'running'
        AND running.ends_at > now())) AS effects
    ), ordered AS (
      UPDATE sandbox_states SET next_outcome = NULL
      WHERE application_id = $1 AND next_outcome LIKE 'setup%' AND (SELECT effects FROM running) IS NULL
      RETURNING old.next_outcome AS outcome
    )
    SELECT coalesce((SELECT effects ->> 'setup' FROM running), (SELECT outcome FROM ordered)) AS outcome;

PREPARE "find-wanted-action" AS
SELECT coalesce(((SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = $1 AND running.state = 'running'
        AND running.ends_at > now()) ->> 'needsAction')::boolean, false) AS wanted;

-- src/webhooks/store/claims.ts

PREPARE "list-active-endpoints" AS
SELECT e.endpoint_id AS "endpointId", e.application_id AS "applicationId",
      e.failing_since IS NOT NULL AS failing,
      c.last_sequence > e.fanned_out_to OR EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.endpoint_id AND d.state = 'pending'
          AND d.leased = ANY ('{false,true}') AND d.due_at <= now()) AS behind
    FROM webhook_endpoints e
    JOIN event_counters c ON c.application_id = e.application_id
    JOIN applications a ON a.application_id = e.application_id
    WHERE e.state = 'active' AND e.deleted_at IS NULL AND a.suspended_at IS NULL;

PREPARE "claim-webhooks" AS
WITH held AS (
      SELECT e.endpoint_id, e.secret_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_sealed END AS previous_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS previous_until, e.application_id, e.url, e.event_types, e.failing_since,
        e.fanned_out_to, e.claims
      FROM webhook_endpoints e JOIN applications a ON a.application_id = e.application_id
      WHERE e.endpoint_id = ANY ($1::uuid[]) AND e.state = 'active' AND e.deleted_at IS NULL
        AND a.suspended_at IS NULL
        AND ((SELECT running.effects FROM conformance_scenarios running
      WHERE running.application_id = e.application_id AND running.state = 'running'
        AND running.ends_at > now()) -> 'holdsDeliveries') IS NULL
      FOR NO KEY UPDATE OF e SKIP LOCKED
    ), counted AS (
      SELECT held.*, c.last_sequence, greatest(0, least(asked.at_most,
        CASE WHEN held.failing_since IS NULL THEN $3::integer ELSE $4::integer END - (
          SELECT count(*)::integer FROM webhook_deliveries d WHERE d.endpoint_id = held.endpoint_id
            AND d.state = 'pending' AND d.leased AND d.due_at > now()))) AS slots
      FROM held
      JOIN unnest($1::uuid[], $2::integer[]) AS asked (endpoint_id, at_most)
        ON asked.endpoint_id = held.endpoint_id
      JOIN webhook_endpoints seen ON seen.endpoint_id = ANY ($1::uuid[])
        AND seen.endpoint_id = held.endpoint_id AND seen.claims = held.claims
      JOIN event_counters c ON c.application_id = held.application_id
    ), lost AS (
      SELECT d.* FROM counted CROSS JOIN LATERAL (
        SELECT w.delivery_id, w.endpoint_id, w.attempts_begun, w.last_attempt_at, w.due_at
        FROM webhook_deliveries w
        WHERE w.endpoint_id = counted.endpoint_id AND w.state = 'pending' AND w.leased
          AND w.due_at <= now() AND (w.test_event IS NOT NULL
            OR EXISTS (SELECT FROM events ev WHERE ev.event_id = w.event_id))
        ORDER BY w.due_at, w.sequence LIMIT counted.slots FOR UPDATE SKIP LOCKED) d
    ), ripe AS (
      SELECT d.* FROM counted CROSS JOIN LATERAL (
        SELECT w.delivery_id, w.endpoint_id FROM webhook_deliveries w
        WHERE w.endpoint_id = counted.endpoint_id AND w.state = 'pending' AND NOT w.leased
          AND w.due_at <= now() AND (w.test_event IS NOT NULL
            OR EXISTS (SELECT FROM events ev WHERE ev.event_id = w.event_id))
        ORDER BY w.due_at, w.sequence LIMIT counted.slots - (
          SELECT count(*) FROM lost WHERE lost.endpoint_id = counted.endpoint_id)
        FOR UPDATE SKIP LOCKED) d
    ), interrupted AS (
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, error)
      SELECT delivery_id, attempts_begun, last_attempt_at,
        extract(epoch FROM due_at - last_attempt_at) * 1000, 'interrupted'
      FROM lost ON CONFLICT DO NOTHING
    ), again AS (
      UPDATE webhook_deliveries d SET leased = true, due_at = now() + make_interval(secs => $5),
        fence = d.fence + 1, attempts_begun = d.attempts_begun + 1, last_attempt_at = now()
      WHERE d.delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM lost UNION ALL SELECT delivery_id FROM ripe))
      RETURNING d.*
    ), filled AS (
      SELECT counted.*, counted.slots - (SELECT count(*) FROM again
        WHERE again.endpoint_id = counted.endpoint_id) AS left_over
      FROM counted
    ), fresh AS (
      SELECT filled.endpoint_id, filled.application_id, ev.*
      FROM filled CROSS JOIN LATERAL (
        SELECT sequence, event_id, type, data, created_at FROM events
        WHERE application_id = filled.application_id AND sequence > filled.fanned_out_to
          AND sequence <= filled.fanned_out_to + 1000
          AND (created_at > now() - make_interval(days => $6) OR coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $6) LIMIT 1), false))
          AND (filled.event_types IS NULL OR type = ANY (filled.event_types))
        ORDER BY sequence LIMIT filled.left_over) ev
    ), begun AS (
      INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence,
        due_at, leased, fence, attempts_begun, last_attempt_at)
      SELECT endpoint_id, application_id, event_id, type, sequence,
        now() + make_interval(secs => $5), true, 1, 1, now()
      FROM fresh ORDER BY sequence
      ON CONFLICT (endpoint_id, event_id) DO NOTHING
      RETURNING *
    ), ends AS (
      SELECT endpoint_id, count(*) AS events, max(sequence) AS upto FROM fresh GROUP BY endpoint_id
    ), reached AS (
      SELECT filled.*, CASE
          WHEN coalesce(ends.events, 0) = filled.left_over
            THEN coalesce(ends.upto, filled.fanned_out_to)
          ELSE greatest(filled.fanned_out_to,
            least(filled.last_sequence, filled.fanned_out_to + 1000)) END AS cursor,
        filled.left_over < filled.slots OR ends.events IS NOT NULL AS took
      FROM filled LEFT JOIN ends ON ends.endpoint_id = filled.endpoint_id
    ), moved AS (
      UPDATE webhook_endpoints e SET fanned_out_to = reached.cursor, claims = e.claims + 1
      FROM reached WHERE e.endpoint_id = ANY ($1::uuid[]) AND e.endpoint_id = reached.endpoint_id
        AND (reached.took OR reached.cursor <> reached.fanned_out_to)
    ), taken AS MATERIALIZED (
      SELECT t.endpoint_id, t.delivery_id, t.fence, t.attempts, t.event_id, t.event_type, t.sequence,
        coalesce(t.test_event, ev.data) AS data, coalesce(ev.created_at, t.created_at) AS happened_at,
        t.is_new
      FROM (SELECT *, false AS is_new FROM again UNION ALL SELECT *, true FROM begun) t
      LEFT JOIN LATERAL (
        SELECT data, created_at FROM events WHERE event_id = t.event_id LIMIT 1) ev ON true
    )
    SELECT r.endpoint_id, r.application_id, r.url, r.secret_sealed, r.previous_sealed, r.previous_until,
      r.failing_since IS NOT NULL AS failing, r.slots, r.cursor < r.last_sequence AS short, now() AS now,
      set_config('synchronous_commit', 'off', true), NULL::uuid AS delivery_id, NULL::bigint AS fence,
      NULL::integer AS attempts, NULL::uuid AS event_id, NULL AS event_type, NULL::bigint AS sequence,
      NULL::json AS data, NULL::timestamptz AS happened_at, NULL::boolean AS is_new
    FROM reached r
    UNION ALL
    SELECT t.endpoint_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, t.delivery_id,
      t.fence, t.attempts, t.event_id, t.event_type, t.sequence, t.data, t.happened_at, t.is_new
    FROM taken t
    ORDER BY is_new NULLS FIRST, sequence;

-- src/webhooks/store/deliveries.ts

PREPARE "find-webhook-delivery" AS
SELECT d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt", coalesce(d.test_event, ev.data) AS data,
      CASE WHEN d.test_event IS NULL THEN ev.created_at ELSE d.created_at END AS "happenedAt"
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    LEFT JOIN events ev ON ev.event_id = d.event_id
    WHERE d.delivery_id = $2 AND d.application_id = $1;

PREPARE "list-webhook-attempts" AS
SELECT number, started_at AS "startedAt", duration_ms AS "durationMs", status, error, response
    FROM webhook_attempts WHERE delivery_id = $1 ORDER BY number;

PREPARE "insert-test-delivery" AS
INSERT INTO webhook_deliveries AS d (endpoint_id, application_id, event_type, test_event)
    SELECT e.endpoint_id, e.application_id, $3, $4 FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt";

-- src/webhooks/store/delivery-lists.ts

PREPARE "list-webhook-deliveries-any" AS
SELECT d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"
    FROM (SELECT * FROM webhook_deliveries d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3)
      ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $7) d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($5::text IS NULL OR CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END = $5)
      AND ($6::text IS NULL OR d.event_type = $6)
    ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $8;

PREPARE "find-delivery-looked-at-any" AS
SELECT d.created_at AS "createdAt", d.delivery_id AS "deliveryId" FROM webhook_deliveries d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3)
      ORDER BY d.created_at DESC, d.delivery_id DESC OFFSET $4 LIMIT 1;

PREPARE "list-webhook-deliveries-exhausted" AS
SELECT d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"
    FROM (SELECT * FROM webhook_deliveries d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3) AND d.state = 'exhausted'
      ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $7) d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($5::text IS NULL OR CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END = $5)
      AND ($6::text IS NULL OR d.event_type = $6)
    ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $8;

PREPARE "find-delivery-looked-at-exhausted" AS
SELECT d.created_at AS "createdAt", d.delivery_id AS "deliveryId" FROM webhook_deliveries d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3) AND d.state = 'exhausted'
      ORDER BY d.created_at DESC, d.delivery_id DESC OFFSET $4 LIMIT 1;

PREPARE "list-webhook-deliveries-retrying" AS
SELECT d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"
    FROM (SELECT * FROM webhook_deliveries d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3) AND d.state = 'pending' AND d.attempts > 0
      ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $7) d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($5::text IS NULL OR CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END = $5)
      AND ($6::text IS NULL OR d.event_type = $6)
    ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $8;

PREPARE "find-delivery-looked-at-retrying" AS
SELECT d.created_at AS "createdAt", d.delivery_id AS "deliveryId" FROM webhook_deliveries d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3) AND d.state = 'pending' AND d.attempts > 0
      ORDER BY d.created_at DESC, d.delivery_id DESC OFFSET $4 LIMIT 1;

PREPARE "list-webhook-deliveries-event" AS
SELECT d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt"
    FROM (SELECT * FROM (SELECT * FROM webhook_deliveries WHERE event_id = $9 OFFSET 0) d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3)
      ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $7) d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($5::text IS NULL OR CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END = $5)
      AND ($6::text IS NULL OR d.event_type = $6)
    ORDER BY d.created_at DESC, d.delivery_id DESC LIMIT $8;

PREPARE "find-delivery-looked-at-event" AS
SELECT d.created_at AS "createdAt", d.delivery_id AS "deliveryId" FROM (SELECT * FROM webhook_deliveries WHERE event_id = $5 OFFSET 0) d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3)
      ORDER BY d.created_at DESC, d.delivery_id DESC OFFSET $4 LIMIT 1;

PREPARE "list-deliveries-of-events" AS
SELECT d.delivery_id AS "deliveryId", d.event_id AS "eventId", d.event_type AS "eventType",
      d.endpoint_id AS "endpointId", CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts, d.last_error AS "lastError",
      coalesce(d.delivered_at, d.last_attempt_at, d.created_at) AS at
    FROM webhook_deliveries d WHERE d.event_id = ANY ($1) ORDER BY d.delivery_id;

PREPARE "list-shown-deliveries-of-events" AS
SELECT d.delivery_id AS "deliveryId", d.event_id AS "eventId", d.event_type AS "eventType",
      d.endpoint_id AS "endpointId", CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts, d.last_error AS "lastError",
      coalesce(d.delivered_at, d.last_attempt_at, d.created_at) AS at
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL WHERE d.event_id = ANY ($1) ORDER BY d.delivery_id;

-- src/webhooks/store/endpoint-secrets.ts

PREPARE "read-webhook-secrets" AS
SELECT e.endpoint_id, e.secret_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_sealed END AS previous_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS previous_until FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL;

PREPARE "rotate-webhook-secret" AS
UPDATE webhook_endpoints e SET secret_sealed = $3, previous_secret_sealed = e.secret_sealed,
      previous_secret_until = now() + interval '24 hours', updated_at = now()
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING e.endpoint_id, e.secret_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_sealed END AS previous_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS previous_until;

-- src/webhooks/store/endpoints.ts

PREPARE "insert-webhook-endpoint" AS
INSERT INTO webhook_endpoints AS e
      (endpoint_id, application_id, url, description, event_types, secret_sealed, fanned_out_to)
    SELECT $2, $1, $3, $4, $5, $6, last_sequence FROM event_counters WHERE application_id = $1
    RETURNING e.endpoint_id AS "endpointId", e.application_id AS "applicationId", e.url, e.description,
  e.event_types AS "eventTypes", e.state, e.state_reason AS "stateReason", e.state_since AS "stateSince",
  e.failing_since AS "failingSince", e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS "previousSecretUntil",
  (SELECT least(coalesce(sum(counted.events), 0), 10000)::integer
  FROM (
      SELECT sequence - 1 AS swept FROM events WHERE application_id = e.application_id
      ORDER BY created_at, sequence LIMIT 1) oldest
    CROSS JOIN LATERAL (
      SELECT greatest(e.fanned_out_to, oldest.swept) AS after, c.last_sequence AS until
      FROM event_counters c WHERE c.application_id = e.application_id AND e.state <> 'active'
      UNION ALL
      SELECT greatest(e.missed_after, oldest.swept), e.missed_until
      WHERE e.missed_after IS NOT NULL) range
    CROSS JOIN LATERAL (
      SELECT greatest(count(*), (range.until > range.after + 10000)::integer) AS events
      FROM events ev
      WHERE ev.application_id = e.application_id AND ev.sequence > range.after
        AND ev.sequence <= least(range.until, range.after + 10000)
        AND (e.event_types IS NULL OR ev.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_id = ev.event_id AND d.endpoint_id = e.endpoint_id OFFSET 0)) counted
  ) AS missed,
  (SELECT count(*)::integer
  FROM (SELECT 'pending' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS retrying,
  (SELECT count(*)::integer
  FROM (SELECT 'exhausted' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS exhausted;

PREPARE "list-webhook-endpoints" AS
SELECT e.endpoint_id AS "endpointId", e.application_id AS "applicationId", e.url, e.description,
  e.event_types AS "eventTypes", e.state, e.state_reason AS "stateReason", e.state_since AS "stateSince",
  e.failing_since AS "failingSince", e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS "previousSecretUntil",
  (SELECT least(coalesce(sum(counted.events), 0), 10000)::integer
  FROM (
      SELECT sequence - 1 AS swept FROM events WHERE application_id = e.application_id
      ORDER BY created_at, sequence LIMIT 1) oldest
    CROSS JOIN LATERAL (
      SELECT greatest(e.fanned_out_to, oldest.swept) AS after, c.last_sequence AS until
      FROM event_counters c WHERE c.application_id = e.application_id AND e.state <> 'active'
      UNION ALL
      SELECT greatest(e.missed_after, oldest.swept), e.missed_until
      WHERE e.missed_after IS NOT NULL) range
    CROSS JOIN LATERAL (
      SELECT greatest(count(*), (range.until > range.after + 10000)::integer) AS events
      FROM events ev
      WHERE ev.application_id = e.application_id AND ev.sequence > range.after
        AND ev.sequence <= least(range.until, range.after + 10000)
        AND (e.event_types IS NULL OR ev.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_id = ev.event_id AND d.endpoint_id = e.endpoint_id OFFSET 0)) counted
  ) AS missed,
  (SELECT count(*)::integer
  FROM (SELECT 'pending' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS retrying,
  (SELECT count(*)::integer
  FROM (SELECT 'exhausted' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS exhausted FROM webhook_endpoints e
    WHERE e.application_id = $1 AND e.deleted_at IS NULL ORDER BY e.created_at, e.endpoint_id;

PREPARE "find-webhook-endpoint" AS
SELECT e.endpoint_id AS "endpointId", e.application_id AS "applicationId", e.url, e.description,
  e.event_types AS "eventTypes", e.state, e.state_reason AS "stateReason", e.state_since AS "stateSince",
  e.failing_since AS "failingSince", e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS "previousSecretUntil",
  (SELECT least(coalesce(sum(counted.events), 0), 10000)::integer
  FROM (
      SELECT sequence - 1 AS swept FROM events WHERE application_id = e.application_id
      ORDER BY created_at, sequence LIMIT 1) oldest
    CROSS JOIN LATERAL (
      SELECT greatest(e.fanned_out_to, oldest.swept) AS after, c.last_sequence AS until
      FROM event_counters c WHERE c.application_id = e.application_id AND e.state <> 'active'
      UNION ALL
      SELECT greatest(e.missed_after, oldest.swept), e.missed_until
      WHERE e.missed_after IS NOT NULL) range
    CROSS JOIN LATERAL (
      SELECT greatest(count(*), (range.until > range.after + 10000)::integer) AS events
      FROM events ev
      WHERE ev.application_id = e.application_id AND ev.sequence > range.after
        AND ev.sequence <= least(range.until, range.after + 10000)
        AND (e.event_types IS NULL OR ev.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_id = ev.event_id AND d.endpoint_id = e.endpoint_id OFFSET 0)) counted
  ) AS missed,
  (SELECT count(*)::integer
  FROM (SELECT 'pending' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS retrying,
  (SELECT count(*)::integer
  FROM (SELECT 'exhausted' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS exhausted FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL;

PREPARE "update-webhook-endpoint" AS
UPDATE webhook_endpoints e SET url = coalesce($3, e.url),
      description = coalesce($4, e.description),
      event_types = CASE WHEN $5 THEN $6::text[] ELSE e.event_types END,
      failing_since = CASE WHEN $3 <> e.url THEN NULL ELSE e.failing_since END, updated_at = now()
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING e.endpoint_id AS "endpointId", e.application_id AS "applicationId", e.url, e.description,
  e.event_types AS "eventTypes", e.state, e.state_reason AS "stateReason", e.state_since AS "stateSince",
  e.failing_since AS "failingSince", e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS "previousSecretUntil",
  (SELECT least(coalesce(sum(counted.events), 0), 10000)::integer
  FROM (
      SELECT sequence - 1 AS swept FROM events WHERE application_id = e.application_id
      ORDER BY created_at, sequence LIMIT 1) oldest
    CROSS JOIN LATERAL (
      SELECT greatest(e.fanned_out_to, oldest.swept) AS after, c.last_sequence AS until
      FROM event_counters c WHERE c.application_id = e.application_id AND e.state <> 'active'
      UNION ALL
      SELECT greatest(e.missed_after, oldest.swept), e.missed_until
      WHERE e.missed_after IS NOT NULL) range
    CROSS JOIN LATERAL (
      SELECT greatest(count(*), (range.until > range.after + 10000)::integer) AS events
      FROM events ev
      WHERE ev.application_id = e.application_id AND ev.sequence > range.after
        AND ev.sequence <= least(range.until, range.after + 10000)
        AND (e.event_types IS NULL OR ev.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_id = ev.event_id AND d.endpoint_id = e.endpoint_id OFFSET 0)) counted
  ) AS missed,
  (SELECT count(*)::integer
  FROM (SELECT 'pending' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS retrying,
  (SELECT count(*)::integer
  FROM (SELECT 'exhausted' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS exhausted;

PREPARE "delete-webhook-endpoint" AS
UPDATE webhook_endpoints SET deleted_at = now()
    WHERE endpoint_id = $2 AND application_id = $1 AND deleted_at IS NULL RETURNING endpoint_id;

PREPARE "pause-webhook-endpoint" AS
UPDATE webhook_endpoints e SET state = CASE e.state WHEN 'active' THEN 'paused' ELSE e.state END,
      state_reason = CASE e.state WHEN 'active' THEN 'by_hand' ELSE e.state_reason END,
      state_since = CASE e.state WHEN 'active' THEN now() ELSE e.state_since END
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING e.endpoint_id AS "endpointId", e.application_id AS "applicationId", e.url, e.description,
  e.event_types AS "eventTypes", e.state, e.state_reason AS "stateReason", e.state_since AS "stateSince",
  e.failing_since AS "failingSince", e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS "previousSecretUntil",
  (SELECT least(coalesce(sum(counted.events), 0), 10000)::integer
  FROM (
      SELECT sequence - 1 AS swept FROM events WHERE application_id = e.application_id
      ORDER BY created_at, sequence LIMIT 1) oldest
    CROSS JOIN LATERAL (
      SELECT greatest(e.fanned_out_to, oldest.swept) AS after, c.last_sequence AS until
      FROM event_counters c WHERE c.application_id = e.application_id AND e.state <> 'active'
      UNION ALL
      SELECT greatest(e.missed_after, oldest.swept), e.missed_until
      WHERE e.missed_after IS NOT NULL) range
    CROSS JOIN LATERAL (
      SELECT greatest(count(*), (range.until > range.after + 10000)::integer) AS events
      FROM events ev
      WHERE ev.application_id = e.application_id AND ev.sequence > range.after
        AND ev.sequence <= least(range.until, range.after + 10000)
        AND (e.event_types IS NULL OR ev.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_id = ev.event_id AND d.endpoint_id = e.endpoint_id OFFSET 0)) counted
  ) AS missed,
  (SELECT count(*)::integer
  FROM (SELECT 'pending' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS retrying,
  (SELECT count(*)::integer
  FROM (SELECT 'exhausted' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS exhausted;

PREPARE "resume-webhook-endpoint" AS
UPDATE webhook_endpoints e SET state = 'active', state_reason = NULL, state_since = now(),
      failing_since = NULL,
      missed_after = CASE WHEN $3 THEN coalesce(e.missed_after, e.fanned_out_to) ELSE e.missed_after END,
      missed_until = CASE WHEN $3 THEN c.last_sequence ELSE e.missed_until END,
      fanned_out_to = CASE WHEN $3 THEN c.last_sequence ELSE e.fanned_out_to END
    FROM event_counters c
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
      AND e.state <> 'active' AND c.application_id = e.application_id
    RETURNING e.endpoint_id AS "endpointId", e.application_id AS "applicationId", e.url, e.description,
  e.event_types AS "eventTypes", e.state, e.state_reason AS "stateReason", e.state_since AS "stateSince",
  e.failing_since AS "failingSince", e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS "previousSecretUntil",
  (SELECT least(coalesce(sum(counted.events), 0), 10000)::integer
  FROM (
      SELECT sequence - 1 AS swept FROM events WHERE application_id = e.application_id
      ORDER BY created_at, sequence LIMIT 1) oldest
    CROSS JOIN LATERAL (
      SELECT greatest(e.fanned_out_to, oldest.swept) AS after, c.last_sequence AS until
      FROM event_counters c WHERE c.application_id = e.application_id AND e.state <> 'active'
      UNION ALL
      SELECT greatest(e.missed_after, oldest.swept), e.missed_until
      WHERE e.missed_after IS NOT NULL) range
    CROSS JOIN LATERAL (
      SELECT greatest(count(*), (range.until > range.after + 10000)::integer) AS events
      FROM events ev
      WHERE ev.application_id = e.application_id AND ev.sequence > range.after
        AND ev.sequence <= least(range.until, range.after + 10000)
        AND (e.event_types IS NULL OR ev.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_id = ev.event_id AND d.endpoint_id = e.endpoint_id OFFSET 0)) counted
  ) AS missed,
  (SELECT count(*)::integer
  FROM (SELECT 'pending' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS retrying,
  (SELECT count(*)::integer
  FROM (SELECT 'exhausted' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0))
    LIMIT 1000) failed) AS exhausted;

-- src/webhooks/store/failing-endpoints.ts

PREPARE "list-failing-endpoints" AS
SELECT e.endpoint_id AS "endpointId", e.application_id AS "applicationId", a.name AS application,
      e.url, e.state, e.state_reason AS "stateReason", e.failing_since AS "failingSince"
    FROM webhook_endpoints e JOIN applications a ON a.application_id = e.application_id
    WHERE e.deleted_at IS NULL AND (e.failing_since IS NOT NULL OR e.state_reason IN ('failing', 'gone'))
    ORDER BY a.name, e.created_at, e.endpoint_id LIMIT $1;

-- src/webhooks/store/ordered-deliveries.ts

PREPARE "order-deliveries" AS
INSERT INTO sandbox_deliveries
      (application_id, endpoint_id, event_id, due_at, bad_signature, skew_seconds, attempt_id, forged_id)
    SELECT $1, e.endpoint_id, $2, now() + make_interval(secs => $4), $5, $6, $7, $8
    FROM webhook_endpoints e CROSS JOIN generate_series(1, $3::integer)
    WHERE e.application_id = $1 AND e.state = 'active' AND e.deleted_at IS NULL
    RETURNING delivery_id;

PREPARE "count-ordered-deliveries" AS
SELECT count(*)::integer AS waiting FROM sandbox_deliveries
    WHERE application_id = $1 AND due_at IS NOT NULL;

PREPARE "claim-ordered-deliveries" AS
WITH taken AS (
      UPDATE sandbox_deliveries SET due_at = now() + make_interval(secs => $2)
      WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM sandbox_deliveries WHERE due_at <= now()
        ORDER BY due_at, delivery_id LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING *
    )
    SELECT t.delivery_id, t.application_id, t.bad_signature, t.skew_seconds, t.forged_id, e.url, e.endpoint_id, e.secret_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_sealed END AS previous_sealed,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS previous_until,
      ev.event_id, ev.type, ev.sequence, ev.data, ev.created_at, now() AS now
    FROM taken t
    JOIN webhook_endpoints e ON e.endpoint_id = t.endpoint_id
    JOIN LATERAL (SELECT * FROM events WHERE event_id = t.event_id OFFSET 0) ev ON true
    ORDER BY t.delivery_id;

PREPARE "end-ordered-delivery" AS
UPDATE sandbox_deliveries SET due_at = NULL, ended_at = now(), status = $2
    WHERE delivery_id = $1;

PREPARE "read-answers-of-attempt" AS
SELECT event_id AS "eventId", forged_id AS "forgedId", status,
      ended_at IS NOT NULL OR due_at > now() AS "isSent"
    FROM sandbox_deliveries WHERE attempt_id = $1 ORDER BY delivery_id;

PREPARE "sweep-ordered-deliveries" AS
DELETE FROM sandbox_deliveries WHERE delivery_id = ANY (ARRAY(
      SELECT delivery_id FROM (
        (SELECT delivery_id FROM sandbox_deliveries WHERE ended_at < now() - interval '1 day'
          ORDER BY ended_at LIMIT $1)
        UNION ALL
        (SELECT delivery_id FROM sandbox_deliveries WHERE due_at < now() - interval '1 hour'
          ORDER BY due_at LIMIT $1)) ended
      LIMIT $1))
    RETURNING delivery_id;

-- src/webhooks/store/owners.ts

PREPARE "find-webhook-endpoint-owner" AS
SELECT application_id FROM webhook_endpoints WHERE endpoint_id = $1 AND deleted_at IS NULL;

PREPARE "find-webhook-delivery-owner" AS
SELECT d.application_id FROM webhook_deliveries d
    JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE d.delivery_id = $1;

-- src/webhooks/store/replays.ts

PREPARE "replay-webhook-delivery" AS
UPDATE webhook_deliveries d SET state = 'pending', attempts = 0, due_at = now(), fence = d.fence + 1, delivered_at = NULL FROM webhook_endpoints e
    WHERE d.delivery_id = $2 AND d.application_id = $1 AND NOT d.leased
  AND (d.test_event IS NOT NULL OR EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id))
      AND e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    RETURNING d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt";

PREPARE "find-leased-delivery" AS
SELECT d.delivery_id AS "deliveryId", d.endpoint_id AS "endpointId", d.event_id AS "eventId",
  d.event_type AS type, d.sequence, d.sequence IS NULL AS test, CASE WHEN d.state = 'pending' AND d.attempts > 0 THEN 'retrying' ELSE d.state END AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS "nextAttemptAt", d.last_attempt_at AS "lastAttemptAt",
  d.last_status AS "lastStatus", d.last_error AS "lastError", d.created_at AS "createdAt", d.delivered_at AS "deliveredAt" FROM webhook_deliveries d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    WHERE d.delivery_id = $2 AND d.application_id = $1 AND d.leased;

PREPARE "count-failed-deliveries" AS
SELECT count(*)::integer AS failed FROM (SELECT d.delivery_id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
      WHERE d.endpoint_id = $2 AND d.application_id = $1 AND d.last_attempt_at >= $3
      AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0)) AND NOT d.leased
  AND (d.test_event IS NOT NULL OR EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id)) LIMIT $4) counted;

PREPARE "replay-failed-deliveries" AS
UPDATE webhook_deliveries d SET state = 'pending', attempts = 0, due_at = now(), fence = d.fence + 1, delivered_at = NULL
    WHERE d.delivery_id = ANY (ARRAY(SELECT d.delivery_id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
      WHERE d.endpoint_id = $2 AND d.application_id = $1 AND d.last_attempt_at >= $3
      AND (d.state = 'exhausted' OR (d.state = 'pending' AND d.attempts > 0)) AND NOT d.leased
  AND (d.test_event IS NOT NULL OR EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id)) LIMIT $4))
      AND NOT d.leased AND d.state <> 'delivered' AND (d.state = 'exhausted' OR d.attempts > 0)
    RETURNING d.delivery_id;

PREPARE "replay-missed-events" AS
WITH held AS (
      SELECT endpoint_id, application_id, event_types, missed_after,
        least(missed_until, missed_after + $3) AS piece_until, missed_until
      FROM webhook_endpoints
      WHERE endpoint_id = $2 AND application_id = $1 AND deleted_at IS NULL AND missed_after IS NOT NULL
      FOR NO KEY UPDATE
    ), begun AS (
      INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence)
      SELECT held.endpoint_id, held.application_id, ev.event_id, ev.type, ev.sequence
      FROM held JOIN events ev ON ev.application_id = held.application_id
        AND ev.sequence > held.missed_after AND ev.sequence <= held.piece_until
      WHERE held.event_types IS NULL OR ev.type = ANY (held.event_types)
      ORDER BY ev.sequence
      ON CONFLICT (endpoint_id, event_id) DO NOTHING
      RETURNING delivery_id
    )
    UPDATE webhook_endpoints e SET
      missed_after = CASE WHEN held.piece_until < held.missed_until THEN held.piece_until END,
      missed_until = CASE WHEN held.piece_until < held.missed_until THEN held.missed_until END
    FROM held WHERE e.endpoint_id = held.endpoint_id
    RETURNING (SELECT count(*)::integer FROM begun) AS begun, e.missed_after IS NOT NULL AS more;

-- src/webhooks/store/results.ts

PREPARE "set-aside-webhook-delivery" AS
UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL, leased = false,
      attempts = attempts + 1, last_status = NULL, last_error = 'unrecorded'
    WHERE delivery_id = $1 AND fence = $2 AND leased;

PREPARE "record-webhook-results" AS
WITH results AS (
      SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::double precision[], $5::integer[],
        $6::integer[], $7::text[], $8::bytea[]) WITH ORDINALITY
        AS r (delivery_id, fence, state, retry_in, duration_ms, status, error, response, ordinal)
    ), moved AS (
      UPDATE webhook_deliveries d SET state = r.state, attempts = d.attempts + 1, leased = false,
        due_at = now() + make_interval(secs => r.retry_in), last_status = r.status,
        last_error = r.error, delivered_at = CASE r.state WHEN 'delivered' THEN now() END
      FROM results r WHERE d.delivery_id = ANY ($1::uuid[]) AND d.delivery_id = r.delivery_id
        AND d.fence = r.fence AND d.leased
      RETURNING d.delivery_id, d.endpoint_id, d.attempts_begun, d.last_attempt_at, r.duration_ms,
        r.status, r.error, r.response, r.ordinal
    ), tried AS (
      INSERT INTO webhook_attempts
        (delivery_id, number, started_at, duration_ms, status, error, response)
      SELECT delivery_id, attempts_begun, last_attempt_at, duration_ms, status, error, response
      FROM moved
    ), reported AS (
      SELECT endpoint_id, bool_or(error IS NULL) AS reached,
        (array_agg(error IS NULL ORDER BY ordinal DESC))[1] AS reached_last,
        coalesce(bool_or(status = 410), false) AS gone
      FROM moved GROUP BY endpoint_id
    ), concerned AS (
      SELECT e.endpoint_id, e.state = 'active' AND reported.gone AS gone,
        e.state = 'active' AND NOT reported.reached AND NOT reported.gone
          AND coalesce(e.failing_since <= now() - make_interval(days => $9), false) AS given_up,
        CASE WHEN reported.reached_last THEN NULL WHEN reported.reached THEN now()
          ELSE coalesce(e.failing_since, now()) END AS failing_since
      FROM reported JOIN webhook_endpoints e ON e.endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM reported))
        AND e.endpoint_id = reported.endpoint_id
      WHERE NOT reported.reached_last OR e.failing_since IS NOT NULL
      ORDER BY e.endpoint_id FOR NO KEY UPDATE OF e
    ), judged AS (
      UPDATE webhook_endpoints e SET failing_since = c.failing_since,
        state = CASE WHEN c.gone THEN 'disabled' WHEN c.given_up THEN 'paused' ELSE e.state END,
        state_reason = CASE WHEN c.gone THEN 'gone' WHEN c.given_up THEN 'failing'
          ELSE e.state_reason END,
        state_since = CASE WHEN c.gone OR c.given_up THEN now() ELSE e.state_since END
      FROM concerned c WHERE e.endpoint_id = ANY (ARRAY(SELECT endpoint_id FROM concerned))
        AND e.endpoint_id = c.endpoint_id
      RETURNING e.endpoint_id, e.application_id, e.state, e.state_reason,
        c.gone OR c.given_up AS stopped
    )
    SELECT endpoint_id AS "endpointId", application_id AS "applicationId", state, state_reason AS "stateReason"
    FROM judged WHERE stopped;

-- src/webhooks/store/sweeps.ts

PREPARE "exhaust-eventless-deliveries" AS
UPDATE webhook_deliveries SET state = 'exhausted', due_at = NULL, leased = false
    WHERE delivery_id = ANY (ARRAY(
      SELECT delivery_id FROM webhook_deliveries d
      WHERE d.delivery_id < (SELECT uuidv7(make_interval(days => -$1::integer))) AND d.created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE d.created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND d.state = 'pending' AND d.test_event IS NULL
        AND NOT EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id)
      ORDER BY d.delivery_id LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING delivery_id;

PREPARE "sweep-webhook-deliveries" AS
WITH swept AS (
      DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM webhook_deliveries
        WHERE delivery_id < (SELECT uuidv7(make_interval(days => -$1::integer))) AND created_at < now() - make_interval(days => $1) AND NOT coalesce((SELECT true FROM wrong_times w WHERE created_at BETWEEN w.shown_from AND w.shown_until
      AND w.noticed_at > now() - make_interval(days => $1) LIMIT 1), false) AND state <> 'pending'
        ORDER BY delivery_id LIMIT $2 FOR UPDATE SKIP LOCKED))
      RETURNING delivery_id
    ), attempts AS (
      DELETE FROM webhook_attempts a USING swept WHERE a.delivery_id = swept.delivery_id
    )
    SELECT delivery_id FROM swept;

PREPARE "sweep-deleted-endpoints" AS
WITH gone AS (
      SELECT endpoint_id, application_id, swept_until FROM webhook_endpoints
      WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ), looked AS (
      SELECT d.* FROM gone CROSS JOIN LATERAL (
        SELECT delivery_id, created_at, endpoint_id = gone.endpoint_id AS of_gone
        FROM webhook_deliveries
        WHERE application_id = gone.application_id AND created_at > gone.swept_until
        ORDER BY created_at FETCH FIRST ($1::integer) ROWS WITH TIES) d
    ), reached AS (
      SELECT max(created_at) AS created_at, count(*) >= $1 AS more FROM looked
    ), swept AS (
      DELETE FROM webhook_deliveries WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM looked WHERE of_gone))
      RETURNING delivery_id
    ), attempts AS (
      DELETE FROM webhook_attempts WHERE delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM looked WHERE of_gone))
    ), marked AS (
      UPDATE webhook_endpoints e SET swept_until = reached.created_at FROM gone, reached
      WHERE e.endpoint_id = gone.endpoint_id AND reached.more
    ), emptied AS (
      DELETE FROM webhook_endpoints e USING gone, reached
      WHERE e.endpoint_id = gone.endpoint_id AND NOT reached.more
    )
    SELECT endpoint_id FROM gone;

PREPARE "erase-responses-of-events" AS
UPDATE webhook_attempts a SET response = NULL FROM webhook_deliveries d
    WHERE d.event_id = ANY ($1::uuid[]) AND a.delivery_id = d.delivery_id AND a.response IS NOT NULL
    RETURNING a.number;

-- src/webhooks/store/workload.ts

PREPARE "webhook-workload" AS
SELECT
      count(*) FILTER (WHERE e.state = 'active') AS active,
      count(*) FILTER (WHERE e.state = 'paused') AS paused,
      count(*) FILTER (WHERE e.state = 'disabled') AS disabled,
      count(*) FILTER (WHERE e.state = 'active' AND e.failing_since IS NOT NULL) AS failing,
      coalesce(sum(greatest(c.last_sequence - e.fanned_out_to, 0))
        FILTER (WHERE e.state = 'active'), 0)::bigint AS "eventsBehind",
      coalesce(extract(epoch FROM now() - min(due.due_at) FILTER (WHERE e.state = 'active')), 0)::float8
        AS "oldestDueSeconds"
    FROM webhook_endpoints e
    JOIN event_counters c USING (application_id)
    LEFT JOIN LATERAL (
      SELECT d.due_at FROM webhook_deliveries d
      WHERE d.endpoint_id = e.endpoint_id AND d.state = 'pending' AND NOT d.leased
        AND d.due_at <= now()
      ORDER BY d.due_at LIMIT 1) due ON true
    WHERE e.deleted_at IS NULL;

COMMIT;
