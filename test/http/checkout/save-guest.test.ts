import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { begin, journeyTo } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const saveGuest = 'reservation.checkout.saveGuest';
const unpaired = '\ud800';

/** Guests that are not taken, by the member that is wrong. */
const wrong: Record<string, unknown[]> = {
  firstName: [
    '',
    ' ',
    '\t\n',
    'Ada\nKing',
    'Ada\u0085',
    'x'.repeat(101),
    5,
    null,
    ['Ada'],
    { first: 'Ada' },
    'a\u0000b',
  ],
  lastName: ['\t', 'Love\r\nlace', 'x'.repeat(101), false, null, unpaired],
  email: [
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example.com,bob@example.com',
    'ada example@example.com',
    'ada@exam ple.com',
    'ada@@example.com',
    'Ada <ada@example.com>',
    ' ada@example.com',
    'ada@example.com\n',
    `${'x'.repeat(250)}@example.com`,
    5,
    null,
  ],
  phone: [
    '',
    '+',
    '351912345678',
    '00351912345678',
    '+0351912345678',
    '+1234567890123456',
    '+351 912 345 678',
    '+351-912-345-678',
    '+351912345678x',
    '+351912345678\n',
    '+٣٥١٩١٢٣٤٥',
    351_912_345_678,
    null,
  ],
};

/** Guests that are taken as they are. Spec: CHECKOUT-13. */
const right: [what: string, guest: Partial<ReturnType<typeof guest>>][] = [
  ['one letter', { firstName: 'A', lastName: 'L' }],
  ['a hundred letters', { firstName: 'x'.repeat(100), lastName: 'y'.repeat(100) }],
  ['names as people have them', { firstName: 'Zoë-Łucja', lastName: "d'Ávila 李 ندى" }],
  ['a person with one name', { lastName: '' }],
  ['blanks around a name stay', { firstName: ' Ada ' }],
  ['an email with a suffix', { email: 'ada.b+holiday_1@mail.example.co.uk' }],
  ['the longest phone', { phone: '+123456789012345' }],
  ['a short phone', { phone: '+2901234' }],
];

suite(saveGuest, () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;
  let card: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    partner = await service.partner();
    card = await service.partner({ settlement: 'card' });
  });
  after(async () => {
    await service.stop();
  });

  async function invalid(body: object, paths: string[]): Promise<void> {
    const journey = await begin(partner);
    const was = await allOf(service.database, journey.checkoutId);
    const { at } = journey.open;
    const error = await partner.refused(saveGuest, { ...at, rawBody: JSON.stringify(body) });
    assert.equal(error.status, 400);
    assert.equal(error.code, 'invalid_input');
    const { fields } = error.details as { fields: { path: string; message: string }[] };
    assert.deepEqual(
      fields.map(({ path }) => path).toSorted(),
      paths.toSorted(),
      JSON.stringify(fields),
    );
    for (const { message } of fields) assert.match(message, /\w/);
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
  }

  for (const [member, values] of Object.entries(wrong)) {
    for (const value of values) {
      test(`${saveGuest} › 400 invalid_input › ${member} ${JSON.stringify(value).slice(0, 50)}`, () =>
        invalid({ expectedVersion: 1, guest: { ...guest(), [member]: value } }, [
          `/guest/${member}`,
        ]));
    }
    test(`${saveGuest} › 400 invalid_input › ${member} missing`, () => {
      const { [member as 'phone']: _, ...rest } = guest();
      return invalid({ expectedVersion: 1, guest: rest }, [`/guest/${member}`]);
    });
  }

  const bodies: [what: string, body: object, paths: string[]][] = [
    ['no guest', { expectedVersion: 1 }, ['/guest']],
    ['a guest that is a text', { expectedVersion: 1, guest: 'Ada' }, ['/guest']],
    ['a guest that is a list', { expectedVersion: 1, guest: [guest()] }, ['/guest']],
    ['no guest but null', { expectedVersion: 1, guest: null }, ['/guest']],
    [
      'a member of the guest that is not known',
      { expectedVersion: 1, guest: { ...guest(), middleName: 'King' } },
      ['/guest/middleName'],
    ],
    ['a member that is not known', { expectedVersion: 1, guest: guest(), vip: true }, ['/vip']],
    [
      'all that is wrong at once',
      { expectedVersion: 0, guest: { firstName: '', lastName: 'L', phone: '1' }, x: 1 },
      ['/expectedVersion', '/guest/email', '/guest/firstName', '/guest/phone', '/x'],
    ],
  ];
  for (const [what, body, paths] of bodies) {
    test(`${saveGuest} › 400 invalid_input › ${what}`, () => invalid(body, paths));
  }

  for (const [what, part] of right) {
    test(`${saveGuest} › 200 › ${what}`, async () => {
      const journey = await begin(partner);
      const sent = { ...guest(), ...part };
      const checkout = await journey.done('saveGuest', { body: { guest: sent } });
      assert.deepEqual(checkout.guest, sent);
      assert.deepEqual((await journey.read()).guest, sent);
    });
  }

  const moves = [
    ['card', 'needs_guest', 'needs_payment'],
    ['card', 'needs_payment', 'needs_payment'],
    ['card', 'ready', 'ready'],
    ['partner', 'needs_guest', 'ready'],
    ['partner', 'ready', 'ready'],
  ] as const;
  for (const [settlement, from, to] of moves) {
    // Spec: CHECKOUT-5.
    test(`${saveGuest} › 200 › ${settlement}, ${from} → ${to}: the guest is replaced`, async () => {
      const journey = await journeyTo(from, settlement === 'card' ? card : partner, testWorker);
      const was = await journey.read();
      const grace = { ...guest(), firstName: 'Grace', email: 'grace@example.com' };
      const reply = await journey.send('saveGuest', { body: { guest: grace } });
      assert.equal(reply.status, 200);
      assert.equal(reply.headers.get('etag'), `"${was.version + 1}"`);
      const { nextActions, updatedAt, ...rest } = await journey.read();
      assert.deepEqual(reply.body, { ...rest, nextActions, updatedAt });
      assert.deepEqual(
        { ...rest, nextActions, updatedAt },
        {
          ...was,
          nextActions,
          updatedAt,
          state: to,
          version: was.version + 1,
          guest: grace,
        },
      );
      assert.ok(updatedAt >= was.updatedAt);
    });
  }

  // Spec: GUEST-1.
  test(`${saveGuest} › stored guest data is encrypted`, async () => {
    const journey = await begin(partner);
    await journey.done('saveGuest');
    const kept = JSON.stringify(await allOf(service.database, journey.checkoutId));
    const hidden = Object.values(guest()).map((text) => Buffer.from(text).toString('hex'));
    for (const text of [...Object.values(guest()), ...hidden]) {
      assert.ok(!kept.includes(text), text);
    }
  });
});
