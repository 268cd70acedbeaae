import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TSchema } from 'typebox';
import { CatalogListing, CatalogPromotion } from '../catalog-file.ts';
import { memberTexts, withMoney } from './change-text.ts';
import { largestAmount } from './values.ts';

/** The names of each integer member of a schema, with whether the schema makes it an amount. */
function integersOf(schema: TSchema, names: readonly string[] = []): [string[], boolean][] {
  const { type, maximum, properties, items, anyOf } = schema as {
    type?: string;
    maximum?: number;
    properties?: Record<string, TSchema>;
    items?: TSchema;
    anyOf?: TSchema[];
  };
  if (type === 'integer') return [[[...names], maximum === largestAmount]];
  const inner: [string, TSchema][] = Object.entries(properties ?? {});
  if (items) inner.push(['0', items]);
  return [
    ...inner.flatMap(([name, one]) => integersOf(one, [...names, name])),
    ...(anyOf ?? []).flatMap((one) => integersOf(one, names)),
  ];
}

suite('changes of a catalog file in texts', () => {
  test('every amount of the schema is money, and no other number', () => {
    const members = [...integersOf(CatalogListing), ...integersOf(CatalogPromotion)];
    assert.ok(members.filter(([, isAmount]) => isAmount).length > 20);
    for (const [names, isAmount] of members) {
      const shown = withMoney(names, 1_800, 'EUR');
      assert.equal(shown, isAmount ? 'EUR 18.00' : 1_800, names.join('/'));
    }
  });

  test('a whole value has its amounts as money, by the decimals of the currency', () => {
    const fee = { label: 'Cleaning', per: 'stay', amount: 9_000, fromGuest: 3 };
    const members = [
      { path: '/fees/0', from: null, to: fee },
      { path: '/rates/weekdays/sat', from: 21_000, to: 25_000 },
      { path: '/stayRules/minNights', from: 2, to: 3 },
    ];
    assert.deepEqual(memberTexts({ currency: 'JPY', members }), [
      {
        path: '/fees/0',
        from: 'null',
        to: '{"label":"Cleaning","per":"stay","amount":"JPY 9,000","fromGuest":3}',
      },
      { path: '/rates/weekdays/sat', from: 'JPY 21,000', to: 'JPY 25,000' },
      { path: '/stayRules/minNights', from: '2', to: '3' },
    ]);
  });

  test('where the currency changes, each amount has its own', () => {
    const members = [
      { path: '/currency', from: 'EUR', to: 'JPY' },
      { path: '/rates/nightly', from: 18_000, to: 30_000 },
    ];
    const [, nightly] = memberTexts({ currency: 'JPY', members });
    assert.deepEqual([nightly!.from, nightly!.to], ['EUR 180.00', 'JPY 30,000']);
  });

  test('a line break is a sign', () => {
    const members = [
      { path: '/description', from: 'By the sea.\nWith a\\nook', to: 'By the sea.' },
    ];
    const [text] = memberTexts({ currency: null, members });
    assert.equal(text!.from, '"By the sea.↵With a\\\\nook"');
  });

  test('long texts are shown where they differ', () => {
    const text = (word: string) =>
      `${'The garden is behind the house. '.repeat(9)}Ask for the ${word}. ${'Bring shoes for the way. '.repeat(9)}`;
    const members = [{ path: '/description', from: text('gray key'), to: text('grey key') }];
    assert.deepEqual(memberTexts({ currency: null, members }), [
      {
        path: '/description',
        from: '…he house. Ask for the gray key. Bring shoes for t…',
        to: '…he house. Ask for the grey key. Bring shoes for t…',
      },
    ]);
    const [added] = memberTexts({
      currency: null,
      members: [{ path: '/description', from: text('key'), to: `${text('key')}Wave.` }],
    });
    assert.ok(added!.to.includes('Wave.') && !added!.from.includes('Wave.'));
  });
});
