/** Compiles the code that most processes of a run load, before they all compile it at the same time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundleFolder } from '../../src/build/bundled.ts';

const modules = [
  './bundled-typebox.ts',
  './service.ts',
  './service-process.ts',
  '../../src/cli/run-command-line.ts',
  `${bundleFolder()}/run-service.mjs`,
  `${bundleFolder()}/run-command-line.mjs`,
];

/**
 * Fills the compile cache (`NODE_COMPILE_CACHE`). A process writes what it has compiled when it ends, and most
 * test processes end late, or are killed.
 */
export async function fillCompileCache(): Promise<void> {
  const urls = modules.map((module) => new URL(module, import.meta.url).href);
  const program = urls.map((url) => `await import(${JSON.stringify(url)});`).join('');
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'exit');
}
