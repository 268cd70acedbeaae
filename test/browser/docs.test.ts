/** The pages at /docs in a real browser, which may call only the service. */
import Fastify, { type FastifyInstance } from 'fastify';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path, { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import type { DocsContext } from '../../src/api/pages/docs.ts';
import { audiences, guideFiles } from '../../src/api/pages/guides.ts';
import { pageRoutes } from '../../src/api/pages/pages.ts';
import { ensureSandboxCredentials } from '../../src/installation/sandbox-credentials.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { projectRoot } from '../harness/service-process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { askedElsewhere, observe, openBrowser, type Observed } from '../harness/browser.ts';

buildConsoleIfStale();
const openApiBytes = await readFile(new URL('../../openapi.json', import.meta.url));

// Shared, because reading the viewer takes longer than most of the tests.
let browser: Browser;
let service: TestService;
let page: Page;
let observed: Observed;
before(async () => {
  service = await startTestService();
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  observed = observe(page);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** The guides that were served below `/docs/guides`, before each had its audience. */
const formerGuides = [
  'accounts',
  'backups',
  'catalog-files',
  'channel-calendars',
  'command-line',
  'console-homes',
  'errors-and-retries',
  'events',
  'first-booking',
  'generated-types',
  'going-live',
  'keeping-a-copy',
  'logs',
  'metrics',
  'own-homes',
  'partners',
  'payments',
  'portal',
  'records',
  'reservations',
  'reservations-team',
  'retention',
  'runbooks',
  'running',
  'search',
  'simulation',
  'staff',
  'states',
  'taxes-and-rules',
  'tracing',
  'upgrading',
  'webhook-operations',
  'webhooks',
];

suite('docs', () => {
  before(async () => {
    await page.goto(service.origin);
    await page.getByRole('banner').getByRole('link', { name: 'Reference' }).click();
    await page.waitForURL(/\/docs$/, { waitUntil: 'networkidle' });
  });

  test('docs › from / to the reference, with the title, the guide and the operations', async () => {
    await page.getByRole('heading', { name: 'Latchkey', level: 1 }).waitFor();
    await page.getByText('A booking from end to end').first().waitFor();
    await page.getByText('Submit the checkout').first().waitFor();
  });

  test('docs › shows an operation with its scope, its errors and an example', async () => {
    await page.goto(`${service.origin}/docs#tag/booking/POST/v1/quotes`, {
      waitUntil: 'networkidle',
    });
    await page.getByText('too_many_guests').first().waitFor();
    await page.getByText('tier').first().waitFor();
  });

  test('docs › calls no other host', () => {
    assert.deepEqual(askedElsewhere(observed, service.origin), []);
    assert.ok(
      observed.requested.includes(`${service.origin}/openapi.json`),
      'the document is read from here',
    );
  });

  test('docs › no browser error', () => {
    assert.deepEqual(observed.complaints, []);
  });
});

suite('docs › trying it', () => {
  let application: { applicationId: string; applicationKey: string };
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(scratchFolder, 'latchkey-docs-'));
    const [seeded] = (
      await ensureSandboxCredentials({
        database: service.database,
        dataDir: folder,
        baseUrl: service.origin,
        environment: 'simulation',
        report: () => undefined,
      })
    ).applications;
    assert.ok(seeded);
    application = seeded;
  });

  after(async () => {
    await rm(folder, { recursive: true });
  });

  test('docs › the first call of the page works as it is pasted', async () => {
    await page.goto(`${service.origin}/docs#tag/access/POST/oauth/token`);
    const sample = await page
      .locator('pre', { hasText: 'grant_type=client_credentials' })
      .first()
      .innerText();
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', sample], {
      env: { ...process.env, LATCHKEY_DATA_DIR: folder },
    });
    const { token_type: type } = JSON.parse(stdout) as { token_type?: string };
    assert.equal(type, 'Bearer', stderr);
  });

  test('docs › with ID and key, Test Request returns 200', async () => {
    const field = (name: string) =>
      page.locator('td', { has: page.locator('label', { hasText: name }) }).first();
    await field('Client ID').locator('.cm-content').click();
    await page.keyboard.insertText(application.applicationId);
    await field('Client Secret').locator('input').click();
    await page.keyboard.insertText(application.applicationKey);
    const exchanged = page.waitForResponse((response) => response.url().endsWith('/oauth/token'));
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    assert.equal((await exchanged).status(), 200);
    await page.goto(`${service.origin}/docs#tag/catalog/GET/v1/site`);
    const operation = page
      .locator('section', { has: page.getByRole('heading', { name: 'Read the site' }) })
      .last();
    await operation
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    const responded = page.waitForResponse((response) => response.url().endsWith('/v1/site'));
    await page.locator('button.scalar-button', { hasText: /Send/ }).last().click();
    assert.equal((await responded).status(), 200);
    await page.getByText('200 OK').first().waitFor();
  });

  test('docs › Test Request calls no other host', () => {
    assert.deepEqual(askedElsewhere(observed, service.origin), []);
    assert.deepEqual(observed.complaints, []);
  });
});

