/** The recorder of calls: in batches, bounded, and never waited for. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../src/platform/postgres/database-errors.ts';
import type { LoggedRequest } from '../../src/request-log/store/requests.ts';
import { startRequestRecorder } from '../../src/request-log/recorder.ts';
import { eventually } from '../harness/eventually.ts';

const request = (): LoggedRequest => ({
  applicationId: randomUUID(),
  at: 0,
  requestId: randomUUID(),
  method: 'GET',
  path: '/v1/site',
  operation: 'distribution.site.get',
  status: 200,
  code: null,
  reason: null,
  invalidFields: [],
  about: null,
  fault: null,
  listingId: null,
  checkIn: null,
  checkOut: null,
  durationMs: 1,
});

/** A database that counts the rows of each statement, also of those that fail because it is away. */
function stub() {
  const batches: number[] = [];
  const warnings: { dropped: number; because: string | undefined }[] = [];
  const state = { away: false, rowsRefused: 0, gate: Promise.resolve() };
  const executor = {
    async query(_statement: unknown, values: readonly unknown[]) {
      await state.gate;
      const rows = (values[0] as unknown[]).length;
      if (state.away) {
        state.rowsRefused += rows;
        throw new DatabaseUnavailableError('away');
      }
      if ((values[4] as string[]).includes('/bad'))
        throw new RangeError('a path that cannot be kept');
      batches.push(rows);
      return [];
    },
  } as unknown as Executor;
  const log = {
    warn(details: object) {
      const { dropped, err } = details as { dropped: number; err?: Error };
      warnings.push({ dropped, because: err?.message });
    },
  };
  return { batches, warnings, state, context: { executor, log } };
}

const many = (count: number, record: (one: LoggedRequest) => void): void => {
  for (let left = count; left > 0; left -= 1) record(request());
};

describe('the recorder of calls', () => {
  it('writes concurrent calls in one statement of at most sixty-four rows', async () => {
    const { batches, context } = stub();
    const recorder = startRequestRecorder({ ...context, everyMs: 50 });
    many(3, (one) => recorder.record(one));
    await eventually(async () => batches.length === 1);
    many(130, (one) => recorder.record(one));
    await eventually(async () => batches.length === 4);
    assert.deepEqual(batches, [3, 64, 64, 2]);
    await recorder.stop();
  });

  it('writes a full batch at once, and a single call after the delay', async () => {
    const { batches, context } = stub();
    const recorder = startRequestRecorder({ ...context, everyMs: 60_000 });
    many(64, (one) => recorder.record(one));
    await eventually(async () => batches.length === 1);
    await recorder.stop();
    const prompt = startRequestRecorder(context);
    prompt.record(request());
    await eventually(async () => batches.length === 2);
    await prompt.stop();
  });

  it('writes the rest when it stops, and then accepts no more', async () => {
    const { batches, warnings, context } = stub();
    const recorder = startRequestRecorder({ ...context, everyMs: 60_000 });
    many(5, (one) => recorder.record(one));
    await recorder.stop();
    assert.deepEqual(batches, [5]);
    recorder.record(request());
    await sleep(20);
    assert.deepEqual([batches, warnings], [[5], []]);
  });

  it('drops rows while the database is unavailable, and logs once how many', async () => {
    const { batches, warnings, state, context } = stub();
    const recorder = startRequestRecorder({ ...context, everyMs: 5 });
    state.away = true;
    many(100, (one) => recorder.record(one));
    await eventually(async () => state.rowsRefused === 100);
    assert.deepEqual([batches, warnings], [[], []]);
    state.away = false;
    recorder.record(request());
    await eventually(async () => warnings.length === 1);
    assert.deepEqual([batches, warnings], [[1], [{ dropped: 100, because: 'away' }]]);
    await recorder.stop();
    assert.equal(warnings.length, 1);
  });

  it('drops a call that cannot be written, and writes the others', async () => {
    const { batches, warnings, context } = stub();
    const recorder = startRequestRecorder({ ...context, everyMs: 5 });
    many(20, (one) => recorder.record(one));
    recorder.record({ ...request(), path: '/bad' });
    many(20, (one) => recorder.record(one));
    await recorder.stop();
    assert.equal(
      batches.reduce((sum, rows) => sum + rows, 0),
      40,
    );
    assert.deepEqual(warnings, [{ dropped: 1, because: 'a path that cannot be kept' }]);
  });

  it('keeps a bounded number of calls, also if the database does not respond', async () => {
    const { batches, warnings, state, context } = stub();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.gate = promise;
    const recorder = startRequestRecorder({ ...context, everyMs: 1 });
    many(20_000, (one) => recorder.record(one));
    resolve();
    await recorder.stop();
    const written = batches.reduce((sum, rows) => sum + rows, 0);
    const dropped = warnings.reduce((sum, warning) => sum + warning.dropped, 0);
    assert.ok(written <= 8_192 + 64, `${written} were kept`);
    assert.equal(written + dropped, 20_000);
  });

  it('does not wait for an unavailable database when it stops', async () => {
    const { batches, warnings, state, context } = stub();
    const recorder = startRequestRecorder({ ...context, everyMs: 60_000 });
    state.away = true;
    many(5_000, (one) => recorder.record(one));
    await recorder.stop();
    assert.deepEqual([batches, warnings], [[], [{ dropped: 5_000, because: 'away' }]]);
  });
});
