/** Reports of conformance runs, as operators verify and require them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { findApplication, publicSigningKeys, setApplication } from '../../src/access/index.ts';
import { issueKey } from '../../src/access/staff/application-keys.ts';
import { isRefusal } from '../../src/contract/errors.ts';
import { contractDigest, verifyReport } from '../../src/sandbox/index.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { callSandbox, order } from '../harness/sandbox.ts';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/** A report of a run, all scenarios of which have this result. */
async function reportOf(partner: Partner, result: 'passed' | 'failed'): Promise<string> {
  const body = { profile: 'checkout' as const };
  const { runId } = await order(partner, 'sandbox.run.start', { body });
  await sql(
    service.database,
    `UPDATE conformance_scenarios SET state = 'judged', result = $2
     WHERE run_id = $1 AND state = 'waiting'`,
    [runId, result],
  );
  const params = { runId };
  assert.equal((await order(partner, 'sandbox.run.finish', { params })).state, result);
  return String((await callSandbox(partner, 'sandbox.run.report', { params })).body);
}

async function verify(partner: Partner, report: string, changes: object = {}) {
  const { database } = service;
  const application = (await findApplication(database, partner.credentials.applicationId))!;
  const keys = await publicSigningKeys(database);
  const given = { report, keys, contractDigest: contractDigest(), isOwn: true, ...changes };
  const verified = await verifyReport(database, 'a test', application, given);
  return isRefusal(verified) ? (verified as { message?: string }).message : verified;
}

// Spec: SANDBOX-4.
suite('reports of conformance runs', () => {
  test('are verified if they are signed, passed and of the served contract', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    const report = await reportOf(partner, 'passed');
    const verified = await verify(partner, report);
    assert.ok(typeof verified === 'object');
    assert.deepEqual([verified.state, verified.contractDigest], ['passed', contractDigest()]);
    assert.match(String(await verify(other, report)), /of another application/);
    assert.ok(typeof (await verify(other, report, { isOwn: false })) === 'object');
    const digest = { contractDigest: 'sha256:other' };
    assert.match(String(await verify(partner, report, digest)), /about another contract/);
    const noKeys = { keys: { keys: [] } };
    assert.match(String(await verify(partner, report, noKeys)), /not signed by these keys/);
    const [head, , signature] = report.split('.');
    const changed = [head, Buffer.from('{}').toString('base64url'), signature].join('.');
    assert.match(String(await verify(partner, changed)), /not signed by these keys/);
    assert.match(String(await verify(partner, 'nothing')), /not signed by these keys/);
  });

  test('of a run that has failed are refused', async () => {
    const partner = await service.partner();
    const report = await reportOf(partner, 'failed');
    assert.match(String(await verify(partner, report)), /has not passed: failed/);
  });

  // Spec: SANDBOX-5.
  test('can be required before a key of live', async () => {
    const { database } = service;
    const partner = await service.partner();
    const { applicationId } = partner.credentials;
    const changes = { requireReport: true };
    await setApplication(database, 'a test', applicationId, {
      changes,
      countToday: () => Promise.resolve({ began: 0, hasSkipped: false }),
    });
    const issue = (environment: 'live' | 'test') =>
      issueKey(database, 'a test', { environment, applicationId });
    assert.ok(!isRefusal(await issue('test')), 'only live asks for it');
    const refused = await issue('live');
    assert.ok(isRefusal(refused));
    assert.match(String((refused as { message?: string }).message), /conformance verify/);
    await verify(partner, await reportOf(partner, 'passed'));
    assert.ok(!isRefusal(await issue('live')));
  });
});
