import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { keptSignal, plainSignal, sendSignal } from '../../harness/signals.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const joins = ['searchObservationId', 'listingId', 'quoteId', 'checkoutId'] as const;

/** The names that there are, each with the join that it calls for. */
const names: [name: string, join: (typeof joins)[number] | null][] = [
  ['search_submitted', null],
  ['search_viewed', 'searchObservationId'],
  ['listing_viewed', 'listingId'],
  ['quote_viewed', 'quoteId'],
  ['reserve_clicked', 'quoteId'],
  ['checkout_started', 'checkoutId'],
  ['details_completed', 'checkoutId'],
  ['payment_submitted', 'checkoutId'],
  ['confirmation_viewed', 'checkoutId'],
];

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

/** Sends what must be refused as invalid, and returns where it is. */
async function invalidPaths(body: object): Promise<string[]> {
  const signal = { ...plainSignal(), ...body };
  const reply = await sendSignal(partner, signal);
  assert.equal(reply.status, 400, `${JSON.stringify(body)} returned ${reply.text}`);
  const { error } = reply.body as {
    error: { code: string; details: { fields: { path: string }[] } };
  };
  assert.equal(error.code, 'invalid_input');
  assert.equal(await keptSignal(service, signal.signalId), undefined, 'nothing is kept');
  return error.details.fields.map(({ path }) => path).toSorted();
}

async function accepted(body: object): Promise<void> {
  const signal = { ...plainSignal(), ...body };
  const reply = await sendSignal(partner, signal);
  assert.equal(reply.status, 201, `${JSON.stringify(body)} returned ${reply.text}`);
  assert.deepEqual(reply.body, { signalId: signal.signalId, accepted: true });
}

suite('cdp.signal.capture › 400 invalid_input › joins', () => {
  for (const [name, join] of names) {
    // Spec: SIGNAL-2.
    test(`${name} › requires ${join ?? 'none'}, forbids every other`, async () => {
      if (join) assert.deepEqual(await invalidPaths({ name }), [`/${join}`]);
      const own = join && { [join]: randomUUID() };
      for (const other of joins.filter((member) => member !== join)) {
        const body = { name, ...own, [other]: randomUUID() };
        assert.deepEqual(await invalidPaths(body), [`/${other}`]);
      }
      const all = Object.fromEntries(joins.map((member) => [member, randomUUID()]));
      const others = joins.filter((member) => member !== join).map((member) => `/${member}`);
      assert.deepEqual(await invalidPaths({ name, ...all }), others.toSorted());
    });
  }
});

suite('cdp.signal.capture › 400 invalid_input', () => {
  const wrong: [why: string, body: object, paths: string[]][] = [
    ['a name of its own', { name: 'page_viewed' }, ['/name']],
    ['a reservation success claim as a name', { name: 'reservation_confirmed' }, ['/name']],
    ['no name', { name: undefined }, ['/name']],
    ['a route family of its own', { routeFamily: 'checkout/payment' }, ['/routeFamily']],
    ['no route family', { routeFamily: undefined }, ['/routeFamily']],
    ['a device class of its own', { deviceClass: 'watch' }, ['/deviceClass']],
    ['consent of another value', { consent: 'granted' }, ['/consent']],
    ['correlationId that is no UUID', { correlationId: 'visit-1' }, ['/correlationId']],
    ['signalId that is no UUID', { signalId: '1' }, ['/signalId']],
  ];
  const unknown = [
    'email',
    'guest',
    'cardNumber',
    'price',
    'total',
    'state',
    'reference',
    'url',
    'path',
    'query',
    'utm_source',
    'experiment',
    'properties',
    'userAgent',
    'journeyId',
  ];
  for (const name of unknown) wrong.push([`a member ${name}`, { [name]: 'x' }, [`/${name}`]]);
  const origins: [why: string, origin: string][] = [
    ['a path', 'https://example.com/'],
    ['a raw URL', 'https://example.com/homes?email=ada@example.com'],
    ['a query', 'https://example.com?x=1'],
    ['a fragment', 'https://example.com#x'],
    ['user and password', 'https://ada:secret@example.com'],
    ['no scheme', 'example.com'],
    ['another scheme', 'javascript:alert(1)'],
    ['a scheme alone', 'https://'],
    ['a line break', 'https://example.com\n'],
    ['port 99999', 'https://example.com:99999'],
    ['port 65536', 'https://example.com:65536'],
    ['port 0', 'https://example.com:0'],
    ['no port after the colon', 'https://example.com:'],
    ['an empty label', 'https://www..example.com'],
    ['dots alone', 'https://...'],
    ['a label that begins with a hyphen', 'https://-example.com'],
    ['an IPv4 address that there is not', 'https://192.0.2.999'],
    ['256 characters', `https://${'a'.repeat(248)}`],
  ];
  for (const [why, referrerOrigin] of origins) {
    wrong.push([`referrerOrigin with ${why}`, { referrerOrigin }, ['/referrerOrigin']]);
  }
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  // Calculated when the test runs, which may be minutes after this file was loaded.
  const times: [why: string, occurredAt: () => unknown][] = [
    ['more than 24 hours ago', () => minutes(-24 * 60 - 1)],
    ['more than five minutes ahead', () => minutes(6)],
    ['no offset', () => minutes(0).slice(0, -1)],
    ['a date', () => daysAhead(0)],
    ['a number', () => Date.now()],
    ['an impossible date', () => '2027-02-30T12:00:00Z'],
    ['an impossible hour', () => `${daysAhead(0)}T25:00:00Z`],
    ['the end of time', () => '9999-12-31T23:59:59Z'],
  ];
  for (const [why, occurredAt] of times) {
    test(`occurredAt with ${why}`, async () => {
      assert.deepEqual(await invalidPaths({ occurredAt: occurredAt() }), ['/occurredAt']);
    });
  }
  for (const [why, body, paths] of wrong) {
    test(why, async () => {
      assert.deepEqual(await invalidPaths(body), paths);
    });
  }

  // Spec: SIGNAL-1.
  test('400 › all invalid fields together', async () => {
    const body = { name: 'listing_viewed', quoteId: randomUUID(), occurredAt: minutes(60) };
    assert.deepEqual(await invalidPaths(body), ['/listingId', '/occurredAt', '/quoteId']);
  });

  test('neither signalId nor Idempotency-Key', async () => {
    assert.deepEqual(await invalidPaths({ signalId: undefined }), ['/signalId']);
  });
});

