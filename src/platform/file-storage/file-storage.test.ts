/** Files in a folder and in a bucket: one contract, two storages. The stand-in checks signatures by the library of AWS. */
import assert from 'node:assert/strict';
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { SignatureV4 } from '@smithy/signature-v4';
import { bucketStorage, type BucketSettings } from './bucket.ts';
import { type FileStorage, StorageError } from './file-storage.ts';
import { folderStorage } from './folder.ts';

const keys = { region: 'eu-west-3', keyId: 'key', secretKey: 'secret/+with signs' };

class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: Buffer) {
    this.#hash = secret ? createHmac('sha256', secret) : createHash('sha256');
  }
  update(data: Buffer): void {
    this.#hash.update(data);
  }
  digest(): Promise<Buffer> {
    return Promise.resolve(this.#hash.digest());
  }
}

const signer = new SignatureV4({
  service: 's3',
  region: keys.region,
  credentials: { accessKeyId: keys.keyId, secretAccessKey: keys.secretKey },
  sha256: Sha256 as never,
  uriEscapePath: false,
});

/** Whether AWS would sign the request so, and the body is the one that was signed. */
async function isSigned({ headers, url, method }: IncomingMessage, body: Buffer): Promise<boolean> {
  const given = headers.authorization ?? '';
  const [, names = ''] = /SignedHeaders=([^,]+)/.exec(given) ?? [];
  const signed = Object.fromEntries(names.split(';').map((name) => [name, String(headers[name])]));
  const [day, time] = String(headers['x-amz-date']).split('T');
  const form = /(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})Z/;
  const at = `${day}-${time}`.replace(form, '$1-$2-$3T$4:$5:$6Z');
  const request = {
    method,
    protocol: 'http:',
    hostname: '',
    path: url,
    query: {},
    headers: signed,
  };
  const { headers: right } = (await signer.sign(request as never, {
    signingDate: new Date(at),
  })) as unknown as { headers: Record<string, string> };
  const digest = createHash('sha256').update(body).digest('hex');
  const spaced = (text = '') => text.replaceAll(/,\s*/g, ', ');
  return (
    spaced(right['authorization']) === spaced(given) && headers['x-amz-content-sha256'] === digest
  );
}

const files = new Map<string, { body: Buffer; type: string | undefined }>();
/** Answers the next requests instead. */
let broken: ((response: ServerResponse) => void) | null = null;

const refusal = (code: string): string => `<Error><Code>${code}</Code></Error>`;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  if (broken) return broken(response);
  const { method = '', url = '', headers } = request;
  if (!(await isSigned(request, body))) {
    response.writeHead(403).end(refusal('SignatureDoesNotMatch'));
  } else if (!url.startsWith('/homes/')) {
    response.writeHead(404).end(refusal('NoSuchBucket'));
  } else if (method === 'PUT') {
    files.set(url, { body, type: headers['content-type'] });
    response.end();
  } else if (method === 'DELETE') {
    files.delete(url);
    response.writeHead(204).end();
  } else if (files.has(url)) response.end(files.get(url)!.body);
  else response.writeHead(404).end(refusal('NoSuchKey'));
}