const looks: [width: number, colorScheme: 'light' | 'dark'][] = [
  [1280, 'light'],
  [390, 'dark'],
];

suite('docs › the pages around the reference', () => {
  test('pages › fit into 390 and 1280 pixels, and no browser error', async () => {
    for (const address of ['/', '/docs/guides', ...guides]) {
      await page.goto(`${service.origin}${address}`, { waitUntil: 'load' });
      assert.ok(await page.getByRole('heading', { level: 1 }).isVisible(), address);
      for (const [width, colorScheme] of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const tooWide = await page.evaluate(
          'document.documentElement.scrollWidth > document.documentElement.clientWidth',
        );
        assert.equal(tooWide, false, `${address} is wider than ${width} pixels`);
      }
      // The next one begins with the look that this one has left: to draw another takes long.
      looks.reverse();
    }
    assert.deepEqual(askedElsewhere(observed, service.origin), []);
    assert.deepEqual(observed.complaints, []);
  });

  test('pages › from / to the guides and the portal', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(service.origin);
    await page.getByRole('banner').getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor();
    await page.goto(service.origin);
    assert.equal(await page.locator('ol li').count(), 3, 'three steps to begin with');
    await page.getByRole('banner').getByRole('link', { name: 'Portal' }).click();
    await page.waitForURL(/\/portal/);
  });
});

const guides = Object.keys(audiences).flatMap((audience) =>
  globSync(`docs/${audience}/*.md`, { cwd: projectRoot })
    .map((file) => path.basename(file, '.md'))
    .map((name) => (name === 'README' ? `/docs/${audience}` : `/docs/${audience}/${name}`)),
);

const context: DocsContext = {
  baseUrl: 'http://latchkey.test',
  environment: 'simulation',
  project: projectRoot,
  consoleFolder: path.join(projectRoot, 'console/dist'),
};

async function server(): Promise<FastifyInstance> {
  const app = Fastify({ exposeHeadRoutes: false });
  await pageRoutes(app, context);
  return app;
}

