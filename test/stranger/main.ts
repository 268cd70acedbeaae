/**
 * `npm run stranger`: what a partner's developer does in the first hour, with the packed package and the guides that the
 * service serves and nothing else: install, check the key, book, and pass a conformance run. Prints how long each takes.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../harness/free-port.ts';
import { projectRoot } from '../harness/service-process.ts';

const run = promisify(execFile);

const steps: { step: string; seconds: number }[] = [];

async function timed<Made>(step: string, work: () => Promise<Made>): Promise<Made> {
  const began = performance.now();
  const made = await work();
  const seconds = (performance.now() - began) / 1_000;
  steps.push({ step, seconds });
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${step}`);
  return made;
}

const readyTries = 600;

async function isReady(baseUrl: string): Promise<void> {
  for (let tries = 1; tries <= readyTries; tries += 1) {
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await sleep(200);
  }
  throw new Error('the service is not ready');
}

/** The program of a guide: its block in a language. */
function programOf(guide: string, language: string): string {
  const program = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1];
  assert.ok(program !== undefined, `the guide has a program in ${language}`);
  return program;
}

const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-stranger-'));
const dataDir = path.join(folder, 'data');
const project = path.join(folder, 'my-integration');
const [port, hook] = [await freePort(), await freePort()];
const baseUrl = `http://localhost:${port}`;
const service = spawn(process.execPath, [path.join(projectRoot, 'src/main.ts')], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PORT: String(port),
    LATCHKEY_DATA_DIR: dataDir,
    LATCHKEY_LOG_LEVEL: 'error',
  },
});
const ended = new Promise((resolve) => {
  service.once('exit', resolve);
});
try {
  await timed('the sandbox is ready', () => isReady(baseUrl));
  const { applications } = JSON.parse(
    await readFile(path.join(dataDir, 'sandbox-credentials.json'), 'utf8'),
  ) as { applications: { settlement: string; applicationId: string; applicationKey: string }[] };
  const own = applications.find(({ settlement }) => settlement === 'partner')!;

  const latchkey = (words: string) =>
    run(process.execPath, [path.join(projectRoot, 'src/cli/latchkey.ts'), ...words.split(' ')], {
      env: { ...process.env, LATCHKEY_DATA_DIR: dataDir, PORT: String(port) },
    });
  // The operator of the sandbox adds the endpoint, as the partner would in the portal.
  const added = await timed('an endpoint is added', () =>
    latchkey(
      `webhook endpoint add --application ${own.applicationId} --url http://127.0.0.1:${hook}/hook --json`,
    ),
  );
  const { secret } = JSON.parse(added.stdout) as { secret: string };

  await mkdir(project);
  const env = {
    ...process.env,
    LATCHKEY_BASE_URL: baseUrl,
    LATCHKEY_APPLICATION_ID: own.applicationId,
    LATCHKEY_APPLICATION_KEY: own.applicationKey,
    LATCHKEY_WEBHOOK_SECRET: secret,
    PORT: String(hook),
  };
  const here = { cwd: project, env, maxBuffer: 64 * 1_024 * 1_024 };
  const packed = await timed('the package is packed', () =>
    run('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: path.join(projectRoot, 'packages/partner'),
    }),
  );
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  await writeFile(path.join(project, 'package.json'), '{ "type": "module", "private": true }\n');
  await timed('npm install', () =>
    run('npm', ['install', '--offline', '--no-audit', path.join(folder, filename)], here),
  );
  const command = path.join(project, 'node_modules/.bin/latchkey-partner');
  await timed('latchkey-partner doctor', () => run(command, ['doctor'], here));
  await timed('latchkey-partner book --yes', () => run(command, ['book', '--yes'], here));

  await timed('the guide is read, its program saved', async () => {
    const guide = await (await fetch(`${baseUrl}/docs/partners/conformance.md`)).text();
    await writeFile(path.join(project, 'conformance.mjs'), programOf(guide, 'javascript'));
  });
  const report = path.join(project, 'report.jose');
  const profile = ['--profile', 'checkout'];
  const tested = await timed('latchkey-partner conformance, every scenario', () =>
    run(
      command,
      ['conformance', ...profile, '--command', 'exec node conformance.mjs', '--report', report],
      here,
    ),
  );
  console.log(tested.stdout);
  const verified = await timed('the operator verifies the report', () =>
    latchkey(`conformance verify ${report} --application ${own.applicationId}`),
  );
  console.log(verified.stdout);
  const all = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  console.log(`${all.toFixed(1).padStart(7)} s  from nothing to a passed conformance run`);
} finally {
  service.kill('SIGTERM');
  await ended;
  await rm(folder, { recursive: true, force: true });
}
