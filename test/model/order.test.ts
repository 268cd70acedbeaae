/** Which responses of concurrent calls an order explains. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kindOf, type Call } from './call-kinds.ts';
import { selling } from './homes.ts';
import { worldsAfter } from './order.ts';
import { refused, type ReplySummary } from './reply-summary.ts';
import { newWorld, type World } from './world.ts';

const stay = 'loft 0 2 two';
const session = 'own';
const by = 'partner';
const onCheckout = { by, checkout: 'c1', session, inHeader: false } as const;
const quoteNamed = (quote: 'q1' | 'q2' | 'q3'): Call => ({
  does: 'quote',
  by,
  quote,
  stay,
  code: null,
});
const submit: Call = { ...onCheckout, does: 'submit', version: 2, terms: 'q1' };
const unavailable = refused('409 conflict unavailable');

/** What the model expects as the response if the call is alone. Changes the world. */
const expected = (world: World, call: Call): ReplySummary => kindOf(call).predict(world, call);

/** Makes a checkout of these nights, ready to be submitted. */
function readyToSubmit(
  world = newWorld(1, 'test'),
  of: Partial<Call & { stay: string }> = {},
): World {
  const calls = [
    { ...quoteNamed('q1'), ...of },
    { does: 'checkout', by, checkout: 'c1', quote: 'q1', ...of },
    { ...onCheckout, does: 'saveGuest', version: 1, suffix: 'none', ...of },
  ] as Call[];
  const responses = calls.map((call) => expected(world, call).response);
  assert.deepEqual(responses, ['201', '201', '200']);
  return world;
}

describe('an order of concurrent calls', () => {
  const start = readyToSubmit();
  const submitted = { call: submit, replySummary: expected(structuredClone(start), submit) };
  const quoted = expected(structuredClone(start), quoteNamed('q2'));
  const responses = (refusedQuote: 'q2' | 'q3', isWorkerBusy: boolean) => ({
    heard: [
      submitted,
      { call: quoteNamed('q2'), replySummary: quoted },
      { call: quoteNamed(refusedQuote), replySummary: unavailable },
    ],
    isWorkerBusy,
  });
  const isExplained = (moment: Parameters<typeof worldsAfter>[1]): boolean =>
    worldsAfter(start, moment).length > 0;

  it('a quote is decided, the nights are taken, an equal create is refused, the quote is written', () => {
    const worlds = worldsAfter(start, responses('q2', true));
    assert.equal(worlds.length, 1);
    const { quotes, decided } = worlds[0]!.accounts[by];
    assert.equal(quotes.q2?.stay, stay);
    assert.deepEqual(decided, {});
  });

  it('a quote is decided, its home is withdrawn, an equal create finds none, the quote is written', () => {
    const withdraw: Call = {
      does: 'import',
      by: 'card',
      catalog: selling[by].catalog,
      homes: [],
      mode: 'replace',
    };
    const heard = [
      { call: withdraw, replySummary: expected(structuredClone(start), withdraw) },
      { call: quoteNamed('q2'), replySummary: quoted },
      { call: quoteNamed('q2'), replySummary: refused('404 not_found') },
    ];
    assert.equal(worldsAfter(start, { heard, isWorkerBusy: false }).length, 1);
    assert.deepEqual(worldsAfter(start, { heard: heard.slice(1), isWorkerBusy: false }), []);
  });

  it('another quote is refused after the nights are taken', () => {
    assert.ok(isExplained(responses('q3', true)));
  });

  it('no quote is refused while nobody takes the nights', () => {
    assert.ok(!isExplained(responses('q2', false)));
    assert.ok(!isExplained(responses('q3', false)));
  });

  it('no quote is made of nights that are taken', () => {
    const [taken] = worldsAfter(start, { heard: [submitted], isWorkerBusy: true });
    const { heard } = responses('q2', true);
    assert.deepEqual(worldsAfter(taken!, { heard: heard.slice(1), isWorkerBusy: true }), []);
  });

  it('a quote that nobody was told of may be written or not', () => {
    const { heard } = responses('q2', true);
    const unheard = { call: quoteNamed('q2'), replySummary: null };
    const worlds = worldsAfter(start, {
      heard: [heard[0]!, unheard, heard[2]!],
      isWorkerBusy: true,
    });
    const written = worlds.map(({ accounts }) => accounts[by].quotes.q2 !== null);
    assert.deepEqual(written.toSorted(), [false, true]);
  });

  it('a booking loses nights that it holds to another system, and one that was refused for them stays refused', () => {
    const two = readyToSubmit(readyToSubmit(), { by: 'thrifty', stay: 'loft 1 2 two' });
    const calls: Call[] = [
      submit,
      { ...submit, by: 'thrifty' },
      { does: 'putOutside', by, stay: 'o3', home: 'loft', from: 0, nights: 1 },
    ];
    const heard = calls.map((call) => ({
      call,
      replySummary: expected(structuredClone(two), call),
    }));
    const worlds = worldsAfter(two, { heard, isWorkerBusy: true });
    const taken = worlds.map(({ inventory }) => inventory!.taken.map((one) => one.by).join());
    assert.deepEqual(taken.toSorted(), ['outside o3', 'outside o3,thrifty c1']);
  });
});
