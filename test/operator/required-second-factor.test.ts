/** A second factor that the operator requires of everybody, and sessions of others that are ended. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { codeOf, stepAt } from '../../src/sign-in/one-time-code.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { decodedSecret, type SignedIn, signedIn } from '../harness/staff-member.ts';

suite('operator.staff', () => {
  let service: TestService;
  let staff: SignedIn;

  before(async () => {
    service = await startTestService();
    staff = await signedIn(service);
  });
  after(() => service.stop());

  async function addFactor(operator: Operator): Promise<void> {
    const { secret } = await operator.done('operator.account.beginSecondFactor', { body: {} });
    const code = codeOf(decodedSecret(secret), stepAt(Date.now()));
    await operator.done('operator.account.confirmSecondFactor', { body: { code } });
  }
  const require = (required: boolean) =>
    staff.operator.done('operator.staff.requireSecondFactor', { body: { required } });

  // Spec: OPERATOR-15.
  test('requireSecondFactor › 200 › members without one can only add it; scripts and members with one go on', async () => {
    const body = { required: true };
    const early = await staff.operator.refused('operator.staff.requireSecondFactor', { body });
    assert.equal(early.code, 'conflict');
    await addFactor(staff.operator);
    const other = await signedIn(service, 'viewer');
    const script = await operatorOf(service, 'viewer');
    const required = await require(true);
    assert.equal(required.required, true);
    assert.ok(required.without.includes(other.email));

    const refused = await other.operator.refused('operator.reservation.list');
    assert.deepEqual([refused.status, refused.details], [403, { reason: 'second_factor' }]);
    const session = await other.operator.done('operator.session.get');
    assert.equal(session.mustAddSecondFactor, true);
    await script.done('operator.reservation.list');
    await staff.operator.done('operator.reservation.list');

    await addFactor(other.operator);
    await other.operator.done('operator.reservation.list');
    const own = await other.operator.refused('operator.account.removeSecondFactor');
    assert.equal(own.code, 'conflict');

    const later = await signedIn(service, 'viewer');
    assert.equal((await later.operator.refused('operator.reservation.list')).status, 403);
    await require(false);
    await later.operator.done('operator.reservation.list');
    await other.operator.done('operator.account.removeSecondFactor');
  });

  test('endSessions › 200 › all of the member, at once; not of the caller', async () => {
    const other = await signedIn(service, 'viewer');
    const again = await signedIn(service, 'viewer', other.email);
    const { items } = await staff.operator.done('operator.staff.list');
    const idOf = (email: string) => items.find((one) => one.email === email)!.staffId;
    const end = { params: { staffId: idOf(other.email) }, body: {} };
    const ended = await staff.operator.done('operator.staff.endSessions', end);
    assert.equal(ended.sessions, 0);
    for (const { operator } of [other, again]) {
      assert.equal((await operator.refused('operator.session.get')).status, 401);
    }
    await signedIn(service, 'viewer', other.email);
    const own = { params: { staffId: idOf(staff.email) }, body: {} };
    const refused = await staff.operator.refused('operator.staff.endSessions', own);
    assert.equal(refused.code, 'conflict');
  });
});
