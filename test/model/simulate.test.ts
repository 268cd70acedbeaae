/** Plays sessions of concurrent calls against the model. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { recordDifference } from './record.ts';
import { playSeeds, seedsFrom } from './simulation.ts';
import { CallCounts } from './call-counts.ts';
import { workerPlaces } from './test-system.ts';
import { modelEnvironments } from './world.ts';

// Others manually: npm run random -- model --count N --seed S
// `mostSeconds`: fewer sessions on a slow machine.
const timeout = 240_000;

/** Responses that the sessions of the simulation must produce; otherwise they cover too little. */
const responses = [
  'askChange 201',
  'asked change accepted',
  'applyPromo 200',
  'applyPromo 412 precondition_failed',
  'applyPromo 422 policy_restricted promotion_ended',
  'checkout 200',
  'checkout 201',
  'checkout 404 not_found',
  'checkout 409 conflict different_input',
  'checkout 409 conflict quote_used',
  'quote 200',
  'quote 201',
  'quote 409 conflict different_input',
  'quote 429 rate_limited',
  'readConfirmation 200',
  'readReservation 200',
  'readReservation 404 not_found',
  'request 202',
  'request 409 conflict different_input',
  'request 409 conflict partner_reference',
  'request 409 conflict quote_used',
  'request 409 conflict terms_version',
  'request 503 not_configured',
  'saveGuest 200',
  'saveGuest 403 forbidden session_capability',
  'saveGuest 409 quote_expired',
  'saveGuest 412 precondition_failed',
  'setupPayment 202',
  'setupPayment 409 invalid_state',
  'setupPayment 422 payment_not_required',
  'signal 200',
  'signal 201',
  'signal 409 conflict different_input',
  'signal 409 invalid_state',
  'submit 202',
  'submit 409 conflict terms_version',
  'submit 409 invalid_state',
  'verifyPayment 200',
  'verifyPayment 202',
  'verifyPayment 409 conflict setup_reference',
] as const;

/** Responses and outcomes of sessions on the homes of an operator. */
const ownHomes = [
  'askChange 409 conflict no_effect',
  'askChange 409 conflict unavailable',
  'asked cancel accepted',
  'asked change accepted',
  'asked change declined',
  'block 200',
  'block 409 refused',
  'calendar 200',
  'calendar 404 not_found',
  'cancelStay 200',
  'cancelStay 409 refused',
  'changeStay 200',
  'changeStay 409 refused',
  'channelFrees 200',
  'channelSells 200',
  'channelSells 409 refused',
  'checkout 503 not_configured',
  'gap beside a rival',
  'gap booked',
  'import 200',
  'outcome confirmed cancelled',
  'outcome confirmed confirmed',
  'outcome failed sold_out',
  'preparation beside a rival',
  'preparation booked',
  'listOutside 200',
  'outside stay waits for block',
  'outside stay waits for channel',
  'outside stay waits for outside',
  'outside stay waits for partner',
  'putOutside 200',
  'putOutside 201',
  'putOutside 400 invalid_input',
  'putOutside 404 not_found',
  'quote 404 not_found',
  'quote 409 conflict unavailable',
  'quote 422 policy_restricted min_nights',
  'quote 422 policy_restricted not_priced',
  'readReservation 200',
  'readOutside 200',
  'readOutside 404 not_found',
  'removeOutside 200',
  'request 202',
  'search 200',
  'submit 202',
  'submit 429 rate_limited reservations_per_day',
  'unblock 200',
  'unblock 409 refused',
] as const;

/**
 * Of the seeds 101 to 200, and two later ones: all that produced a rare response, and so many that each other was
 * produced four times.
 * The calls of the others were the same again.
 */
const chosen = [
  114, 122, 126, 127, 133, 135, 142, 146, 151, 155, 157, 164, 166, 167, 170, 175, 177, 182, 185,
  189, 190, 191, 193, 194, 195, 198, 243, 264,
];

/** Of the seeds 21 to 60: all that produced a rare response, and so many that each other was produced in three. */
const chosenOnOwnHomes = [
  21, 22, 23, 25, 26, 31, 32, 33, 36, 37, 39, 42, 43, 44, 48, 49, 51, 56, 58,
];

/** The sessions of each environment, and what they must produce. */
const environments = [
  { environment: 'simulation', seeds: chosen, mostSeconds: 100, responses },
  { environment: 'test', seeds: chosenOnOwnHomes, mostSeconds: 60, responses: ownHomes },
] as const;

suite('the service against a model of the contract', () => {
  for (const { environment, seeds, mostSeconds, responses: wanted } of environments) {
    const sessions = seeds.length * workerPlaces.length;
    const name = `${environment} › ${sessions} sessions, each call sent up to five times at once: nothing differs`;
    test(name, { timeout }, async (t) => {
      const callCounts = new CallCounts();
      const failure = await playSeeds(
        { seeds, mostSeconds, environments: [environment], onDifference: recordDifference },
        callCounts,
      );
      assert.equal(
        failure,
        null,
        `npm run random -- model --count 1 --seed ${failure?.seed} -- --worker ${failure?.workerPlace} --environment ${environment}: ${JSON.stringify(failure?.plan)} ${failure?.error}`,
      );
      if (callCounts.sessions < sessions) {
        t.diagnostic(
          `only ${callCounts.sessions} sessions in time: what they cover was not checked`,
        );
        return;
      }
      const missing = wanted.filter((response) => !callCounts.responses.has(response));
      assert.deepEqual(missing, []);
      assert.ok(
        callCounts.atOnce > sessions * 10,
        `only ${callCounts.atOnce} calls at once with others`,
      );
    });
  }
});

suite('two services on one database, which get the calls alternately', () => {
  for (const environment of modelEnvironments) {
    test(`${environment} › 6 sessions: nothing differs`, { timeout }, async () => {
      const callCounts = new CallCounts();
      const played = { seeds: seedsFrom(301, 6), mostSeconds: 30, workers: ['pair'] as const };
      const onDifference = recordDifference;
      const failure = await playSeeds(
        { ...played, environments: [environment], onDifference },
        callCounts,
      );
      assert.equal(failure, null, `--seed ${failure?.seed} --worker pair: ${failure?.error}`);
      assert.ok(callCounts.sessions > 0);
    });
  }
});
