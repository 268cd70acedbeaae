/** The portal's page, built from its current source. */
import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
// What the page is made of: beside its own folder, the contract.
const made = [
  'console/src/**',
  'console/*.html',
  'console/vite.config.ts',
  'src/contract/**/*.ts',
  // The version of the viewer of the reference page, which is built beside it.
  'package-lock.json',
];

const changedAt = (file: string): number =>
  statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Builds the page again where something that it is made of is newer. */
export function buildConsoleIfStale(): void {
  const built = changedAt('console/dist/operator.html');
  const sources = globSync(made, { cwd: root });
  if (built > 0 && sources.every((file) => changedAt(file) <= built)) return;
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const build = ['build', '--config', 'console/vite.config.ts', '--logLevel', 'warn'];
  const { status } = spawnSync(process.execPath, [vite, ...build], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('the page of the portal could not be built');
}
