/** Bundles and compiles all programs after the installation, so that the first start finds them. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.ts';
import { bundleFolder } from './bundled.ts';
import { useCompileCache } from './compile-cache.ts';

// The packages may be others.
rmSync(bundleFolder(), { recursive: true, force: true });
await bundle();
useCompileCache();
for (const name of ['run-service', 'run-command-line', 'metrics']) {
  await import(pathToFileURL(path.join(bundleFolder(), `${name}.mjs`)).href);
}