describe('file storage', () => {
  const server = createServer((request, response) => void serve(request, response));
  let folder: string;
  let origin: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lk-files-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const inBucket = (settings: Partial<BucketSettings> = {}) =>
    bucketStorage({ ...keys, url: `${origin}/homes/pictures`, ...settings });
  const storages: Record<string, () => FileStorage> = {
    folder: () => folderStorage(path.join(folder, 'of/pictures')),
    bucket: inBucket,
  };
  const unavailable = (message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof StorageError, String(error));
    assert.equal(error.refusal.refused, 'unavailable');
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  };

  for (const [kind, open] of Object.entries(storages)) {
    it(`${kind} › what is written is read, replaced and removed`, async () => {
      const storage = open();
      const read = async (name: string) => {
        const file = await storage.read(name);
        if (!file) return null;
        const content = await buffer(file.content);
        assert.equal(file.size, content.length);
        return content.toString();
      };
      assert.equal(await read('one-1.jpg'), null);
      await storage.write('one-1.jpg', Buffer.from('first'), 'image/jpeg');
      await storage.write('two-1.jpg', Buffer.alloc(300_000, 'x'), 'image/jpeg');
      assert.equal(await read('one-1.jpg'), 'first');
      await storage.write('one-1.jpg', Buffer.from('second'), 'image/jpeg');
      assert.equal(await read('one-1.jpg'), 'second');
      await storage.remove('one-1.jpg');
      await storage.remove('one-1.jpg');
      assert.equal(await read('one-1.jpg'), null);
      assert.equal((await read('two-1.jpg'))?.length, 300_000);
    });
  }

  it('folder › unavailable where it cannot be written, and no part of a file stays', async () => {
    const blocked = path.join(folder, 'file');
    await writeFile(blocked, '');
    const storage = folderStorage(path.join(blocked, 'pictures'));
    const writing = storage.write('one.jpg', Buffer.from('x'), 'image/jpeg');
    await assert.rejects(writing, unavailable(/cannot be used \(ENOTDIR\)/));
    await assert.rejects(storage.read('one.jpg'), unavailable(/ENOTDIR/));
    assert.deepEqual(await readdir(path.join(folder, 'of/pictures')), ['two-1.jpg']);
  });

  it('folder › what a process that died has left is removed after an hour', async () => {
    const storage = folderStorage(path.join(folder, 'parts'));
    await storage.removeParts();
    await storage.write('one.jpg', Buffer.from('x'), 'image/jpeg');
    const left = path.join(folder, 'parts.parts');
    await writeFile(path.join(left, 'old'), 'x');
    await writeFile(path.join(left, 'young'), 'x');
    const seconds = Date.now() / 1_000 - 3_601;
    await utimes(path.join(left, 'old'), seconds, seconds);
    await storage.removeParts();
    assert.deepEqual(await readdir(left), ['young']);
    assert.deepEqual(await readdir(path.join(folder, 'parts')), ['one.jpg']);
  });

  it('bucket › a file has its media type', () => {
    assert.equal(files.get('/homes/pictures/two-1.jpg')?.type, 'image/jpeg');
  });

  const wrong: Record<string, [Partial<BucketSettings>, RegExp]> = {
    'a wrong secret': [{ secretKey: 'other' }, /PUT with 403, SignatureDoesNotMatch$/],
    'another region': [{ region: 'us-east-1' }, /SignatureDoesNotMatch$/],
    'nobody listens': [{ url: 'http://127.0.0.1:1/homes' }, /cannot be reached$/],
  };
  for (const [name, [settings, message]] of Object.entries(wrong)) {
    it(`bucket › unavailable › ${name}`, async () => {
      const writing = inBucket(settings).write('x.jpg', Buffer.from('x'), 'image/jpeg');
      await assert.rejects(writing, unavailable(message));
    });
  }

  it('bucket › unavailable › no such bucket', async () => {
    const storage = inBucket({ url: `${origin}/others` });
    const writing = storage.write('x.jpg', Buffer.from('x'), 'image/jpeg');
    await assert.rejects(writing, unavailable(/has no such bucket$/));
  });

  it('bucket › a file is whole, also without its length or compressed', async () => {
    const content = Buffer.alloc(2_000, 'x');
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(content),
      (response) => {
        const compressed = gzipSync(content);
        const headers = { 'content-encoding': 'gzip', 'content-length': compressed.length };
        response.writeHead(200, headers).end(compressed);
      },
    ];
    for (broken of answers) {
      const file = await inBucket().read('two-1.jpg');
      assert.equal(file!.size, null);
      assert.deepEqual(await buffer(file!.content), content);
    }
    broken = null;
  });

  it('bucket › unavailable › it fails, redirects or closes the connection', async () => {
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(503).end(refusal('SlowDown')),
      (response) => response.writeHead(307, { location: `${origin}/homes/x` }).end(),
      (response) => response.destroy(),
    ];
    for (broken of answers) {
      await assert.rejects(inBucket().read('two-1.jpg'), unavailable(/^the storage 127/));
      await assert.rejects(inBucket().remove('two-1.jpg'), unavailable(/^the storage 127/));
    }
    broken = null;
  });
});
