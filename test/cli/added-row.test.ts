/** A row with a command's name is enough: the operation, its document, the command with help and its reference follow. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import Type from 'typebox';
import { mount } from '../../src/api/mount.ts';
import type { Operation } from '../../src/api/operation.ts';
import type { Seen } from '../../src/api/seen.ts';
import { createServer } from '../../src/api/server.ts';
import { boundAct } from '../../src/api/staff-acts.ts';
import type { CommandContext } from '../../src/cli/command.ts';
import { type Invocation, readInvocation } from '../../src/cli/invocation.ts';
import { nounsOf } from '../../src/cli/nouns.ts';
import { withReference } from '../../src/cli/reference.ts';
import { commandsOf } from '../../src/cli/row-commands.ts';
import { isRefusal, refuseBecause } from '../../src/contract/errors.ts';
import { operatorDocument } from '../../src/contract/operator/openapi.ts';
import { previewIdOf, withPreviews } from '../../src/contract/operator/previews.ts';
import type { OperatorRow } from '../../src/contract/operator/row.ts';

const id = 'operator.lamp.dim';
const path = '/operator/v1/lamps/{lampId}/dim';
const Lamp = Type.Object(
  { lampId: Type.String(), version: Type.Integer(), dimmed: Type.Unknown() },
  { $id: 'Lamp', description: 'A lamp.' },
);
const inner = { minimum: 0, maximum: 9 };
const row: OperatorRow = {
  method: 'POST',
  path,
  tag: 'Homes',
  summary: 'Dim a lamp',
  description: 'It stays dim until somebody changes it.',
  params: Type.Object({ lampId: Type.String({ format: 'uuid', description: 'The lamp.' }) }),
  body: Type.Object(
    {
      expectedVersion: Type.Optional(Type.Integer({ minimum: 1, description: 'As you saw it.' })),
      from: Type.Optional(Type.String({ format: 'date', description: 'The first evening.' })),
      to: Type.Optional(Type.String({ format: 'date', description: 'The last evening.' })),
      words: Type.Optional(Type.Array(Type.String({ maxLength: 9 }), { description: 'Words.' })),
      steps: Type.Optional(Type.Array(Type.Integer(inner), { description: 'Steps.' })),
      colour: Type.Optional(
        Type.Object({
          red: Type.Integer({ ...inner, description: 'How red.' }),
          blue: Type.Optional(Type.Integer({ ...inner, description: 'How blue.' })),
        }),
      ),
      reason: Type.String({ minLength: 1, maxLength: 20, description: 'Why.' }),
    },
    { $id: 'DimLamp', description: 'How a lamp is dimmed.', additionalProperties: false },
  ),
  seen: 'expectedVersion',
  previews: true,
  reply: { 200: Lamp },
  errors: ['precondition_failed', 'conflict'],
  command: { name: 'staff dim', inOrder: ['from', 'to'], prints: ['lampId', 'dimmed'] },
};
const rows = withPreviews({ [id]: row }) as Record<string, OperatorRow>;

interface LampCall {
  params: { lampId: string };
  body: { reason: string };
  seen: Seen;
  dryRun: boolean;
}

function dim(call: unknown) {
  const { params, body, seen, dryRun } = call as LampCall;
  if (!seen.isCurrent(7)) return refuseBecause('precondition_failed', 'The lamp is at 7.');
  if (body.reason === 'no') return refuseBecause('precondition_failed', 'The lamp is hot.');
  return { ...params, version: dryRun ? 7 : 8, dimmed: body };
}

const { preview, ...act } = boundAct(id, row, dim);
const operations = { [id]: act, [preview!.id]: preview! };
const nouns = nounsOf(commandsOf(rows, operations));
const lampId = '0190d1a2-0000-7000-8000-00000000000a';
const words = `staff dim --lamp ${lampId.toUpperCase()} --reason dusk`.split(' ');

const read = (...more: string[]): Invocation => readInvocation([...words, ...more], nouns);

/** Runs the command line, on a machine without a database. */
async function run(...more: string[]) {
  const invocation = read(...more);
  assert.ok(invocation.kind === 'command', JSON.stringify(invocation));
  const { command, values } = invocation;
  assert.ok('run' in command);
  const context = { environment: 'test', actor: 'cli:ada', openProvider: async () => null };
  return command.run(context as unknown as CommandContext, values as never);
}

const allowed = () => Promise.resolve(null);

function served() {
  const app = createServer({
    tls: null,
    trustedProxy: null,
    logger: { level: 'silent', base: null, timestamp: false, stream: { write: () => undefined } },
    connections: 10,
  });
  mount(app, {
    name: 'operator',
    rows,
    operations: operations as Record<string, Operation>,
    context: {},
    authenticate: () => 'ada',
    standing: () => ({ applicationId: null }),
    sameSite: null,
    quota: {
      consume: allowed,
      repeat: allowed,
      refund: async () => {},
      debit: async () => {},
      state: allowed,
    },
  });
  return async (address: string, payload: object) => {
    const headers = { host: 'latchkey.test' };
    const response = await app.inject({ method: 'POST', url: address, headers, payload });
    return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
  };
}

