/** Makes `dist` of the client without types, so that its command runs after an install of this project. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

const source = path.join(import.meta.dirname, 'src');
const target = path.join(import.meta.dirname, 'dist');

/** The imports of a file name modules of TypeScript: those of the built one name JavaScript. */
const withScripts = (code: string): string =>
  code.replaceAll(/((?:from |import\()'\.{1,2}\/[^']+)\.ts'/g, "$1.js'");

await rm(target, { recursive: true, force: true });
const files = await readdir(source, { recursive: true });
for (const file of files.filter((name) => name.endsWith('.ts'))) {
  const code = stripTypeScriptTypes(await readFile(path.join(source, file), 'utf8'));
  const built = path.join(target, file.replace(/\.ts$/, '.js'));
  await mkdir(path.dirname(built), { recursive: true });
  await writeFile(built, withScripts(code));
}
