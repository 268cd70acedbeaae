import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { describe, it } from 'node:test';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { BatchRefusedError, createBatch, type BatchRules } from './batch.ts';

/** Keeps the groups that were written, and fails where an item says so. */
function recording(rules: Partial<BatchRules<string, string>> = {}) {
  const groups: string[][] = [];
  const batch = createBatch<string, string>({
    atMost: 3,
    async write(items) {
      groups.push([...items]);
      await nextTick();
      if (items.includes('away')) throw new Error('away');
      const bad = items.find((item) => item.startsWith('bad'));
      if (bad !== undefined) throw new RangeError(bad);
      return items.map((item) => item.toUpperCase());
    },
    isOfOneItem: (error) => error instanceof RangeError,
    ...rules,
  });
  return { batch, groups };
}

const statuses = (outcomes: readonly { status: string }[]) => outcomes.map(({ status }) => status);

describe('a batch', () => {
  it('collects items during a write into the next group, in order and bounded', async () => {
    const { batch, groups } = recording();
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => batch.add(one)));
    assert.deepEqual(answers, ['A', 'B', 'C', 'D', 'E', 'F']);
    assert.deepEqual(groups, [['a'], ['b', 'c', 'd'], ['e', 'f']]);
  });

  it('resolves an item only after its group is written', async () => {
    const gate = Promise.withResolvers<void>();
    const { batch } = recording({ write: (items) => gate.promise.then(() => items) });
    let isAnswered = false;
    const answer = batch.add('a').then(() => (isAnswered = true));
    await sleep(5);
    assert.equal(isAnswered, false);
    gate.resolve();
    await answer;
  });

  it('with a delay of 0, groups the items of one tick', async () => {
    const { batch, groups } = recording({ delayMs: 0 });
    await Promise.all([batch.add('a'), batch.add('b')]);
    assert.deepEqual(groups, [['a', 'b']]);
  });

  it('with a delay, writes a full group at once, and the first item after the delay at the latest', async () => {
    const { batch, groups } = recording({ delayMs: 60_000 });
    await Promise.all(['a', 'b', 'c'].map((one) => batch.add(one)));
    assert.deepEqual(groups, [['a', 'b', 'c']]);
    const { batch: prompt } = recording({ delayMs: 10 });
    assert.equal(await prompt.add('a'), 'A');
  });

  it('halves a failed group until only the faulty item fails', async () => {
    const { batch, groups } = recording({ atMost: 8, delayMs: 0 });
    const items = ['a', 'b', 'c', 'd', 'bad', 'e', 'f', 'g'];
    const outcomes = await Promise.allSettled(items.map((one) => batch.add(one)));
    assert.deepEqual(
      items.filter((_, index) => outcomes[index]!.status === 'rejected'),
      ['bad'],
    );
    assert.deepEqual(groups, [
      items,
      ['a', 'b', 'c', 'd'],
      ['bad', 'e', 'f', 'g'],
      ['bad', 'e'],
      ['bad'],
      ['e'],
      ['f', 'g'],
    ]);
  });

  it('fails only the whole group for an error that no single item causes', async () => {
    const { batch, groups } = recording({ atMost: 2 });
    const outcomes = await Promise.allSettled(['a', 'away', 'b', 'c'].map((one) => batch.add(one)));
    assert.deepEqual(statuses(outcomes), ['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    assert.deepEqual(groups, [['a'], ['away', 'b'], ['c']]);
  });

  it('writes every good item once and fails every bad one, in any timing', async () => {
    const item = fc.constantFrom('good', 'bad', 'pause');
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 3 }),
        async (items, atMost, writers) => {
          const written: string[] = [];
          const { batch } = recording({
            atMost,
            writers,
            delayMs: 0,
            async write(group) {
              await nextTick();
              const bad = group.find((one) => one.startsWith('bad'));
              if (bad !== undefined) throw new RangeError(bad);
              assert.ok(group.length <= atMost);
              written.push(...group);
              return group;
            },
          });
          const added: [string, Promise<string>][] = [];
          for (const [index, one] of items.entries()) {
            if (one === 'pause') {
              await nextTick();
              continue;
            }
            const answer = batch.add(`${one} ${index}`);
            answer.catch(() => undefined);
            added.push([`${one} ${index}`, answer]);
          }
          const outcomes = await Promise.allSettled(added.map(([, answer]) => answer));
          const good = added.map(([name]) => name).filter((name) => name.startsWith('good'));
          assert.deepEqual(
            outcomes.map((one) => one.status === 'fulfilled'),
            added.map(([name]) => good.includes(name)),
          );
          assert.deepEqual(written.toSorted(), good.toSorted());
        },
      ),
      { numRuns: 60 },
    );
  });

  it('refuses an item beyond the bound, and accepts others when there is space again', async () => {
    const { batch, groups } = recording({ mostWaiting: 2 });
    const first = batch.add('a');
    const waiting = [batch.add('b'), batch.add('c')];
    assert.equal(batch.waiting(), 2);
    await assert.rejects(batch.add('d'), BatchRefusedError);
    await Promise.all([first, ...waiting]);
    assert.equal(await batch.add('e'), 'E');
    assert.deepEqual(groups, [['a'], ['b', 'c'], ['e']]);
  });

  it('starts another writer only when half a group waits', async () => {
    const gate = Promise.withResolvers<void>();
    const groups: string[][] = [];
    const { batch } = recording({
      atMost: 4,
      writers: 2,
      async write(items) {
        groups.push([...items]);
        await gate.promise;
        return items;
      },
    });
    const first = [batch.add('a'), batch.add('b')];
    assert.deepEqual(groups, [['a']]);
    const second = [batch.add('c'), batch.add('d'), batch.add('e')];
    assert.deepEqual(groups, [['a'], ['b', 'c']]);
    gate.resolve();
    await Promise.all([...first, ...second]);
    assert.deepEqual(groups.flat(), ['a', 'b', 'c', 'd', 'e']);
  });

  it('writes the rest without delay when it ends, and accepts no more', async () => {
    const { batch, groups } = recording({ delayMs: 60_000 });
    const added = ['a', 'b', 'c', 'd'].map((one) => batch.add(one));
    await batch.end();
    assert.deepEqual(await Promise.all(added), ['A', 'B', 'C', 'D']);
    assert.deepEqual(groups.flat(), ['a', 'b', 'c', 'd']);
    await assert.rejects(batch.add('e'), BatchRefusedError);
    await batch.end();
  });

  it('when abandoned, refuses waiting items and finishes the current write', async () => {
    const { batch } = recording();
    const ending = Promise.allSettled(['a', 'b', 'c'].map((one) => batch.add(one)));
    batch.abandon();
    assert.deepEqual(statuses(await ending), ['fulfilled', 'rejected', 'rejected']);
    await batch.end();
  });

  it('accepts an item that arrives while the last group ends', async () => {
    const { batch } = recording();
    for (let round = 0; round < 50; round += 1) {
      await batch.add('a');
      // One microtask after the other, over the end of the writer.
      for (let step = 0; step < round % 10; step += 1) await Promise.resolve();
      assert.equal(await Promise.race([batch.add('b'), sleep(1_000, 'stuck')]), 'B');
    }
  });

  it('writes in the async context of its creation, not of the first item', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const { batch } = recording({
      write: async (items) => {
        seen.push(context.getStore());
        return items;
      },
    });
    await context.run('of a call', () => batch.add('a'));
    assert.deepEqual(seen, [undefined]);
  });
});