suite('a row with the name of a command', () => {
  test('has an operation, and one for its preview, which needs no reason', async () => {
    const call = served();
    const address = `/operator/v1/lamps/${lampId}/dim`;
    const dimmed = { reason: 'dusk' };
    assert.deepEqual(await call(address, dimmed), {
      status: 200,
      body: { lampId, version: 8, dimmed },
    });
    assert.deepEqual(await call(`${address}/preview`, {}), {
      status: 200,
      body: { lampId, version: 7, dimmed: { reason: '' } },
    });
    assert.equal((await call(`${address}/preview`, { expectedVersion: 6 })).status, 412);
    assert.equal((await call(address, {})).status, 400);
  });

  test('is in the document, with its preview', () => {
    const { paths } = operatorDocument(rows);
    assert.deepEqual(Object.keys(paths), [`${path}/preview`, path]);
    const text = JSON.stringify(paths[`${path}/preview`]);
    assert.match(text, /Preview: dim a lamp/);
    assert.match(text, /PreviewDimLamp/);
  });

  test('has a command with help', () => {
    const help = readInvocation(['help', 'staff', 'dim'], nouns);
    assert.ok(help.kind === 'help');
    assert.match(help.usage, /^Usage: latchkey staff dim --lamp ID .*\[--words TEXT\]….*--red N/);
    assert.match(help.usage, /Dim a lamp\.\n\nIt stays dim until/);
    for (const flag of ['--lamp ID', '--from DATE', '--blue N', '--dry-run', '--steps N,N']) {
      assert.match(help.usage, new RegExp(`^ +${flag} +\\S`, 'm'));
    }
  });

  // Spec: OPERATOR-2.
  test('its command runs the same function, and prints what the row says', async () => {
    const given = ['--words', 'a', '--words', 'b c', '--steps', '4,9', '--blue', '3', '--red=1'];
    assert.deepEqual(await run(...given), {
      document: {
        lampId,
        dimmed: { words: ['a', 'b c'], steps: [4, 9], colour: { red: 1, blue: 3 }, reason: 'dusk' },
      },
      note: undefined,
    });
    const dry = await run('--dry-run', '--words', '');
    assert.deepEqual(dry, {
      document: { lampId, dimmed: { reason: 'dusk', words: [] } },
      note: 'This is a preview: nothing has changed.',
    });
  });

  test('its command is refused as the operation is, and what flags together get wrong too', async () => {
    const stale = await run('--expected-version', '6');
    assert.ok(isRefusal(stale));
    assert.equal(stale.message, 'The lamp is at 7.');
    const incomplete = await run('--blue', '3');
    assert.ok(isRefusal(incomplete));
    assert.equal(incomplete.message, '--red is required.');
  });

  test('its command is wrong usage with a value that can never be valid', () => {
    for (const [more, problem] of [
      [['--lamp', '17'], /--lamp is given more than once/],
      [['--expected-version', '0'], /--expected-version must be an integer from 1/],
      [['--steps', '4,10'], /--steps must be integers from 0 to 9, separated by commas/],
      [['--from', '2027-03-02', '--to', '2027-03-01'], /--to must be after --from/],
      [['--words', 'much too long'], /--words must have at most 9 characters/],
      [['--colour', 'red'], /Unknown option '--colour'/],
    ] as const) {
      const invocation = read(...more);
      assert.ok(invocation.kind === 'misuse', more.join(' '));
      assert.match(invocation.problems.join(), problem);
    }
  });

  test('has an entry in the reference, and keeps the sentences of one that is written by hand', async () => {
    const guide = await readFile(
      new URL('../../docs/operators/command-line.md', import.meta.url),
      'utf8',
    );
    const whole = withReference(guide, nouns);
    assert.ok(withReference(whole, nouns) === whole, 'it changes nothing that is current');
    const [, section = ''] = whole.split('### `staff dim`\n');
    const [body = ''] = section.split('\n#');
    assert.match(body, /Dim a lamp\. It stays dim/);
    assert.match(body, /\| `--lamp ID` +\| required \| The lamp\. +\|/);
    assert.match(body, /\| `--words TEXT` +\| optional \| Words\. Repeat the flag for several\./);
    assert.match(body, /Prints `lampId`, `dimmed`\./);

    const byHand =
      '# Guide\n\n### `staff dim`\n\nOf an evening.\n\n| Flag | |\n| - | - |\n\nMore.\n';
    const kept = withReference(byHand, nouns);
    assert.match(kept, /Of an evening\.\n\n\| Flag .*\n(\|.*\n){9,}\nMore\.\n$/);
  });

  test('an ID of a preview names its act', () => {
    assert.equal(previewIdOf(id), 'operator.lamp.previewDim');
  });
});
