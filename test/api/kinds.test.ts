/** The order of the steps, and that a row cannot declare what nothing enforces. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import Type from 'typebox';
import type { Actor } from '../../src/api/call.ts';
import { kindsFor, stepsOfKind } from '../../src/api/kinds.ts';
import { stepsOf } from '../../src/api/mount.ts';
import type { Operation } from '../../src/api/operation.ts';
import { type CommonErrorCode, refuse } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/rows.ts';
import { again } from '../../src/api/operation.ts';
import * as staff from './staff-surface.ts';

const surface = staff.staffSurface(
  { notes: new Map(), remembered: new Map() },
  staff.sharedQuota(1).port,
);

/** "Several things wrong at once", without the route, which comes before any step. */
const order = [
  'authenticate',
  'standing',
  'grant',
  'interfere',
  'parse',
  'validate',
  'play',
  'load',
  'session',
  'settlement',
  'repeat',
  'quota',
  'dailyLimit',
  'identity',
  'version',
  'alive',
  'stateAllows',
  'decide',
  'write',
  'reply',
];

const namesOf = (kind: keyof typeof stepsOfKind): string[] =>
  stepsOfKind[kind].map(({ name }) => name);

const tagged = {
  'note.show': { ...staff.staffRows['staff.note.get'], etag: 'show' },
  'note.revalidate': { ...staff.staffRows['staff.note.get'], etag: 'revalidate' },
} as const satisfies Record<string, Row>;

