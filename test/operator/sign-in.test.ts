/** Accounts of staff: invitations, passwords, second factors, sessions, step-up. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operatorLimits } from '../../src/contract/operator/limits.ts';
import { codeOf, stepAt } from '../../src/sign-in/one-time-code.ts';
import { eventually } from '../harness/eventually.ts';
import { operatorOf, operatorWith } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import {
  addMember,
  cookieOf,
  decodedSecret,
  signedIn,
  staffPassword,
  withCookie,
} from '../harness/staff-member.ts';
import { inviteStaff } from '../harness/acts.ts';
import { wrongPaths } from '../harness/wrong-paths.ts';

let service: TestService;
let elapsedMs = 0;
before(async () => {
  service = await startTestService({}, { elapsedMs: () => elapsedMs });
});
after(() => service.stop());

const anybody = () => operatorWith(service, '', {});
/** Refills all quotas. */
const aMinutePasses = (): void => {
  elapsedMs += 60_000;
};
const reasonOf = ({ status, details }: { status: number; details?: unknown }) =>
  `${status} ${(details as { reason: string } | undefined)?.reason ?? ''}`;

/** The number of statements that wait for a lock. */
const blocked = async (): Promise<number> => {
  const text = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return (await sql(service.database, text)).length;
};

async function tryToSignIn(email: string, password: string, code?: string): Promise<string> {
  const body = { email, password, ...(code !== undefined && { code }) };
  const { status, body: reply } = await anybody().send('operator.session.begin', { body });
  if (status === 201) return 'signed in';
  const { error } = reply as { error: { code: string; details?: { reason: string } } };
  return error.details?.reason ?? error.code;
}

const invitationIn = (url: string): string => url.split('#invitation=')[1]!;

suite('an invitation', () => {
  const invite = (email: string) =>
    inviteStaff(service.database, 'test', { email, role: 'viewer', baseUrl: testBaseUrl });

  test('sets a password once; then its member signs in, in any case of the address', async () => {
    const { url, expiresAt } = await invite('Ada@Staff.example');
    assert.ok(url.startsWith(`${testBaseUrl}/operator/invitation#invitation=`));
    const hours = (Date.parse(expiresAt) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours < 24.1, expiresAt);
    const body = { invitation: invitationIn(url), password: staffPassword };
    const find = { body: { invitation: body.invitation } };
    const account = { email: 'ada@staff.example', role: 'viewer' };
    assert.deepEqual(await anybody().done('operator.invitation.find', find), account);
    const replies = await Promise.all(
      [1, 2, 3].map(() => anybody().send('operator.invitation.accept', { body })),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401]);
    assert.equal(
      reasonOf(await anybody().refused('operator.invitation.find', find)),
      '401 invitation',
    );
    assert.equal(await tryToSignIn('ADA@staff.example', staffPassword), 'signed in');
  });

  test('of an existing account replaces the link before, and its use ends all sessions', async () => {
    const member = await signedIn(service, 'viewer');
    const first = await invite(member.email);
    const second = await invite(member.email);
    const use = (url: string) =>
      anybody().send('operator.invitation.accept', {
        body: { invitation: invitationIn(url), password: 'quite another password' },
      });
    assert.equal((await use(first.url)).status, 401);
    assert.equal((await use(second.url)).status, 200);
    assert.equal(
      reasonOf(await member.operator.refused('operator.session.get')),
      '401 credentials',
    );
    assert.equal(await tryToSignIn(member.email, staffPassword), 'password');
    assert.equal(await tryToSignIn(member.email, 'quite another password'), 'signed in');
  });

  test('sets no password that others try first; the link is still good', async () => {
    const email = await addMember(service, 'viewer');
    const { url } = await invite(email);
    const invitation = invitationIn(url);
    for (const password of ['password12345', `${email}`]) {
      const refused = await anybody().refused('operator.invitation.accept', {
        body: { invitation, password },
      });
      assert.equal(refused.status, 400);
      assert.deepEqual(wrongPaths(refused), ['/password']);
    }
    const body = { invitation, password: staffPassword };
    await anybody().done('operator.invitation.accept', { body });
  });

  test('expires, and cannot revive a disabled account', async () => {
    const email = await addMember(service, 'viewer');
    const { url } = await invite(email);
    const body = { invitation: invitationIn(url), password: staffPassword };
    const set = (text: string) => sql(service.database, text, [email]);
    await set('UPDATE staff_members SET disabled_at = now() WHERE email = $1');
    const find = { body: { invitation: body.invitation } };
    const refusals = async () => [
      reasonOf(await anybody().refused('operator.invitation.find', find)),
      reasonOf(await anybody().refused('operator.invitation.accept', { body })),
    ];
    assert.deepEqual(await refusals(), ['401 invitation', '401 invitation']);
    await set('UPDATE staff_members SET disabled_at = NULL WHERE email = $1');
    await set(`UPDATE staff_invitations SET expires_at = now()
      WHERE staff_id = (SELECT staff_id FROM staff_members WHERE email = $1)`);
    assert.deepEqual(await refusals(), ['401 invitation', '401 invitation']);
  });

  test('409 conflict › a disabled account, another role', async () => {
    const { operator } = await signedIn(service);
    const { email } = await signedIn(service, 'viewer');
    const again = (role: 'viewer' | 'reservations') =>
      operator.refused('operator.staff.invite', { body: { email, role } });
    assert.match((await again('reservations')).message, /has the role viewer/);
    const { items } = await operator.done('operator.staff.list');
    const { staffId } = items.find((one) => one.email === email)!;
    await operator.done('operator.staff.disable', { params: { staffId }, body: {} });
    assert.match((await again('viewer')).message, /is disabled/);
  });
});

