/** A third surface, made of nothing but rows, a way to authenticate, and handlers. Its notes are in memory. */
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import Type from 'typebox';
import type { Actor } from '../../src/api/call.ts';
import { canonicalJson } from '../../src/api/identity.ts';
import { kindsFor } from '../../src/api/kinds.ts';
import { mount } from '../../src/api/mount.ts';
import { again, type Operation } from '../../src/api/operation.ts';
import { createServer } from '../../src/api/server.ts';
import type { QuotaPort, Surface } from '../../src/api/surface.ts';
import { refuse, type CommonErrorCode } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/rows.ts';

export interface Note {
  noteId: string;
  text: string;
  version: number;
}

const noteBody = Type.Object({
  noteId: Type.String(),
  text: Type.String(),
  version: Type.Integer(),
});
const notePath = Type.Object({ noteId: Type.String({ format: 'uuid' }) });
const closed = { additionalProperties: false } as const;

export const staffRows = {
  'staff.session.begin': {
    method: 'POST',
    path: '/staff/v1/session',
    tag: 'Staff',
    summary: 'Begin a session',
    public: true,
    body: Type.Object({ name: Type.String() }, closed),
    reply: { 201: Type.Object({ key: Type.String() }) },
    errors: [],
  },
  'staff.note.get': {
    method: 'GET',
    path: '/staff/v1/notes/{noteId}',
    tag: 'Staff',
    summary: 'Read a note',
    scope: 'notes.read',
    tier: 'staff',
    params: notePath,
    reply: { 200: noteBody },
    errors: ['not_found'],
  },
  'staff.note.add': {
    method: 'POST',
    path: '/staff/v1/notes',
    tag: 'Staff',
    summary: 'Add a note',
    scope: 'notes.write',
    tier: 'staff',
    creates: 'noteId',
    body: Type.Object(
      { noteId: Type.Optional(Type.String({ format: 'uuid' })), text: Type.String() },
      closed,
    ),
    reply: { 200: noteBody, 201: noteBody },
    errors: ['conflict'],
  },
  'staff.note.change': {
    method: 'PATCH',
    path: '/staff/v1/notes/{noteId}',
    tag: 'Staff',
    summary: 'Change a note',
    scope: 'notes.write',
    tier: 'staff',
    versioned: true,
    params: notePath,
    body: Type.Object(
      {
        expectedVersion: Type.Optional(Type.Integer({ minimum: 1 })),
        text: Type.String(),
      },
      closed,
    ),
    reply: { 200: noteBody },
    errors: ['not_found', 'precondition_failed', 'invalid_state'],
  },
} as const satisfies Record<string, Row>;

/** Somebody of the staff. */
export interface StaffActor extends Actor {
  name: string;
  grants: readonly string[];
}

interface StoredNote extends Note {
  digest: Buffer;
  commands: string[];
}

/** What the handlers work with. */
export interface StaffContext {
  notes: Map<string, StoredNote>;
  /** What a process remembers, which may be out of date. */
  remembered: Map<string, StoredNote>;
}

export const { read, create, command, enter } = kindsFor<
  typeof staffRows,
  StaffContext,
  StaffActor,
  CommonErrorCode
>();

const view = ({ noteId, text, version }: Note): Note => ({ noteId, text, version });

interface FoundNote {
  note: StoredNote;
  isRemembered: boolean;
}

