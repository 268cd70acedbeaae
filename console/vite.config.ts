import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// The service sends the page's scripts under `script-src 'self'`: nothing may be written inline.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/portal/',
  plugins: [react()],
  // The service writes another nonce in its place each time it sends the page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
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
      '/portal/v1': {
        target: process.env['LATCHKEY_ORIGIN'] ?? 'http://localhost:8080',
        changeOrigin: false,
      },
    },
  },
});
