/**
 * The programs, each as a few files instead of some hundred modules: a start that loads them takes a third of the
 * CPU time. The folder of a bundle is named by the digest of the sources and their place, so no other sources ever
 * use it.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as commandLine from '../cli/run-command-line.ts';
import type * as service from '../program/run-service.ts';

const sources = path.join(import.meta.dirname, '..');

/** Where bundles are. */
export const bundlesFolder: string = path.join(sources, '../node_modules/.cache/latchkey');

const isSource = (name: string): boolean => /\.(ts|json)$/.test(name) && !name.endsWith('.test.ts');

/** The digest of a folder's path, and of the names and texts of all sources in it. */
export function digestOf(folder: string): string {
  const digest = createHash('sha256').update(`${folder}\n`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isSource);
  for (const name of names.toSorted()) {
    // As text, because Node reads a file into a string in one native call.
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    digest.update(`${name} ${text.length}\n${text}`);
  }
  return digest.digest('hex').slice(0, 32);
}

/** The folder of the bundle of these sources; it may not exist. */
export const bundleFolder = (): string => path.join(bundlesFolder, `bundle-${digestOf(sources)}`);

/** The modules by which programs begin. */
interface Programs {
  'program/run-service': typeof service;
  'cli/run-command-line': typeof commandLine;
}

/** Imports the first module of a program from the bundle of these sources. Without a bundle, imports the sources. */
export function importProgram<Name extends keyof Programs>(name: Name): Promise<Programs[Name]> {
  const bundled = path.join(bundleFolder(), `${path.basename(name)}.mjs`);
  const file = existsSync(bundled) ? bundled : path.join(sources, `${name}.ts`);
  return import(pathToFileURL(file).href) as Promise<Programs[Name]>;
}
