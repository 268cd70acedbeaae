import react from '@vitejs/plugin-react';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

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

// The service allows the one script in the document by its digest: nothing else may be written inline.
export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('./', import.meta.url)),
  // Where the page is depends on the service's BASE_URL: it writes the path before `./assets/`.
  base: command === 'build' ? './' : '/portal/',
  plugins: [react(), viewer(), loadAgain(), compiledAtOnce(), compressed()],
  // The service writes another nonce in its place each time it sends the page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    rolldownOptions: {
      input: ['portal.html', 'operator.html'].map((page) =>
        fileURLToPath(new URL(page, import.meta.url)),
      ),
    },
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
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
