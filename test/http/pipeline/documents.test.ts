/** What is served beside the contract, for people, programs and pages of other origins. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { audiences, guideFiles } from '../../../src/api/pages/guides.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { send } from '../../harness/http-client.ts';
import { projectRoot } from '../../harness/service-process.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const root = new URL('../../../', import.meta.url);
const committed = (file: string): Promise<string> => readFile(new URL(file, root), 'utf8');

const get = { method: 'GET', headers: {} } as const;

suite('documents beside the contract', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
  });
  after(() => service.stop());

  async function read(address: string, type: RegExp): Promise<string> {
    const { status, text, headers } = await send(`${service.origin}${address}`, get);
    assert.equal(status, 200, address);
    assert.match(headers.get('content-type') ?? '', type, address);
    return text;
  }

  const markdown = /^text\/markdown; charset=utf-8$/;
  const json = /^application\/json/;

  test('release-manifest.json › the committed bytes', async () => {
    assert.equal(
      await read('/release-manifest.json', json),
      await committed('release-manifest.json'),
    );
  });

  const linksIn = (text: string): string[] =>
    [...text.replaceAll(/```.*?```|`[^`\n]*`/gs, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
      ([, link = '']) => link,
    );

  test('guides › each as Markdown after its address, and all that it links to is served', async () => {
    const addresses = new Set(['/changelog.md', '/docs/security.md']);
    for (const audience of Object.keys(audiences)) addresses.add(`/docs/${audience}.md`);
    for (const address of addresses) {
      const text = await read(address, address.endsWith('.md') ? markdown : /./);
      const links = (address.endsWith('.md') ? linksIn(text) : [])
        .map((link) => new URL(link, `${testBaseUrl}${address}`))
        .filter(({ origin }) => origin === new URL(testBaseUrl).origin);
      for (const { pathname } of links) addresses.add(pathname);
    }
    const files = (Object.keys(audiences) as (keyof typeof audiences)[]).flatMap((audience) =>
      guideFiles(projectRoot, audience),
    );
    assert.ok(files.length > 100);
    for (const file of files) assert.ok(addresses.has(`/${file}`), `no link leads to ${file}`);
  });

  test('guides › what partners read links to nothing that is not served', async () => {
    for (const audience of ['partners', 'rules'] as const) {
      for (const file of guideFiles(projectRoot, audience)) {
        const links = linksIn(await read(`/${file}`, markdown));
        assert.equal(links.length, linksIn(await committed(file)).length, file);
      }
    }
    const [, partners = ''] = (await committed('CHANGELOG.md')).split('## For ');
    assert.equal(linksIn(await read('/changelog.md', markdown)).length, linksIn(partners).length);
  });

  test('rules › the index and each subject, as a page and as Markdown', async () => {
    assert.match(await read('/docs/rules', /^text\/html/), /<a href="[^"]*\/docs\/rules\/quotes"/);
    assert.match(await read('/docs/rules/quotes', /^text\/html/), /<h2 id="quote-1-/);
    assert.match(await read('/docs/rules.md', markdown), /\]\(rules\/quotes\.md\)/);
    assert.equal(
      await read('/docs/rules/quotes.md', markdown),
      await committed('docs/rules/quotes.md'),
    );
  });

  test('changelog › the part for partners, as a page and as Markdown', async () => {
    const text = await read('/changelog.md', markdown);
    assert.match(text, /^# Changes of the contract\n/);
    assert.match(text, /^### Revision \d+$/m);
    assert.doesNotMatch(text, /For operators/);
    assert.match(await read('/changelog', /^text\/html/), /Revision 1</);
  });

  test('llms.txt › names the contract and each guide for partners, by addresses that work', async () => {
    const text = await read('/llms.txt', /^text\/plain/);
    const links = [...text.matchAll(/\]\((.*?)\)/g)].map(([, link = '']) => link);
    assert.ok(links.length >= 3 + guideFiles(projectRoot, 'partners').length);
    for (const link of links) {
      assert.ok(link.startsWith(testBaseUrl), link);
      const { status } = await send(`${service.origin}${link.slice(testBaseUrl.length)}`, get);
      assert.equal(status, 200, link);
    }
  });

  test('security.txt › RFC 9116: a contact, and an expiry in the future', async () => {
    const text = await read('/.well-known/security.txt', /^text\/plain; charset=utf-8$/);
    const [, contact = ''] = /^Contact: (.*)$/m.exec(text) ?? [];
    const page = await send(`${service.origin}${contact.slice(testBaseUrl.length)}`, get);
    assert.match(page.text, /Reporting/);
    const [, expires = ''] = /^Expires: (.*)$/m.exec(text) ?? [];
    assert.ok(Date.parse(expires) > Date.now() + 300 * 86_400_000);
  });

  // Spec: VERSION-8.
  test('oauth-authorization-server › a client library discovers the endpoints', async () => {
    const text = await read('/.well-known/oauth-authorization-server', json);
    const response = new Response(text, { headers: { 'content-type': 'application/json' } });
    const found = await oauth.processDiscoveryResponse(new URL(testBaseUrl), response);
    assert.equal(found.token_endpoint, `${testBaseUrl}/oauth/token`);
    assert.equal(found.revocation_endpoint, `${testBaseUrl}/oauth/revoke`);
    assert.deepEqual(found.grant_types_supported, ['client_credentials']);
    assert.ok(found.scopes_supported?.includes('reservation.quote.create'));
  });

  test('oauth-protected-resource › names the server that issues its tokens', async () => {
    const text = await read('/.well-known/oauth-protected-resource', json);
    const found = JSON.parse(text) as { resource: string; authorization_servers: string[] };
    assert.equal(found.resource, testBaseUrl);
    assert.deepEqual(found.authorization_servers, [testBaseUrl]);
  });

  const readable = [
    '/openapi.json',
    '/portal/openapi.json',
    '/release-manifest.json',
    '/changelog.md',
    '/llms.txt',
    '/docs/partners/search.md',
    '/.well-known/security.txt',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/jwks.json',
  ];
  for (const address of readable) {
    test(`${address} › pages of other origins may read it`, async () => {
      const { headers } = await send(`${service.origin}${address}`, get);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.notEqual(headers.get('cross-origin-resource-policy'), 'same-origin');
    });
  }

  for (const address of ['/v1/site', '/oauth/token', '/portal', '/']) {
    test(`${address} › pages of other origins may not`, async () => {
      const { headers } = await send(`${service.origin}${address}`, get);
      assert.equal(headers.get('access-control-allow-origin'), null);
    });
  }
});
