/** The load generator: it behaves like partners, and sees broken promises and failures. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Called } from '../faults/history.ts';
import type { Connection } from '../../src/platform/postgres/connecting.ts';
import type { Workload } from '../faults/workload.ts';
import { eventually } from '../harness/eventually.ts';
import { testConnection } from '../harness/postgres.ts';
import { ran } from '../harness/programs.ts';
import { sql } from '../harness/rows.ts';
import { onDatabase } from '../harness/service-process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { failuresIn, reportOf, withoutResponse } from './report.ts';
import { runLoad } from './run-load.ts';

const called = (ms: number, status: number | null, code: string | null = null): Called => ({
  applicationId: 'a',
  operation: 'distribution.site.get',
  resourceId: null,
  startedAt: 0,
  endedAt: ms,
  response: status === null ? null : { status, code, retryAfter: true, seen: null },
});

describe('load › report', () => {
  const calls = [called(1, 200), called(3, 429, 'rate_limited'), called(2, 503, 'unavailable')];

  it('has rates, latencies and the errors by code', () => {
    const rows = reportOf([...calls, called(9, null)], 2).split('\n');
    const cellsOf = (start: string) => rows.find((row) => row.startsWith(start))?.split(/\s+/);
    const figures = ['4', '2.0', '3.0', '9.0', '9.0', '9.0'];
    assert.deepEqual(cellsOf('distribution.site.get'), ['distribution.site.get', ...figures]);
    assert.deepEqual(cellsOf('  429'), ['', '429', 'rate_limited', '1']);
    assert.deepEqual(cellsOf('  503'), ['', '503', 'unavailable', '1']);
    assert.deepEqual(cellsOf('  no response'), ['', 'no', 'response', '1']);
  });

  it('names each call without a response: operation, error, connection, and the log of then', () => {
    const at = Date.parse('2026-11-26T12:00:00.000Z');
    const connection = { ageMs: 5_004, isReused: true };
    const lost: Called = {
      ...called(9, null),
      noResponse: { at, error: 'ECONNRESET socket hang up', connection },
    };
    const log = [
      { time: '2026-11-26T12:00:00.500Z', msg: 'unavailable' },
      { time: '2026-11-26T12:00:03.000Z', msg: 'later' },
    ];
    const site = 'distribution.site.get at 2026-11-26T12:00:00.000Z after 9 ms on';
    assert.deepEqual(withoutResponse([...calls, lost], log), [
      `${site} a reused connection of 5004 ms: ECONNRESET socket hang up`,
      `  the service then: ${JSON.stringify(log[0])}`,
    ]);
    const refused: Called = {
      ...called(9, null),
      noResponse: { at: at - 60_000, error: 'ECONNREFUSED', connection: null },
    };
    assert.deepEqual(withoutResponse([refused], log), [
      'distribution.site.get at 2026-11-26T11:59:00.000Z after 9 ms on no connection: ECONNREFUSED',
      '  the service has logged nothing then',
    ]);
  });

  it('a 5xx and a call without a response are failures, a refusal is none', () => {
    assert.equal(failuresIn(calls), 1);
    assert.equal(failuresIn([called(9, null)]), 1);
  });
});

describe('load › run', () => {
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  const settings = { partners: 8, seed: 3, pauseMs: 5, guests: 1 };
  const untilBooked = ({ ended }: Workload) =>
    eventually(async () => (ended.get('confirmed') ?? 0) >= 3, 60_000);
  const target = () => ({
    ...service,
    environment: 'simulation' as const,
    processes: { 'this process': process.pid },
  });

  it('guests search, look, ask for prices, book and poll, and nothing is wrong', async () => {
    const { report, wrong } = await runLoad(target(), settings, untilBooked);
    assert.deepEqual(wrong, []);
    for (const operation of ['listing.search', 'listing.get', 'calendar.get', 'quote.create']) {
      assert.match(report, new RegExp(`${operation} +\\d`));
    }
    assert.match(report, /bookings: .*\d confirmed/);
    assert.match(report, /this process: \d+\.\d\d ms of CPU time per call, [1-9]\d* MiB/);
  });

  it('guests who think for hours leave when the load ends', async () => {
    const thinking = { ...settings, pauseMs: 3_600_000 };
    const { wrong } = await runLoad(target(), thinking, ({ history }) =>
      eventually(async () => history.calls.length >= settings.partners),
    );
    assert.deepEqual(wrong, []);
  });

  it('as a command, on a running installation: exit code 0', async () => {
    const [row] = await sql<{ name: string }>(
      service.database,
      'SELECT current_database() AS name',
    );
    const connection = { ...testConnection(), database: row!.name } as Connection;
    const env = onDatabase({ connection });
    const flags = ['--partners', '3', '--minutes', '0.01', '--pause-ms', '5'];
    const command = ['test/load/main.ts', ...flags, '--base-url', service.origin];
    const { code, out, err } = await ran(command, env);
    assert.deepEqual({ code, err }, { code: 0, err: '' }, out);
    assert.match(out, /nothing is wrong/);
    const live = await ran(command, { ...env, LATCHKEY_ENVIRONMENT: 'live' });
    assert.equal(live.code, 1);
    assert.match(live.err, /load would make reservations in live/);
  });

  it('sees an event that is lost', async () => {
    await sql(
      service.database,
      `CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    );
    await sql(
      service.database,
      `CREATE TRIGGER lost BEFORE INSERT ON events FOR EACH ROW
        WHEN (NEW.type = 'reservation.confirmed') EXECUTE FUNCTION lost()`,
    );
    const { wrong } = await runLoad(target(), settings, untilBooked);
    assert.match(wrong.join('\n'), /each reservation has one event/);
  });
});
