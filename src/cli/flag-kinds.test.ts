/** The values of flags: what is taken, and that nothing else is. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'node:test';
import type { FlagKind } from './command.ts';
import {
  adjustPercent,
  endpointId,
  eventTypes,
  grants,
  lifetimeInDays,
  line,
  lineOrEmpty,
  orNone,
  quotas,
  since,
  url,
  wholeNumber,
} from './flag-kinds.ts';
import { tiers } from '../contract/limits.ts';
import { capabilities } from '../contract/scopes.ts';
import { operatorLimits } from '../contract/operator/limits.ts';

const isTaken = (kind: FlagKind<unknown>, text: string): boolean => 'value' in kind.parse(text);

const seconds = { m: 60, h: 3_600, d: 86_400 };
const unit = fc.constantFrom('m' as const, 'h' as const, 'd' as const);
const largestQuota = operatorLimits.quota.max;
const perMinute = fc.integer({ min: 1, max: largestQuota });
const someTiers = fc
  .subarray([...tiers], { minLength: 1 })
  .chain((named) => fc.shuffledSubarray(named, { minLength: named.length }));

const lifetime = lifetimeInDays(operatorLimits.keyDays.max);

describe('a key lifetime', () => {
  it('is a count of minutes, hours or days, up to the longest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), unit, (count, letter) => {
        const asked = (count * seconds[letter]) / seconds.d;
        const read = lifetime.parse(`${count}${letter}`);
        if (asked > 0 && asked <= operatorLimits.keyDays.max)
          assert.deepEqual(read, { value: asked });
        else assert.ok('problem' in read);
      }),
    );
  });

  it('is nothing else', () => {
    const form = /^\d{1,9}[mhd]$/;
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[-+ .]?\d{0,4}\.?\d?[smhdwyMHD]{0,2}\n?$/)),
        (text) => {
          fc.pre(!form.test(text) || text.endsWith('\n'));
          assert.equal(isTaken(lifetime, text), false);
        },
      ),
    );
  });
});

describe('quotas', () => {
  it('are read back as they were written, in any order', () => {
    fc.assert(
      fc.property(someTiers, fc.infiniteStream(perMinute), (named, figures) => {
        const asked = named.map((tier) => [tier, figures.next().value] as const);
        const text = asked.map(([tier, figure]) => `${tier}=${figure}`).join(',');
        assert.deepEqual(quotas.parse(text), { value: Object.fromEntries(asked) });
      }),
    );
  });

  it('are refused as a whole when one of them is wrong', () => {
    const wrongFigure = fc.oneof(
      fc.constantFrom('', '0', '00', ' 1', '1 ', '+1', '-1', '1.0', '1e3', '0x10', '١'),
      fc.bigInt({ min: BigInt(largestQuota) + 1n, max: 10n ** 30n }).map(String),
    );
    fc.assert(
      fc.property(fc.constantFrom(...tiers), wrongFigure, fc.boolean(), (tier, figure, first) => {
        const other = tier === 'read' ? 'write=1' : 'read=1';
        const pair = `${tier}=${figure}`;
        assert.equal(isTaken(quotas, (first ? [pair, other] : [other, pair]).join(',')), false);
      }),
    );
  });

  it('name each tier once, and no other tier', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tiers), perMinute, perMinute, (tier, one, other) => {
        assert.equal(isTaken(quotas, `${tier}=${one},${tier}=${other}`), false);
      }),
    );
    fc.assert(
      fc.property(fc.string(), perMinute, (name, figure) => {
        fc.pre(!(tiers as readonly string[]).includes(name));
        assert.equal(isTaken(quotas, `${name}=${figure}`), false);
      }),
    );
  });
});

describe('grants', () => {
  it('are any of them, once each, kept in the order in which they are shown', () => {
    const some = fc.shuffledSubarray([...capabilities], { minLength: 1 });
    fc.assert(
      fc.property(some, (named) => {
        const value = capabilities.filter((one) => named.includes(one));
        assert.deepEqual(grants.parse(named.join(',')), { value });
        assert.equal(isTaken(grants, [...named, named[0]].join(',')), false);
        assert.equal(isTaken(grants, `${named.join(',')},`), false);
      }),
    );
  });
});

describe('the ID of an endpoint', () => {
  it('is a UUID, read in lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        assert.deepEqual(endpointId.parse(uuid.toUpperCase()), { value: uuid });
        assert.equal(isTaken(endpointId, `urn:uuid:${uuid}`), false);
        assert.equal(isTaken(endpointId, uuid.replaceAll('-', '')), false);
        assert.equal(isTaken(endpointId, `${uuid}\n`), false);
      }),
    );
  });
});

describe('a channel adjustment', () => {
  it('is a percentage with at most two decimals, from -100 to 1000', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 100_000 }), (points) => {
        assert.deepEqual(adjustPercent.parse(String(points / 100)), { value: points / 100 });
      }),
    );
    assert.deepEqual(adjustPercent.parse('+8'), { value: 8 });
    assert.deepEqual(adjustPercent.parse('-0'), { value: 0 });
    assert.deepEqual(adjustPercent.parse('7.50'), { value: 7.5 });
  });

  it('is nothing else', () => {
    for (const text of ['', '1.234', '-100.01', '1000.01', '1e2', '8%', '.5', '5.', ' 8', '0x1'])
      assert.equal(isTaken(adjustPercent, text), false, text);
  });
});

describe('a number or none', () => {
  it('is an integer within its bounds, or none', () => {
    const reservationsPerDay = orNone(wholeNumber({ min: 0, max: 1_000_000 }));
    assert.deepEqual(reservationsPerDay.parse('none'), { value: null });
    assert.deepEqual(reservationsPerDay.parse('0'), { value: 0 });
    assert.deepEqual(reservationsPerDay.parse('1000000'), { value: 1_000_000 });
    for (const text of ['', '-1', '1.5', '1000001', 'None', '1e3', ' 1'])
      assert.equal(isTaken(reservationsPerDay, text), false, text);
  });
});

describe('a line of text', () => {
  it('is trimmed, not empty, not too long, and has no control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const trimmed = text.trim();
        const isFine = trimmed !== '' && [...trimmed].length <= 20 && !/\p{Cc}/u.test(trimmed);
        const read = line('TEXT', 20).parse(text);
        if (isFine) assert.deepEqual(read, { value: trimmed });
        else assert.ok('problem' in read);
      }),
    );
  });
});

describe('a line of text that may be empty', () => {
  // Spec: CHECKOUT-13.
  it('is empty, or a line of text', () => {
    const { parse } = lineOrEmpty('NAME', 5);
    assert.deepEqual(parse(' '), { value: '' });
    assert.deepEqual(parse(' Ada '), { value: 'Ada' });
    assert.ok('problem' in parse('A\nda'));
    assert.ok('problem' in parse('Lovelace'));
  });
});

describe('a time since when', () => {
  const now = Date.parse('2027-03-02T12:00:00Z');
  const read = (text: string): number | undefined => {
    const parsed = since.parse(text);
    return 'value' in parsed ? parsed.value(now) : undefined;
  };

  it('is an instant, in any zone', () => {
    assert.equal(read('2027-03-01T00:00:00Z'), Date.parse('2027-03-01T00:00:00Z'));
    assert.equal(read('2027-03-01T02:00:00.250+02:00'), Date.parse('2027-03-01T00:00:00.250Z'));
  });

  it('is how long ago', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), unit, (count, letter) => {
        assert.equal(read(`${count}${letter}`), now - count * seconds[letter] * 1_000);
      }),
    );
  });

  it('is nothing else', () => {
    for (const text of ['', '0m', '1w', '-1h', 'yesterday', '2027-03-01', '2027-03-01T00:00', '1'])
      assert.equal(isTaken(since, text), false, text);
  });
});

describe('types of events and URLs', () => {
  it('types are read in the order of the contract, each once', () => {
    assert.deepEqual(eventTypes.parse('reservation.changed,checkout.resolved'), {
      value: ['checkout.resolved', 'reservation.changed'],
    });
    for (const text of ['', 'checkout', 'checkout.resolved,', 'toString'])
      assert.equal(isTaken(eventTypes, text), false, text);
  });

  it('a URL is one of the web', () => {
    for (const text of ['https://a.example/x?y', 'http://localhost:1'])
      assert.equal(isTaken(url, text), true, text);
    for (const text of ['', 'a.example', 'ftp://a.example', 'file:///etc', 'javascript:1'])
      assert.equal(isTaken(url, text), false, text);
  });
});
