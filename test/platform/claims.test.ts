/** Claiming due rows: never more than the slots, again at once when all slots were filled, and an end that waits. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { type ClaimingTask, startClaiming } from '../../src/platform/claims.ts';
import { eventually } from '../harness/eventually.ts';

const anHour = 3_600_000;

/** Claims from a list of due rows; each claim is in progress until its row is ended. */
function claimed(due: string[], task: Partial<ClaimingTask<string>> = {}) {
  const asked: number[] = [];
  const inProgress = new Map<string, () => void>();
  const claiming = startClaiming<string>({
    name: 'claim',
    everyMs: anHour,
    inFlightAtMost: 3,
    async claim(atMost) {
      asked.push(atMost);
      return { claims: due.splice(0, atMost) };
    },
    process(claim) {
      const { promise, resolve } = Promise.withResolvers<void>();
      inProgress.set(claim, resolve);
      return promise;
    },
    log: { warn: (details) => assert.fail(JSON.stringify(details)) },
    ...task,
  });
  function end(claim: string): void {
    inProgress.get(claim)!();
    inProgress.delete(claim);
  }
  return { claiming, asked, end, rows: () => [...inProgress.keys()] };
}

describe('claiming', () => {
  it('claims for its free slots only, and again when one is free', async () => {
    const { claiming, asked, end, rows } = claimed(['a', 'b', 'c', 'd', 'e']);
    await eventually(async () => rows().length === 3);
    await sleep(20);
    assert.deepEqual([asked, claiming.inFlight()], [[3], 3]);
    end('b');
    await eventually(async () => rows().includes('d'));
    assert.deepEqual(
      [asked, rows()],
      [
        [3, 1],
        ['a', 'c', 'd'],
      ],
    );
    for (const row of rows()) end(row);
    await eventually(async () => rows().includes('e'));
    end('e');
    await claiming.stop();
  });

  it('claims at most `claimAtMost` rows of one look, and looks again while a look is full', async () => {
    const { claiming, asked, end, rows } = claimed(['a', 'b', 'c'], {
      inFlightAtMost: 8,
      claimAtMost: 2,
    });
    await eventually(async () => rows().length === 3);
    await sleep(20);
    assert.deepEqual(asked, [2, 2]);
    for (const row of rows()) end(row);
    await claiming.stop();
  });

  it('rows that cannot be processed count as claimed', async () => {
    let looks = 0;
    const { claiming } = claimed([], {
      claim: async (atMost) => ({ claims: [], claimed: (looks += 1) < 3 ? atMost : 0 }),
    });
    await eventually(async () => looks === 3);
    await sleep(20);
    assert.equal(looks, 3);
    await claiming.stop();
  });

  it('what was claimed elsewhere takes a slot', async () => {
    const { claiming, asked, end } = claimed([]);
    await eventually(async () => asked.length === 1);
    claiming.start('own');
    claiming.wake();
    await eventually(async () => asked.length === 2);
    assert.deepEqual(asked, [3, 2]);
    end('own');
    await claiming.stop();
  });

  it('stop claims nothing more, and waits for the claims in progress', async () => {
    const { claiming, asked, end, rows } = claimed(['a']);
    await eventually(async () => rows().length === 1);
    let stopped = false;
    const stopping = claiming.stop().then(() => (stopped = true));
    claiming.wake();
    await sleep(20);
    assert.deepEqual([stopped, asked.length], [false, 1]);
    end('a');
    await stopping;
  });
});