suite('docs without a browser', () => {
  for (const audience of Object.keys(audiences) as (keyof typeof audiences)[]) {
    test(`guides › the index of docs/${audience} names every document there`, () => {
      const named = [
        'README.md',
        ...guideFiles(projectRoot, audience).map((file) => path.basename(file)),
      ];
      const there = globSync(`docs/${audience}/*.md`, { cwd: projectRoot });
      assert.deepEqual(there.map((file) => path.basename(file)).toSorted(), named.toSorted());
    });
  }

  test('guides › every old address leads to a new one', async () => {
    const app = await server();
    const merged = { portal: 'partners', 'reservations-team': 'reservations' };
    for (const name of formerGuides) {
      for (const suffix of ['', '.md']) {
        const { statusCode, headers } = await app.inject(`/docs/guides/${name}${suffix}`);
        const to = String(headers.location);
        assert.equal(statusCode, 308, name);
        assert.equal(path.basename(to, '.md'), merged[name as 'portal'] ?? name);
        assert.equal((await app.inject(to)).statusCode, 200, to);
      }
    }
    await app.close();
  });

  test('guides › what partners read links only to what the service has', () => {
    for (const file of guideFiles(projectRoot, 'partners')) {
      const text = readFileSync(path.join(projectRoot, file), 'utf8');
      for (const [, href = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
        const [, , audience = ''] =
          path.posix.join(path.posix.dirname(file), href).match(/^(docs)\/([\w-]+)\//) ?? [];
        assert.ok(audience in audiences, `${file} links to ${href}`);
      }
    }
  });

  test('guides › every picture is served', async () => {
    const app = await server();
    const { body } = await app.inject('/docs/reservations-team/reservations');
    const pictures = [...body.matchAll(/<img src="([^"]+\.png)" alt="[^"]+"/g)].map(
      ([, url = '']) => url,
    );
    assert.ok(pictures.length >= 5);
    for (const url of pictures) {
      const { statusCode, headers } = await app.inject(url);
      assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'], url);
    }
    await app.close();
  });

  test('guides › every link leads to an existing page and anchor', async () => {
    const app = await server();
    const bodies = new Map<string, string>();
    const bodyOf = async (address: string): Promise<string> => {
      const known = bodies.get(address);
      if (known !== undefined) return known;
      const { statusCode, body } = await app.inject(address);
      assert.equal(statusCode, 200, address);
      bodies.set(address, body);
      return body;
    };
    let followed = 0;
    for (const from of ['/', '/docs/guides', ...guides]) {
      for (const [, href = ''] of (await bodyOf(from)).matchAll(/<a [^>]*href="([^"]+)"/g)) {
        if (/^https?:/.test(href)) continue;
        const [to, anchor] = href.split('#');
        const body = await bodyOf(to || from);
        if (anchor) assert.ok(body.includes(`id="${anchor}"`), `${from} leads to ${href}`);
        followed += 1;
      }
    }
    assert.ok(followed > 200, `${followed} links`);
    await app.close();
  });

  test('pages › a policy without scripts, and the code in colours', async () => {
    const app = await server();
    for (const url of ['/', '/docs/guides', '/docs/partners/webhooks']) {
      const { headers, body } = await app.inject(url);
      assert.equal(
        headers['content-security-policy'],
        "default-src 'none';style-src 'self';img-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
      );
      assert.doesNotMatch(body, /<script|style="/);
    }
    const { body } = await app.inject('/docs/partners/webhooks');
    assert.match(body, /<span class="hljs-keyword">import<\/span>/);
    await app.close();
  });

  test('pages › every link begins with the path of the base URL', async () => {
    const app = Fastify({ exposeHeadRoutes: false });
    await pageRoutes(app, { ...context, baseUrl: 'https://a.example/homes' });
    for (const url of ['/', '/docs', '/docs/partners/events']) {
      const { body } = await app.inject(url);
      const links = [...body.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, to = '']) => to);
      assert.ok(links.length > 4);
      assert.deepEqual(
        links.filter((to) => !to.startsWith('/homes/')),
        [],
      );
    }
    await app.close();
  });

  test('files › compressed where that is accepted, the large one by the build', async () => {
    const app = await server();
    for (const [url, most] of [
      ['/docs/viewer.js', 1_000_000],
      ['/openapi.json', 60_000],
      ['/docs/partners/first-booking', 12_000],
    ] as const) {
      for (const encoding of ['br', 'gzip'] as const) {
        const response = await app.inject({ url, headers: { 'accept-encoding': encoding } });
        assert.equal(response.headers['content-encoding'], encoding, url);
        assert.match(String(response.headers['vary']), /accept-encoding/i);
        assert.ok(response.rawPayload.length < most, `${url}: ${response.rawPayload.length} bytes`);
        const plain = await app.inject({ url });
        assert.equal(plain.headers['content-encoding'], undefined);
        const unpack = encoding === 'br' ? brotliDecompressSync : gunzipSync;
        assert.ok(unpack(response.rawPayload).equals(plain.rawPayload), url);
      }
    }
    const built = await readFile(path.join(context.consoleFolder, 'docs/viewer.js.br'));
    const { rawPayload } = await app.inject({
      url: '/docs/viewer.js',
      headers: { 'accept-encoding': 'br' },
    });
    assert.ok(rawPayload.equals(built), 'no request compresses it');
    await app.close();
  });

  test('pages › their headers and their compression are for pages alone', async () => {
    const app = Fastify({ exposeHeadRoutes: false });
    await pageRoutes(app, context);
    app.get('/v1/other', async () => ({ text: 'x'.repeat(5_000) }));
    const response = await app.inject({ url: '/v1/other', headers: { 'accept-encoding': 'br' } });
    assert.deepEqual(Object.keys(response.headers).toSorted(), [
      'connection',
      'content-length',
      'content-type',
      'date',
    ]);
    await app.close();
  });

  test('files › 304 if they have not changed', async () => {
    const app = await server();
    for (const url of [
      '/',
      '/docs',
      '/docs/viewer.js',
      '/docs/page.css',
      '/docs/partners/events',
    ]) {
      const { headers } = await app.inject(url);
      assert.equal(headers['cache-control'], 'no-cache', url);
      const again = await app.inject({
        url,
        headers: { 'if-none-match': String(headers.etag) },
      });
      assert.deepEqual([again.statusCode, again.body], [304, ''], url);
    }
    await app.close();
  });

  test('openapi.json › the committed bytes, for any host name', async () => {
    const app = await server();
    const response = await app.inject({ url: '/openapi.json', headers: { host: 'other.invalid' } });
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers['content-type'], 'application/json');
    assert.ok(response.rawPayload.equals(openApiBytes));
    await app.close();
  });

  test('openapi.json › 304 if it has not changed', async () => {
    const app = await server();
    const { headers } = await app.inject('/openapi.json');
    const etag = String(headers.etag);
    assert.match(etag, /^W\/"[\w-]{22}"$/);
    for (const known of [etag, etag.replace('W/', ''), `"another", ${etag}`, '*']) {
      const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': known } });
      assert.equal(again.statusCode, 304, known);
      assert.equal(again.body, '');
    }
    await app.close();
  });

  test('docs › with and without a slash, under a policy that names no other host', async () => {
    const app = await server();
    for (const url of ['/docs', '/docs/']) {
      const response = await app.inject(url);
      assert.equal(response.statusCode, 200);
      const policy = String(response.headers['content-security-policy']);
      assert.match(policy, /^default-src 'none';script-src 'self';/);
      assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
    }
    await app.close();
  });

  test('docs › HEAD is not offered', async () => {
    const app = await server();
    const response = await app.inject({ method: 'HEAD', url: '/docs' });
    assert.equal(response.statusCode, 404);
    await app.close();
  });
});
