/** The operator's own pictures: images in the data folder, and nothing else; and pictures that staff upload. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { createServer } from '../../../src/api/server.ts';
import { sweepPictures, uploadsPath } from '../../../src/catalog/index.ts';
import { operatorLimits } from '../../../src/contract/operator/limits.ts';
import { issueOperatorToken } from '../../../src/sign-in/index.ts';
import { pictureUploadRoutes } from '../../../src/surfaces/picture-routes.ts';
import { StorageError } from '../../../src/platform/file-storage/file-storage.ts';
import { folderStorage } from '../../../src/platform/file-storage/folder.ts';
import { eventually } from '../../harness/eventually.ts';
import { operatorOf, type Operator } from '../../harness/operator.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const picture = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A PNG file that says it has this size and form (the end of its header), with hardly any data. */
function bomb(width: number, height: number, form = [8, 2, 0, 0, 0]): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const content = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length);
    frame.writeUInt32BE(crc32(content), 4);
    return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...form]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.alloc(100_000));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('pictures of the data folder', () => {
  let dataDir: string;
  let service: TestService;
  let staff: Operator;

  before(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'lk-pictures-'));
    service = await startTestService({ LATCHKEY_ENVIRONMENT: 'test', LATCHKEY_DATA_DIR: dataDir });
    staff = await operatorOf(service);
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

  const upload = (bytes: Buffer) => staff.done('operator.picture.upload', { bytes });
  const uploadsFolder = () => path.join(dataDir, uploadsPath);
  const pathOf = (url: string) => url.slice(url.indexOf('/pictures/'));

  // Spec: LISTING-9.
  it('uploaded › are upright in every size, and keep nothing else of the file', async () => {
    const left = await picture(400, 600, 'red').png().toBuffer();
    const file = await picture(800, 600, 'blue')
      .composite([{ input: left, left: 0, top: 0 }])
      .withExif({
        IFD0: { Copyright: 'Ana of Casa' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '38/1 42/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    assert.ok(file.includes('Ana of Casa'));
    const { width, height, url, file: name, pictureId } = await upload(file);
    assert.deepEqual(
      { width, height, name },
      {
        width: 600,
        height: 800,
        name: `pictures/uploaded/${pictureId}-1920.jpg`,
      },
    );
    const stored = (await readdir(uploadsFolder())).toSorted();
    const sizes = [1920, 480, 960];
    assert.deepEqual(
      stored,
      sizes.map((size) => `${pictureId}-${size}.jpg`),
    );
    for (const size of sizes) {
      const response = await fetch(`${service.origin}${pathOf(url).replace('1920', String(size))}`);
      assert.equal(response.status, 200);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(Number(response.headers.get('content-length')), bytes.length);
      const found = await sharp(bytes).metadata();
      const longest = Math.min(size, 800);
      assert.deepEqual(
        [found.format, found.width, found.height, found.exif, found.orientation, found.icc],
        ['jpeg', longest * 0.75, longest, undefined, undefined, undefined],
      );
      assert.ok(!bytes.includes('Ana of Casa'));
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const middle = info.width >> 1;
      const colour = (row: number) => [
        ...data.subarray((row * info.width + middle) * 3).subarray(0, 3),
      ];
      const [top, bottom] = [colour(20), colour(info.height - 20)];
      assert.ok(top[0]! > 200 && top[2]! < 50, `red is on top: ${top.join()}`);
      assert.ok(bottom[2]! > 200 && bottom[0]! < 50, `blue is below: ${bottom.join()}`);
    }
    assert.equal((await upload(file)).pictureId, pictureId);
    assert.deepEqual((await readdir(uploadsFolder())).toSorted(), stored);
  });

  it('uploaded › a PNG without opacity and a large WebP are JPEG files on white, within the sizes', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const transparent = sharp({ create: { width: 50, height: 9, channels: 4, background: clear } });
    const small = await upload(await transparent.png().toBuffer());
    assert.deepEqual([small.width, small.height], [50, 9]);
    const bytes = await readFile(path.join(dataDir, small.file));
    assert.ok((await sharp(bytes).stats()).channels.every(({ min }) => min === 255));
    const large = await upload(await picture(3_000, 100, 'green').webp().toBuffer());
    assert.deepEqual([large.width, large.height], [1_920, 64]);
  });

  it('uploaded › are served for ever, as nothing but pictures', async () => {
    const { url } = await upload(await picture(10, 10, 'yellow').jpeg().toBuffer());
    const { headers } = await fetch(`${service.origin}${pathOf(url)}`);
    const expected = {
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(headers.get(name), value);
    const again = await get(pathOf(url), {
      'if-none-match': `"another", W/${headers.get('etag')}`,
    });
    assert.equal(again.status, 304);
    const unknown = `${'0'.repeat(32)}-480.jpg`;
    const none = await get(`/${uploadsPath}/${unknown}`, { 'if-none-match': '*' });
    assert.equal(none.status, 404, 'there is none, also if the caller has one');
    const name = path.basename(pathOf(url));
    await writeFile(path.join(dataDir, 'pictures', name), 'outside');
    for (const wrong of [
      unknown,
      name.replace('1920', '1921'),
      `../${name}x`,
      `..%2f${name}`,
      `%2e%2e%2f${name}`,
      `${name}%00`,
      `${name}/`,
      '',
    ]) {
      const { status, text } = await get(`/pictures/uploaded/${wrong}`);
      assert.ok(status === 404 || status === 400, `${wrong}: ${status}`);
      assert.match(text, /"error"/, wrong);
    }
  });

  it('uploaded › 400 invalid_input › what is no picture, or too large', async () => {
    const jpeg = await picture(300, 300, 'red').jpeg().toBuffer();
    const gif = await picture(5, 5, 'red').gif().toBuffer();
    const formats = /must be a JPEG, PNG or WebP file/;
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const hostile: [string, Buffer, RegExp][] = [
      ['nothing', Buffer.alloc(0), /is empty/],
      ['a text named as a picture', Buffer.from('hello'), formats],
      ['SVG with a script', Buffer.from(svg), formats],
      ['a page that begins as GIF', Buffer.from('GIF89a<script>alert(1)</script>'), formats],
      ['GIF', gif, formats],
      ['PDF', Buffer.from('%PDF-1.7\n1 0 obj'), formats],
      ['half of a JPEG file', jpeg.subarray(0, jpeg.length / 2), /is damaged/],
      ['only the beginning of a JPEG file', jpeg.subarray(0, 20), /is damaged|JPEG, PNG/],
      ['a decompression bomb', bomb(60_000, 60_000), /at most 64 megapixels/],
      ['16 bits per channel, interlaced', bomb(8_000, 8_000, [16, 6, 0, 0, 1]), /at most 256 MB/],
      ['a PNG file without its pixels', bomb(5_000, 5_000), /is damaged/],
      [
        'a file that is too long',
        Buffer.alloc(operatorLimits.pictureBytes + 1),
        /at most \d+ bytes/,
      ],
    ];
    const stored = await readdir(uploadsFolder());
    for (const [name, bytes, message] of hostile) {
      const { code, details } = await staff.refused('operator.picture.upload', { bytes });
      assert.equal(code, 'invalid_input', name);
      const { fields } = details as { fields: { path: string; message: string }[] };
      assert.equal(fields.length, 1, name);
      assert.match(fields[0]!.message, message, name);
    }
    const sent = { bytes: jpeg };
    const { status } = await staff.send('operator.picture.upload', sent, {
      'content-type': 'image/jpeg',
    });
    assert.equal(status, 400);
    assert.deepEqual(await readdir(uploadsFolder()), stored);
  });

  it('uploaded › of a file that is also a page, only the picture is kept', async () => {
    const page = '<script>alert(1)</script><?php system(1); ?>';
    const jpeg = await picture(30, 30, 'red').jpeg().toBuffer();
    const { file } = await upload(Buffer.concat([jpeg, Buffer.from(page)]));
    const stored = await readFile(path.join(dataDir, file));
    assert.ok(!stored.includes('script') && !stored.includes('php'));
  });

  /** Makes uploads without their bytes, which can be left. */
  async function uploads(): Promise<() => ClientRequest> {
    const { token } = await issueOperatorToken(service.database, 'test', {
      name: 'uploads',
      role: 'administrator',
      lifetimeSeconds: 60,
    });
    const { hostname, port } = new URL(service.origin);
    const target = { method: 'POST', path: '/operator/v1/pictures' };
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/octet-stream',
    };
    return () => request({ hostname, port, ...target, headers }).on('error', () => undefined);
  }

  it('uploaded › 429 rate_limited › more at once than a process accepts', async () => {
    const bytes = await picture(10, 10, 'orange').jpeg().toBuffer();
    const newUpload = await uploads();
    const begun: ClientRequest[] = [];
    const begin = () => {
      const sent = newUpload();
      sent.write('x');
      begun.push(sent);
    };
    const outcome = async () => {
      const { status, headers } = await staff.send('operator.picture.upload', { bytes });
      return [status, headers.get('retry-after')].join(' ');
    };
    // The slot of a call is free a moment after its response.
    await eventually(async () => {
      begin();
      return (await outcome()) === '429 1';
    }, 30_000);
    assert.ok(begun.length >= operatorLimits.uploadsAtOnce);
    for (const sent of begun) sent.destroy();
    // Also those that disconnect while their credentials are read.
    for (let calls = 0; calls < 40; calls += 1) {
      begin();
      const sent = begun.at(-1)!;
      setTimeout(() => sent.destroy(), 2 + (calls % 5));
    }
    await Promise.all(
      begun.map((sent) => sent.closed || new Promise((resolve) => sent.once('close', resolve))),
    );
    await eventually(async () => {
      const outcomes = await Promise.all(
        Array.from({ length: operatorLimits.uploadsAtOnce }, () => outcome()),
      );
      return outcomes.every((one) => one === '201 ');
    });
  });

  it('uploaded › 429 rate_limited › more than a process holds, of callers that did not wait', async () => {
    const bytes = await picture(10, 10, 'tan').jpeg().toBuffer();
    const status = async () => (await staff.send('operator.picture.upload', { bytes })).status;
    const newUpload = await uploads();
    const { database } = service;
    await database.transaction(async (executor) => {
      await sql(executor, 'LOCK TABLE pictures IN ACCESS EXCLUSIVE MODE');
      const left = Array.from({ length: operatorLimits.uploadsAtOnce }, () =>
        newUpload().end(bytes),
      );
      const waiting = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await eventually(async () => (await sql(database, waiting)).length === left.length);
      await Promise.all(
        left.map((sent) => new Promise((resolve) => sent.once('close', resolve).destroy())),
      );
      for (let calls = 0; calls < 3; calls += 1) assert.equal(await status(), 429);
    });
    await eventually(async () => (await status()) === 201);
  });

  it('uploaded › 503 unavailable › where the files cannot be stored', async () => {
    const folder = uploadsFolder();
    // What the uploads of a test before still write goes with it.
    await rename(folder, `${folder}-aside`);
    await writeFile(folder, 'in the way');
    const bytes = await picture(10, 10, 'brown').jpeg().toBuffer();
    const refused = await staff.refused('operator.picture.upload', { bytes });
    assert.deepEqual([refused.status, refused.code, refused.retryable], [503, 'unavailable', true]);
    await rm(folder);
    assert.equal((await staff.send('operator.picture.upload', { bytes })).status, 201);
  });

  it('uploaded › 503 unavailable › while they cannot be read, and caches do not keep that', async () => {
    const server = { tls: null, trustedProxy: null, connections: 10, logger: false } as const;
    const app = createServer(server);
    const lost = () => Promise.reject(new StorageError('the storage cannot be reached'));
    pictureUploadRoutes(app, { ...folderStorage(dataDir), read: lost });
    const url = `/pictures/uploaded/${'0'.repeat(32)}-480.jpg`;
    const { statusCode, headers, body } = await app.inject({ url, headers: { host: 'a.example' } });
    assert.deepEqual([statusCode, headers['cache-control']], [503, 'no-store']);
    assert.doesNotMatch(body, /storage/);
    await app.close();
  });

  it('uploaded › are whole where the storage does not name their length', async () => {
    const server = { tls: null, trustedProxy: null, connections: 10, logger: false } as const;
    const app = createServer(server);
    const read = () => Promise.resolve({ size: null, content: Readable.from(['pic', 'ture']) });
    pictureUploadRoutes(app, { ...folderStorage(dataDir), read });
    const url = `/pictures/uploaded/${'0'.repeat(32)}-480.jpg`;
    const { statusCode, headers, body } = await app.inject({ url, headers: { host: 'a.example' } });
    assert.deepEqual([statusCode, headers['content-length'], body], [200, undefined, 'picture']);
    await app.close();
  });

  it('uploaded › 503 unavailable › more are read at once than a process reads', async () => {
    const server = { tls: null, trustedProxy: null, connections: 10, logger: false } as const;
    const app = createServer(server);
    const contents: Readable[] = [];
    const read = () => {
      const content = new Readable({ read: () => undefined });
      contents.push(content);
      return Promise.resolve({ size: null, content });
    };
    pictureUploadRoutes(app, { ...folderStorage(dataDir), read });
    const url = `/pictures/uploaded/${'0'.repeat(32)}-480.jpg`;
    const status = async () =>
      (await app.inject({ url, headers: { host: 'a.example' } })).statusCode;
    const reading = Array.from({ length: 64 }, status);
    await eventually(() => Promise.resolve(contents.length === 64));
    assert.equal(await status(), 503);
    for (const content of contents) content.push(null);
    assert.deepEqual(new Set(await Promise.all(reading)), new Set([200]));
    const next = status();
    await eventually(() => Promise.resolve(contents.length === 65));
    contents.at(-1)!.push(null);
    assert.equal(await next, 200);
    await app.close();
  });

  const listing = 'casa-do-sobreiro';
  const params = { listing };
  const listed = async () =>
    (await staff.done('operator.picture.list', { params })).items.map(({ url, alt }) => [
      pathOf(url),
      alt,
    ]);

  it('of a home › are added, ordered, described and removed, and partners see it at once', async () => {
    const [{ catalogId } = { catalogId: '' }] = [...service.catalog.views()];
    const partner = await service.partner({ catalogId });
    const { listingId } = await staff.done('operator.listing.get', { params });
    const known = await listed();
    const one = await upload(await picture(20, 20, 'pink').jpeg().toBuffer());
    const other = await upload(await picture(20, 20, 'black').jpeg().toBuffer());
    const add = (body: { pictureId: string; alt: string; position?: number }) =>
      staff.done('operator.picture.add', { params, body });
    await add({ pictureId: one.pictureId, alt: 'The terrace', position: 1 });
    await add({ pictureId: other.pictureId, alt: '' });
    const [first, last] = [pathOf(one.url), pathOf(other.url)];
    assert.deepEqual(await listed(), [[first, 'The terrace'], ...known, [last, '']]);
    assert.deepEqual(
      (await add({ pictureId: one.pictureId, alt: 'Again' })).items.length,
      known.length + 2,
    );
    const { images } = await partner.succeed('distribution.listing.get', { params: { listingId } });
    assert.deepEqual(images[0], { url: one.url, alt: 'The terrace' });

    const set = (pictureId: string, body: { alt?: string; position?: number }) =>
      staff.done('operator.picture.set', { params: { listing, pictureId }, body });
    await set(other.pictureId, { alt: 'The pool', position: 1 });
    await set(one.pictureId, { position: 200 });
    assert.deepEqual(await listed(), [[last, 'The pool'], ...known, [first, 'The terrace']]);
    const audit = await staff.done('operator.audit.list', { query: { limit: 1 } });
    assert.equal(audit.items[0]!.action, 'listing.change');

    // One of the home that was not uploaded.
    const { items } = await staff.done('operator.picture.list', { params });
    const remove = (pictureId: string) =>
      staff.done('operator.picture.remove', { params: { listing, pictureId } });
    await remove(items[1]!.pictureId);
    await remove(other.pictureId);
    assert.deepEqual(await listed(), [...known.slice(1), [first, 'The terrace']]);
    for (const id of ['operator.picture.remove', 'operator.picture.set'] as const) {
      const gone = { params: { listing, pictureId: other.pictureId } };
      const body = id === 'operator.picture.set' ? { body: { alt: 'x' } } : {};
      const { status } = await staff.refused(id, { ...gone, ...body } as never);
      assert.equal(status, 404);
    }
    const unknown = { params, body: { pictureId: '0'.repeat(32), alt: '' } };
    assert.equal((await staff.refused('operator.picture.add', unknown)).status, 404);
  });

  it('of a home › two who change them at the same time lose nothing', async () => {
    const colours = ['#010203', '#550506', '#070899'];
    const added = await Promise.all(
      colours.map(async (background) => {
        const bytes = await picture(20, 20, background).png().toBuffer();
        const { status, body } = await staff.send('operator.picture.upload', { bytes });
        assert.equal(status, 201);
        const { pictureId } = body as { pictureId: string };
        await staff.done('operator.picture.add', { params, body: { pictureId, alt: background } });
        return background;
      }),
    );
    const texts = (await listed()).map(([, alt]) => alt!);
    assert.deepEqual(texts.filter((alt) => added.includes(alt)).toSorted(), added.toSorted());
  });

  it('that no home has are removed after a month', async () => {
    const { pictureId: unused } = await upload(await picture(20, 20, 'gray').jpeg().toBuffer());
    const kept = (await listed()).flatMap(([address]) => {
      const [, id] = /uploaded\/(\w+)-/.exec(address!) ?? [];
      return id === undefined ? [] : [id];
    });
    assert.ok(kept.length > 0);
    const sweep = async (storage = folderStorage(uploadsFolder())) => {
      await sql(service.database, 'UPDATE pictures SET look_at = now()');
      return sweepPictures(service.database, storage, 1_000);
    };
    const states = async () => {
      const rows = await sql<{ picture_id: string; state: string }>(
        service.database,
        'SELECT picture_id, state FROM pictures',
      );
      return new Map(rows.map(({ picture_id: id, state }) => [id, state]));
    };
    const isStored = async (id: string) =>
      (await readdir(uploadsFolder())).filter((name) => name.startsWith(id)).length === 3;

    await sql(service.database, `UPDATE pictures SET state = 'used' WHERE picture_id = $1`, [
      unused,
    ]);
    await sweep();
    assert.equal((await states()).get(unused), 'unused');
    for (const id of kept) assert.equal((await states()).get(id), 'used');
    const [{ days } = { days: 0 }] = await sql<{ days: number }>(
      service.database,
      `SELECT extract(day FROM look_at - now())::integer + 1 AS days FROM pictures WHERE picture_id = $1`,
      [unused],
    );
    assert.equal(days, 30);
    assert.ok(await isStored(unused));

    // Its files cannot be removed: they are later.
    const failing = {
      ...folderStorage(uploadsFolder()),
      remove: () => Promise.reject(new Error('no')),
    };
    await assert.rejects(sweep(failing), /no/);
    assert.equal((await states()).get(unused), 'removing');
    const bytes = await picture(20, 20, 'gray').jpeg().toBuffer();
    assert.equal((await staff.refused('operator.picture.upload', { bytes })).code, 'conflict');
    await sweep();
    assert.ok(!(await states()).has(unused));
    assert.ok(!(await isStored(unused)));
    for (const id of kept) assert.ok(await isStored(id));
    assert.equal((await upload(bytes)).pictureId, unused);
    assert.ok(await isStored(unused));
  });

  it('are removed one by one, and nobody else removes them within an hour', async () => {
    const ids = ['a', 'b'].map((digit) => digit.repeat(32));
    await service.database.transaction(async (executor) => {
      const insert = `INSERT INTO pictures SELECT id, 'removing', '-infinity' FROM unnest($1::text[]) id`;
      await sql(executor, insert, [ids]);
      let removed = 0;
      const remove = () =>
        removed++ < 3 ? Promise.resolve() : Promise.reject(new Error('it is gone'));
      const failing = { ...folderStorage(uploadsFolder()), remove };
      await assert.rejects(sweepPictures(executor, failing, 2), /it is gone/);
      const left = await sql<{ minutes: number }>(
        executor,
        `SELECT extract(epoch FROM look_at - now())::integer / 60 AS minutes FROM pictures
          WHERE picture_id = ANY ($1)`,
        [ids],
      );
      assert.deepEqual(left, [{ minutes: 60 }]);
      await sql(executor, 'DELETE FROM pictures WHERE picture_id = ANY ($1)', [ids]);
    });
  });
});
