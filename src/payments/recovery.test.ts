import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CardProvider } from './ports/card-provider.ts';
import { watchRecovery } from './recovery.ts';

const signal = new AbortController().signal;

function open() {
  const answers = { void: 'done', findPayment: 'done' };
  const time = { ms: 0 };
  let recovered = 0;
  const answering = (name: keyof typeof answers) => async () => ({ outcome: answers[name] });
  const provider = {
    kind: 'fake',
    void: answering('void'),
    findPayment: answering('findPayment'),
  } as unknown as CardProvider;
  const watched = watchRecovery(
    provider,
    () => {
      recovered += 1;
    },
    () => time.ms,
  );
  return {
    answers,
    time,
    kind: watched.kind,
    recovered: () => recovered,
    effect: () => watched.void({} as never, signal),
    lookUp: () => watched.findPayment({} as never, signal),
  };
}

describe('recovery of the card provider', () => {
  test('the first call that succeeds after a fault wakes what waits, later ones do not', async () => {
    const { answers, recovered, effect, kind } = open();
    assert.equal(kind, 'fake');
    await effect();
    assert.equal(recovered(), 0, 'there was no fault');
    answers.void = 'unknown';
    await effect();
    await effect();
    assert.equal(recovered(), 0);
    answers.void = 'refused';
    await effect();
    await effect();
    assert.equal(recovered(), 1, 'a refusal is an answer');
  });

  test('a lookup that succeeds wakes too, because another process may have had the fault; once a second', async () => {
    const { time, recovered, lookUp } = open();
    await lookUp();
    await lookUp();
    assert.equal(recovered(), 1);
    time.ms += 1_000;
    await lookUp();
    assert.equal(recovered(), 2);
  });

  test('a recovery within the second is not lost', async () => {
    const { answers, time, recovered, effect, lookUp } = open();
    await lookUp();
    answers.void = 'unknown';
    await effect();
    answers.void = 'done';
    await effect();
    assert.equal(recovered(), 1);
    time.ms += 1_000;
    await effect();
    assert.equal(recovered(), 2);
  });
});
