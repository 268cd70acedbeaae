/** Writes the bundle that bundled.ts finds. The image of the service has no bundler: nothing that serves imports this. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { bundleFolder, bundlesFolder } from './bundled.ts';

const root = path.join(import.meta.dirname, '../..');
const dayMs = 86_400_000;

// The tests import sources, and TypeBox from the bundle: it has 537 modules.
const entries = {
  'run-service': 'src/program/run-service.ts',
  'run-command-line': 'src/cli/run-command-line.ts',
  metrics: 'src/program/metrics.ts',
  typebox: 'typebox',
  'typebox-schema': 'typebox/schema',
  'typebox-system': 'typebox/system',
};

// It has a library for each kind of processor.
const external = ['sharp'];

/** Lets modules find the files beside them: in a bundle, `import.meta` would be that of the bundle. */
const keepPlaces: Plugin = {
  name: 'keep places',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta')) return null;
    const file = id.split('?')[0]!;
    const kept = code
      .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(file).href))
      .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(path.dirname(file)));
    // The lines stay the same, which is all that a stack trace needs.
    return { code: kept, map: null };
  },
};

async function writeBundle(folder: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [keepPlaces],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      target: 'esnext',
      sourcemap: true,
      outDir: folder,
      rolldownOptions: {
        input: entries,
        // Both would remove calls that they take for pure, such as `decodeURIComponent`, also where their error matters.
        treeshake: false,
        output: {
          minify: false,
          sourcemapExcludeSources: true,
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
        },
      },
    },
  });
}

/** Removes bundles of other sources that are older than a day: a service that runs may need files of its own later. */
function removeOldBundles(): void {
  const oldest = Date.now() - dayMs;
  for (const name of readdirSync(bundlesFolder)) {
    const folder = path.join(bundlesFolder, name);
    const isOld = name.startsWith('bundle-') && statSync(folder).mtimeMs < oldest;
    if (isOld) rmSync(folder, { recursive: true });
  }
}

/** Writes the bundle of these sources, unless it exists. */
export async function bundle(): Promise<void> {
  const folder = bundleFolder();
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  await writeBundle(unfinished);
  try {
    // A source may have changed meanwhile.
    if (bundleFolder() === folder) renameSync(unfinished, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  removeOldBundles();
}
