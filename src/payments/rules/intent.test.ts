import fc from 'fast-check';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decideMissing, resultOfFound } from './intent.ts';

suite('payments › an attempt to take money', () => {
  test('a declined payment still waits for the guest, until it is voided at the provider', () => {
    const found = { providerReference: 'pi_1', declineCode: 'insufficient_funds' };
    const states = ['action_needed', 'declined', 'authorized', 'captured', 'voided'] as const;
    assert.deepEqual(
      states.map((state) => resultOfFound({ ...found, state })),
      ['action_needed', 'action_needed', 'authorized', 'captured', 'voided'].map((state) => ({
        ...found,
        state,
      })),
    );
  });

  test('a missing payment is given up after two minutes, and two minutes more', () => {
    const askedAt = 1_000_000;
    const minutes = (count: number): number => askedAt + count * 60_000;
    const noted = minutes(3);
    const cases: [now: number, missingAt: number | null, verdict: string][] = [
      [minutes(0), null, 'wait'],
      [minutes(2) - 1, null, 'wait'],
      [minutes(2), null, 'note'],
      [noted, noted, 'wait'],
      [noted + 119_999, noted, 'wait'],
      [noted + 120_000, noted, 'gone'],
      // It was asked for again since it was noted.
      [minutes(5), askedAt - 1, 'note'],
      [minutes(5), minutes(1), 'note'],
      // The clock was set back.
      [minutes(-60), null, 'wait'],
      [minutes(-60), noted, 'wait'],
    ];
    for (const [now, missingAt, verdict] of cases) {
      assert.equal(decideMissing({ askedAt, missingAt, now }), verdict, `${now} ${missingAt}`);
    }
  });

  test('one step of the clock never makes a payment gone within two minutes of its request', () => {
    const seconds = fc.integer({ min: 0, max: 400 });
    const property = fc.property(
      fc.array(seconds, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: -10_000, max: 10_000_000 }),
      seconds,
      (pauses, step, stepAt) => {
        let real = 0;
        let missingAt: number | null = null;
        for (const pause of pauses) {
          real += pause;
          const now = (real + (real >= stepAt ? step : 0)) * 1_000;
          const verdict = decideMissing({ askedAt: 0, missingAt, now });
          if (verdict === 'note') missingAt = now;
          if (verdict === 'gone') assert.ok(real >= 120, `after ${real} s`);
        }
      },
    );
    fc.assert(property, { numRuns: 1_000 });
  });
});