suite('signing in', () => {
  test('sets a cookie that scripts and other sites do not get; the session knows its member', async () => {
    const email = await addMember(service, 'reservations');
    const body = { email, password: staffPassword };
    const reply = await anybody().send('operator.session.begin', { body });
    const [pair, ...attributes] = (reply.headers.get('set-cookie') ?? '').split('; ');
    assert.match(pair ?? '', /^latchkey_operator=[\w-]{43}$/);
    assert.deepEqual(attributes, [
      'Path=/operator',
      'HttpOnly',
      'SameSite=Strict',
      'Max-Age=43200',
    ]);
    const session = await withCookie(service, '', pair!).done('operator.session.get');
    assert.deepEqual(
      [session.email, session.role, session.hasSecondFactor, session.confirmBy],
      [email, 'reservations', false, 'password'],
    );
  });

  test('uses no session that a cookie names already', async () => {
    const email = await addMember(service);
    const planted = `latchkey_operator=${'A'.repeat(43)}`;
    const body = { email, password: staffPassword };
    const reply = await withCookie(service, '', planted).send('operator.session.begin', { body });
    assert.notEqual(cookieOf(reply.headers), planted);
    const refusal = await withCookie(service, '', planted).refused('operator.session.get');
    assert.equal(reasonOf(refusal), '401 credentials');
  });

  test('tells nobody whether an account exists, is invited or is disabled', async () => {
    const disabled = await addMember(service);
    const text = 'UPDATE staff_members SET disabled_at = now() WHERE email = $1';
    await sql(service.database, text, [disabled]);
    const invited = 'invited@staff.example';
    const input = { email: invited, role: 'viewer', baseUrl: testBaseUrl } as const;
    await inviteStaff(service.database, 'test', input);
    for (const email of [disabled, invited, 'nobody@staff.example']) {
      assert.equal(await tryToSignIn(email, staffPassword), 'password', email);
    }
  });

  test('429 rate_limited › wrong passwords for one account; other accounts can sign in', async () => {
    aMinutePasses();
    const [attacked, other] = [await addMember(service), await addMember(service)];
    for (let count = 0; count < operatorLimits.passwordsPerMinute; count += 1) {
      assert.equal(await tryToSignIn(attacked, 'a wrong password'), 'password');
    }
    assert.equal(await tryToSignIn(attacked, staffPassword), 'rate_limited');
    assert.equal(await tryToSignIn(other, staffPassword), 'signed in');
    aMinutePasses();
    assert.equal(await tryToSignIn(attacked, staffPassword), 'signed in');
  });
});

