/** The situations of the guide for operators: each command as it is written there, and what it leads to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, suite, test } from 'node:test';
import { readInvocation } from '../../src/cli/invocation.ts';
import type { CommandContext } from '../../src/cli/command.ts';
import { isRefusal } from '../../src/contract/errors.ts';
import { checkRefunds } from '../../src/payments/collection/check-refunds.ts';
import { enterDispute } from '../../src/payments/store/notices.ts';
import { sql } from '../harness/rows.ts';
import {
  insertKeptPayment,
  insertReservationWithoutCard,
  type PaidReservation,
} from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';

const guide = readFileSync(new URL('../../docs/operators/payments.md', import.meta.url), 'utf8');
const [, chapter = ''] = guide.split('\n## Situations\n');
const [situations = ''] = chapter.split('\n## ');

/** The commands of each situation, in order. */
const written = new Map(
  situations
    .split('\n### ')
    .slice(1)
    .map((section) => {
      const [title = ''] = section.split('\n', 1);
      const blocks = [...section.matchAll(/```bash\n(.*?)```/gs)].map(([, block = '']) => block);
      return [title, blocks.join('').trim().split('\n')] as const;
    }),
);

const prefix = 'npm run --silent latchkey -- ';

/** The words of a command, as a shell reads them. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

interface Situation {
  /** What has happened before. */
  comesAbout(): Promise<PaidReservation>;
  /** What the commands have led to, once a worker has gone on. */
  leadsTo(paid: PaidReservation): Promise<void>;
}

