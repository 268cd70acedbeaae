import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../../src/contract/partner/schemas/checkout.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import {
  commands,
  journeyTo,
  operationOf,
  type Command,
  type Journey,
} from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

type State = Checkout['state'];
type Effect = [status: number, to: State];

// From the decisions (Checkout, transitions), written manually: the effect of each command in each state.
const card: Record<State, Partial<Record<Command, Effect>>> = {
  needs_guest: { saveGuest: [200, 'needs_payment'], applyPromo: [200, 'needs_guest'] },
  needs_payment: {
    saveGuest: [200, 'needs_payment'],
    applyPromo: [200, 'needs_payment'],
    setupPayment: [202, 'needs_payment'],
  },
  ready: { saveGuest: [200, 'ready'], applyPromo: [200, 'ready'], submit: [202, 'pending'] },
  requires_action: { verifyPayment: [202, 'pending'] },
  pending: {},
  uncertain: {},
  confirmed: {},
  failed: {},
  expired: {},
};
const partnerSettled: Partial<typeof card> = {
  needs_guest: { saveGuest: [200, 'ready'], applyPromo: [200, 'needs_guest'] },
  ready: { saveGuest: [200, 'ready'], applyPromo: [200, 'ready'], submit: [202, 'pending'] },
  pending: {},
  uncertain: {},
  confirmed: {},
  failed: {},
  expired: {},
};
const tables = [
  { settlement: 'card', table: card, offered: commands },
  {
    settlement: 'partner',
    table: partnerSettled,
    offered: commands.filter((command) => !/Payment/.test(command)),
  },
] as const;

suite('checkout states and commands', () => {
  let service: TestService;
  let testWorker: TestWorker;
  const partners = new Map<string, Partner>();

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    for (const { settlement } of tables) {
      partners.set(settlement, await service.partner({ settlement }));
    }
  });
  after(() => service.stop());

  for (const { settlement, table, offered } of tables) {
    for (const [state, effects] of Object.entries(table) as [State, (typeof card)['ready']][]) {
      let waiting: Promise<Journey> | undefined;
      const reach = () => journeyTo(state, partners.get(settlement)!, testWorker);
      const refusing = () => (waiting ??= reach());

      for (const command of offered.filter((name) => effects[name] === undefined)) {
        // Spec: CHECKOUT-1.
        test(`${operationOf(command)} › 409 invalid_state › ${settlement}, ${state}: nothing is changed`, async () => {
          const journey = await refusing();
          const was = await allOf(service.database, journey.checkoutId);
          await journey.refused(command, [409, 'invalid_state']);
          assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
        });
      }

      for (const command of offered.filter((name) => effects[name] !== undefined)) {
        const [status, to] = effects[command]!;
        test(`${operationOf(command)} › ${status} › ${settlement}, ${state} → ${to}`, async () => {
          const journey = await reach();
          const reply = await journey.send(command);
          assert.equal(reply.status, status, reply.text);
          const { version } = journey;
          const checkout = await journey.read();
          assert.equal(checkout.state, to);
          assert.equal(checkout.version, version + 1);
        });
      }
    }
  }
});
