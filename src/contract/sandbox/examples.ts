import { reservation } from '../partner/examples/booking.ts';
import type { DescribedOperation } from '../openapi/document-style.ts';
import { portalExamples } from '../portal/examples.ts';
import { wireVersion } from '../wire.ts';
import type { SandboxOperationId, SandboxReplyOf } from './operations.ts';
import { scenarioSet } from './scenarios.ts';

type Examples = {
  readonly [Id in SandboxOperationId]: {
    readonly request: DescribedOperation['examples']['request'];
    /** The body of the successful response; null: no body. */
    readonly reply: SandboxReplyOf<Id>['body'];
  };
};

const rule = {
  match: { operation: 'reservation.quote.create', nth: 1 },
  do: { drop: 'after' },
} as const;

const faults: SandboxReplyOf<'sandbox.faults.get'>['body'] = {
  seed: 7,
  rules: [
    {
      ...rule,
      calls: 2,
      hits: [{ requestId: '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46', at: '2027-03-02T15:11:41.900Z' }],
    },
  ],
};

const requestId = '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46';

const runId = '01a406cc-1500-7b1c-9d2e-3f4a5b6c7d8e';
const scenario: SandboxReplyOf<'sandbox.scenario.start'>['body'] = {
  scenario: 'quote-reply-lost',
  level: 'must',
  title: 'The response to a quote is lost',
  rules: ['A create whose response is lost is sent again with the same ID and body.'],
  limitSeconds: 60,
  state: 'running',
  result: null,
  attempts: 1,
  findings: [],
  requestIds: [],
  startedAt: '2027-03-02T15:11:40.000Z',
  finishedAt: null,
  task: {
    kind: 'book',
    input: {
      listingId: '0193a5c4-2f00-7a10-8a10-000000000001',
      checkIn: '2027-05-08',
      checkOut: '2027-05-11',
      party: { adults: 2 },
      guest: {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada.lovelace@example.com',
        phone: '+351912345678',
      },
      partnerReference: 'LKC-8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46',
      maxTotal: { amount: 130_000, currency: 'EUR' },
    },
    sayWithinSeconds: 45,
  },
};
const { task: _task, ...untasked } = scenario;
const judged: SandboxReplyOf<'sandbox.scenario.finish'>['body'] = {
  ...untasked,
  state: 'judged',
  result: 'failed',
  findings: [
    {
      message: 'The next create has another ID or body.',
      rule: scenario.rules[0]!,
      requestIds: [requestId],
    },
  ],
  requestIds: [requestId],
  finishedAt: '2027-03-02T15:11:52.000Z',
};
const run: SandboxReplyOf<'sandbox.run.start'>['body'] = {
  runId,
  profile: 'checkout',
  wireVersion,
  scenarioSet,
  contractDigest: 'sha256:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  seed: 7,
  state: 'open',
  startedAt: '2027-03-02T15:11:40.000Z',
  finishedAt: null,
  scenarios: [{ ...untasked, state: 'waiting', attempts: 0, startedAt: null }],
};
const finalRun = {
  ...run,
  state: 'failed' as const,
  finishedAt: '2027-03-02T15:20:00.000Z',
  scenarios: [judged],
};
const runParams = { params: { runId } };
const scenarioParams = { params: { runId, scenario: 'quote-reply-lost' } };

/** An example of each operation. */
export const sandboxExamples: Examples = {
  'sandbox.faults.put': { request: { body: { seed: 7, rules: [rule] } }, reply: faults },
  'sandbox.faults.get': { request: {}, reply: faults },
  'sandbox.faults.delete': { request: {}, reply: null },
  'sandbox.expire': { request: { body: { token: true } }, reply: null },
  'sandbox.reservation.act': {
    request: { params: { reference: 'LK-7Q2M-9XKD' }, body: { act: 'cancel' } },
    reply: { ...reservation, state: 'cancelled', cancelledAt: '2027-03-02T15:20:00.000Z' },
  },
  'sandbox.outcome.order': {
    request: { body: { outcome: 'price_changed', price: 130_000 } },
    reply: { outcome: 'price_changed', price: 130_000, occupy: false },
  },
  'sandbox.event.deliver': {
    request: {
      params: { eventId: 'evt_01a406cc15007b1c9d2e3f4a5b6c7d8e' },
      body: { copies: 2, badSignature: true },
    },
    reply: { deliveries: 2 },
  },
  'sandbox.request.list': {
    request: { query: { status: '5xx' } },
    reply: portalExamples['portal.request.list'].reply,
  },
  'sandbox.request.get': {
    request: { params: { requestId } },
    reply: portalExamples['portal.request.get'].reply,
  },
  'sandbox.run.start': { request: { body: { profile: 'checkout', seed: 7 } }, reply: run },
  'sandbox.run.list': { request: {}, reply: { items: [finalRun], nextCursor: null } },
  'sandbox.run.get': { request: runParams, reply: run },
  'sandbox.run.delete': { request: runParams, reply: null },
  'sandbox.run.finish': { request: runParams, reply: finalRun },
  'sandbox.run.report': {
    request: runParams,
    reply:
      'eyJhbGciOiJFZERTQSIsInR5cCI6ImNvbmZvcm1hbmNlLXJlcG9ydCtqd3QifQ.eyJpc3MiOiJodHRwcyJ9.c2ln',
  },
  'sandbox.scenario.start': { request: scenarioParams, reply: scenario },
  'sandbox.scenario.finish': {
    request: {
      ...scenarioParams,
      body: {
        outcome: {
          ended: 'confirmed',
          reference: 'LK-7Q2M-9XKD',
          total: 120_500,
          currency: 'EUR',
        },
      },
    },
    reply: judged,
  },
};
