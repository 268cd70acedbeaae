/** An installation in a folder of its own, used as its operator and its partners would: by processes. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../harness/free-port.ts';
import { runCommandLine } from '../../src/cli/run-command-line.ts';
import { readConfig } from '../../src/config/config.ts';
import { addCatalog } from '../harness/catalogs.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { compileCache } from '../harness/service-process.ts';
import { copyUsed } from '../harness/used-folder.ts';
import { openStorage, type Storage } from '../../src/installation/storage.ts';

const program = (name: string): string =>
  fileURLToPath(new URL(`../../src/${name}`, import.meta.url));

// Nothing that this machine's environment says about a Latchkey reaches the processes.
const foreign = /^(LATCHKEY_|DATABASE_URL$|BASE_URL$|PORT$|NODE_)/;
const bareEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !foreign.test(name)),
);

/** What a process left behind. */
export interface Ended {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** What `sandbox-credentials.json` holds. */
export interface CredentialsFile {
  baseUrl: string;
  applications: {
    name: string;
    settlement: string;
    applicationId: string;
    applicationKey: string;
  }[];
}

/** A service that runs as a process of its own. */
export interface RunningService {
  baseUrl: string;
  /** Ends it in good order. */
  stop(): Promise<Ended>;
}

/** A command that goes on. */
export interface Following {
  /** What it has printed so far. */
  printed(): string;
  /** Tells it to end, as Ctrl-C does. */
  interrupt(): Promise<Ended>;
}

/** A data folder and what can be done with it. */
export interface Installation {
  dataDir: string;
  credentialsFile: string;
  /** Runs a command in this process: what a process of its own costs, few tests need. */
  latchkey(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Runs a command as a process of its own. */
  process(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Starts a command that runs until it is stopped. */
  follow(words: readonly string[], env?: NodeJS.ProcessEnv): Following;
  /** Runs a command that must be done, with `--json`, and reads its document. */
  done<T>(words: readonly string[]): Promise<T>;
  credentials(): Promise<CredentialsFile>;
  serve(env?: NodeJS.ProcessEnv): Promise<RunningService>;
  storage(): Promise<Storage>;
  remove(): Promise<void>;
}

async function end(child: ChildProcess): Promise<Ended> {
  assert.ok(child.stdout && child.stderr);
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null,
  ]);
  return { exitCode: child.exitCode, stdout, stderr };
}

function run(script: string, words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [program(script), ...words], {
    env: { ...bareEnv, ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function runInProcess(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  let printed = '';
  const print = (piece: string): void => void (printed += piece);
  const { exitCode, out, err } = await runCommandLine(
    words,
    { ...bareEnv, ...env },
    { print, write: async (piece) => print(piece), terminal: null },
  );
  return { exitCode, stdout: printed + out, stderr: err };
}

function follow(child: ChildProcess): Following {
  assert.ok(child.stdout && child.stderr);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  const closed = once(child, 'close');
  return {
    printed: () => printed.stdout,
    async interrupt() {
      child.kill('SIGINT');
      await closed;
      return { exitCode: child.exitCode, ...printed };
    },
  };
}

async function untilReady(baseUrl: string, hasEnded: () => boolean): Promise<boolean> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline && !hasEnded()) {
    const response = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (response?.ok) return true;
    await sleep(50);
  }
  return false;
}

async function serve(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const port = await freePort();
  const baseUrl = `http://localhost:${port}`;
  const child = run('main.ts', [], { PORT: String(port), LATCHKEY_LOG_LEVEL: 'warn', ...env });
  const ended = end(child);
  const stop = (): Promise<Ended> => {
    child.kill('SIGTERM');
    return ended;
  };
  const isReady = await untilReady(baseUrl, () => child.exitCode !== null);
  if (isReady) return { baseUrl, stop };
  const { stdout, stderr } = await stop();
  throw new Error(`the service did not become ready:\n${stdout}\n${stderr}`);
}

/** A new, empty data folder. */
export async function newInstallation(): Promise<Installation> {
  const folder = await mkdtemp(path.join(scratchFolder, 'lk-cli-'));
  // So that PostgreSQL, which runs as nobody under root, can enter.
  await chmod(folder, 0o711);
  const dataDir = path.join(folder, 'data');
  const here = { LATCHKEY_DATA_DIR: dataDir };
  const credentialsFile = path.join(dataDir, 'sandbox-credentials.json');
  const latchkey: Installation['latchkey'] = (words, env = {}) =>
    runInProcess(words, { ...here, ...env });
  return {
    dataDir,
    credentialsFile,
    latchkey,
    process: (words, env = {}) => end(run('cli/latchkey.ts', words, { ...here, ...env })),
    follow: (words, env = {}) => follow(run('cli/latchkey.ts', words, { ...here, ...env })),
    async done<T>(words: readonly string[]) {
      const { exitCode, stdout, stderr } = await latchkey([...words, '--json']);
      assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
      return JSON.parse(stdout) as T;
    },
    credentials: async () => JSON.parse(await readFile(credentialsFile, 'utf8')) as CredentialsFile,
    serve: (env = {}) => serve({ ...here, ...env }),
    storage: () => openStorage(readConfig(here), { join: true, log: () => undefined }),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** A data folder in which the service has been started and stopped before: the simulation, with its homes. */
export async function usedInstallation(): Promise<Installation> {
  const installation = await newInstallation();
  await copyUsed('', installation.dataDir);
  return installation;
}

/** A data folder with a database and an empty catalog, as a start that has ended leaves it. */
export async function madeInstallation(): Promise<Installation> {
  const installation = await newInstallation();
  const { database, close } = await installation.storage();
  await addCatalog(database, 'harbour-homes');
  await close();
  return installation;
}

/** Requests an access token; returns any response. */
export const askForToken = (
  baseUrl: string,
  { applicationId, applicationKey }: { applicationId: string; applicationKey: string },
): Promise<Response> =>
  fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: applicationId,
      client_secret: applicationKey,
    }),
  });

/** Gets an access token. */
export async function getToken(
  baseUrl: string,
  credentials: { applicationId: string; applicationKey: string },
): Promise<string> {
  const response = await askForToken(baseUrl, credentials);
  assert.equal(response.status, 200, await response.clone().text());
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Reads the site, the plainest call that a token is good for. */
export const readSite = (baseUrl: string, token: string): Promise<Response> =>
  fetch(`${baseUrl}/v1/site`, { headers: { authorization: `Bearer ${token}` } });
