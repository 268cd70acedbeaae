/** The pages at /docs in a real browser, which may ask nobody but the service. */
import Fastify, { type FastifyInstance } from 'fastify';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { docsPages } from '../../src/http/docs.ts';
import { askedElsewhere, observe, openBrowser, type Observed } from '../harness/browser.ts';

const openApiBytes = await readFile(new URL('../../openapi.json', import.meta.url));

suite('docs', () => {
  let app: FastifyInstance;
  let browser: Browser;
  let page: Page;
  let origin: string;
  let observed: Observed;

  before(async () => {
    app = await server();
    await app.listen({ host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    observed = observe(page);
    await page.goto(`${origin}/docs`, { waitUntil: 'networkidle' });
  });

  after(async () => {
    await browser?.close();
    await app?.close();
  });

  test('docs › shows the title, the guide and the operations', async () => {
    await page.getByRole('heading', { name: 'Latchkey', level: 1 }).waitFor();
    await page.getByText('A booking from end to end').first().waitFor();
    await page.getByText('Submit the checkout').first().waitFor();
    await page.screenshot({ path: join(tmpdir(), 'latchkey-docs.png') });
  });

  test('docs › shows an operation with its scope, its errors and an example', async () => {
    await page.goto(`${origin}/docs#tag/booking/POST/v1/quotes`, { waitUntil: 'networkidle' });
    await page.getByText('too_many_guests').first().waitFor();
    await page.getByText('tier').first().waitFor();
    await page.screenshot({ path: join(tmpdir(), 'latchkey-docs-operation.png') });
  });

  test('docs › asks no other host', () => {
    assert.deepEqual(askedElsewhere(observed, origin), []);
    assert.ok(
      observed.requested.includes(`${origin}/openapi.json`),
      'the document is read from here',
    );
  });

  test('docs › the browser has nothing to complain about', () => {
    assert.deepEqual(observed.complaints, []);
  });
});

async function server(): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false });
  await app.register(docsPages, { openApiBytes, portalOpenApiBytes: openApiBytes });
  return app;
}

suite('docs without a browser', () => {
  test('openapi.json › the committed bytes, whatever the host is called', async () => {
    const app = await server();
    const answer = await app.inject({ url: '/openapi.json', headers: { host: 'other.invalid' } });
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.ok(answer.rawPayload.equals(openApiBytes));
    await app.close();
  });

  test('openapi.json › 304 to whoever has it', async () => {
    const app = await server();
    const { headers } = await app.inject('/openapi.json');
    const etag = String(headers.etag);
    assert.match(etag, /^"[\w-]{22}"$/);
    const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': etag } });
    assert.equal(again.statusCode, 304);
    assert.equal(again.body, '');
    await app.close();
  });

  test('docs › with and without a slash, under a policy that names no other host', async () => {
    const app = await server();
    for (const url of ['/docs', '/docs/']) {
      const answer = await app.inject(url);
      assert.equal(answer.statusCode, 200);
      const policy = String(answer.headers['content-security-policy']);
      assert.match(policy, /^default-src 'none'; script-src 'self';/);
      assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
    }
    await app.close();
  });

  test('docs › HEAD is not offered', async () => {
    const app = await server();
    const answer = await app.inject({ method: 'HEAD', url: '/docs' });
    assert.equal(answer.statusCode, 404);
    await app.close();
  });
});