suite('payments › the situations of the guide', () => {
  let money: CollectedMoney;

  before(async () => {
    money = await openCollectedMoney();
    // In the simulation no money is collected later.
    await sql(money.database, `UPDATE installation SET environment = 'test'`);
  });
  after(() => money.close());
  beforeEach(() => {
    money.provider.nextFault = () => null;
  });

  const kinds = async (paid: PaidReservation) => (await money.waits(paid)).map(({ kind }) => kind);

  async function usual(): Promise<PaidReservation> {
    return money.reserve([0, 18_000], [2, 42_000]);
  }

  async function declined(): Promise<PaidReservation> {
    const paid = await usual();
    money.provider.nextFault = () => 'declined';
    await money.days(3);
    money.provider.nextFault = () => null;
    assert.deepEqual(await kinds(paid), ['declined']);
    return paid;
  }

  async function refundedAndSentBack(): Promise<PaidReservation> {
    const paid = await money.reserve([0, 60_000]);
    await money.reprice(paid, await money.schedule([0, 55_000]));
    await money.collectDue();
    money.provider.sendRefundsBack(`cus_${paid.checkoutId}`);
    await money.pass('1 day');
    const log = { warn: () => undefined };
    await checkRefunds({ executor: money.database, provider: money.provider, log }, 5);
    await money.collectDue();
    assert.deepEqual(await kinds(paid), ['refund_failed']);
    return paid;
  }

  async function disputed(): Promise<PaidReservation> {
    const paid = await usual();
    const [payment] = await sql<{ paymentId: string }>(
      money.database,
      'SELECT payment_id AS "paymentId" FROM payment_intents WHERE checkout_id = $1',
      [paid.checkoutId],
    );
    await enterDispute(money.database, payment!.paymentId, {
      eventReference: `evt_${paid.checkoutId}`,
      disputeReference: `dp_${paid.checkoutId}`,
      amountMinor: 18_000,
      currency: 'USD',
      reason: 'fraudulent',
      outcome: 'open',
      evidenceDueAt: Date.now(),
      feeMinor: null,
    } as Parameters<typeof enterDispute>[2]);
    await money.days(3);
    assert.equal(money.charged(paid).length, 1, 'the disputed card was charged');
    return paid;
  }

  /** A checkout that has failed, whose refund the bank has sent back. */
  async function keptPayment(): Promise<PaidReservation> {
    const { database, provider, applicationId } = money;
    const checkoutId = await insertKeptPayment(database, provider, applicationId, 18_000);
    await money.giveBack();
    provider.sendRefundsBack(`cus_${checkoutId}`);
    await money.pass('1 day');
    await checkRefunds({ executor: database, provider, log: { warn: () => undefined } }, 5);
    await money.giveBack();
    assert.deepEqual(await money.waitsOfCheckout(checkoutId), [['refund_failed', 18_000]]);
    return { applicationId, checkoutId, reference: '' };
  }

  const balanceIs =
    (expected: { due: number; collected: number; open: number; refunded: number }) =>
    async (paid: PaidReservation) =>
      assert.deepEqual(await money.balances(paid), expected);

  const scenes: Readonly<Record<string, Situation>> = {
    "The guest's card was declined": {
      comesAbout: declined,
      leadsTo: balanceIs({ due: 60_000, collected: 60_000, open: 0, refunded: 0 }),
    },
    'The guest paid by transfer': {
      comesAbout: declined,
      async leadsTo(paid) {
        const tries = money.charged(paid).length;
        await money.changeParty(paid);
        await money.days(9);
        assert.equal(money.charged(paid).length, tries, 'the card was charged again');
        assert.deepEqual(await money.waits(paid), []);
        await balanceIs({ due: 60_000, collected: 60_000, open: 0, refunded: 0 })(paid);
      },
    },
    'The guest asks to pay later': {
      comesAbout: usual,
      async leadsTo(paid) {
        await money.days(3);
        await balanceIs({ due: 60_000, collected: 60_000, open: 0, refunded: 0 })(paid);
      },
    },
    'Goodwill: give money back': {
      comesAbout: usual,
      leadsTo: balanceIs({ due: 55_000, collected: 18_000, open: 42_000, refunded: 5_000 }),
    },
    'Goodwill: collect less': {
      comesAbout: usual,
      leadsTo: balanceIs({ due: 55_000, collected: 18_000, open: 37_000, refunded: 0 }),
    },
    'The guest will never pay the rest': {
      comesAbout: declined,
      async leadsTo(paid) {
        await money.days(9);
        assert.deepEqual(await money.waits(paid), []);
        await balanceIs({ due: 18_000, collected: 18_000, open: 0, refunded: 0 })(paid);
      },
    },
    'The bank sent the refund back': {
      comesAbout: refundedAndSentBack,
      async leadsTo(paid) {
        await money.changeParty(paid);
        await money.days(3);
        assert.deepEqual(await money.waits(paid), []);
        await balanceIs({ due: 55_000, collected: 60_000, open: 0, refunded: 5_000 })(paid);
      },
    },
    'The card provider refuses a refund': {
      async comesAbout() {
        const paid = await money.reserve([0, 60_000]);
        money.provider.nextFault = () => 'declined';
        await money.reprice(paid, await money.schedule([0, 55_000]));
        await money.collectDue();
        money.provider.nextFault = () => null;
        assert.deepEqual(await kinds(paid), ['refund_refused']);
        return paid;
      },
      leadsTo: balanceIs({ due: 55_000, collected: 60_000, open: 0, refunded: 5_000 }),
    },
    'No card is on file': {
      async comesAbout() {
        const schedule = await money.schedule([0, 20_000]);
        const { database, applicationId } = money;
        const paid = await insertReservationWithoutCard(database, applicationId, schedule);
        await money.collectDue();
        assert.deepEqual(await kinds(paid), ['no_card']);
        return paid;
      },
      async leadsTo(paid) {
        money.provider.payPage([...money.provider.pages.keys()].at(-1)!);
        await money.pass('10 minutes');
        await money.collectDue();
        assert.deepEqual(await money.waits(paid), []);
        await balanceIs({ due: 20_000, collected: 20_000, open: 0, refunded: 0 })(paid);
      },
    },
    'A dispute': {
      comesAbout: disputed,
      leadsTo: balanceIs({ due: 60_000, collected: 60_000, open: 0, refunded: 0 }),
    },
    'The card provider was down': {
      async comesAbout() {
        const paid = await usual();
        money.provider.nextFault = () => 'lost after';
        money.provider.lookUpsLost = 2;
        await money.days(3);
        money.provider.nextFault = () => null;
        await money.days(2);
        return paid;
      },
      async leadsTo(paid) {
        assert.deepEqual(money.charged(paid), [18_000, 42_000], 'charged twice');
        await balanceIs({ due: 60_000, collected: 60_000, open: 0, refunded: 0 })(paid);
      },
    },
    'The money of a booking that was not made could not go back': {
      comesAbout: keptPayment,
      async leadsTo({ checkoutId }) {
        await money.giveBack();
        assert.deepEqual(await money.waitsOfCheckout(checkoutId), []);
      },
    },
  };

  async function run(line: string, { reference, checkoutId }: PaidReservation): Promise<void> {
    assert.ok(line.startsWith(prefix), line);
    const named = new Map([
      ['LK-7Q4M-2XHV', reference],
      ['0199b9a2-5c1e-7cc4-8b2e-5a1d3f0b9c77', checkoutId],
    ]);
    const words = wordsOf(line.slice(prefix.length)).map((word) => named.get(word) ?? word);
    const invocation = readInvocation(words);
    assert.equal(invocation.kind, 'command', line);
    if (invocation.kind !== 'command' || !('run' in invocation.command)) return;
    const context = {
      database: money.database,
      environment: 'test',
      openProvider: async () => money.provider,
      alerts: null,
      actor: 'test:staff',
    } as unknown as CommandContext;
    const outcome = await invocation.command.run(context, invocation.values as never);
    assert.ok(!isRefusal(outcome), `${line}: ${JSON.stringify(outcome)}`);
  }

  test('each has its scene', () => {
    assert.deepEqual([...written.keys()].toSorted(), Object.keys(scenes).toSorted());
  });

  for (const [title, lines] of written) {
    test(title, async () => {
      const { comesAbout, leadsTo } = scenes[title]!;
      const paid = await comesAbout();
      for (const line of lines) await run(line, paid);
      await money.collectDue();
      await leadsTo(paid);
      // The provider knows nothing of what moved elsewhere.
      if (!lines.some((line) => line.includes('payment record'))) await money.fits(paid);
    });
  }
});