suite('the audit trail of failed sign-ins', () => {
  const failures = async () => {
    const administrator = await operatorOf(service);
    const query = { action: 'staff.sign-in.fail', limit: 500 } as const;
    const { items } = await administrator.done('operator.audit.list', { query });
    return items.toReversed().map(({ actor, source, details }) => {
      assert.equal(source, 'console 127.0.0.1');
      const names = Object.keys(details).toSorted();
      assert.deepEqual(names, ['reason', 'userAgent']);
      return `${actor}: ${details['reason'] as string}`;
    });
  };
  const since = async (count: number) => (await failures()).slice(count);

  test('says for which account, from where and why; nothing that was typed', async () => {
    const [ada, disabled] = [await addMember(service), await addMember(service)];
    const text = 'UPDATE staff_members SET disabled_at = now() WHERE email = $1';
    await sql(service.database, text, [disabled]);
    const invited = 'not-yet@staff.example';
    const input = { email: invited, role: 'viewer', baseUrl: testBaseUrl } as const;
    await inviteStaff(service.database, 'test', input);
    const { email: careful } = await withSecondFactor();
    aMinutePasses();
    const { length } = await failures();
    assert.equal(await tryToSignIn(ada, 'a wrong password'), 'password');
    assert.equal(await tryToSignIn('typed-by-mistake@staff.example', staffPassword), 'password');
    assert.equal(await tryToSignIn(disabled, staffPassword), 'password');
    assert.equal(await tryToSignIn(invited, staffPassword), 'password');
    assert.equal(await tryToSignIn(careful, staffPassword), 'code_required');
    assert.equal(await tryToSignIn(careful, staffPassword, '000000'), 'code');
    assert.deepEqual(await since(length), [
      `staff ${ada}: password`,
      'unknown account: password',
      `staff ${disabled}: disabled`,
      `staff ${invited}: no_password`,
      `staff ${careful}: code`,
    ]);
  });

  test('has one entry a minute for tries that were refused, whether the account exists or not', async () => {
    const known = await addMember(service);
    for (const [email, actor] of [
      [known, `staff ${known}`],
      ['nobody-again@staff.example', 'unknown account'],
    ] as const) {
      aMinutePasses();
      const { length } = await failures();
      const { passwordsPerMinute } = operatorLimits;
      const results = [];
      for (let count = 0; count < passwordsPerMinute + 3; count += 1) {
        results.push(await tryToSignIn(email, 'a wrong password'));
      }
      assert.deepEqual(results.slice(-3), Array(3).fill('rate_limited'));
      assert.deepEqual(await since(length), [
        ...Array<string>(passwordsPerMinute).fill(`${actor}: password`),
        `${actor}: throttled`,
      ]);
    }
  });

  test('is not filled by anybody: one address gets a limited number of entries a minute', async () => {
    aMinutePasses();
    const { length } = await failures();
    const { address } = operatorLimits.recordedFailuresPerMinute;
    for (let count = 0; count < address + 5; count += 1) {
      assert.equal(await tryToSignIn(`flood-${count}@staff.example`, 'password'), 'password');
    }
    assert.equal((await since(length)).length, address);
    aMinutePasses();
  });

  test('names the session that could not be confirmed', async () => {
    const { operator, email } = await signedIn(service);
    const { sessionId } = await operator.done('operator.session.get');
    aMinutePasses();
    const body = { password: 'a wrong password' };
    const tries = operatorLimits.codesPerMinute + 2;
    for (let count = 0; count < tries; count += 1) {
      await operator.refused('operator.session.stepUp', { body });
    }
    const query = { action: 'staff.session.step-up.fail', actor: `staff ${email}` } as const;
    const { items } = await operator.done('operator.audit.list', { query });
    const reasons = [...Array(operatorLimits.codesPerMinute).fill('password'), 'throttled'];
    assert.deepEqual(
      items.toReversed().map(({ details }) => details),
      reasons.map((reason: string) => ({ reason, sessionId })),
    );
    aMinutePasses();
  });
});

suite('from another address', () => {
  // Spec: OPERATOR-10.
  test('nobody is locked out by the wrong passwords of somebody else', async () => {
    const proxied = await startTestService({ LATCHKEY_TRUSTED_PROXY: '127.0.0.1' });
    try {
      const email = await addMember(proxied);
      const from = (address: string, password: string) =>
        operatorWith(proxied, '', { 'x-forwarded-for': address }).send('operator.session.begin', {
          body: { email, password },
        });
      const tries = operatorLimits.passwordsPerMinute + 1;
      const wrong = await Promise.all(
        Array.from({ length: tries }, () => from('203.0.113.5', 'a wrong password')),
      );
      assert.ok(wrong.some(({ status }) => status === 429));
      assert.equal((await from('203.0.113.5', staffPassword)).status, 429);
      assert.equal((await from('198.51.100.7', staffPassword)).status, 201);
      const { items } = await (await operatorOf(proxied)).done('operator.audit.list');
      const begun = items.find(({ action }) => action === 'staff.session.begin');
      assert.equal(begun?.source, 'console 198.51.100.7');
    } finally {
      await proxied.stop();
    }
  });
});

