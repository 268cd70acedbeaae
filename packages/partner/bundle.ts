/** Puts what the command needs of other packages into `dist`, with their licences: the package depends on none. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';

const file = path.join(import.meta.dirname, 'dist/mcp/sdk.js');

/** The folder of the package that a module is of. */
function packageOf(module: string): string | null {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
  return folder ?? null;
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const [text] = globSync('{LICENSE,LICENCE,license}*', { cwd: folder });
  const words =
    text === undefined ? `Licence: ${license}` : readFileSync(path.join(folder, text), 'utf8');
  return `${name} ${version}\n\n${words.trim()}\n`;
}

if (!existsSync(file)) throw new Error('Run tsc before: there is nothing to bundle.');
const bundle = await rolldown({ input: file, platform: 'node' });
const { output } = await bundle.generate({ format: 'esm', minify: false, codeSplitting: false });
await bundle.close();
const [chunk] = output;
const folders = new Set(Object.keys(chunk.modules).map(packageOf));
const licences = [...folders]
  .filter((folder) => folder !== null)
  .toSorted()
  .map(licenceOf);
await writeFile(file, chunk.code);
await writeFile(path.join(path.dirname(file), 'LICENCES.txt'), licences.join('\n---\n\n'));
