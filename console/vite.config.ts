import react from '@vitejs/plugin-react';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

const target = 'es2023';

/** The script of the reference page, as its package ships it: the service serves it beside the portal. */
const viewer = (): Plugin => ({
  name: 'viewer',
  generateBundle() {
    const entry = import.meta.resolve('@scalar/fastify-api-reference');
    const source = readFileSync(new URL('js/standalone.js', entry));
    this.emitFile({ type: 'asset', fileName: 'docs/viewer.js', source });
  },
});

/** Writes a script into the document, before what it watches: it must be there when no file of the page is. */
const loadAgain = (): Plugin => ({
  name: 'load-again',
  transformIndexHtml(html) {
    const source = readFileSync(new URL('src/base/load-again.js', import.meta.url), 'utf8');
    return html.replace('<title>', () => `<script>\n${source}</script>\n    <title>`);
  },
});

const sourceFile = (name: string): string =>
  fileURLToPath(new URL(`src/operator/${name}`, import.meta.url));

/** The source of each page by its route, as the table of routes has them. */
const pageSources = (): Map<string, string> =>
  new Map(
    [
      ...readFileSync(sourceFile('routes.tsx'), 'utf8').matchAll(
        /\b(?:path: |page\()'([^']+)'[^]*?\bimport\('([^']+)'\)/g,
      ),
    ].map(([, route, source]) => [route!, sourceFile(source!)]),
  );

type Bundle = Rolldown.OutputBundle;

/** A file and all that it imports. */
function withImports(bundle: Bundle, name: string, found = new Set<string>()): Set<string> {
  const file = bundle[name];
  if (found.has(name) || file?.type !== 'chunk') return found;
  found.add(name);
  for (const imported of file.imports) withImports(bundle, imported, found);
  return found;
}

/** The files of each page that the document does not name, by route. */
function pageFiles(bundle: Bundle): Record<string, string[]> {
  const fileOf = (source: string): string => {
    const file = Object.values(bundle).find(
      (one) => one.type === 'chunk' && one.facadeModuleId === source,
    );
    if (!file) throw new Error(`no file of its own for ${source}`);
    return file.fileName;
  };
  const named = withImports(
    bundle,
    fileOf(fileURLToPath(new URL('operator.html', import.meta.url))),
  );
  return Object.fromEntries(
    [...pageSources()].map(([route, source]) => [
      route,
      [...withImports(bundle, fileOf(source)).difference(named)].map((file) => path.basename(file)),
    ]),
  );
}

/** The script that begins to read, as one that needs no other file and runs before all others. */
async function builtBegin(files: Record<string, string[]>): Promise<string> {
  const built = await build({
    configFile: false,
    // Of every directive of a library, it warns.
    logLevel: 'error',
    define: {
      'import.meta.url': 'document.currentScript.src',
      pageFiles: JSON.stringify(files),
    },
    build: {
      write: false,
      target,
      lib: { entry: sourceFile('begin.ts'), formats: ['iife'], name: 'begun', fileName: 'begin' },
    },
  });
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }];
  return output[0].code;
}

/** Writes the script that begins to read into the document of the console. */
function beginsToRead(): Plugin {
  let fileName = '';
  return {
    name: 'begins-to-read',
    apply: 'build',
    generateBundle: {
      // Before the documents are written.
      order: 'pre',
      async handler(_options, bundle) {
        const source = await builtBegin(pageFiles(bundle));
        fileName = `assets/begin-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
        this.emitFile({ type: 'asset', fileName, source });
      },
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path: page }) =>
        page.endsWith('/operator.html')
          ? [{ tag: 'script', attrs: { src: `./${fileName}` }, injectTo: 'head-prepend' }]
          : [],
    },
  };
}

// Seconds of the build for 4 MB; a higher quality takes many times as long for a few percent.
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Leaves each file compressed beside itself, so that no request has to. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }) {
    for (const name of globSync('**/*.{js,css,svg}', { cwd: dir })) {
      const file = path.join(dir, name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, brotli));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});

/**
 * Most functions of a page run while it opens: compiled together beside the page's own thread, and kept so by the
 * browser. One at a time, they would take a third of that time.
 */
const compiledAtOnce = (): Plugin => ({
  name: 'compiled-at-once',
  generateBundle: {
    // The comment has to be the first line.
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
      }
    },
  },
});

const classesIn = (text: string): Set<string> => new Set(text.match(/\bm_[\da-f]+\b/g));

const mantineClasses = (): Set<string> =>
  classesIn(readFileSync(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')), 'utf8'));

/** Refuses a build whose pages have a component of Mantine without its styles. */
const stylesAreThere = (): Plugin => ({
  name: 'styles-are-there',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const files = Object.values(bundle);
      const named = files.flatMap((file) =>
        file.type === 'chunk' ? [...classesIn(file.code)] : [],
      );
      const styles = files.flatMap((file) =>
        file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
      );
      const styled = classesIn(styles.join('\n'));
      const missing = new Set(named).intersection(mantineClasses()).difference(styled);
      if (missing.size === 0) return;
      this.error(`console/src/base/mantine.css lacks the file with ${[...missing].join(', ')}`);
    },
  },
});

/**
 * What every page needs, in few files: a file takes about as long as some 20 KB of code. First what starts to read,
 * then what draws; each takes what it imports with it, unless it is in a file above.
 */
const groups = [
  {
    name: 'read',
    test: /node_modules\/(?:react|@tanstack\/(?!\w+-virtual|virtual)[^/]+)\/|console\/src\/base\/(?:api\/|search|words\/dates)/,
  },
  {
    name: 'draw',
    test: /console\/src\/base\/(?!components\/(?:code-block|highlighting))|src\/contract\/(?!operator)|@mantine\/(?:modals|form|core\/esm\/components\/(?:Input|TextInput|PasswordInput))\//,
    minShareCount: 4,
  },
].map((group, at, all) => ({ ...group, priority: all.length - at }));

// The service allows the one script in the document by its digest: nothing else may be written inline.
export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('./', import.meta.url)),
  // Where the page is depends on the service's BASE_URL: it writes the path before `./assets/`.
  base: command === 'build' ? './' : '/portal/',
  plugins: [
    react(),
    viewer(),
    loadAgain(),
    beginsToRead(),
    compiledAtOnce(),
    stylesAreThere(),
    compressed(),
  ],
  // The service writes another nonce in its place each time it sends the page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    rolldownOptions: {
      input: ['portal.html', 'operator.html'].map((page) =>
        fileURLToPath(new URL(page, import.meta.url)),
      ),
      output: { codeSplitting: { groups } },
    },
    outDir: 'dist',
    emptyOutDir: true,
    target,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One page, loaded once and kept by the browser: splitting it would only add round trips.
    chunkSizeWarningLimit: 1500,
  },
  server: {
    // The service refuses calls from other sites: it has to see the host that the browser called.
    proxy: {
      '^/(portal|operator)/v1/': {
        target: process.env['LATCHKEY_ORIGIN'] ?? 'http://localhost:8080',
        changeOrigin: false,
      },
    },
  },
}));
