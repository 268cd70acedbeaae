/** The tables of the contract, compared with values that this file holds itself. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TSchema } from 'typebox';
import {
  commonErrors,
  errors,
  isRefusal,
  reasons,
  refuse,
  tokenErrors,
  type ErrorCode,
} from '../../src/contract/errors.ts';
import { eventSchemaVersion, eventTypes, reservationChanges } from '../../src/contract/events.ts';
import { defaultQuotas, limits, tiers } from '../../src/contract/limits.ts';
import { causes, codeTexts, reasonTexts } from '../../src/contract/openapi/causes.ts';
import { operationIds, rowOf, type OperationId } from '../../src/contract/partner/operations.ts';
import { eventSchemas } from '../../src/contract/partner/schemas/event.ts';
import { routeFamilies, signalJoins } from '../../src/contract/partner/schemas/signal.ts';
import { capabilities, scopes, scopesOf } from '../../src/contract/scopes.ts';
import * as states from '../../src/contract/states.ts';
import * as wire from '../../src/contract/wire.ts';
import { errorList, everywhere, operationList } from './operation-list.ts';

const idsWhere = (holds: (row: ReturnType<typeof rowOf>) => boolean): OperationId[] =>
  operationIds.filter((id) => holds(rowOf(id)));

suite('operations', () => {
  test('operations › ID, method, path, tier, scope and session of every one', () => {
    const rows = operationIds.map((id) => {
      const { method, path, tier, scope, session } = rowOf(id);
      return { id, method: method.toLowerCase(), path, tier, scope, ...(session && { session }) };
    });
    const expected = operationList.map(({ successes: _, errors: __, ...row }) => row);
    assert.deepEqual(rows, expected);
  });

  test('operations › the error codes of each', () => {
    for (const { id, errors: expected } of operationList) {
      assert.deepEqual(rowOf(id as OperationId).errors.toSorted(), expected.toSorted(), id);
    }
  });

  test('operations › creates, and what names the new resource', () => {
    const creates = idsWhere((row) => row.creates !== undefined);
    assert.deepEqual(Object.fromEntries(creates.map((id) => [id, rowOf(id).creates])), {
      'reservation.quote.create': 'quoteId',
      'reservation.checkout.create': 'checkoutId',
      'reservation.reservationRequest.create': 'reservationRequestId',
      'reservation.change.request': 'changeRequestId',
      'cdp.signal.capture': 'signalId',
    });
  });

  test('operations › commands name the version', () => {
    assert.deepEqual(
      idsWhere((row) => row.versioned === true),
      [
        'reservation.checkout.saveGuest',
        'reservation.checkout.applyPromo',
        'reservation.checkout.removePromo',
        'reservation.checkout.setupPayment',
        'reservation.checkout.verifyPayment',
        'reservation.checkout.submit',
      ],
    );
  });

  // Spec: ACCESS-2.
  test('operations › settlement modes', () => {
    const settled = idsWhere((row) => row.settlement !== undefined);
    assert.deepEqual(Object.fromEntries(settled.map((id) => [id, rowOf(id).settlement])), {
      'reservation.checkout.create': 'configured',
      'reservation.checkout.setupPayment': 'card',
      'reservation.checkout.verifyPayment': 'card',
      'reservation.reservationRequest.create': 'partner',
    });
  });

  test('operations › those that make a reservation', () => {
    assert.deepEqual(
      idsWhere((row) => row.reserves === true),
      ['reservation.checkout.submit', 'reservation.reservationRequest.create'],
    );
  });

  test('operations › bodies and queries refuse what they do not know', () => {
    const schemas = operationIds.flatMap((id) => [rowOf(id).body, rowOf(id).query]);
    for (const schema of schemas.filter((one) => one !== undefined)) {
      assert.equal(
        (schema as TSchema & { additionalProperties?: unknown }).additionalProperties,
        false,
      );
    }
  });
});

suite('errors', () => {
  // Spec: ERROR-2.
  test('errors › code, status and whether a retry can help', () => {
    const table = Object.entries(errors).map(([code, { status, retryable }]) => [
      code,
      [status, retryable],
    ]);
    assert.deepEqual(Object.fromEntries(table), errorList);
    assert.deepEqual(commonErrors, everywhere);
  });

  test('errors › those of the token endpoint', () => {
    assert.deepEqual(tokenErrors, {
      invalid_request: 400,
      unsupported_grant_type: 400,
      invalid_scope: 400,
      invalid_target: 400,
      invalid_client: 401,
      rate_limited: 429,
      temporarily_unavailable: 503,
    });
  });

  // Spec: ERROR-6.
  test('errors › reasons, where one code covers several causes', () => {
    assert.deepEqual(reasons, {
      unauthenticated: ['missing', 'malformed', 'expired', 'signature', 'revoked', 'suspended'],
      forbidden: ['network', 'scope', 'session_capability', 'session_expired'],
      conflict: [
        'different_input',
        'quote_used',
        'partner_reference',
        'terms_version',
        'setup_reference',
        'payment_method',
        'not_active',
        'open_request',
        'too_many_requests',
        'no_effect',
        'unavailable',
      ],
      policy_restricted: [
        'too_many_guests',
        'children_not_allowed',
        'infants_not_allowed',
        'pets_not_allowed',
        'too_many_pets',
        'advance_notice',
        'arrival_day',
        'departure_day',
        'min_nights',
        'max_nights',
        'booking_horizon',
        'not_priced',
        'promotion_unknown',
        'promotion_ended',
        'promotion_not_applicable',
      ],
      rate_limited: ['reservations_per_day'],
    });
  });

  test('errors › each reason is given by an operation that has its code, and explained', () => {
    const given = Object.values(causes).flatMap((of) => Object.values(of).flat());
    const known = [...reasons.conflict, ...reasons.policy_restricted];
    assert.deepEqual([...new Set(given)].toSorted(), known.toSorted());
    assert.deepEqual(
      Object.keys(reasonTexts).toSorted(),
      [
        ...reasons.unauthenticated,
        ...reasons.forbidden,
        ...known,
        ...reasons.rate_limited,
      ].toSorted(),
    );
    assert.deepEqual(Object.keys(codeTexts).toSorted(), Object.keys(errors).toSorted());
  });
  test('errors › a refusal carries its code and, where it has some, its details', () => {
    assert.deepEqual(refuse('not_found'), { refused: 'not_found' });
    assert.deepEqual(refuse('rate_limited'), { refused: 'rate_limited' });
    const details = { reason: 'unavailable' } as const;
    assert.deepEqual(refuse('conflict', details), { refused: 'conflict', details });
    assert.equal(isRefusal(refuse('internal')), true);
    assert.equal(isRefusal({ error: 'internal' satisfies ErrorCode }), false);
    assert.equal(isRefusal(null), false);
  });
});

suite('access', () => {
  test('scopes › of each capability', () => {
    assert.deepEqual(capabilities, [
      'catalog',
      'search',
      'quotes',
      'checkout',
      'signals',
      'changes',
    ]);
    assert.deepEqual(scopesOf, {
      catalog: ['distribution.listing.read'],
      search: ['distribution.listing.search', 'inventory.calendar.read'],
      quotes: ['reservation.quote.create'],
      checkout: [
        'reservation.checkout.read',
        'reservation.checkout.write',
        'reservation.reservation.read',
        'reservation.request.read',
        'reservation.request.write',
        'reservation.event.read',
      ],
      signals: ['cdp.signal.capture'],
      changes: ['reservation.change.read', 'reservation.change.write'],
    });
  });

  test('scopes › each belongs to one capability and opens at least one operation', () => {
    assert.equal(new Set(scopes).size, 13);
    const used = new Set(operationIds.map((id) => rowOf(id).scope));
    assert.deepEqual([...used].toSorted(), scopes.toSorted());
  });
});

suite('limits', () => {
  test('quotas › tiers and their defaults a minute', () => {
    assert.deepEqual(tiers, ['read', 'search', 'write', 'signal']);
    assert.deepEqual(defaultQuotas, { read: 360, search: 36, write: 120, signal: 240 });
  });

  test('limits › every figure', () => {
    assert.deepEqual(limits, {
      bodyBytes: 16 * 1024,
      bodyDepth: 32,
      parsedBytes: 4_194_304,
      bodyValues: 100_000,
      accessTokenSeconds: 15 * 60,
      nightsPerStay: { min: 1, max: 90 },
      bookingHorizonDays: 730,
      calendarsAtOnce: 25,
      calendarDays: 93,
      pageSize: { min: 1, max: 50, default: 20 },
      changePageSize: { min: 1, max: 500, default: 100 },
      cursorLength: { min: 1, max: 1024 },
      destinationLength: 100,
      radiusKm: 500,
      amenities: 20,
      amenityLength: 200,
      bedroomsMin: { min: 0, max: 50 },
      flexDays: { min: 0, max: 3 },
      adults: { min: 1, max: 99 },
      otherGuests: { min: 0, max: 99 },
      infants: 10,
      guestsWithoutSleeps: 50,
      nameLength: 100,
      emailLength: 254,
      partnerReferenceLength: 100,
      changeNoteLength: 500,
      promotionCodeLength: 64,
      idempotencyKeyLength: 255,
      opaqueLength: 255,
      maxVersion: 2 ** 31 - 1,
      quoteMinutes: 15,
      sessionHours: 24,
      uncertainHours: 24,
      paymentSetupUnansweredSeconds: 60,
      paymentActionMinutes: 60,
      submissionMinutes: 60,
      liveReadSeconds: 5,
      searchAgeSeconds: 60,
      calendarAgeSeconds: 120,
      eventFeedDays: 30,
      signalPastHours: 24,
      signalFutureMinutes: 5,
      repeatsPerCall: 10,
      requestsOfReservation: 100,
      tokensPerMinute: 30,
      wrongSecretsPerMinute: 10,
      unknownClientTokensPerMinute: 60,
      suspensionSeconds: 60,
    });
  });
});

suite('events', () => {
  test('events › types and the members of their data', () => {
    assert.equal(eventSchemaVersion, 1);
    assert.deepEqual(eventTypes, {
      'checkout.resolved': ['checkoutId', 'state', 'version', 'reference', 'resolvedAt'],
      'reservation.confirmed': ['reference', 'checkoutId', 'state', 'confirmedAt'],
      'reservation.cancelled': ['reference', 'checkoutId', 'state', 'cancelledAt'],
      'reservation.changed': ['reference', 'checkoutId', 'state', 'changes', 'changedAt'],
      'change_request.decided': ['reference', 'changeRequestId', 'state'],
    });
    assert.deepEqual(reservationChanges, ['dates', 'party', 'price', 'listing']);
  });

  test('events › the schema of each has the members of its row and no others', () => {
    for (const [type, members] of Object.entries(eventTypes)) {
      const { data } = eventSchemas[type as keyof typeof eventTypes].properties;
      assert.deepEqual(Object.keys(data.properties), [...members], type);
    }
  });
});

suite('states', () => {
  test('states › of checkouts, requests, reservations and payment setups', () => {
    assert.deepEqual(states.checkoutStates, [
      'needs_guest',
      'needs_payment',
      'ready',
      'pending',
      'requires_action',
      'confirmed',
      'uncertain',
      'failed',
      'expired',
    ]);
    assert.deepEqual(states.requestStates, ['pending', 'unresolved', 'confirmed', 'failed']);
    assert.deepEqual(states.reservationStates, ['confirmed', 'cancelled', 'pending']);
    assert.deepEqual(states.paymentSetupStates, ['pending', 'ready', 'failed']);
    assert.deepEqual(states.paymentSetupFailures, ['unavailable', 'unresolved', 'not_authorized']);
    assert.deepEqual(states.materializations, ['pending', 'ready']);
  });

  test('states › next actions and failure reasons', () => {
    assert.deepEqual(states.nextActions, [
      'save_guest',
      'setup_payment',
      'verify_payment',
      'submit',
      'poll',
      'refresh_quote',
      'view_confirmation',
      'contact_support',
    ]);
    assert.deepEqual(states.failureReasons, [
      'sold_out',
      'quote_expired',
      'price_changed',
      'policy_changed',
      'authority_revoked',
      'refused',
    ]);
  });
});

suite('signals', () => {
  test('signals › names, each with its join, and route families', () => {
    assert.deepEqual(signalJoins, {
      search_submitted: null,
      search_viewed: 'searchObservationId',
      listing_viewed: 'listingId',
      quote_viewed: 'quoteId',
      reserve_clicked: 'quoteId',
      checkout_started: 'checkoutId',
      details_completed: 'checkoutId',
      payment_submitted: 'checkoutId',
      confirmation_viewed: 'checkoutId',
    });
    assert.deepEqual(routeFamilies, ['home', 'search', 'listing', 'checkout', 'confirmation']);
  });
});

suite('wire', () => {
  test('wire › version, environments, settlement modes, consumers', () => {
    assert.equal(wire.wireVersion, '0.2.0-preview.2');
    assert.equal(wire.simulationDefinitionVersion, 'booking-simulation/1');
    assert.deepEqual(wire.environments, ['simulation', 'test', 'live']);
    assert.deepEqual(wire.settlements, ['card', 'partner']);
    assert.deepEqual(wire.consumers, ['web', 'agent', 'cli', 'staff']);
  });
});
