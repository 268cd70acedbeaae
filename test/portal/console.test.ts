/** The page of the portal as it is served: its policy, its nonce, its files, and the page where none was built. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { pageRoutes } from '../../src/api/pages/pages.ts';
import { projectRoot } from '../harness/service-process.ts';
import { startTestService } from '../harness/service.ts';

const page = '<meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>';
const script = 'console.log("a page")';

async function serverOf(folder: string): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false });
  await pageRoutes(app, {
    baseUrl: 'http://latchkey.test',
    environment: 'simulation',
    project: projectRoot,
    consoleFolder: folder,
  });
  return app;
}

let folder: string;
let app: FastifyInstance;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lk-console-'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'portal.html'), page);
  await writeFile(path.join(folder, 'assets', 'page-1a2b3c.js'), script);
  await writeFile(path.join(folder, 'icon.svg'), '<svg/>');
  app = await serverOf(folder);
});
after(() => rm(folder, { recursive: true }));

const policyOf = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((part) => {
        const [name = '', ...values] = part.split(' ');
        return [name, values.join(' ')];
      }),
  );

describe('the page', () => {
  it('is served at each of its routes', async () => {
    for (const url of ['/portal', '/portal/', '/portal/endpoints/1', '/portal?x=1']) {
      const { statusCode, headers, body } = await app.inject(url);
      assert.equal(statusCode, 200, url);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.match(body, /csp-nonce/);
    }
  });

  it('has a new nonce each time, and allows no other styles', async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      const { headers, body } = await app.inject('/portal');
      const [, nonce = ''] = /nonce="([^"]+)"/.exec(body) ?? [];
      assert.equal(policyOf(headers)['style-src'], `'self' 'nonce-${nonce}'`);
      assert.equal(body, page.replaceAll('__CSP_NONCE__', nonce));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 3);
  });

  it('may load only from the same origin, and allows no inline scripts and no frames', async () => {
    const { headers } = await app.inject('/portal');
    const { 'style-src': _, ...policy } = policyOf(headers);
    assert.deepEqual(policy, {
      'default-src': "'none'",
      'script-src': "'self'",
      'img-src': "'self' data:",
      'font-src': "'self'",
      'connect-src': "'self'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['cache-control'], 'no-store');
  });

  it('may run the script in its document, and no other', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'lk-console-'));
    const inDocument = 'const isHere = true;';
    const files = '<script type="module" src="./assets/page-1a2b3c.js"></script>';
    await writeFile(
      path.join(other, 'portal.html'),
      `<script nonce="__CSP_NONCE__">${inDocument}</script>${files}`,
    );
    const { headers } = await (await serverOf(other)).inject('/portal');
    const digest = createHash('sha256').update(inDocument).digest('base64');
    assert.equal(policyOf(headers)['script-src'], `'self' 'sha256-${digest}'`);
    await rm(other, { recursive: true });
  });

  it('allows inline styles only if it was built without a nonce placeholder', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'lk-console-'));
    await writeFile(path.join(other, 'index.html'), '<p>no place</p>');
    const { headers } = await (await serverOf(other)).inject('/portal');
    assert.equal(policyOf(headers)['style-src'], "'self' 'unsafe-inline'");
    await rm(other, { recursive: true });
  });
});

describe('the files of the page', () => {
  it('are immutable if their name has a hash', async () => {
    const { statusCode, headers, body } = await app.inject('/portal/assets/page-1a2b3c.js');
    assert.deepEqual([statusCode, body], [200, script]);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['content-type'], 'application/javascript; charset=utf-8');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  it('are revalidated if their name has no hash, and not sent again if unchanged', async () => {
    const { headers } = await app.inject('/docs/latchkey.svg');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['content-type'], 'image/svg+xml');
    const again = await app.inject({
      url: '/docs/latchkey.svg',
      headers: { 'if-none-match': String(headers['etag']) },
    });
    assert.deepEqual([again.statusCode, again.body], [304, '']);
  });

  it('are only those of the folder', async () => {
    for (const url of [
      '/portal/assets/other.js',
      '/portal/assets/../../package.json',
      '/portal/v1/nothing',
    ]) {
      const { statusCode, headers } = await app.inject(url);
      assert.ok(statusCode === 404, `${url} returned ${statusCode}`);
      assert.doesNotMatch(String(headers['cache-control']), /max-age/, url);
    }
  });
});

describe('a service', () => {
  it('explains how to build the page if it is missing', async () => {
    const server = await serverOf(path.join(folder, 'nowhere'));
    const { statusCode, body } = await server.inject('/portal');
    assert.equal(statusCode, 200);
    assert.match(body, /npm run build:console/);
  });

  it('serves the committed portal document', async () => {
    const service = await startTestService();
    try {
      const response = await fetch(`${service.origin}/portal/openapi.json`);
      const document = (await response.json()) as { info: { title: string } };
      assert.equal(document.info.title, 'Latchkey portal');
      assert.equal((await fetch(`${service.origin}/portal`)).status, 200);
    } finally {
      await service.stop();
    }
  });
});
