/**
 * TypeBox as three files instead of 537: loading it so takes a tenth of the time, which was a sixth of the CPU
 * time of a start.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** What is imported of TypeBox, by the name of the joined file. */
export const joinedEntries = {
  type: 'typebox',
  schema: 'typebox/schema',
  system: 'typebox/system',
} as const;
const packages = path.join(import.meta.dirname, '../node_modules');

/** The folder of the joined files, one for each version of TypeBox. */
export function joinedFolder(): string {
  const manifest = readFileSync(path.join(packages, 'typebox/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return path.join(packages, '.cache/latchkey', `typebox-${version}`);
}

/** Lets the imports that follow find the joined files. Without them, the package is loaded as it is. */
export function useJoinedTypebox(): void {
  const folder = joinedFolder();
  if (!existsSync(folder)) return;
  const urls = new Map(
    Object.entries(joinedEntries).map(([name, specifier]) => [
      specifier as string,
      pathToFileURL(path.join(folder, `${name}.mjs`)).href,
    ]),
  );
  registerHooks({
    resolve(specifier, context, next) {
      const url = urls.get(specifier);
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
  });
}
