/** Passkeys of members of staff: added, asked for, refused and removed. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operatorLimits } from '../../src/contract/operator/limits.ts';
import { operatorWith } from '../harness/operator.ts';
import { SoftPasskey } from '../harness/passkey.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import {
  cookieOf,
  type SignedIn,
  signedIn,
  staffPassword,
  withCookie,
} from '../harness/staff-member.ts';

const { origin } = new URL(testBaseUrl);

suite('passkeys', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  const reasonOf = ({ status, details }: { status: number; details?: unknown }) =>
    `${status} ${(details as { reason?: string } | undefined)?.reason}`;

  /** A member with a passkey. */
  async function withPasskey(): Promise<{ member: SignedIn; passkey: SoftPasskey }> {
    const member = await signedIn(service);
    const passkey = new SoftPasskey(origin);
    const { options } = await member.operator.done('operator.account.beginPasskey', { body: {} });
    await member.operator.done('operator.account.addPasskey', {
      body: { name: 'laptop', credential: passkey.make(options) },
    });
    return { member, passkey };
  }

  const anybody = () => operatorWith(service, '', {});
  const begin = (email: string) =>
    anybody().done('operator.session.beginPasskey', { body: { email, password: staffPassword } });
  const signIn = async (email: string, more: object = {}) => {
    const body = { email, password: staffPassword, ...more };
    const {
      status,
      body: reply,
      headers,
    } = await anybody().send('operator.session.begin', { body });
    const { error } = (reply ?? {}) as { error?: { details?: { reason?: string } } };
    return { result: error ? `${status} ${error.details?.reason}` : String(status), headers };
  };
  const sessions = async (email: string) =>
    (
      await sql(
        service.database,
        `SELECT FROM staff_sessions s JOIN staff_members m USING (staff_id) WHERE m.email = $1`,
        [email],
      )
    ).length;

  // Spec: OPERATOR-15.

  test('an ID over the limit is refused, and one at the limit is accepted', async () => {
    const { operator } = await signedIn(service);
    const add = async (idBytes: number) => {
      const passkey = new SoftPasskey(origin, idBytes);
      const { options } = await operator.done('operator.account.beginPasskey', { body: {} });
      const body = { name: 'long', credential: passkey.make(options) };
      return operator.send('operator.account.addPasskey', { body });
    };
    const { status, body } = await add(1_024);
    assert.equal(status, 400);
    const message = 'must have an ID of at most 1364 characters';
    const { error } = body as { error: { details: unknown } };
    assert.deepEqual(error.details, { fields: [{ path: '/credential', message }] });
    assert.equal((await add(1_023)).status, 200);
  });

  test('one that was added is asked for at the next sign-in, ends other sessions, and signs in', async () => {
    const other = await signedIn(service);
    const again = await signedIn(service, 'administrator', other.email);
    const passkey = new SoftPasskey(origin);
    const { options } = await again.operator.done('operator.account.beginPasskey', { body: {} });
    const added = await again.operator.done('operator.account.addPasskey', {
      body: { name: 'key', credential: passkey.make(options) },
    });
    assert.equal(added.name, 'key');
    assert.equal(await sessions(other.email), 1);
    const session = await again.operator.done('operator.session.get');
    assert.deepEqual(
      [session.hasSecondFactor, session.hasCode, session.hasPasskey, session.confirmBy],
      [true, false, true, 'passkey'],
    );
    assert.equal((await signIn(other.email)).result, '401 passkey_required');
    assert.equal((await signIn(other.email, { code: '123456' })).result, '401 code');
    const asked = await begin(other.email);
    const { result, headers } = await signIn(other.email, { passkey: passkey.sign(asked.options) });
    assert.equal(result, '201');
    const operator = withCookie(service, other.email, cookieOf(headers));
    const { items } = await operator.done('operator.account.listPasskeys');
    assert.ok(items[0]!.usedAt);
    const { items: entries } = await operator.done('operator.audit.list', {
      query: { action: 'staff.passkey.add', limit: 5 },
    });
    assert.ok(entries.some(({ details }) => details['passkey'] === 'key'));
  });

  test('what another page, another site, a copy or a former answer has signed is refused', async () => {
    const wrong: [string, (passkey: SoftPasskey, options: string) => string][] = [
      ['another origin', (own, options) => own.sign(options, { origin: 'https://evil.example' })],
      ['another site', (own, options) => own.sign(options, { rpId: 'evil.example' })],
      ['another passkey', (_, options) => new SoftPasskey(origin).sign(options)],
      ['no JSON', () => '{"id":'],
      [
        'a challenge that nobody gave',
        (own, options) =>
          own.sign(JSON.stringify({ ...JSON.parse(options), challenge: 'bm9ib2R5' })),
      ],
    ];
    for (const [name, answer] of wrong) {
      // A member for each: further answers are refused unread after three wrong ones.
      const { member, passkey } = await withPasskey();
      const { options } = await begin(member.email);
      const { result } = await signIn(member.email, { passkey: answer(passkey, options) });
      assert.equal(result, '401 passkey', name);
    }
  });

  test('after three wrong answers in a minute, the right one is refused, too', async () => {
    const { member, passkey } = await withPasskey();
    const { email } = member;
    for (let tries = 0; tries < operatorLimits.codesPerMinute; tries += 1) {
      const { options } = await begin(email);
      const wrong = new SoftPasskey(origin).sign(options);
      assert.equal((await signIn(email, { passkey: wrong })).result, '401 passkey');
    }
    const { options } = await begin(email);
    assert.match((await signIn(email, { passkey: passkey.sign(options) })).result, /^429 /);
  });

  test('a challenge ends after five minutes', async () => {
    const { member, passkey } = await withPasskey();
    const { email } = member;
    const { options } = await begin(email);
    const rows = await sql<{ seconds: number }>(
      service.database,
      `WITH ended AS (
          SELECT c.challenge, extract(epoch FROM c.expires_at - now())::float8 AS seconds
          FROM staff_challenges c JOIN staff_members m USING (staff_id)
          WHERE m.email = $1 AND c.purpose = 'sign_in')
        UPDATE staff_challenges c SET expires_at = now() FROM ended
        WHERE c.challenge = ended.challenge RETURNING ended.seconds`,
      [email],
    );
    assert.equal(rows.length, 1);
    assert.ok(rows[0]!.seconds <= 300);
    const { result } = await signIn(email, { passkey: passkey.sign(options) });
    assert.equal(result, '401 passkey');
  });

  test('a challenge counts once, for its purpose, and a copied authenticator is noticed', async () => {
    const { member, passkey } = await withPasskey();
    const { email, operator } = member;
    const { options } = await begin(email);
    const answer = passkey.sign(options);
    assert.equal((await signIn(email, { passkey: answer })).result, '201');
    assert.equal((await signIn(email, { passkey: answer })).result, '401 passkey');
    const next = await begin(email);
    const copied = passkey.sign(next.options, { keepsCounter: true });
    assert.equal((await signIn(email, { passkey: copied })).result, '401 passkey');
    const asked = await operator.done('operator.session.beginPasskeyStepUp', { body: {} });
    const stepUp = passkey.sign(asked.options);
    assert.equal((await signIn(email, { passkey: stepUp })).result, '401 passkey');
  });

  test('a step-up takes a passkey, and no longer the password', async () => {
    const { member, passkey } = await withPasskey();
    const { operator, email } = member;
    await sql(
      service.database,
      `UPDATE staff_sessions s SET confirmed_at = now() - interval '1 hour'
        FROM staff_members m WHERE m.staff_id = s.staff_id AND m.email = $1`,
      [email],
    );
    const closed = await operator.refused('operator.account.beginPasskey', { body: {} });
    assert.equal(reasonOf(closed), '403 step_up');
    const byPassword = await operator.refused('operator.session.stepUp', {
      body: { password: staffPassword },
    });
    assert.equal(reasonOf(byPassword), '403 confirmation');
    const { options } = await operator.done('operator.session.beginPasskeyStepUp', { body: {} });
    await operator.done('operator.session.stepUp', { body: { passkey: passkey.sign(options) } });
    await operator.done('operator.account.beginPasskey', { body: {} });
  });

  test('one that was made for another page is not added', async () => {
    const { operator } = await signedIn(service);
    const { options } = await operator.done('operator.account.beginPasskey', { body: {} });
    const credential = new SoftPasskey(origin).make(options, { origin: 'https://evil.example' });
    const refused = await operator.refused('operator.account.addPasskey', {
      body: { name: 'evil', credential },
    });
    assert.equal(reasonOf(refused), '403 confirmation');
    const { items } = await operator.done('operator.account.listPasskeys');
    assert.deepEqual(items, []);
  });

  test('the last factor stays while one is required; an administrator can remove all after a loss', async () => {
    const { member } = await withPasskey();
    const { operator, email } = member;
    const { items } = await operator.done('operator.account.listPasskeys');
    const params = { passkeyId: items[0]!.passkeyId };
    await operator.done('operator.staff.requireSecondFactor', { body: { required: true } });
    try {
      const kept = await operator.refused('operator.account.removePasskey', { params });
      assert.equal(kept.status, 409);
    } finally {
      await operator.done('operator.staff.requireSecondFactor', { body: { required: false } });
    }
    const boss = await signedIn(service);
    const { items: members } = await boss.operator.done('operator.staff.list');
    const { staffId, hasSecondFactor } = members.find((one) => one.email === email)!;
    assert.equal(hasSecondFactor, true);
    await boss.operator.done('operator.staff.removeSecondFactor', { params: { staffId } });
    assert.equal(await sessions(email), 0);
    const { operator: back } = await signedIn(service, 'administrator', email);
    assert.deepEqual((await back.done('operator.account.listPasskeys')).items, []);
  });

  test('a removed one is no longer asked for', async () => {
    const { member } = await withPasskey();
    const { items } = await member.operator.done('operator.account.listPasskeys');
    await member.operator.done('operator.account.removePasskey', {
      params: { passkeyId: items[0]!.passkeyId },
    });
    await signedIn(service, 'administrator', member.email);
    const refused = await anybody().refused('operator.session.beginPasskey', {
      body: { email: member.email, password: staffPassword },
    });
    assert.equal(refused.status, 404);
  });
});
