/** The operator's own pictures: images in the data folder, and nothing else. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../harness/service.ts';

describe('pictures of the data folder', () => {
  let dataDir: string;
  let service: TestService;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'lk-pictures-'));
    service = await startTestService({ LATCHKEY_ENVIRONMENT: 'test', LATCHKEY_DATA_DIR: dataDir });
  });
  after(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Sends the path as it is written: `fetch` would resolve dots. */
  async function get(
    rawPath: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; type: string; text: string }> {
    const { hostname, port } = new URL(service.origin);
    const sent = request({ hostname, port, path: rawPath, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    return {
      status: response.statusCode ?? 0,
      type: response.headers['content-type'] ?? '',
      text,
    };
  }

  it('are not there before the operator puts them there', async () => {
    assert.equal((await get('/pictures/casa-1.jpg')).status, 404);
  });

  it('are served as what they are, without a start, and can be revalidated', async () => {
    const folder = path.join(dataDir, 'pictures/casa_1');
    await mkdir(folder, { recursive: true });
    const types = { jpg: 'jpeg', jpeg: 'jpeg', png: 'png', webp: 'webp', avif: 'avif', gif: 'gif' };
    for (const [extension, type] of Object.entries({ ...types, svg: 'svg+xml' })) {
      await writeFile(path.join(folder, `Front.${extension}`), extension);
      const found = await fetch(`${service.origin}/pictures/casa_1/Front.${extension}?size=1`);
      assert.equal(found.status, 200);
      assert.ok(found.headers.get('content-type')?.startsWith(`image/${type}`));
      assert.equal(found.headers.get('x-content-type-options'), 'nosniff');
      assert.match(found.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
      assert.equal(found.headers.get('cache-control'), 'public, max-age=86400');
      assert.equal(await found.text(), extension);
      const etag = found.headers.get('etag') ?? '';
      // `fetch` would also send `Cache-Control: no-cache`.
      const again = await get(new URL(found.url).pathname, { 'if-none-match': etag });
      assert.equal(again.status, 304);
    }
  });

  it('are 404 for anything that is no image in this folder', async () => {
    await mkdir(path.join(dataDir, 'pictures/folder.png'), { recursive: true });
    await writeFile(path.join(dataDir, 'pictures/page.html'), '<script>');
    await writeFile(path.join(dataDir, 'pictures/.hidden.png'), 'x');
    await writeFile(path.join(dataDir, 'secret.png'), 'secret');
    await writeFile(path.join(dataDir, 'master.key'), 'secret');
    const paths = [
      'page.html',
      'folder.png',
      '.hidden.png',
      '../secret.png',
      '..%2fsecret.png',
      '%2e%2e/secret.png',
      '%252e%252e%252fsecret.png',
      '..\\secret.png',
      '../master.key',
      'casa_1/../../secret.png',
      `${dataDir}/secret.png`,
      'casa_1//Front.png',
      'casa_1',
      'casa_1/',
      '',
      'Front.png%00.png',
    ];
    for (const name of paths) {
      const { status, text } = await get(`/pictures/${name}`);
      assert.ok(status === 404 || status === 400, `${name}: ${status}`);
      assert.doesNotMatch(text, /secret$/, name);
      assert.match(text, /"error"/, name);
    }
  });

  it('of the simulation are not there', async () => {
    assert.equal((await get('/pictures/casa-do-sobreiro/1.svg')).status, 404);
  });
});