suite('kinds', () => {
  for (const kind of ['read', 'create', 'command'] as const) {
    // Spec: ERROR-3.
    test(`${kind} › its steps are in the order of the specification`, () => {
      const names = namesOf(kind);
      assert.deepEqual(
        names,
        order.filter((name) => names.includes(name)),
      );
      for (const name of ['authenticate', 'grant', 'validate', 'session', 'settlement', 'quota']) {
        assert.ok(names.includes(name), name);
      }
    });
  }

  test('create and command › what has expired is refused before the operation decides', () => {
    for (const kind of ['create', 'command'] as const) {
      const names = namesOf(kind);
      assert.ok(names.includes('alive') && names.indexOf('alive') < names.indexOf('decide'), kind);
    }
  });

  test('createFirst › asks for a repeat only after the write', () => {
    const names = namesOf('createFirst');
    const others = names.filter((name) => name !== 'repeat');
    assert.deepEqual(
      others,
      order.filter((name) => others.includes(name)),
    );
    assert.deepEqual(names.slice(-3), ['write', 'repeat', 'reply']);
  });

  test('act › the quota comes before the body', () => {
    const names = namesOf('act');
    assert.ok(names.indexOf('quota') < names.indexOf('parse'));
    assert.ok(names.indexOf('standing') < names.indexOf('quota'));
  });

  test('act › whoever may not call it, or has to prove who it is, is refused before the body', () => {
    const names = namesOf('act');
    const admission = ['grant', 'membersOnly', 'stepUp', 'parse'];
    assert.deepEqual(
      names.filter((name) => admission.includes(name)),
      admission,
    );
  });

  test('every kind › has a quota step, and all but enter authenticate', () => {
    for (const kind of Object.keys(stepsOfKind) as (keyof typeof stepsOfKind)[]) {
      assert.ok(namesOf(kind).includes('quota'), kind);
      assert.equal(namesOf(kind).includes('authenticate'), kind !== 'enter', kind);
    }
  });

  const row: Row = staff.staffRows['staff.note.get'];
  const bound = (kind: Operation['kind']): Operation => ({
    id: 'staff.note.get',
    kind,
    handler: { reply: () => ({ status: 200 }) },
  });

  test('a row › gets the steps that it needs and no others', () => {
    const names = new Set(stepsOf(surface, row, bound('read')).map(({ name }) => name));
    assert.ok(!names.has('session') && !names.has('load'));
    const sessions = { ownerOf: () => '', loaded: () => null, find: () => 1, refusal: () => null };
    const guarded = stepsOf(
      { ...surface, sessions },
      { ...row, session: 'required' },
      bound('read'),
    );
    assert.ok(guarded.some(({ name }) => name === 'session'));
  });

  const taking: Row = { ...row, body: Type.Object({ version: Type.Integer() }) };
  const mistakes: [name: string, row: Row, kind: Operation['kind'], message: RegExp][] = [
    ['a versioned row that is read', { ...row, versioned: true }, 'read', /version/],
    ['a row that creates and is read', { ...row, creates: 'noteId' }, 'read', /repeat/],
    ['a row with credentials as enter', row, 'enter', /authenticate/],
    ['a row for members only that is read', { ...row, membersOnly: true }, 'read', /membersOnly/],
    ['a row of what staff have seen that is read', { ...taking, seen: 'version' }, 'read', /seen/],
    ['a row of what staff have seen that does not declare it', taking, 'act', /takes version/],
    [
      'a row that takes another number than it declares',
      { ...taking, seen: 'expectedDue' },
      'act',
      /takes version/,
    ],
    [
      'a row of what staff have seen that does not take it',
      { ...row, seen: 'expectedVersion' },
      'act',
      /declares expectedVersion/,
    ],
    ['a row with a step-up that is read', { ...row, stepUp: true }, 'read', /stepUp/],
    ['a step-up that the surface cannot check', { ...row, stepUp: true }, 'act', /stepUp of/],
    ['members that it does not know', { ...row, membersOnly: true }, 'act', /membersOnly of/],
    [
      'a session that the surface cannot check',
      { ...row, session: 'required' },
      'read',
      /sessions/,
    ],
    ['a settlement that it does not know', { ...row, settlement: 'card' }, 'read', /settlement/],
    ['a row that reserves and is read', { ...row, reserves: true }, 'read', /dailyLimit/],
    [
      'a daily limit that it does not know',
      { ...row, reserves: true, versioned: true },
      'command',
      /dailyLimit of/,
    ],
  ];
  for (const [name, mistaken, kind, message] of mistakes) {
    test(`the service does not start › ${name}`, () => {
      assert.throws(() => stepsOf(surface, mistaken, bound(kind)), message);
    });
  }

  test('the service does not start › a row with a scope on a surface without scopes', () => {
    const { grant: _, ...scopeless } = surface;
    assert.throws(() => stepsOf(scopeless, row, bound('act')), /grant of staff/);
  });

  test('the service does not start › a change bound as a read on a surface with cookies', () => {
    const withCookies = { ...surface, sameSite: () => null };
    const changing: Row = { ...row, method: 'POST' };
    assert.throws(() => stepsOf(withCookies, changing, bound('read')), /sameSite/);
    const names = stepsOf(withCookies, changing, bound('act')).map(({ name }) => name);
    assert.ok(names.includes('sameSite'));
  });

  // These lines are checked by the compiler: each comment fails when its line compiles.
  test('what cannot be written', () => {
    const { read, create, command } = staff;
    const { read: readTagged } = kindsFor<typeof tagged, unknown, Actor, CommonErrorCode>();
    const note = { noteId: '', text: '', version: 1 };
    const all = () => [
      // @ts-expect-error a versioned row cannot be bound as a read
      read('staff.note.change', { reply: () => ({ status: 200, body: note }) }),
      // @ts-expect-error a public row cannot be bound as a read
      read('staff.session.begin', { reply: () => ({ status: 201, body: { key: '' } }) }),
      // @ts-expect-error the row does not declare this code
      read('staff.note.get', { reply: () => refuse('resync_required') }),
      read('staff.note.get', {
        // @ts-expect-error the row does not declare this code
        load: () => refuse('quote_expired'),
        reply: () => ({ status: 200, body: note }),
      }),
      read('staff.note.get', {
        // @ts-expect-error the row does not declare this code
        load: ({ params }) => (params.noteId === '' ? refuse('quote_expired') : note),
        reply: () => ({ status: 200, body: note }),
      }),
      // @ts-expect-error the row does not declare this status
      read('staff.note.get', { reply: () => ({ status: 202, body: note }) }),
      // @ts-expect-error the kernel says that the caller has the content, no handler
      readTagged('note.revalidate', { reply: () => ({ status: 304, etag: '"1"' }) }),
      // @ts-expect-error a row that shows an ETag cannot leave it out
      readTagged('note.show', { reply: () => ({ status: 200, body: note }) }),
      // @ts-expect-error a row that is revalidated cannot leave out the ETag
      readTagged('note.revalidate', { reply: () => ({ status: 200, bytes: [] }) }),
      // @ts-expect-error a row that is revalidated has prepared bytes, which the ETag is of
      readTagged('note.revalidate', { reply: () => ({ status: 200, body: note, etag: '"1"' }) }),
      readTagged('note.show', { reply: () => ({ status: 200, body: note, etag: '"1"' }) }),
      readTagged('note.revalidate', { reply: () => ({ status: 200, bytes: [], etag: '"1"' }) }),
      read('staff.note.get', {
        // @ts-expect-error a handler cannot reach the quota
        reply: ({ quota }) => ({ status: 200, body: quota }),
      }),
      // @ts-expect-error a create without decide and write
      create('staff.note.add', { load: () => ({ existingDigest: null }), reply: () => note }),
      // @ts-expect-error a command cannot leave out the version
      command('staff.note.change', {
        load: () => ({}),
        repeated: () => null,
        alive: () => null,
        stateAllows: () => null,
        decide: () => again,
        write: () => again,
        reply: () => ({ status: 200 as const, body: note }),
      }),
      // @ts-expect-error an operation without a handler
      { 'staff.note.get': undefined } satisfies typeof staff.staffOperations,
    ];
    assert.equal(typeof all, 'function');
  });
});
