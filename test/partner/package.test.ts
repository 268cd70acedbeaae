/** The package as a partner installs it: packed, in a project of its own, without types and without this project. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startTestService, type TestService } from '../harness/service.ts';

const run = promisify(execFile);
const source = path.resolve(import.meta.dirname, '../../packages/partner');

const day = (days: number) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);

/** The program of the README, for a stay that is still to come. */
function readmeProgram(): string {
  const readme = readFileSync(path.join(source, 'README.md'), 'utf8');
  const [, program] = /^```typescript\n(.*?)^```$/ms.exec(readme) ?? [];
  assert.ok(program !== undefined);
  return program.replace('2027-05-01', day(45)).replace('2027-05-04', day(48));
}

suite('the packed package', () => {
  let service: TestService;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    service = await startTestService();
    const { credentials } = await service.partner({ settlement: 'partner' });
    env = {
      ...process.env,
      LATCHKEY_BASE_URL: service.origin,
      LATCHKEY_APPLICATION_ID: credentials.applicationId,
      LATCHKEY_APPLICATION_KEY: credentials.applicationKey,
    };
    folder = await mkdtemp(path.join(tmpdir(), 'latchkey-partner-'));
    const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: source,
    });
    const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module", "private": true }');
    await run('npm', ['install', '--offline', '--no-audit', `./${filename}`], { cwd: folder });
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('books in a fresh project, by the twenty lines of the README', async () => {
    const program = readmeProgram();
    assert.ok(program.trimEnd().split('\n').length <= 20);
    await writeFile(path.join(folder, 'book.ts'), program);
    const { stdout } = await run('node', ['book.ts'], { cwd: folder, env });
    assert.match(stdout, /^LK-\S+\n$/);
  });

  test('has its command, types and testing tools', async () => {
    const command = path.join(folder, 'node_modules/.bin/latchkey-partner');
    const { stdout } = await run(command, ['doctor', '--json'], { cwd: folder, env });
    const { findings } = JSON.parse(stdout) as { findings: { result: string }[] };
    assert.ok(findings.every(({ result }) => result === 'ok'));
    const typed = path.join(folder, 'node_modules/@latchkey/partner/dist/index.d.ts');
    assert.match(await readFile(typed, 'utf8'), /createClient/);
    const tools = `import { memoryService } from '@latchkey/partner/testing'; memoryService({});`;
    await run('node', ['--input-type=module', '-e', tools], { cwd: folder, env });
  });

  test('serves an agent without any other package', async () => {
    assert.ok(!existsSync(path.join(folder, 'node_modules/@modelcontextprotocol')));
    const client = new Client({ name: 'test', version: '1.0.0' });
    const command = path.join(folder, 'node_modules/.bin/latchkey-partner');
    await client.connect(
      new StdioClientTransport({
        command,
        args: ['mcp'],
        cwd: folder,
        env: env as Record<string, string>,
      }),
    );
    const found = await client.callTool({
      name: 'search_homes',
      arguments: { checkIn: day(45), checkOut: day(48), party: { adults: 2 }, limit: 1 },
    });
    assert.equal(found.isError, undefined, JSON.stringify(found));
    await client.close();
  });
});

test('client and testing tools import only files of their own', () => {
  const files = globSync('{*.ts,client/*.ts,contract/*.ts}', { cwd: path.join(source, 'src') });
  assert.ok(files.length > 10);
  const imported = files.flatMap((file) => {
    const text = readFileSync(path.join(source, 'src', file), 'utf8');
    return [...text.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name);
  });
  assert.deepEqual(
    imported.filter((name) => !/^\.{1,2}\/[\w/-]+\.ts$/.test(name)),
    [],
  );
});

test('the command is found after an install of this project', async () => {
  const command = path.resolve(import.meta.dirname, '../../node_modules/.bin/latchkey-partner');
  const { stdout } = await run(command, ['--help']);
  assert.match(stdout, /^Usage: latchkey-partner/);
});
