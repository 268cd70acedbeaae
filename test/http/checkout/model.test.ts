import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import * as fc from 'fast-check';
import { openHand, type Hand } from '../../harness/hand.ts';
import { begin, commands, type Command, type Journey } from '../../harness/journey.ts';
import { guest, type CallReply, type Partner } from '../../harness/partner.ts';
import { aged, eventsOf, sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { Model, suffixes, type Input, type Settlement } from './model.ts';

const runs = Number(process.env['LATCHKEY_MODEL_RUNS'] ?? 40);
const anHour = 3_600;

/** What was sent, to be sent again. */
interface Sent {
  command: Command;
  input: Input;
}

interface Real {
  journey: Journey;
  hand: Hand;
  service: TestService;
  sent: Sent[];
}

function verdictOf(reply: CallReply): string {
  if (reply.status < 300) return 'ok';
  const { error } = reply.body as { error: { code: string; details?: { reason?: string } } };
  const reason = error.details?.reason;
  return reason === undefined ? error.code : `${error.code} ${reason}`;
}

/** A read of the checkout shows what the model says; so do status, confirmation and events. */
async function compare(model: Model, { journey, service }: Real): Promise<void> {
  const checkout = await journey.read();
  const { paymentSetup, pollAfterSeconds } = checkout;
  assert.deepEqual(
    {
      state: checkout.state,
      version: checkout.version,
      nextActions: checkout.nextActions,
      email: checkout.guest?.email ?? null,
      promotionCode: checkout.promotionCode,
      setup: paymentSetup ? [paymentSetup.state, paymentSetup.failure] : null,
      failure: checkout.failure?.reason ?? null,
      reference: checkout.reference !== undefined,
      polls: pollAfterSeconds !== undefined,
    },
    model.view(),
  );
  model.setupReference = journey.setupReference;
  const status = await journey.status();
  assert.deepEqual(
    [status.state, status.version, status.nextActions],
    [checkout.state, checkout.version, checkout.nextActions],
  );
  const { partner, open } = journey;
  const confirmation = await partner.call('reservation.checkout.getConfirmation', open.at);
  assert.equal(confirmation.status, model.state === 'confirmed' ? 200 : 409);
  const events = await eventsOf(service.database, partner.credentials.applicationId);
  const own = events.filter(({ data }) => data['checkoutId'] === journey.checkoutId);
  assert.deepEqual(
    own.map(({ type, data }) => [type, data['state'], data['version']].join(' ').trim()),
    model.events,
  );
}

async function sendAndCompare(model: Model, real: Real, { command, input }: Sent): Promise<void> {
  const verdict = model.take(command, input);
  const reply = await real.journey.send(command, { body: { ...input } });
  assert.equal(verdictOf(reply), verdict, `${command} ${JSON.stringify(input)}: ${reply.text}`);
  if (verdict === 'ok') {
    const { version, state } = reply.body as { version: number; state: string };
    assert.deepEqual([version, state], [model.version, model.state]);
  }
  await compare(model, real);
}

/** A command that a partner sends; `offset` from the version last read, 0 is right. */
class Send implements fc.AsyncCommand<Model, Real> {
  readonly command: Command;
  readonly offset: number;
  readonly choice: Partial<Input>;
  constructor(command: Command, offset: number, choice: Partial<Input>) {
    this.command = command;
    this.offset = offset;
    this.choice = choice;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const { journey } = real;
    const expectedVersion = Math.max(1, journey.version + this.offset);
    const body = { ...journey.body(this.command), ...this.choice, expectedVersion };
    const sent = { command: this.command, input: body as Input };
    real.sent.push(sent);
    await sendAndCompare(model, real, sent);
  }
  toString = () => `${this.command}(${this.offset}, ${JSON.stringify(this.choice)})`;
}

/** What the checkout offers next, as a partner would do it who follows `nextActions`. */
class Follow implements fc.AsyncCommand<Model, Real> {
  readonly choice: Partial<Record<Command, Partial<Input>>>;
  constructor(choice: Partial<Record<Command, Partial<Input>>>) {
    this.choice = choice;
  }
  check = (model: Readonly<Model>) => following[model.nextActions[0] ?? ''] !== undefined;
  async run(model: Model, real: Real): Promise<void> {
    const next = following[model.nextActions[0] ?? ''];
    if (next === undefined || next === 'poll') return works.run(model, real);
    await new Send(next, 0, this.choice[next] ?? {}).run(model, real);
  }
  toString = () => `follow(${JSON.stringify(this.choice)})`;
}

const following: Record<string, Command | 'poll'> = {
  save_guest: 'saveGuest',
  setup_payment: 'setupPayment',
  verify_payment: 'verifyPayment',
  submit: 'submit',
  poll: 'poll',
};

/** Something sent before, sent again as it was. */
class Again implements fc.AsyncCommand<Model, Real> {
  readonly back: number;
  constructor(back: number) {
    this.back = back;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    const sent = real.sent.at(-1 - this.back);
    if (sent) await sendAndCompare(model, real, sent);
  }
  toString = () => `again(${this.back} back)`;
}

/** Something that time or a worker does. */
class Happens implements fc.AsyncCommand<Model, Real> {
  readonly what: keyof typeof happenings;
  constructor(what: keyof typeof happenings) {
    this.what = what;
  }
  check = () => true;
  async run(model: Model, real: Real): Promise<void> {
    await happenings[this.what](model, real);
    await compare(model, real);
  }
  toString = () => this.what;
}

const happenings = {
  async 'a worker works'(model: Model, { hand, journey, service }: Real) {
    const { state } = model;
    model.work();
    await hand.runDue();
    // So that it tells when the model says so, and not while the test is slow.
    if (state === 'pending' && model.state === 'uncertain') {
      await aged.supplier(service.database, journey.checkoutId, -anHour);
    }
  },
  async 'the quote expires'(model: Model, { journey, service }: Real) {
    model.quoteExpired = true;
    await aged.quote(service.database, journey.open.quote.quoteId);
  },
  async 'a minute passes'(model: Model, { journey, service }: Real) {
    if (model.setup) model.setup.aMinuteOld = true;
    await aged.setup(service.database, journey.checkoutId);
  },
  async 'an hour passes'(model: Model, { journey, service }: Real) {
    if (model.state === 'requires_action') model.actionOverdue = true;
    if (model.state === 'uncertain') model.supplierTells = true;
    await aged.due(service.database, journey.checkoutId, anHour);
    await aged.supplier(service.database, journey.checkoutId, 2 * anHour);
  },
} as const;

// Mostly the version last read, sometimes one to each side.
const offsets = fc.constantFrom(0, 0, 0, 0, 0, -1, 1);
const sends = (command: Command, choice: fc.Arbitrary<Partial<Input>>) =>
  fc.tuple(offsets, choice).map(([offset, input]) => new Send(command, offset, input));

const methods = ['pm_any', 'pm_any', 'pm_simulated_requires_action', 'pm_simulated_declined'];
const choices: Record<Command, fc.Arbitrary<Partial<Input>>> = {
  saveGuest: fc
    .constantFrom('none', 'none', ...suffixes)
    .map((suffix) => ({ guest: guest(suffix) })),
  applyPromo: fc
    .constantFrom('WELCOME10', 'WELCOME10', 'ENDED2020', 'NOPE')
    .map((code) => ({ code })),
  setupPayment: fc.constant({}),
  verifyPayment: fc
    .tuple(fc.constantFrom(...methods), fc.constantFrom({}, {}, {}, { setupReference: 'other' }))
    .map(([paymentMethodId, rest]) => ({ paymentMethodId, ...rest })),
  submit: fc.constantFrom({}, {}, {}, { termsVersion: 'other' }),
};

const works = new Happens('a worker works');
const follows = fc
  .record({ saveGuest: choices.saveGuest, verifyPayment: fc.constantFrom(...methods) })
  .map(({ saveGuest, verifyPayment }) => {
    return new Follow({ saveGuest, verifyPayment: { paymentMethodId: verifyPayment } });
  });

const anything = fc.oneof(
  { weight: 8, arbitrary: follows },
  ...commands.map((command) => ({ weight: 1, arbitrary: sends(command, choices[command]) })),
  { weight: 2, arbitrary: fc.nat({ max: 5 }).map((back) => new Again(back)) },
  { weight: 1, arbitrary: fc.constant(works) },
  { weight: 1, arbitrary: fc.constant(new Happens('an hour passes')) },
  { weight: 1, arbitrary: fc.constant(new Happens('a minute passes')) },
);
const sequences = fc.commands(
  [...Array.from({ length: 24 }, () => anything), fc.constant(new Happens('the quote expires'))],
  { size: '+1', maxCommands: 24 },
);

suite('the checkout against its model', () => {
  let service: TestService;
  let hand: Hand;
  const partners = {} as Record<Settlement, Partner>;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    hand = await openHand(service.database);
    partners.card = await service.partner({ settlement: 'card' });
    partners.partner = await service.partner();
  });
  after(() => service.stop());

  test(`the checkout against its model › ${runs} random sequences of commands, repeats and time`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Settlement>('card', 'card', 'partner'),
        sequences,
        async (settlement, sequence) => {
          const journey = await begin(partners[settlement]);
          const { version } = journey.open.quote.terms;
          await fc.asyncModelRun(
            () => ({
              model: new Model(settlement, version),
              real: { journey, hand, service, sent: [] },
            }),
            sequence,
          );
        },
      ),
      { numRuns: runs, endOnFailure: false },
    );
  });

  test('the checkout against its model › afterwards no event is missing and none is twice', async () => {
    const text = `SELECT application_id, count(*)::integer AS events, max(sequence) AS last,
        count(DISTINCT event_id)::integer AS ids FROM events GROUP BY 1`;
    const rows = await sql<{ events: number; last: number; ids: number }>(service.database, text);
    for (const { events, last, ids } of rows) assert.deepEqual([last, ids], [events, events]);
  });
});
