/** Other accounts of the operating system, where the tests may use one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Identity } from './service-process.ts';

/** An account without rights. */
export const nobody: Identity = { uid: 65_534, gid: 65_534 };

/** Why a test cannot start the service as nobody, if so. */
export async function noOtherAccount(): Promise<string | false> {
  if (process.geteuid?.() !== 0) return 'not root';
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--check', main], {
    ...nobody,
    cwd: '/',
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit').catch(() => [1])) as [number | null];
  return code === 0 ? false : 'nobody cannot get at this project';
}