suite('in a storm of wrong passwords', () => {
  // Spec: OPERATOR-10.
  test('from many networks, members sign in from where they did before', async () => {
    const proxied = await startTestService({ LATCHKEY_TRUSTED_PROXY: '127.0.0.1' });
    try {
      const email = await addMember(proxied);
      const from = (address: string, body: { email: string; password: string }) =>
        operatorWith(proxied, '', { 'x-forwarded-for': address }).send('operator.session.begin', {
          body,
        });
      const right = { email, password: staffPassword };
      assert.equal((await from('198.51.100.7', right)).status, 201);
      // More than can wait: each checks a password at full cost, because nobody has the account.
      const storm = Promise.allSettled(
        Array.from({ length: 60 }, (_, nth) =>
          from(`203.0.113.${nth}`, { email: `nobody-${nth}@staff.example`, password: 'wrong' }),
        ),
      );
      const signedInMeanwhile = await Promise.all(
        Array.from({ length: 5 }, () => from('198.51.100.7', right)),
      );
      assert.deepEqual(
        signedInMeanwhile.map(({ status }) => status),
        Array(5).fill(201),
      );
      const statuses = (await storm).map((one) => one.status === 'fulfilled' && one.value.status);
      assert.ok(statuses.includes(503), `the storm fills its own queue: ${statuses.join()}`);
    } finally {
      await proxied.stop();
    }
  });

  test('from one network, all accounts together have few tries; members from known networks have theirs', async () => {
    const proxied = await startTestService({ LATCHKEY_TRUSTED_PROXY: '127.0.0.1' });
    try {
      const email = await addMember(proxied);
      const from = (address: string, account: string, password: string) =>
        operatorWith(proxied, '', { 'x-forwarded-for': address }).send('operator.session.begin', {
          body: { email: account, password },
        });
      assert.equal((await from('203.0.113.5', email, staffPassword)).status, 201);
      const wrong = await Promise.all(
        Array.from({ length: operatorLimits.passwordsOfNetworkPerMinute + 2 }, (_, nth) =>
          from('203.0.113.5', `nobody-${nth}@staff.example`, 'wrong'),
        ),
      );
      assert.ok(wrong.some(({ status }) => status === 429));
      assert.equal((await from('203.0.113.5', email, staffPassword)).status, 201);
    } finally {
      await proxied.stop();
    }
  });
});

/** A member with a second factor, and its codes. */
async function withSecondFactor() {
  const member = await signedIn(service);
  const { secret } = await member.operator.done('operator.account.beginSecondFactor', { body: {} });
  const bytes = decodedSecret(secret);
  const codeIn = (steps: number): string => codeOf(bytes, stepAt(Date.now()) + steps);
  await member.operator.done('operator.account.confirmSecondFactor', { body: { code: codeIn(0) } });
  return { ...member, codeIn };
}

suite('a second factor', () => {
  test('is asked for after the right password, and each code counts once', async () => {
    const { email, codeIn } = await withSecondFactor();
    const code = codeIn(1);
    assert.equal(await tryToSignIn(email, 'a wrong password', code), 'password');
    assert.equal(await tryToSignIn(email, staffPassword), 'code_required');
    const replies = await Promise.all([1, 2].map(() => tryToSignIn(email, staffPassword, code)));
    assert.deepEqual(replies.toSorted(), ['code', 'signed in']);
    assert.equal(await tryToSignIn(email, staffPassword, code), 'code');
  });

  test('429 rate_limited › wrong codes, from any address', async () => {
    const { email } = await withSecondFactor();
    const tries = operatorLimits.codesPerMinute + 1;
    const results = [];
    for (let count = 0; count < tries; count += 1) {
      results.push(await tryToSignIn(email, staffPassword, '000000'));
    }
    assert.deepEqual(results.slice(-1), ['rate_limited']);
    aMinutePasses();
  });

  test('takes effect with a right code only; an administrator removes a lost one', async () => {
    const { operator, email } = await signedIn(service);
    const confirm = () =>
      operator.refused('operator.account.confirmSecondFactor', { body: { code: '000000' } });
    assert.equal((await confirm()).status, 409);
    await operator.done('operator.account.beginSecondFactor', { body: {} });
    assert.equal(reasonOf(await confirm()), '403 confirmation');
    assert.equal((await operator.done('operator.session.get')).hasSecondFactor, false);

    const lost = await withSecondFactor();
    const { staffId } = await lost.operator.done('operator.session.get');
    const removed = await operator.done('operator.staff.removeSecondFactor', {
      params: { staffId },
    });
    assert.deepEqual([removed.hasSecondFactor, removed.sessions], [false, 0]);
    assert.equal(await tryToSignIn(lost.email, staffPassword), 'signed in');
    assert.equal(await tryToSignIn(email, staffPassword), 'signed in');
  });
});

