import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache, projectRoot } from './service-process.ts';

/** How a program ended, and what it wrote. */
export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a program of the project with this environment and nothing else. */
export async function ran(words: readonly string[], env: Record<string, string>): Promise<Ran> {
  const child = spawn(process.execPath, words, {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'] ?? '', ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}
