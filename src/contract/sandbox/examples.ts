import { reservation } from '../partner/examples/booking.ts';
import type { DescribedOperation } from '../openapi/document-style.ts';
import { portalExamples } from '../portal/examples.ts';
import type { SandboxOperationId, SandboxReplyOf } from './operations.ts';

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
};