suite('a session', () => {
  const age = (cookie: string, set: string) =>
    sql(
      service.database,
      `UPDATE staff_sessions SET ${set} WHERE session_digest = sha256($1::bytea)`,
      [Buffer.from(cookie.split('=')[1]!)],
    );

  test('ends after twelve hours, or an hour without a call', async () => {
    for (const [alive, ended] of [
      [`expires_at = now() + interval '1 minute'`, 'expires_at = now()'],
      [`seen_at = now() - interval '59 minutes'`, `seen_at = now() - interval '60 minutes'`],
    ]) {
      const { operator, cookie } = await signedIn(service);
      await age(cookie, alive!);
      await operator.done('operator.session.get');
      await age(cookie, ended!);
      assert.equal(reasonOf(await operator.refused('operator.session.get')), '401 credentials');
    }
  });

  test('is listed and ended by its member only; signing out removes the cookie', async () => {
    const first = await signedIn(service);
    const second = await signedIn(service, 'administrator', first.email);
    const { items } = await first.operator.done('operator.session.list');
    assert.deepEqual(
      items.map(({ isCurrent }) => isCurrent),
      [false, true],
    );
    const { sessionId } = items[0]!;
    const stranger = await signedIn(service);
    const params = { sessionId };
    assert.equal(
      (await stranger.operator.refused('operator.session.endOther', { params })).status,
      404,
    );
    await first.operator.done('operator.session.endOther', { params });
    assert.equal((await second.operator.refused('operator.session.get')).status, 401);
    const { status, headers } = await first.operator.send('operator.session.end');
    assert.equal(status, 204);
    assert.match(headers.get('set-cookie') ?? '', /^latchkey_operator=; .*Max-Age=0/);
    assert.equal((await first.operator.refused('operator.session.get')).status, 401);
  });

  test('operator.session.end › 204 › twice at the same time', async () => {
    const { operator } = await signedIn(service);
    const { staffId } = await operator.done('operator.session.get');
    const client = await service.database.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM staff_sessions WHERE staff_id = $1 FOR UPDATE', [staffId]);
    const both = Promise.all([
      operator.send('operator.session.end'),
      operator.send('operator.session.end'),
    ]);
    await eventually(async () => (await blocked()) === 2);
    await client.query('COMMIT');
    await client.end();
    assert.deepEqual(
      (await both).map(({ status }) => status),
      [204, 204],
    );
  });

  test('of a disabled member has ended; enabling revives none', async () => {
    const { operator: administrator } = await signedIn(service);
    const { operator, email } = await signedIn(service, 'viewer');
    const { staffId } = await operator.done('operator.session.get');
    const input = { params: { staffId }, body: {} };
    const member = await administrator.done('operator.staff.disable', input);
    assert.deepEqual([member.state, member.sessions], ['disabled', 0]);
    assert.equal((await operator.refused('operator.session.get')).status, 401);
    assert.equal(await tryToSignIn(email, staffPassword), 'password');
    await administrator.done('operator.staff.enable', input);
    assert.equal((await operator.refused('operator.session.get')).status, 401);
    assert.equal(await tryToSignIn(email, staffPassword), 'signed in');
  });

  test('a new password ends the other sessions', async () => {
    const first = await signedIn(service);
    const second = await signedIn(service, 'administrator', first.email);
    const body = { password: 'quite another password' };
    await first.operator.done('operator.account.changePassword', { body });
    await first.operator.done('operator.session.get');
    assert.equal((await second.operator.refused('operator.session.get')).status, 401);
    assert.equal(await tryToSignIn(first.email, body.password), 'signed in');
  });

  test('403 step_up › ten minutes after the password, until it is given again', async () => {
    const { operator, cookie } = await signedIn(service);
    const issue = { body: { name: 'a script', role: 'viewer' } } as const;
    await operator.done('operator.token.issue', issue);
    await age(cookie, `confirmed_at = now() - interval '10 minutes'`);
    assert.equal(reasonOf(await operator.refused('operator.token.issue', issue)), '403 step_up');
    const wrong = { body: { password: 'a wrong password' } };
    assert.equal(
      reasonOf(await operator.refused('operator.session.stepUp', wrong)),
      '403 confirmation',
    );
    await operator.done('operator.session.stepUp', { body: { password: staffPassword } });
    await operator.done('operator.token.issue', issue);
  });

  test('a second factor confirms by code, not by password', async () => {
    const { operator, codeIn } = await withSecondFactor();
    assert.equal((await operator.done('operator.session.get')).confirmBy, 'code');
    const stepUp = (body: object) => operator.send('operator.session.stepUp', { body });
    assert.equal((await stepUp({ password: staffPassword })).status, 403);
    assert.equal((await stepUp({ code: codeIn(1) })).status, 200);
    assert.equal((await stepUp({ code: codeIn(1) })).status, 403);
  });
});