suite('cdp.signal.capture › 201', () => {
  test('every route family and every device class', async () => {
    for (const routeFamily of ['home', 'search', 'listing', 'checkout', 'confirmation']) {
      await accepted({ routeFamily });
    }
    for (const deviceClass of ['desktop', 'mobile', 'tablet', 'unknown']) {
      await accepted({ deviceClass });
    }
  });

  test('referrerOrigin › origins', async () => {
    for (const referrerOrigin of [
      'https://example.com',
      'http://localhost:3000',
      'https://a.b-c.example',
    ]) {
      await accepted({ referrerOrigin });
    }
  });

  // Spec: SIGNAL-3.
  test('occurredAt › up to 24 hours ago and five minutes ahead, kept as the same instant', async () => {
    for (const seconds of [-24 * 3600 + 5, -60, 0, 295]) {
      const occurredAt = new Date(Date.now() + seconds * 1000).toISOString();
      const signal = { ...plainSignal(), occurredAt };
      assert.equal((await sendSignal(partner, signal)).status, 201);
      const kept = await keptSignal(service, signal.signalId);
      assert.equal(kept?.['occurred_at'], Date.parse(occurredAt));
    }
  });

  test('referrerOrigin › any origin: port 65535, an address, one label', async () => {
    const origins = [
      'https://example.com:65535',
      'http://192.0.2.7:3000',
      'http://localhost:1',
      'https://xn--bcher-kva.example',
      'https://example.com.',
    ];
    for (const referrerOrigin of origins) await accepted({ referrerOrigin });
  });

  test('occurredAt › with any offset', async () => {
    const at = Math.floor(Date.now() / 1000) * 1000 - 60_000;
    for (const [offset, minutes] of [
      ['+02:00', 120],
      ['-09:30', -570],
      ['+23:59', 1439],
      ['-23:59', -1439],
    ] as const) {
      const local = new Date(at + minutes * 60_000).toISOString().slice(0, -5);
      const signal = { ...plainSignal(), occurredAt: `${local}${offset}` };
      const reply = await sendSignal(partner, signal);
      assert.equal(reply.status, 201, `${signal.occurredAt}: ${reply.text}`);
      assert.equal((await keptSignal(service, signal.signalId))?.['occurred_at'], at);
    }
  });

  test('Idempotency-Key instead of signalId', async () => {
    const { signalId: _, ...signal } = plainSignal();
    const send = () =>
      partner.call('cdp.signal.capture', {
        headers: { 'idempotency-key': 'click-1' },
        body: signal,
      });
    const first = await send();
    assert.equal(first.status, 201);
    const again = await send();
    assert.deepEqual([again.status, again.text], [200, first.text]);
  });
});
