/** Every role × every operation of the operator's API, and what else guards each of them. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { TInteger } from 'typebox';
import {
  operatorOperationIds,
  operatorRowOf,
  type OperatorOperationId,
} from '../../src/contract/operator/operations.ts';
import { changesSomething } from '../../src/contract/rows.ts';
import { type Role, roles } from '../../src/contract/operator/roles.ts';
import { type Operator, operatorOf, operatorWith } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { signedIn } from '../harness/staff-member.ts';
import { allowed, contentMay, financeMay } from './allowed.ts';

let service: TestService;
let elapsedMs = 0;
before(async () => {
  service = await startTestService({}, { elapsedMs: () => elapsedMs });
});
// All tests call from one address: each has the calls of a minute, however fast it is.
beforeEach(() => {
  elapsedMs += 60_000;
});
after(() => service.stop());

const ends: OperatorOperationId = 'operator.session.end';
// Signing out is last: it ends the session of the other calls.
const all = [...operatorOperationIds.filter((id) => id !== ends), ends];
const closed = all.filter((id) => allowed[id][3] === 'out' && id !== ends);
const changing = operatorOperationIds.filter((id) => changesSomething(operatorRowOf(id)));

const replyOf = (id: OperatorOperationId): Readonly<Record<number, unknown>> =>
  operatorRowOf(id).reply;

const someId = '01a406c7-566a-7c77-a1e5-969f7edd4981';

/** Calls an operation so that it changes nothing: IDs of nothing, and a body that is never valid. */
async function attempt(
  caller: Operator,
  id: OperatorOperationId,
  headers: Record<string, string> = {},
): Promise<string> {
  const { params, body } = operatorRowOf(id);
  const names = Object.keys(params?.properties ?? {});
  const input = {
    params: Object.fromEntries(names.map((name) => [name, someId])),
    ...(body && { body: [] }),
  } as never;
  const { status, body: reply } = await caller.send(id, input, headers);
  const { error } = (reply ?? {}) as { error?: { details?: { reason?: string } } };
  assert.notEqual(status, 429, 'the calls are more than the quota of the test');
  return [401, 403].includes(status) ? `${status} ${error?.details?.reason ?? ''}` : 'allowed';
}

const expectEach = async (
  ids: readonly OperatorOperationId[],
  result: (id: OperatorOperationId) => Promise<string>,
  expected: (id: OperatorOperationId) => string,
): Promise<void> => {
  for (const id of ids) assert.equal(await result(id), expected(id), id);
};

test('the table of what is allowed has every operation', () => {
  assert.deepEqual(Object.keys(allowed).toSorted(), operatorOperationIds.toSorted());
});

const beyondViewer =
  (may: ReadonlySet<OperatorOperationId>) =>
  (id: OperatorOperationId): (typeof allowed)[OperatorOperationId][2] =>
    may.has(id) ? (allowed[id][0] === 'person' ? 'person' : 'yes') : allowed[id][2];

const resultsOfRoles: Readonly<
  Record<Role, (id: OperatorOperationId) => (typeof allowed)[OperatorOperationId][0 | 1 | 2]>
> = {
  administrator: (id) => allowed[id][0],
  reservations: (id) => allowed[id][1],
  content: beyondViewer(contentMay),
  finance: beyondViewer(financeMay),
  viewer: (id) => allowed[id][2],
};

for (const role of roles) {
  const resultOf = resultsOfRoles[role];

  suite(`the role ${role}`, () => {
    // Spec: OPERATOR-1.
    test('in a session: what the table allows', async () => {
      const { operator } = await signedIn(service, role);
      const expected = { yes: 'allowed', person: 'allowed', member: 'allowed', no: '403 role' };
      await expectEach(
        all,
        (id) => attempt(operator, id),
        (id) => expected[resultOf(id)],
      );
    });

    test('by token: the same, without what is for members only or would outlive it', async () => {
      const operator = await operatorOf(service, role);
      const expected = {
        yes: 'allowed',
        person: '403 step_up',
        member: '403 members_only',
        no: '403 role',
      };
      // The others take no token, and their calls are counted by address.
      await expectEach(
        [...closed, ends],
        (id) => attempt(operator, id),
        (id) => expected[resultOf(id)],
      );
    });
  });
}

test('without credentials: what the table allows', async () => {
  const caller = operatorWith(service, '', {});
  const expected = { yes: 'allowed', out: '401 credentials' };
  await expectEach(
    all,
    (id) => attempt(caller, id),
    (id) => expected[allowed[id][3]],
  );
});