suite('administrators', () => {
  test('change roles with effect on the next call, but not their own', async () => {
    const { operator } = await signedIn(service);
    const viewer = await signedIn(service, 'viewer');
    const { staffId } = await viewer.operator.done('operator.session.get');
    assert.equal(reasonOf(await viewer.operator.refused('operator.staff.list')), '403 role');
    const change = { params: { staffId }, body: { role: 'administrator' } } as const;
    await operator.done('operator.staff.change', change);
    await viewer.operator.done('operator.staff.list');
    assert.equal((await viewer.operator.refused('operator.staff.change', change)).status, 409);
    const { items } = await operator.done('operator.audit.list', { query: { limit: 1 } });
    const [entry] = items;
    assert.deepEqual(
      [entry?.actor, entry?.source, entry?.action, entry?.details],
      [
        operator.name,
        'console 127.0.0.1',
        'staff.set-role',
        { email: viewer.email, before: 'viewer', after: 'administrator' },
      ],
    );
  });

  test('409 conflict › two disable and demote each other at the same time: one is left', async () => {
    const onlyOnes = 'UPDATE staff_members SET disabled_at = now() WHERE role = $1';
    await sql(service.database, onlyOnes, ['administrator']);
    const [ada, eve] = [await signedIn(service), await signedIn(service)];
    const idOf = async ({ operator }: typeof ada) =>
      (await operator.done('operator.session.get')).staffId;
    const [adaId, eveId] = [await idOf(ada), await idOf(eve)];
    // Both calls have begun before either can change anything.
    const calls = await service.database.transaction(async (executor) => {
      await sql(executor, 'SELECT 1 FROM staff_members FOR UPDATE');
      const begun = [
        ada.operator.send('operator.staff.disable', { params: { staffId: eveId }, body: {} }),
        eve.operator.send('operator.staff.change', {
          params: { staffId: adaId },
          body: { role: 'viewer' },
        }),
      ];
      await eventually(async () => (await blocked()) === begun.length);
      return begun;
    });
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409]);
    const left = `SELECT email FROM staff_members WHERE role = 'administrator' AND disabled_at IS NULL`;
    assert.equal((await sql(service.database, left)).length, 1);
    // A script cannot either, even if somebody is invited.
    const script = await operatorOf(service);
    await inviteStaff(service.database, 'test', {
      email: 'next@staff.example',
      role: 'administrator',
      baseUrl: testBaseUrl,
    });
    const staffId = statuses[0] === 200 ? adaId : eveId;
    const disable = { params: { staffId }, body: {} };
    assert.match(
      (await script.refused('operator.staff.disable', disable)).message,
      /No other administrator can sign in/,
    );
    await signedIn(service);
    assert.equal((await script.done('operator.staff.disable', disable)).state, 'disabled');
  });

  test('revoke tokens with effect on the next call', async () => {
    const { operator } = await signedIn(service);
    const { token, tokenId } = await operator.done('operator.token.issue', {
      body: { name: 'a script', role: 'viewer', expiresInDays: 1 },
    });
    const script = operatorWith(service, '', { authorization: `Bearer ${token}` });
    await script.done('operator.audit.list');
    const revoked = await operator.done('operator.token.revoke', { params: { tokenId }, body: {} });
    assert.equal(revoked.state, 'revoked');
    assert.equal((await script.refused('operator.audit.list')).status, 401);
    const { items } = await operator.done('operator.token.list');
    assert.ok(items.every((one) => !JSON.stringify(one).includes(token)));
  });
});

suite('the audit trail', () => {
  test('nobody changes or removes an entry, by any statement', async () => {
    await operatorOf(service);
    for (const text of [
      `UPDATE audit_entries SET actor = 'somebody else'`,
      'DELETE FROM audit_entries',
      'TRUNCATE audit_entries CASCADE',
    ]) {
      await assert.rejects(sql(service.database, text), /cannot be changed/, text);
    }
  });
});