export const staffOperations: {
  [Id in keyof typeof staffRows]: Operation<Id>;
} = {
  'staff.session.begin': enter('staff.session.begin', {
    reply: ({ body }) => ({ status: 201, body: { key: body.name }, cookie: `staff=${body.name}` }),
  }),
  'staff.note.get': read('staff.note.get', {
    load: async ({ context, params }) => context.notes.get(params.noteId),
    reply: (_call, note) => ({ status: 200, body: view(note) }),
  }),
  'staff.note.add': create('staff.note.add', {
    load: ({ context, resourceId }) => {
      const note = context.notes.get(resourceId);
      return { note, existingDigest: note?.digest ?? null };
    },
    alive: () => null,
    decide: ({ body, resourceId, inputDigest }) => ({
      noteId: resourceId,
      text: body.text,
      version: 1,
      digest: inputDigest,
      commands: [],
    }),
    write: ({ context }, note: StoredNote) => {
      context.notes.set(note.noteId, note);
      context.remembered.set(note.noteId, note);
      return note;
    },
    reply: (_call, note) => ({ status: 201, body: view(note) }),
    repeat: (_call, { note }) => ({ status: 200, body: view(note!) }),
  }),
  'staff.note.change': command('staff.note.change', {
    remembered: ({ context, params }): FoundNote | null => {
      const note = context.remembered.get(params.noteId);
      return note ? { note, isRemembered: true } : null;
    },
    load: async ({ context, params }): Promise<FoundNote | undefined> => {
      const note = context.notes.get(params.noteId);
      return note && { note, isRemembered: false };
    },
    repeated: ({ note, isRemembered }) =>
      !isRemembered && note.commands.includes(note.digest.toString('hex')) ? note : null,
    versionOf: ({ note }) => note.version,
    alive: () => null,
    stateAllows: (_call, { note }) => (note.text === 'closed' ? refuse('invalid_state') : null),
    decide: ({ body }, { note }) => ({ ...note, text: body.text, version: note.version + 1 }),
    write: ({ context, params, expectedVersion }, next: StoredNote) => {
      if (context.notes.get(params.noteId)?.version !== expectedVersion) return again;
      context.notes.set(next.noteId, next);
      return next;
    },
    reply: (_call, note) => ({ status: 200, body: view(note) }),
  }),
};

/** An asynchronous quota, like one that processes share. */
export function sharedQuota(calls: number) {
  const state = { left: calls, log: [] as string[] };
  const later = <T>(name: string, value: () => T): Promise<T> =>
    new Promise((resolve) => {
      setImmediate(() => {
        state.log.push(name);
        resolve(value());
      });
    });
  const port: QuotaPort<StaffActor> = {
    consume: () =>
      later('consume', () => {
        if (state.left === 0) return { ...refuse('rate_limited'), retryAfterSeconds: 7 };
        state.left -= 1;
        return null;
      }),
    repeat: async () => null,
    refund: () =>
      later('refund', () => {
        state.left += 1;
      }),
    debit: () =>
      later('debit', () => {
        state.left = Math.max(0, state.left - 1);
      }),
    state: () =>
      later('state', () => ({
        name: 'staff',
        perMinute: calls,
        remaining: state.left,
        fullInSeconds: 1,
      })),
  };
  return { state, port };
}

const keys: Readonly<Record<string, StaffActor>> = {
  reader: { applicationId: null, name: 'reader', grants: ['notes.read'] },
  writer: { applicationId: null, name: 'writer', grants: ['notes.read', 'notes.write'] },
};

export const staffSurface = (
  context: StaffContext,
  quota: QuotaPort<StaffActor>,
): Surface<StaffActor, string> => ({
  name: 'staff',
  rows: staffRows,
  operations: staffOperations,
  context,
  challenge: 'Staff realm="latchkey"',
  authenticate: ({ headers }) => String(headers['x-staff-key'] ?? ''),
  standing: (key) => keys[key] ?? refuse('unauthenticated'),
  grant: ({ grants }, scope) =>
    grants.includes(scope) ? null : refuse('forbidden', { reason: 'scope' }),
  sameSite: null,
  quota,
  digests: (input) => [createHash('sha256').update(canonicalJson(input)).digest()],
});

/** A server with no other surface than this one. */
export function staffServer(calls = 100): {
  app: FastifyInstance;
  context: StaffContext;
  quota: ReturnType<typeof sharedQuota>['state'];
} {
  const context: StaffContext = { notes: new Map(), remembered: new Map() };
  const { state, port } = sharedQuota(calls);
  const app = createServer({ tls: null, trustedProxy: null, logger: false, connections: 100 });
  mount(app, staffSurface(context, port));
  return { app, context, quota: state };
}