test('with unknown credentials, or with both kinds and a wrong token: 401', async () => {
  const { cookie } = await signedIn(service);
  for (const headers of [
    { authorization: 'Bearer lko_unknown' },
    { authorization: 'Basic eDp4', cookie },
    { cookie: 'latchkey_operator=unknown' },
    { cookie: 'latchkey_portal=unknown' },
  ]) {
    const caller = operatorWith(service, '', headers as Record<string, string>);
    await expectEach(
      closed,
      (id) => attempt(caller, id),
      () => '401 credentials',
    );
  }
});

test('from the page of another site: every change is refused, in a session and without one', async () => {
  const { operator } = await signedIn(service);
  for (const header of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
  ]) {
    const headers = header as Record<string, string>;
    await expectEach(
      changing,
      (id) => attempt(operator, id, headers),
      () => '403 cross_site',
    );
  }
});

test('a session that confirmed nothing recently has no access to secrets and money', async () => {
  const { operator, email } = await signedIn(service);
  const text = `UPDATE staff_sessions s SET confirmed_at = now() - interval '1 hour'
    FROM staff_members m WHERE m.staff_id = s.staff_id AND m.email = $1`;
  await sql(service.database, text, [email]);
  const expected = (id: OperatorOperationId) =>
    allowed[id][4] === 'confirmed' ? '403 step_up' : 'allowed';
  await expectEach(closed, (id) => attempt(operator, id), expected);
});

const accessGivers: ReadonlySet<OperatorOperationId> = new Set([
  'operator.application.create',
  'operator.application.change',
  'operator.application.resume',
  'operator.staff.invite',
  'operator.staff.change',
  'operator.staff.enable',
  'operator.token.issue',
]);

// Spec: OPERATOR-3.
test('every operation that shows a secret, moves money or gives access asks for a step-up', () => {
  const paths = new Set(operatorOperationIds.map((id) => operatorRowOf(id).path as string));
  const showsSecret = (id: OperatorOperationId): boolean =>
    /Shown once|A secret|The secret/.test(
      JSON.stringify([201, 200].map((status) => replyOf(id)[status])),
    );
  const movesMoney = (id: OperatorOperationId): boolean => {
    const { path, scope } = operatorRowOf(id);
    return scope === 'money' && !/\/(?:preview|reconcile)$/.test(path);
  };
  const hasPreview = (id: OperatorOperationId) => paths.has(`${operatorRowOf(id).path}/preview`);
  const givesAccess = (id: OperatorOperationId): boolean => accessGivers.has(id);
  const open = closed.filter((id) => {
    const isCritical = showsSecret(id) || movesMoney(id) || hasPreview(id) || givesAccess(id);
    return isCritical && changesSomething(operatorRowOf(id)) && !operatorRowOf(id).stepUp;
  });
  // Neither secrets nor money: a price for one night, or the form of a home, needs no password either. Of
  // reservations, what moves money asks for it: another price, a payment link.
  assert.deepEqual(open.toSorted(), [
    'operator.listing.replaceText',
    'operator.rate.set',
    'operator.reservation.change',
    'operator.reservation.create',
  ]);
});

test('what staff have seen is a number, in every operation that takes it', () => {
  const declared = operatorOperationIds
    .map((id) => operatorRowOf(id))
    .filter(({ seen }) => seen !== undefined);
  assert.ok(declared.length >= 7, String(declared.length));
  for (const { seen, body, path } of declared) {
    const member = body?.properties[seen!] as TInteger | undefined;
    assert.equal(member?.type, 'integer', path);
  }
});

test('the pages cannot be framed, and run only scripts of this service', async () => {
  for (const path of ['/operator', '/operator/staff', '/operator/invitation']) {
    const { status, headers } = await fetch(`${service.origin}${path}`);
    assert.equal(status, 200, path);
    assert.equal(headers.get('x-frame-options'), 'DENY');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /script-src 'self'/);
    assert.doesNotMatch(policy, /unsafe-(inline|eval)/);
  }
});

test('the simulation refuses what it does not have: blocks, and calendars of other channels', async () => {
  const staff = await operatorOf(service);
  const listing = 'any';
  const [from, to, url] = ['2027-03-01', '2027-03-02', 'https://channel.example/1.ics'];
  const file = { name: 'a.ics', file: '' };
  const refusals = [
    staff.refused('operator.block.add', { body: { listing, from, to } }),
    staff.refused('operator.channelCalendar.add', { body: { listing, url } }),
    staff.refused('operator.channelCalendar.import', { body: { listing, ...file } }),
    staff.refused('operator.channelCalendar.address', { body: { listing } }),
    staff.refused('operator.channelCalendar.refresh', { params: { calendarId: someId }, body: {} }),
  ];
  for (const { status, message } of await Promise.all(refusals)) {
    assert.equal(status, 409);
    assert.match(
      message,
      /Availability in the simulation is artificial: it has no (blocks|channel calendars)/,
    );
  }
});
